import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RealPlane, until } from '../plane/plane.ts'
import { ROOT } from '../house/files.ts'

const CONFIG = `berth: v1
kind: config
default_policy: anywhere
providers:
  here: { kind: local, settings: { runtime: process, cpu: 8, memory: 8Gi }, trust: internal }
  toy: { kind: sim, trust: community, settings: { start_seconds: [0, 0], stop_seconds: [0, 0] } }
policies:
  anywhere:
    objective: cheapest
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota, topology, interconnect] }
`

let folder = ''
let plane: RealPlane

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'berth-live-'))
  const config = join(folder, 'berth.config.yaml')
  writeFileSync(config, CONFIG)
  // A folder as people type it, relative to where they are.
  plane = new RealPlane({ folder: relative(ROOT, join(folder, 'data')), config })
  expect(await plane.start()).toBe(true)
})
afterEach(async () => {
  await plane.kill()
  rmSync(folder, { recursive: true, force: true })
})

test('work of this host runs wherever the data folder was given from, takes commands beside it, and runs again', async () => {
  await apply('w', { cpu: 1, memory: '1Gi' })
  await state('w', { ready: 1 }, 10_000)
  expect(await testOf('here')).toEqual([
    '1 offer, and 1 more once what runs there has ended',
    '1 instance that Berth started',
    LACKS,
  ])
  const at = { project: 'default', name: 'w' }
  const command = ['sh', '-c', 'echo "$BERTH_SLOT"; echo no >&2; exit 5']
  expect(await berth().exec({ ...at, slot: undefined, command, timeout_ms: 10_000 })).toMatchObject({
    code: 5,
    err: 'no\n',
  })
  await berth().stop(at)
  await state('w', { state: 'stopped' }, 20_000)
  await berth().rerun(at)
  await state('w', { ready: 1 }, 20_000)
  const attempts = await berth().attempts(at)
  expect(attempts.map(({ slot, number }) => `${slot}/${number}`)).toEqual(['0/1', '0/2'])
  await berth().stop(at)
  await state('w', { state: 'stopped' }, 20_000)
  expect(await testOf('here')).toEqual(['1 offer', '0 instances that Berth started, and 2 that have ended', LACKS])
})

test('a raised limit lets what waits for it start at once', async () => {
  await berth().setProject({ project: 'default', gpus_max: 0 })
  await apply('g', { gpu: { count: 1, min_vram: '16Gi' } })
  await state('g', { state: 'waiting' }, 10_000)
  await berth().setProject({ project: 'default', gpus_max: 1 })
  await state('g', { ready: 1 }, 4000)
})

test('a provider that is dead is not removed while something may run there, and is once it answers and nothing does', async () => {
  await berth().addProvider({ name: 'other', kind: 'local', settings: { runtime: 'process', cpu: 9, memory: '9Gi' } })
  await berth().setProvider({ name: 'here', state: 'cordoned' })
  await apply('w', { cpu: 1, memory: '1Gi' })
  await state('w', { ready: 1 }, 10_000)
  // It keeps its notes there, and cannot say what runs without them.
  const notes = join(folder, 'data', 'providers', 'other')
  renameSync(notes, `${notes}.away`)
  await until('it is seen to be dead', { withinMs: 60_000 }, async () => {
    const other = (await berth().providers()).find(({ name }) => name === 'other')
    return other?.reachable === false ? { found: true } : `reachable: ${other?.reachable}`
  })
  await expect(berth().removeProvider({ name: 'other' })).rejects.toThrow(
    'so what may run there cannot be stopped: default/w/0',
  )
  renameSync(`${notes}.away`, notes)
  await berth().remove({ project: 'default', name: 'w' })
  await until('it can be removed', { withinMs: 60_000 }, async () => {
    const left = (await berth().providers()).find(({ name }) => name === 'other')
    if (left === undefined) return { found: true }
    await berth()
      .removeProvider({ name: 'other' })
      .catch(() => undefined)
    return left.state
  })
})

/** What else it says depends on what this host lets it do. */
const LACKS = expect.stringContaining(
  [
    'programs run as the user of berth and can read its files, tokens and vault key included',
    'CPU, memory and disk limits are not enforced',
    'images are not used',
  ].join('; '),
)

function berth() {
  return plane.client({ tries: 'several', timeoutMs: 10_000 })
}

async function apply(name: string, resources: object): Promise<void> {
  const manifest = { berth: 'v1', kind: 'service', name, image: name, command: ['sleep', '100'], resources }
  const request = { project: 'default', text: JSON.stringify(manifest), file: `${name}.yaml`, idempotencyKey: name }
  await berth().apply(request)
}

async function state(name: string, wanted: { ready?: number; state?: string }, withinMs: number): Promise<void> {
  await until(`${name} is ${JSON.stringify(wanted)}`, { withinMs }, async () => {
    const view = await berth().workload({ project: 'default', name })
    const isSo = view.ready === (wanted.ready ?? view.ready) && view.state === (wanted.state ?? view.state)
    return isSo ? { found: true } : `${view.state}, ${view.ready} ready`
  })
}

async function testOf(provider: string): Promise<readonly string[]> {
  return (await berth().testProvider({ name: provider })).map(({ text }) => text)
}
