import { describe, expect, test } from 'vitest'
import { oneOf } from '../requirement/need/choice.ts'
import { ANY_GPU } from '../requirement/need/need.suite.ts'
import { atLeast, atMost } from '../requirement/need/range.ts'
import type { Offer } from '../offer/offer.ts'
import { cards } from '../offer/offer.suite.ts'
import { CIRCUMSTANCE_FILTERS, MACHINE_FILTERS } from './judge.ts'
import { askPlanFor, idAt, sold, type Scene } from './capacity.suite.ts'
import { failing, firstFailing, fits, forEachBand, placeOf, verdictOf, walkOver, type Band } from './tally.ts'

/** Each band as the offers in it and what they fail. */
function bandsOf(capacity: readonly Offer[], scene: Scene): readonly string[] {
  const { snapshot, tally } = askPlanFor(capacity, scene)
  return tally.bands.map((band) => {
    const ids = [...tally.order.rows.subarray(band.from, band.to)].map((row) => idAt(snapshot, row))
    return `${ids.join(' ')}: ${named(band)}`
  })
}

function named(band: Pick<Band, 'machine' | 'circumstance'>): string {
  return failing(band)
    .map((filter) => filter.name)
    .join(' ')
}

describe('bands', () => {
  const capacity = [
    sold('a', 1),
    sold('b', 2),
    sold('c', 2),
    sold('d', 2.01),
    sold('e', undefined),
    sold('f', undefined),
  ]

  test('end at the price ceiling, which is included, and where sale ends', () => {
    const split = ['a b c: ', 'd: price', 'e f: market']
    expect(bandsOf(capacity, { need: { usdPerHour: atMost(2) } })).toEqual(split)
    expect(bandsOf(capacity, { need: { usdPerHour: atMost(2.001) } })).toEqual(split)
    expect(bandsOf(capacity, { need: { usdPerHour: atMost(1.99) } })).toEqual(['a: ', 'b c d: price', 'e f: market'])
    expect(bandsOf(capacity, { need: { usdPerHour: atMost(0.5) } })).toEqual(['a b c d: price', 'e f: market'])
    expect(bandsOf(capacity, { need: { usdPerHour: atMost(9) } })).toEqual(['a b c d: ', 'e f: market'])
    expect(bandsOf(capacity, {})).toEqual(['a b c d: ', 'e f: market'])
  })

  test('are whole where all is sold and affordable', () => {
    expect(bandsOf(capacity.slice(0, 4), {})).toEqual(['a b c d: '])
    expect(bandsOf(capacity.slice(0, 4), { need: { usdPerHour: atMost(2.01) } })).toEqual(['a b c d: '])
    expect(bandsOf(capacity.slice(0, 4), { need: { usdPerHour: atMost(2) } })).toEqual(['a b c: ', 'd: price'])
    expect(bandsOf(capacity.slice(4), { need: { usdPerHour: atMost(2) } })).toEqual(['e f: market'])
  })

  test('add what site and state fail to what price fails', () => {
    const need = { usdPerHour: atMost(2), provider: oneOf(['beta']), unknownAccepted: oneOf(['quota']) }
    const away = capacity.map((one) => ({ ...one, stock: undefined }))
    expect(bandsOf(away, { need })).toEqual([
      'a b c: provider stock',
      'd: provider stock price',
      'e f: provider stock market',
    ])
  })

  test('of quarantined rows are not split and fail nothing else', () => {
    const suspects = capacity.map((one) => ({ ...one, quarantine: 'NAME_UNKNOWN' as const }))
    const { tally, snapshot, judgement } = askPlanFor(suspects, { need: { usdPerHour: atMost(1) } })
    expect([tally.bands, tally.shut]).toEqual([[], [0]])
    const seen: string[] = []
    forEachBand(0, walkOver(snapshot, judgement), (band) => {
      seen.push(`${band.from}-${band.to}: ${named(band)}`)
    })
    expect(seen).toEqual(['0-6: quarantine'])
    expect(named(verdictOf(snapshot, judgement, 5))).toBe('quarantine')
  })
})

