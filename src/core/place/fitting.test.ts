import fc from 'fast-check'
import { expect, test } from 'vitest'
import { must } from '../base/assert.ts'
import { priceOn } from '../requirement/need/price.ts'
import { freeze, listingAt, rowCount } from '../offer/snapshot.ts'
import { fittingRows } from './fitting.ts'
import { decide } from './decide.suite.ts'
import { fitCount } from './plan.ts'
import { askPlanFor, sold } from './capacity.suite.ts'
import { cases } from '../base/laws.suite.ts'
import { failuresOf } from './verdict.ts'
import { ANY_NEED, asking, needs, NOW_MS, offers } from './world.suite.ts'

test('lists exactly the offers that fail nothing, cheapest first and ties by id', () => {
  fc.assert(
    fc.property(offers, needs, (capacity, need) => {
      const snapshot = freeze(capacity)
      const ask = must(decide(snapshot, asking(need)).asks[0], 'one ask')
      const expected = Array.from({ length: rowCount(snapshot) }, (_, row) => listingAt(snapshot, row))
        .filter((listing) => failuresOf(listing, { need, nowMs: NOW_MS }).length === 0)
        .map((listing) => ({ id: listing.id, usdPerHour: priceOn(listing.price, need.market) ?? Number.NaN }))
        .sort((one, two) => one.usdPerHour - two.usdPerHour || (one.id < two.id ? -1 : 1))
      const found = fittingRows(ask, snapshot, capacity.length + 1).map(({ row, usdPerHour }) => {
        return { id: listingAt(snapshot, row).id, usdPerHour }
      })
      expect(found).toEqual(expected)
      expect(found).toHaveLength(fitCount(ask))
    }),
    cases(500),
  )
})

test('a limit cuts the list and changes nothing in it', () => {
  fc.assert(
    fc.property(offers, fc.integer({ min: 1, max: 50 }), (capacity, limit) => {
      const snapshot = freeze(capacity)
      const ask = must(decide(snapshot, asking(ANY_NEED)).asks[0], 'one ask')
      expect(fittingRows(ask, snapshot, limit)).toEqual(fittingRows(ask, snapshot, 1000).slice(0, limit))
    }),
    cases(300),
  )
})

test('lists the cheapest of several groups, ties by id, as many as asked for', () => {
  const capacity = [
    sold('c', 1, { cpu: 8 }),
    sold('a', 3, { cpu: 8 }),
    sold('b', 1, { cpu: 9 }),
    sold('d', 2, { cpu: 9 }),
    sold('e', 0.5, { gpu: undefined }),
  ]
  const { snapshot, ...ask } = askPlanFor(capacity)
  const listed = (limit: number): readonly string[] =>
    fittingRows(ask, snapshot, limit).map(({ row, usdPerHour }) => `${listingAt(snapshot, row).id} ${usdPerHour}`)
  expect(listed(9)).toEqual(['b 1', 'c 1', 'd 2', 'a 3'])
  expect(listed(2)).toEqual(['b 1', 'c 1'])
  expect(listed(1)).toEqual(['b 1'])
  expect(listed(0)).toEqual([])
})
