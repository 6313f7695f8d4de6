import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, CONFIG, INVENTORY, MANIFEST, NOW_MS, textAt, type World } from '../harness.suite.ts'

const files = { 'inventory.yaml': INVENTORY, 'llama-70b.yaml': MANIFEST, 'c.yaml': CONFIG }

/** The world after a plan was saved, without anything the plan was made from. */
async function saved(flags: readonly string[] = ['--offers', 'inventory.yaml']): Promise<World> {
  const ran = await berth(['plan', 'llama-70b.yaml', '--save', 'plans/monday.json', ...flags], { files })
  const kept = [...ran.files].filter(([path]) => path.startsWith('plans/'))
  return { files: Object.fromEntries(kept), nowMs: NOW_MS + 3_600_000 }
}

/** The world with another text of the plan. */
function edited(world: World, edit: (text: string) => string): World {
  const text = new TextDecoder().decode(world.files?.['plans/monday.json'] as Uint8Array)
  return { ...world, files: { ...world.files, 'plans/monday.json': edit(text) } }
}

describe('berth replay', () => {
  test('comes to the same from the two files alone, at any later time', async () => {
    const { code, out, err } = await berth(['replay', 'plans/monday.json'], await saved())
    expect(err).toBe('')
    expect(out).toBe('same plan: llama-70b, $9.40/h in all, from 4 offers\n')
    expect(code).toBe(EXIT.ok)
  })

  test('labels and prices of the infrastructure file are not laid over twice', async () => {
    const { code, out } = await berth(['replay', 'plans/monday.json'], await saved(['--config', 'c.yaml']))
    expect(out).toBe('same plan: llama-70b, $4.70/h in all, from 4 offers\n')
    expect(code).toBe(EXIT.ok)
  })

  test('shows what differs and ends with 1', async () => {
    const world = edited(await saved(), (text) => text.replaceAll('"usd_per_hour": 9.4', '"usd_per_hour": 9.5'))
    const { code, out } = await berth(['replay', 'plans/monday.json'], world)
    expect(code).toBe(EXIT.differs)
    expect(out).toContain('plans/monday.json and replayed differ: $9.50/h -> $9.40/h in all, 1 place changed')
    expect(out).toContain('nw-h100-4, $9.50/h  northwind/north-1 nw-h100-4, $9.40/h')
  })

  test('shows a difference even in a detail', async () => {
    const world = edited(await saved(), (text) => text.replace('"placed": 1', '"placed": 2'))
    const { code, out } = await berth(['replay', 'plans/monday.json'], world)
    expect(code).toBe(EXIT.differs)
    expect(out).toBe(`plans/monday.json and replayed differ: every place is the same

Details
  asks[0].placed  2 -> 1
`)
  })

  test('gives the comparison as data', async () => {
    const { out } = await berth(['replay', 'plans/monday.json', '-o', 'json'], await saved())
    expect(JSON.parse(out)).toMatchObject({ same: true, chosen: [], details: [] })
  })

  test.each([
    ['is missing', undefined, 'The offers of this plan are missing: plans/monday.offers.'],
    ['is damaged', 'BERTHSN1', 'The offers of this plan are damaged: plans/monday.offers.'],
  ])('says so when the file with the offers %s', async (_, offers, message) => {
    const world = await saved()
    const { 'plans/monday.offers': _offers, ...rest } = { ...world.files }
    const left = offers === undefined ? rest : { ...rest, 'plans/monday.offers': offers }
    const { code, err } = await berth(['replay', 'plans/monday.json'], { files: left })
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain(`PLAN_UNREADABLE\n    ${message}`)
  })

  test.each([
    ['text', 'hello'],
    ['nothing', ''],
    ['null', 'null'],
    ['another kind of JSON', '{"berth":"v1","kind":"plan"}'],
    [
      'a plan without a report',
      '{"berth":"v1","kind":"plan","now_ms":1,"manifest":{"file":"a","text":""},"offers":"a","report":{}}',
    ],
  ])('%s is no plan', async (_, text) => {
    const { code, err } = await berth(['replay', 'a.json'], { files: { 'a.json': text } })
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('PLAN_UNREADABLE\n    a.json is not a plan that Berth saved.')
  })

  test('a plan that is not there is a file that is not there', async () => {
    const { code, err } = await berth(['replay', 'a.json'])
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('FILE_MISSING')
  })

  test('what was saved can be read', async () => {
    const ran = await berth(['plan', 'llama-70b.yaml', '--save', 'a.json', '--offers', 'inventory.yaml'], { files })
    expect(JSON.parse(textAt(ran, 'a.json'))).toMatchObject({
      berth: 'v1',
      kind: 'plan',
      now_ms: NOW_MS,
      manifest: { file: 'llama-70b.yaml', text: MANIFEST },
      offers: 'a.offers',
      report: { fits: true },
    })
  })
})
