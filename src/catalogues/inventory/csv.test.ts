import { describe, expect, test } from 'vitest'
import { accepted, BARE, problemsOf, SEEN_MS } from './inventory.suite.ts'
import { readInventoryCsv } from './inventory.ts'

describe('an inventory as a table', () => {
  test('says the same with columns', () => {
    const text = [
      'provider,region,zone,instance,capacity,gpu_model,gpu_count,gpu_slice,gpu_link,cpu,memory,stock,stock_seen,inbound,driver',
      'p,r,1,i,owned,H100 SXM,2,,nvlink,96,1000Gi,3,2026-11-15T10:00:00Z,true,550.90',
      ' p , r ,, j ,owned,h100-sxm,1,1g.10gb,,4,64Gi,low,,false,',
    ].join('\r\n')
    const { rows, refusals, observedAtMs } = accepted(readInventoryCsv(text, 'table.csv'))
    expect(refusals).toEqual([])
    expect(observedAtMs).toBeUndefined()
    expect(rows).toEqual([
      {
        source: 'table.csv',
        line: 2,
        accelerator: true,
        verdict: 'resolved',
        repairs: [],
        quarantine: undefined,
        note: undefined,
        named: 'H100 SXM',
        offer: {
          ...BARE,
          id: 'p/r/1/i',
          zone: '1',
          capacity: 'owned',
          gpu: { model: 'h100-sxm', count: 2, slice: undefined, link: 'nvlink' },
          cpu: 96,
          memoryGib: 1000,
          stock: { level: 'available', units: 3, seenAtMs: SEEN_MS },
          inbound: true,
          driver: '550.90',
          usdPerHour: 0,
        },
      },
      {
        source: 'table.csv',
        line: 3,
        accelerator: true,
        verdict: 'resolved',
        repairs: [],
        quarantine: undefined,
        note: undefined,
        named: 'h100-sxm',
        offer: {
          ...BARE,
          id: 'p/r/j',
          instance: 'j',
          capacity: 'owned',
          gpu: { model: 'h100-sxm', count: 1, slice: { kind: 'mig', profile: '1g.10gb', gib: 10 }, link: 'pcie' },
          cpu: 4,
          memoryGib: 64,
          stock: { level: 'low', units: undefined, seenAtMs: undefined },
          inbound: false,
          usdPerHour: 0,
        },
      },
    ])
  })

  test('gives up a broken line and no other', () => {
    const { rows } = accepted(
      readInventoryCsv('provider,region,instance,usd_per_hour\np,r\np,r,"x,1\np,r,i,1\np,r,,1\np,r,j,x\n', 'table.csv'),
    )
    expect(rows.map(({ line, quarantine, note }) => [line, quarantine, note])).toEqual([
      [2, 'ROW_UNREADABLE', '2 fields under 4 columns'],
      [3, 'ROW_UNREADABLE', 'a quoted field is not closed'],
      [4, undefined, undefined],
      [5, 'ROW_UNREADABLE', expect.stringContaining('`instance` is missing.')],
      [6, 'ROW_UNREADABLE', expect.stringContaining('x: Expected a number, found text.')],
    ])
  })

  test('has stock as a level with a number beside it', () => {
    const text = 'provider,region,instance,usd_per_hour,stock,stock_units\np,r,i,1,low,2\np,r,j,1,,0\np,r,k,1,3,2\n'
    const { rows } = accepted(readInventoryCsv(text, 'table.csv'))
    expect(rows.map((row) => row.offer.stock)).toEqual([
      { level: 'low', units: 2, seenAtMs: undefined },
      { level: 'sold_out', units: 0, seenAtMs: undefined },
      undefined,
    ])
    expect(rows[2]?.note).toContain('3')
  })

  test.each([
    ['provider,regoin,region,instance', ['KEY_UNKNOWN | 1:10 | regoin | No such column. | Did you mean region?']],
    [
      'provider,region,instance,region',
      ['KEY_DUPLICATE | 1:26 | region | This column appears twice. | Keep one of the two.'],
    ],
    [
      'provider',
      ['KEY_MISSING | 1:1 | The column `region` is missing.', 'KEY_MISSING | 1:1 | The column `instance` is missing.'],
    ],
    [
      'provider,region,instance,colour_of_box',
      [
        expect.stringMatching(
          /^KEY_UNKNOWN \| 1:26 \| colour_of_box \| No such column\. \| Columns: provider, region, instance, zone, .*, trust\.$/,
        ),
      ],
    ],
  ])('has to name its columns right: %s', (header, problems) => {
    expect(problemsOf(readInventoryCsv(`${header}\n`, 'table.csv'))).toEqual(problems)
  })

  test('may be empty below its header', () => {
    expect(accepted(readInventoryCsv('provider,region,instance\n', 'table.csv')).rows).toEqual([])
  })
})
