import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeFlags } from '../../src/providers/local/bench.suite.ts'
import { appliedAt } from './own-plane.suite.ts'

const CARD = 'GPU-6ee1f2aa-0000-4000-8000-000000000001'
const SMI = `0, ${CARD}, NVIDIA GeForce RTX 4090, 24564, 570.86.15, [N/A]\n`
/** Where podman looks for what a device is. The name of this one is nobody else's. */
const CDI = '/var/run/cdi'

/**
 * Runs a manifest on this host, by a control plane of its own, as a container of podman that gets a pretended card, and answers what the
 * container printed. Its image, which nobody could fetch, is one with nothing but busybox that prints a variable.
 */
export async function printedHere(
  text: string,
  { image, prints }: { readonly image: string; readonly prints: string },
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-here-'))
  const flags = storeFlags(folder)
  const cdi = join(CDI, `berth-test-${process.pid}.json`)
  try {
    buildPrinting(folder, flags, { image, prints })
    mkdirSync(CDI, { recursive: true })
    const device = { name: CARD, containerEdits: { env: ['CARD=yes'] } }
    writeFileSync(cdi, JSON.stringify({ cdiVersion: '0.3.0', kind: 'nvidia.com/gpu', devices: [device] }))
    writeFileSync(join(folder, 'smi.txt'), SMI)
    const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024']
    const settings = { runtime: 'podman', gpus: join(folder, 'smi.txt'), engine_flags: flags, run_flags: limits }
    const at = { provider: { kind: 'local', settings }, folder, withinMs: 120_000 }
    return await appliedAt(text, at, async ({ client, name }) => {
      const view = await client.workload({ project: 'default', name })
      if (view.state !== 'done') return JSON.stringify(view)
      const said = await client.logs({ project: 'default', name }, new AbortController().signal)
      const lines = await Array.fromAsync(said)
      return { found: lines.map((line) => line.text).join('\n') }
    })
  } finally {
    execFileSync('podman', [...flags, 'rm', '--all', '--force', '--time', '0'], { stdio: 'ignore' })
    rmSync(cdi, { force: true })
    rmSync(folder, { recursive: true, force: true })
  }
}

function buildPrinting(
  folder: string,
  flags: readonly string[],
  { image, prints }: { readonly image: string; readonly prints: string },
): void {
  const context = join(folder, 'context')
  mkdirSync(context)
  copyFileSync('/bin/busybox', join(context, 'busybox'))
  const entry = JSON.stringify(['/bin/sh', '-c', `echo $${prints} $CARD`])
  writeFileSync(join(context, 'Containerfile'), `FROM scratch\nCOPY busybox /bin/sh\nENTRYPOINT ${entry}\n`)
  execFileSync('podman', [...flags, 'build', '--quiet', '--tag', image, context], { stdio: 'ignore' })
}
