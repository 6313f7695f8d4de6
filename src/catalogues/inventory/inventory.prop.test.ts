import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Offer, OfferGpu } from '../../core/offer/offer.ts'
import { accepted, BARE, read } from './inventory.suite.ts'
import { readInventoryCsv } from './inventory.ts'
import { cases } from '../../core/base/laws.suite.ts'

/** An offer as a user would write it, and what should become of it, id aside. */
interface Sample {
  readonly written: Readonly<Record<string, unknown>>
  readonly offer: Omit<Offer, 'id'>
}

const name = fc
  .string({
    unit: fc.constantFrom('a', 'B', '7', '-', '.', ' ', ',', '"', "'", ':', '#', '/', 'é'),
    minLength: 1,
    maxLength: 8,
  })
  .map((text) => `${text.trim()}x`)

const cards = fc.oneof(
  fc.constant({ written: undefined, gpu: undefined }),
  fc.integer({ min: 1, max: 16 }).map((count) => sampleCards({ model: 'h100-sxm', count }, sxmLink(count))),
  fc.integer({ min: 1, max: 16 }).map((count) => sampleCards({ model: 'l40s', count }, 'pcie')),
  fc.integer({ min: 2, max: 8 }).map((count) => sampleCards({ model: 'rtx-a6000', count }, undefined)),
  fc.constantFrom('pcie', 'nvlink').map((link) => sampleCards({ model: 'rtx-a6000', count: 2, link }, link)),
  fc.constant({
    written: { model: 'h100-sxm', count: 3, slice: '2g.20gb' },
    gpu: { model: 'h100-sxm', count: 3, slice: { kind: 'mig', profile: '2g.20gb', gib: 20 }, link: 'pcie' },
  } as const),
)

function sampleCards(written: { model: string; count: number; link?: string }, link: OfferGpu['link']) {
  return { written, gpu: { model: written.model, count: written.count, slice: undefined, link } }
}

function sxmLink(count: number): OfferGpu['link'] {
  if (count === 1) return 'pcie'
  return count < 8 ? 'nvlink' : 'nvswitch'
}

const stock = fc.oneof(
  fc.constant({ written: undefined, stock: undefined }),
  fc.integer({ min: 0, max: 9 }).map((units) => {
    return {
      written: units,
      stock: { level: units === 0 ? 'sold_out' : 'available', units, seenAtMs: undefined },
    } as const
  }),
  fc.constantFrom('available', 'low', 'sold_out').map((level) => {
    return { written: level, stock: { level, units: undefined, seenAtMs: undefined } }
  }),
)

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const sample = fc
  .record({
    provider: name,
    region: name,
    zone: optional(name),
    instance: name,
    owned: fc.boolean(),
    cards,
    cpu: optional(fc.integer({ min: 1, max: 512 }).map((halves) => halves / 2)),
    memoryGib: optional(fc.integer({ min: 1, max: 4096 })),
    driver: optional(fc.constantFrom('550', '550.90', '570.133.20')),
    inbound: optional(fc.boolean()),
    cents: fc.integer({ min: 100, max: 9_999 }),
    hasSpot: fc.boolean(),
    stock,
    startSeconds: optional(fc.integer({ min: 1, max: 7200 })),
    trust: optional(name),
  })
  .map((parts): Sample => {
    const { cards, memoryGib, cents, stock, startSeconds, owned, hasSpot, ...same } = parts
    const capacity = owned ? 'owned' : 'rented'
    const usdPerHour = cents / 100
    const spotUsdPerHour = hasSpot ? cents / 200 : undefined
    const { id: _, ...unknown } = BARE
    const known = { capacity, gpu: cards.gpu, stock: stock.stock, memoryGib, startSeconds } as const
    return {
      offer: { ...unknown, ...same, ...known, usdPerHour, spotUsdPerHour },
      written: {
        ...same,
        capacity,
        gpu: cards.written,
        memory: memoryGib === undefined ? undefined : `${memoryGib}Gi`,
        usd_per_hour: usdPerHour,
        spot_usd_per_hour: spotUsdPerHour,
        stock: stock.written,
        start: startSeconds === undefined ? undefined : `${startSeconds}s`,
      },
    }
  })

const samples = fc.array(sample, { maxLength: 4 })

function asJson(samples: readonly Sample[]): string {
  return JSON.stringify(whole(samples), undefined, 1)
}

function asYaml(samples: readonly Sample[]): string {
  return stringify(whole(samples), { aliasDuplicateObjects: false, keepUndefined: false })
}

function whole(samples: readonly Sample[]) {
  return { berth: 'v1', kind: 'inventory', offers: samples.map(({ written }) => written) }
}

function asCsv(samples: readonly Sample[]): string {
  const flat = samples.map(({ written: { gpu, ...rest } }) => ({
    ...rest,
    ...Object.fromEntries(Object.entries(gpu ?? {}).map(([key, value]) => [`gpu_${key}`, value])),
  }))
  const columns = [...new Set(['provider', 'region', 'instance', ...flat.flatMap((row) => Object.keys(row))])]
  const lines = flat.map((row) => columns.map((column) => cell(new Map(Object.entries(row)).get(column))).join(','))
  return [columns.join(','), ...lines].join('\n')
}

function cell(value: unknown): string {
  return value === undefined ? '' : `"${String(value).replaceAll('"', '""')}"`
}

function offersOf(text: string): readonly Offer[] {
  return accepted(read(text)).rows.map((row) => row.offer)
}

describe('any inventory', () => {
  test('reads back as it was written, in every format', () => {
    fc.assert(
      fc.property(samples, (samples) => {
        const offers = offersOf(asJson(samples))
        expect(offers).toEqual(samples.map((one, index) => ({ ...one.offer, id: offers[index]?.id })))
        expect(offersOf(asYaml(samples))).toEqual(offers)
        expect(accepted(readInventoryCsv(asCsv(samples), 'table.csv')).rows.map((row) => row.offer)).toEqual(offers)
      }),
      cases(300),
    )
  })

  test('gives the same offers under the same ids in whatever order it lists them', () => {
    const twins = fc.tuple(samples, samples).map(([some, others]) => [...some, ...others, ...some])
    const pair = twins.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })),
    )
    fc.assert(
      fc.property(pair, ([list, shuffled]) => {
        const offers = offersOf(asJson(list))
        expect(new Set(offers.map((offer) => offer.id)).size).toBe(list.length)
        expect(offersOf(asJson(shuffled)).toSorted(byId)).toEqual(offers.toSorted(byId))
      }),
      cases(150),
    )
  })

  test('has a verdict for each of its offers, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.jsonValue({ maxDepth: 3 }),
            sample.map((one) => one.written),
          ),
        ),
        (offers) => {
          const text = JSON.stringify({ berth: 'v1', kind: 'inventory', offers })
          const result = read(text)
          if ('problems' in result) expect(result.problems).not.toHaveLength(0)
          else expect(result.rows).toHaveLength(offers.length)
        },
      ),
      cases(500),
    )
  })

  test('believes no offer with a key that does not exist', () => {
    fc.assert(
      fc.property(sample, name, (one, key) => {
        const text = JSON.stringify(whole([{ ...one, written: { ...one.written, [`${key}!`]: 1 } }]))
        expect(accepted(read(text)).rows.map((row) => row.quarantine)).toEqual(['ROW_UNREADABLE'])
      }),
    )
  })
})

function byId(one: Offer, two: Offer): number {
  return one.id < two.id ? -1 : 1
}
