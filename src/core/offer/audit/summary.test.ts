import { expect, test } from 'vitest'
import { summarise } from './summary.ts'
import type { Offer, RowVerdict } from '../offer.ts'

// What a summary never looks at.
const OFFER = { id: 'x' } as Offer

function row(changes: Partial<RowVerdict>): RowVerdict {
  return {
    source: 'north',
    line: 2,
    accelerator: true,
    verdict: 'resolved',
    repairs: [],
    quarantine: undefined,
    note: undefined,
    named: 'H100',
    offer: OFFER,
    ...changes,
  }
}

test('rows with accelerators are counted by verdict and by code, the others beside them', () => {
  const summary = summarise([
    row({ source: 'south' }),
    row({ verdict: 'repaired', repairs: ['VRAM_MISSING', 'COUNT_CORRECTED'] }),
    row({ verdict: 'repaired', repairs: ['VRAM_MISSING'] }),
    row({ verdict: 'quarantined', quarantine: 'PRICE_MISSING' }),
    row({ accelerator: false }),
    row({ accelerator: false, verdict: 'repaired', repairs: ['GPU_JOINED'] }),
    row({ accelerator: false, verdict: 'quarantined', quarantine: 'NOT_SOLD_ALONE' }),
  ])
  const { by_source: bySource, ...totals } = summary
  expect(totals).toEqual({
    rows: 7,
    accelerator_rows: 4,
    resolved: 1,
    repaired: 2,
    quarantined: 1,
    repairs: { COUNT_CORRECTED: 1, VRAM_MISSING: 2 },
    quarantines: { PRICE_MISSING: 1 },
    other: {
      rows: 3,
      resolved: 1,
      repaired: 1,
      quarantined: 1,
      repairs: { GPU_JOINED: 1 },
      quarantines: { NOT_SOLD_ALONE: 1 },
    },
  })
  expect(Object.keys(summary.repairs)).toEqual(['COUNT_CORRECTED', 'VRAM_MISSING'])
  expect(Object.keys(bySource)).toEqual(['north', 'south'])
  expect(bySource).toEqual({
    north: {
      rows: 6,
      accelerator_rows: 3,
      resolved: 0,
      repaired: 2,
      quarantined: 1,
      repairs: { COUNT_CORRECTED: 1, VRAM_MISSING: 2 },
      quarantines: { PRICE_MISSING: 1 },
    },
    south: {
      rows: 1,
      accelerator_rows: 1,
      resolved: 1,
      repaired: 0,
      quarantined: 0,
      repairs: {},
      quarantines: {},
    },
  })
})

test('nothing adds up to nothing', () => {
  const none = { resolved: 0, repaired: 0, quarantined: 0, repairs: {}, quarantines: {} }
  expect(summarise([])).toEqual({ rows: 0, accelerator_rows: 0, ...none, other: { rows: 0, ...none }, by_source: {} })
})

test('sources are listed in alphabetical order', () => {
  const sources = ['c', 'a', 'd', 'b', 'a'].map((source) => row({ source }))
  expect(Object.keys(summarise(sources).by_source)).toEqual(['a', 'b', 'c', 'd'])
})
