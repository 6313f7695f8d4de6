import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInstalled } from '../../engines/build/python.ts'
import type { FakeMachine } from '../engine.ts'
import { appliedAt } from '../own-plane.suite.ts'
import { keyText, runningIn } from './bench.suite.ts'
import { startMoto } from './moto.ts'
import { AwsShim } from './shim.ts'

/** Why EC2 cannot be pretended here; undefined: it can. */
export function lackOfMoto(): string | undefined {
  return isInstalled('moto') ? undefined : 'needs moto: npm run test:engines -- aws installs it'
}

/**
 * Runs a manifest on EC2, as moto pretends it, by a control plane of its own, and answers what its machine was told to run, and how many
 * machines moto has.
 */
export async function runOnEc2(text: string): Promise<{ readonly machine: FakeMachine; readonly running: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-ec2-'))
  const moto = await startMoto()
  const cloud = await AwsShim.open(moto, Date.now)
  try {
    const settings = { endpoint: cloud.url, regions: ['us-east-1'], internal: true, inbound: true }
    const provider = { kind: 'aws', settings, key: keyText(cloud.key) }
    return await appliedAt(text, { provider, folder, withinMs: 240_000 }, async ({ client, name }) => {
      const view = await client.workload({ project: 'default', name })
      const [machine] = cloud.engine.billed()
      if (view.state !== 'running' || machine === undefined) return JSON.stringify(view)
      return { found: { machine, running: (await runningIn(cloud)).length } }
    })
  } finally {
    await cloud.close()
    await moto.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
