import { describe, expect, test } from 'vitest'
import { freeze } from '../../core/offer/snapshot.ts'
import { encodeSnapshot } from '../../formats/snapshot-file.ts'
import { EXIT } from '../cli.ts'
import { berth, CONFIG, INVENTORY } from '../harness.suite.ts'

const CATALOGUE = `InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region
g1,A100-80GB,1,12,120,"{'Gpus': [{'Name': 'A100-80GB', 'Count': 1.0, 'MemoryInfo': {'SizeInMiB': 80}}], 'TotalGpuMemoryInMiB': 80}",2.0,1.0,r1
g2,L4,1,4,16,"{'Gpus': [{'Name': 'L4', 'Count': 1.0, 'MemoryInfo': {'SizeInMiB': 22888}}], 'TotalGpuMemoryInMiB': 22888}",0.7,,r1
c1,,,4,16,,0.2,,r1
`

const files = { 'inventory.yaml': INVENTORY, 'catalog/acme/vms.csv': CATALOGUE, 'berth.config.yaml': CONFIG }

describe('berth offers check', () => {
  test('counts the consistent, repaired and quarantined rows, and says why', async () => {
    const { code, out, err } = await berth(['offers', 'check', '--offers', 'inventory.yaml', 'catalog'], { files })
    expect(err).toBe('')
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`7 rows, 5 with accelerators: 3 consistent, 1 repaired, 1 quarantined
2 without: 2 consistent, 0 repaired, 0 quarantined

  WITH GPU  OTHERS  CODE          QUARANTINED BECAUSE
         1       0  NAME_UNKNOWN  the accelerator is not in the hardware table

  WITH GPU  OTHERS  CODE            REPAIRED
         1       0  VRAM_GB_AS_MIB  memory in GB under a MiB heading

  SOURCE          ROWS  WITH GPU  CONSISTENT  REPAIRED  QUARANTINED
  acme/vms.csv       3         2           1         1            0
  inventory.yaml     4         3           2         0            1

Next:  berth offers check --offers inventory.yaml catalog --rows      berth explain NAME_UNKNOWN
`)
  })

  test('gives the counts as data', async () => {
    const { out } = await berth(['offers', 'check', '--offers', 'catalog/', '-o', 'json'], { files })
    expect(JSON.parse(out)).toMatchObject({
      rows: 3,
      accelerator_rows: 2,
      resolved: 1,
      repaired: 1,
      quarantined: 0,
      repairs: { VRAM_GB_AS_MIB: 1 },
      quarantines: {},
      other: { rows: 1, resolved: 1 },
      by_source: { 'acme/vms.csv': { rows: 3, accelerator_rows: 2, repaired: 1 } },
      snapshots: [],
    })
    expect(JSON.parse(out)).not.toHaveProperty('verdicts')
  })

  test('looks at the offers of the infrastructure file when no path is given', async () => {
    const { out } = await berth(['offers', 'check', '-o', 'json'], { files })
    expect(JSON.parse(out)).toMatchObject({ rows: 4, quarantines: { NAME_UNKNOWN: 1 } })
  })

  test('lists every row with its verdict where that is asked', async () => {
    const { out } = await berth(['offers', 'check', '--offers', 'catalog', 'inventory.yaml', '--rows'], { files })
    const lines = out.trimEnd().split('\n')
    expect(lines).toHaveLength(7)
    expect(lines[0]).toMatch(/^acme\/vms\.csv:2 {2}repaired {2}VRAM_GB_AS_MIB {2}A100-80GB {2}\S/)
    expect(lines[1]).toBe('acme/vms.csv:3  resolved  L4')
    expect(lines[6]).toMatch(/^inventory\.yaml:9 {2}quarantined {2}NAME_UNKNOWN {2}riddle-9000/)
  })

  test('gives every row as data with the offer it became', async () => {
    const { out } = await berth(['offers', 'check', '--offers', 'catalog', '--rows', '-o', 'json'], { files })
    const { rows, verdicts } = JSON.parse(out)
    expect(rows).toBe(3)
    expect(verdicts).toHaveLength(3)
    expect(verdicts[0]).toMatchObject({
      source: 'acme/vms.csv',
      line: 2,
      accelerator: true,
      named: 'A100-80GB',
      verdict: 'repaired',
      repairs: ['VRAM_GB_AS_MIB'],
      offer: { provider: 'acme', region: 'r1', instance: 'g1', gpu_count: 1, vram_gib: 80, usd_per_hour: 2 },
    })
    expect(verdicts[2].offer).toMatchObject({ instance: 'c1', gpu_count: 0 })
    expect(verdicts[2].offer).not.toHaveProperty('gpu')
  })

  test('says that a snapshot has no rows', async () => {
    const snapshot = encodeSnapshot(freeze([]))
    const world = { files: { ...files, 'a.snapshot': snapshot } }
    const alone = await berth(['offers', 'check', '--offers', 'a.snapshot'], world)
    expect(alone.code).toBe(EXIT.ok)
    expect(alone.out).toBe(
      'a.snapshot is a snapshot: its rows were checked when it was made, and it holds only offers.\nCheck the sources it was made from.\n',
    )
    const both = await berth(['offers', 'check', '--offers', 'a.snapshot', 'catalog', '-o', 'json'], world)
    expect(JSON.parse(both.out)).toMatchObject({ rows: 3, snapshots: ['a.snapshot'] })
  })

  test('an inventory without offers has no rows', async () => {
    const { out } = await berth(['offers', 'check', '--offers', 'a.yaml'], {
      files: { 'a.yaml': 'berth: v1\nkind: inventory\noffers: []\n' },
    })
    expect(out).toBe('No rows to check.\n')
  })

  test('a path that holds no offers ends with 3', async () => {
    const { code, out, err } = await berth(['offers', 'check', '--offers', 'nowhere'], { files })
    expect(code).toBe(EXIT.invalid)
    expect(out).toBe('')
    expect(err).toContain('OFFERS_UNREADABLE\n    There is no file or folder at nowhere.')
  })

  test('shows progress on a terminal, and only there', async () => {
    const watched = await berth(['offers', 'check', '--offers', 'catalog'], { files, columns: 80 })
    expect(watched.err).toBe('reading catalog …\n')
  })
})
