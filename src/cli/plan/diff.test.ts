import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, INVENTORY, MANIFEST, type World } from '../harness.suite.ts'

const files = { 'inventory.yaml': INVENTORY, 'w.yaml': MANIFEST }

/** Saves a plan for each change to the manifest and the offers, as 0.json, 1.json, ... */
async function saved(...changes: readonly Readonly<Record<string, string>>[]): Promise<World> {
  const plans: Record<string, Uint8Array> = {}
  for (const [index, change] of changes.entries()) {
    const path = `${index}.json`
    const world = { files: { ...files, ...change } }
    const ran = await berth(['plan', 'w.yaml', '--offers', 'inventory.yaml', '--save', path], world)
    plans[path] = ran.files.get(path) ?? new Uint8Array()
  }
  return { files: plans }
}

describe('berth diff', () => {
  test('equal plans are the same', async () => {
    const { code, out } = await berth(['diff', '0.json', '1.json'], await saved({}, {}))
    expect(out).toBe('0.json and 1.json are the same plan\n')
    expect(code).toBe(EXIT.ok)
  })

  test('shows what changed, from what went in to what came out', async () => {
    const world = await saved(
      {},
      {
        'w.yaml': MANIFEST.replace('count: 4, min_vram: 80Gi, interconnect: nvlink', 'count: 1, min_vram: 16Gi'),
        'inventory.yaml': INVENTORY.replace('stock: sold_out', 'stock: 2'),
      },
    )
    const { code, out } = await berth(['diff', '0.json', '1.json'], world)
    expect(code).toBe(EXIT.differs)
    expect(out.replaceAll(/\([0-9a-f]{8}\)/g, '(version)'))
      .toBe(`0.json and 1.json differ: $9.40/h -> $0.46/h in all, 1 place changed

Inputs
  offers    4 (version) -> 4 (version)
  manifest  2 lines changed
       6 -   gpu: { count: 4, min_vram: 80Gi, interconnect: nvlink }
       6 +   gpu: { count: 1, min_vram: 16Gi }

Places
  REPLICA  BEFORE                                AFTER
  0        northwind/north-1 nw-h100-4, $9.40/h  northwind/north-2 nw-l4-1, $0.46/h

Offers
                  BEFORE  AFTER
  fit                  1      2
  VRAM_TOO_SMALL       1      0
`)
  })

  test('shows what would help now and did not before', async () => {
    const inventory = INVENTORY.replace('stock: sold_out', 'stock: 2')
    const one = MANIFEST.replace('count: 4, min_vram: 80Gi, interconnect: nvlink', 'min_vram: 80Gi')
    const two = one.replace('80Gi', '141Gi')
    const world = await saved(
      { 'inventory.yaml': inventory, 'w.yaml': one },
      { 'inventory.yaml': inventory, 'w.yaml': two },
    )
    const { out } = await berth(['diff', '0.json', '1.json'], world)
    expect(out).toContain(`What would admit more
  CHANGE                        BEFORE          AFTER
  resources.gpu.min_vram: 24Gi  1 from $0.46/h  2 from $0.46/h
  spot: allowed                 1 from $5.20/h  nothing
  resources.gpu.min_vram: 80Gi  nothing         1 from $9.40/h
`)
  })

  test('tells when it no longer fits, and when a place is gone', async () => {
    const world = await saved({}, { 'inventory.yaml': INVENTORY.replace('stock: 3', 'stock: sold_out') })
    const { out } = await berth(['diff', '0.json', '1.json'], world)
    expect(out).toContain('differ: it no longer fits, $9.40/h -> $0.00/h in all, 1 place changed')
    expect(out).toContain('nw-h100-4, $9.40/h  no place')
    expect(out).toContain('SOLD_OUT')
    const back = await berth(['diff', '1.json', '0.json'], world)
    expect(back.out).toContain('differ: it fits now, ')
  })

  test('a comment in the manifest changes the input and nothing else', async () => {
    const { code, out } = await berth(['diff', '0.json', '1.json'], await saved({}, { 'w.yaml': `${MANIFEST}# why\n` }))
    expect(code).toBe(EXIT.differs)
    expect(out).toBe(`0.json and 1.json differ: every place is the same

Inputs
  manifest  1 line changed
       7 + # why
`)
  })

  test('long changes are cut on the screen', async () => {
    const comments = Array.from({ length: 15 }, (_, at) => `# ${at}\n`).join('')
    const { out } = await berth(['diff', '0.json', '1.json'], await saved({}, { 'w.yaml': MANIFEST + comments }))
    expect(out).toContain('manifest  15 lines changed')
    expect(out).toContain('      18 + # 11\n         and 3 more (-o json)\n')
    expect(out).not.toContain('# 12')
  })

  test('names the workload and the policy that changed', async () => {
    const world = await saved({}, { 'w.yaml': MANIFEST.replace('llama-70b', 'llama-8b') })
    const { out } = await berth(['diff', '0.json', '1.json'], world)
    expect(out).toContain('  workload  llama-70b -> llama-8b\n')
  })

  test('gives the comparison as data', async () => {
    const world = await saved({}, { 'inventory.yaml': INVENTORY.replace('9.4,', '9.5,') })
    const { code, out } = await berth(['diff', '0.json', '1.json', '-o', 'json'], world)
    expect(code).toBe(EXIT.differs)
    expect(JSON.parse(out)).toMatchObject({
      same: false,
      usd_per_hour: { from: 9.4, to: 9.5 },
      chosen: [{ replica: 0, from: { usd_per_hour: 9.4 }, to: { usd_per_hour: 9.5 } }],
    })
  })

  test('needs the saved plans, but not their offers', async () => {
    const world = await saved({})
    const { code, err } = await berth(['diff', '0.json', 'w.yaml'], { files: { ...world.files, ...files } })
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('PLAN_UNREADABLE\n    w.yaml is not a plan that Berth saved.')
  })
})