describe('a tally', () => {
  const capacity = [
    sold('fits', 1),
    sold('small', 1, { cpu: 8 }),
    sold('tiny', 1, { cpu: 8, memoryGib: 1 }),
    sold('minute', 1, { cpu: 8, memoryGib: 1, diskGib: 1 }),
    sold('bare', 1, { gpu: undefined }),
    sold('away', 1, { region: 'us-1', residency: 'us' }),
    sold('far', 1, { region: 'us-2', residency: 'us', health: 'failing' }),
    sold('out', 1, { region: 'us-3', residency: 'us', health: 'failing', quotaLeft: 0 }),
    sold('small and away', 1, { region: 'us-1', residency: 'us', cpu: 8 }),
    sold('tiny and away', 1, { region: 'us-1', residency: 'us', cpu: 8, memoryGib: 1 }),
  ]
  const need = {
    cpu: atLeast(16),
    memoryGib: atLeast(2),
    diskGib: atLeast(2),
    residency: oneOf(['eu']),
  }
  const counted = () => {
    const { snapshot, tally, judgement } = askPlanFor(capacity, { need })
    const ids = (bands: readonly Band[]): readonly string[] =>
      bands.map((band) => idAt(snapshot, tally.order.rows[band.from] ?? -1)).toSorted()
    return { snapshot, tally, judgement, ids }
  }

  test('shuts machines out whose hardware alone fails three requirements, or a final one', () => {
    const { tally, judgement } = counted()
    expect(tally.shut.map((machine) => named({ machine: judgement.machines[machine] ?? 0, circumstance: 0 }))).toEqual([
      'gpu',
      'cpu memory disk',
    ])
  })

  test('has a band for all others, and knows which fit and which are near', () => {
    const { tally, ids } = counted()
    expect(ids(tally.bands)).toEqual(
      ['fits', 'small', 'tiny', 'away', 'far', 'out', 'small and away', 'tiny and away'].toSorted(),
    )
    expect(ids(tally.fits)).toEqual(['fits'])
    expect(ids(tally.near)).toEqual(['away', 'far', 'small', 'small and away', 'tiny'])
  })

  test('agrees with the verdict on every single row', () => {
    const { snapshot, tally, judgement } = counted()
    for (const band of tally.bands)
      for (const row of tally.order.rows.subarray(band.from, band.to))
        expect(verdictOf(snapshot, judgement, row)).toEqual({ machine: band.machine, circumstance: band.circumstance })
  })

  test('asks the price filters about each row by itself', () => {
    const prices = [sold('a', 1), sold('b', 2), sold('c', undefined)]
    const priced = askPlanFor(prices, { need: { usdPerHour: atMost(1) } })
    const verdicts = [0, 1, 2].map((row) => verdictOf(priced.snapshot, priced.judgement, row))
    expect(verdicts.map(named)).toEqual(['', 'price', 'market'])
    expect(verdicts.map(fits)).toEqual([true, false, false])
  })
})

describe('what a verdict fails', () => {
  test('is listed in counting order, from either kind of bits', () => {
    const all = { machine: 2 ** MACHINE_FILTERS.length - 1, circumstance: 2 ** CIRCUMSTANCE_FILTERS.length - 1 }
    expect(failing(all)).toEqual([...MACHINE_FILTERS, ...CIRCUMSTANCE_FILTERS])
    expect(failing({ machine: 0, circumstance: 0 })).toEqual([])
    expect(failing({ machine: 4, circumstance: 1 }).map(placeOf)).toEqual([2, MACHINE_FILTERS.length])
    expect(failing(all)).toBe(failing({ ...all }))
  })

  test('has a first, unless it fits', () => {
    expect(firstFailing({ machine: 0, circumstance: 2 })).toBe(CIRCUMSTANCE_FILTERS[1])
    expect(() => firstFailing({ machine: 0, circumstance: 0 })).toThrow('a refused offer fails something')
    expect(fits({ machine: 1, circumstance: 0 })).toBe(false)
    expect(fits({ machine: 0, circumstance: 1 })).toBe(false)
  })
})

test('two cards too few and a card too small are near, and a third fault is not', () => {
  const need = { gpu: { ...ANY_GPU, count: atLeast(4), vramGib: atLeast(96) } }
  expect(askPlanFor([sold('a', 1)], { need }).tally.near).toHaveLength(1)
  expect(askPlanFor([sold('a', 1)], { need: { ...need, cpu: atLeast(65) } }).tally.near).toHaveLength(0)
  expect(askPlanFor([sold('a', 1, { gpu: cards({ count: 4 }) })], { need }).tally.near).toHaveLength(1)
})
