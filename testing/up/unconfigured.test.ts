import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { RealPlane, until } from '../plane/plane.ts'

const folder = mkdtempSync(join(tmpdir(), 'berth-unconfigured-'))
let plane: RealPlane | undefined
afterEach(async () => {
  await plane?.kill()
  rmSync(folder, { recursive: true, force: true })
})

const POLICY =
  '{ objective: cheapest, unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota] } }'
const TOY = '{ kind: sim, trust: community, settings: { start_seconds: [0, 0], stop_seconds: [0, 0] } }'

/** Real processes with one data folder and another file each time: a second for each start, and worth it. */
async function start(provider: string, policy: string): Promise<RealPlane> {
  await plane?.stop()
  const config = join(folder, `${provider}.yaml`)
  const rules = `default_policy: ${policy}\nproviders: { ${provider}: ${TOY} }\npolicies: { ${policy}: ${POLICY} }\n`
  writeFileSync(config, `berth: v1\nkind: config\n${rules}`)
  plane = new RealPlane({ folder: join(folder, 'data'), config })
  expect(await plane.start()).toBe(true)
  return plane
}

test('with another config what runs at the old providers stays in sight, and with the old one everything goes on', async () => {
  const at = { project: 'default', name: 'w' }
  const clientOf = (each: RealPlane) => each.client({ tries: 'several', timeoutMs: 10_000 })
  const resources = { gpu: { count: 1, min_vram: '16Gi' } }
  const manifest = { berth: 'v1', kind: 'service', name: 'w', image: 'w', resources, policy: 'old', replicas: 1 }
  const first = clientOf(await start('toy', 'old'))
  await first.apply({ project: 'default', text: JSON.stringify(manifest), file: 'w.yaml', idempotencyKey: 'w' })
  const ready = async (client: typeof first, count: number) =>
    until(`${count} ready`, { withinMs: 15_000 }, async () => {
      const { ready: now } = await client.workload(at)
      return now === count ? { found: true } : `${now}`
    })
  await ready(first, 1)

  const other = await start('other', 'new')
  const client = clientOf(other)
  const lost = (await client.providers()).find(({ name }) => name === 'toy')
  expect(lost).toMatchObject({ state: 'unconfigured', instances: 1 })
  expect(lost?.hint).toContain('start berth with the config that has it, or berth provider add toy --kind ')
  expect(JSON.stringify(other.lines())).toContain('a provider that holds work is not configured')
  expect((await client.workload(at)).problem).toContain('its provider toy is not configured')
  await client.scale({ ...at, role: undefined, replicas: 2 })
  const explained = await client.explain(at)
  expect([explained.plan, explained.workload.problem]).toEqual([
    undefined,
    expect.stringContaining('Its policy old no longer exists.'),
  ])
  const removed = await client.remove(at)
  expect(removed.problem).toContain('it cannot be stopped: its provider toy is not configured')

  const again = clientOf(await start('toy', 'old'))
  await until('it is gone', { withinMs: 20_000 }, async () => {
    const { items } = await again.workloads({})
    return items.length === 0 ? { found: true } : `${items.length}`
  })
})
