import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePorts, rigsFolder } from './rig/place.ts'
import { startRig } from './rig/rig.ts'

const NAME = 'by-hand'

function engines(...argv: readonly string[]): { readonly code: number | null; readonly out: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'run.ts'), ...argv], {
    encoding: 'utf8',
  })
  return { code: status, out: `${stdout}${status === 0 ? '' : stderr}`.trim() }
}

/** Processes whose command line names the rig's folder. */
function processesOf(name: string): readonly string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes(join(rigsFolder(), name)))
}

test('up twice is up once, its kubeconfig works inside and outside, and down leaves nothing', () => {
  const first = engines('up', 'kube', '--name', NAME)
  expect(first).toEqual({ code: 0, out: join(rigsFolder(), NAME, 'kubeconfig.yaml') })
  const processes = processesOf(NAME)
  expect(processes.length).toBeGreaterThan(5)

  expect(engines('up', 'kube', '--name', NAME)).toEqual(first)
  expect(processesOf(NAME)).toEqual(processes)

  const { out } = engines('status')
  for (const program of ['etcd', 'kube-apiserver', 'kube-scheduler', 'kube-controller-manager', 'kwok']) {
    expect(out).toMatch(new RegExp(`${program} +process \\d+`))
  }

  const ask = ['kubectl', '--kubeconfig', first.out, 'get', 'namespace', 'default', '-o', 'name']
  expect(engines('exec', '--name', NAME, ...ask)).toEqual({
    code: 1,
    out: expect.stringContaining('engines is not up'),
  })
  expect(engines('--name', NAME, 'exec', ...ask)).toEqual({ code: 0, out: 'namespace/default' })
  expect(spawnSync(join(kubectlOf(processes)), ask.slice(1), { encoding: 'utf8' }).stdout).toBe('namespace/default\n')

  expect(engines('down', '--name', NAME).code).toBe(0)
  expect(processesOf(NAME)).toEqual([])
  expect(existsSync(join(rigsFolder(), NAME))).toBe(false)
  expect(engines('down', '--name', NAME).code).toBe(0)
})

/** It lies beside the API server. */
function kubectlOf(processes: readonly string[]): string {
  const line = processes.find((line) => line.includes('/kube-apiserver ')) ?? ''
  return (/\S+\/kube-apiserver/.exec(line)?.[0] ?? '').replace('kube-apiserver', 'kubectl')
}

test('two clusters stand side by side, and one that stops leaves nothing', async () => {
  const [one, two] = [await startRig({ name: 'one' }), await startRig({ name: 'two' })]
  await one.api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'only-one' } })
  expect(await two.api.find('/api/v1/namespaces/only-one')).toBeUndefined()
  await one.stop()
  expect(processesOf('one')).toEqual([])
  expect(readdirSync(rigsFolder())).not.toContain('one')
  expect(await two.api.isReady()).toBe(true)
  await two.stop()
})

test('a rig that asks for ports gets some that are free', async () => {
  const ports = await freePorts()
  expect(ports).toBeGreaterThanOrEqual(20_000)
  expect(ports).toBeLessThan(32_000)
})

test.each([
  {
    argv: ['up', 'slurm'],
    says: 'no engine is called slurm; there are kube, kai, volcano, kueue, kuberay, kubelet, all',
  },
  { argv: ['up', '--name', '../x'], says: 'a rig is named with small letters, digits and dashes' },
  { argv: ['exec', 'true'], says: 'engines is not up: npm run engines -- up --name engines' },
])('$argv says $says', ({ argv, says }) => {
  expect(engines(...argv)).toEqual({ code: 1, out: says })
})
