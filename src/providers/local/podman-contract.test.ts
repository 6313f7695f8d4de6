import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { freshTag, launchCall } from '../contract/bench.suite.ts'
import { providerContract } from '../contract/contract.suite.ts'
import { buildImage, lackFor, localBench, storeFlags } from './bench.suite.ts'
import { IS_WHOLE } from '../../core/base/laws.suite.ts'

// A store of its own, so that images and containers of the host stay out of it.
const lack = IS_WHOLE ? lackFor(['podman', 'runc', 'conmon']) : 'engines are tried by npm run test:all'

if (lack !== undefined) test.skip(lack, () => undefined)

describe.skipIf(lack !== undefined)('local with podman', () => {
  const store = mkdtempSync(join(tmpdir(), 'berth-podman-'))
  const flags = storeFlags(store)
  if (lack === undefined) buildImage(store, flags)
  afterAll(() => {
    execFileSync('podman', [...flags, 'rm', '--all', '--force', '--time', '0'], { stdio: 'ignore' })
    rmSync(store, { recursive: true, force: true })
  })

  const end = async (): Promise<void> => {
    execFileSync('podman', [...flags, 'rm', '--all', '--force', '--time', '0'], { stdio: 'ignore' })
  }
  const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024']
  const settings = { runtime: 'podman', gpus: [], engine_flags: flags }
  providerContract('podman', () => localBench({ ...settings, run_flags: limits }, end))

  test('flags that a restricted host needs are found by trying, and remembered', async () => {
    const bench = await localBench(settings, end)
    const launch = async (): Promise<void> => {
      const order = { ...(await bench.order({ kind: 'exit', code: 0 })), tag: freshTag() }
      expect(await bench.provider.launch(order, launchCall())).toMatchObject({ ok: true })
    }
    await launch()
    await launch()
    await bench.reopen()
    await launch()
    await bench.cleanup()
  })
})
