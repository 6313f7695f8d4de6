import { describe, expect, test } from 'vitest'
import { MARKET_KEPT_MS, MARKET_POINTS_MAX, rowWith, rowWithout, sightingsIn, type MarketRow } from './market.ts'
import type { Offer, Refusal } from './offer.ts'
import { cards, offer } from './offer.suite.ts'
import { must } from '../base/assert.ts'

const AT_MS = 1_800_000_000_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

function seen(offers: readonly Offer[], refusals: readonly Refusal[] = [], atMs = AT_MS) {
  return [...sightingsIn(offers, { atMs, refusals }).values()]
}

function later(minutes: number, change: Partial<Offer> = {}) {
  return must(seen([offer(change)], [], AT_MS + minutes * MINUTE_MS)[0], 'one')
}

function rowAfter(...sightings: readonly ReturnType<typeof later>[]): MarketRow {
  return must(
    sightings.reduce<MarketRow | undefined>((row, one) => rowWith(row, one) ?? row, undefined),
    'a row',
  )
}

describe('what is seen of a kind of machine', () => {
  test('is the best stock there is in the region, and the lowest price among what has it', () => {
    const [one, ...others] = seen([
      offer({ zone: 'a', usdPerHour: 3, stock: { level: 'sold_out', units: 0, seenAtMs: 1 } }),
      offer({ zone: 'b', usdPerHour: 5, stock: { level: 'available', units: 2, seenAtMs: 1 } }),
      offer({ zone: 'c', usdPerHour: 4, stock: { level: 'low', units: 1, seenAtMs: 1 } }),
    ])
    expect(others).toEqual([])
    expect(one?.point).toEqual({ atMs: AT_MS, usd: 4, spotUsd: 1, stock: 'available', units: 3 })
  })

  test('takes the asks of one kind together', () => {
    const asks = [7, 8].map((id) => offer({ instance: `2x H100_SXM (ask ${id})`, zone: undefined }))
    expect(seen(asks).map(({ machine }) => machine)).toEqual(['2x H100_SXM'])
  })

  test('is sold out while a refusal for lack of stock is remembered, and only there', () => {
    const refusal = { provider: 'alpha', region: 'eu-1', instance: 'large', atMs: AT_MS - 1, untilMs: AT_MS + 1 }
    expect(seen([offer()], [{ ...refusal, why: 'sold-out' }])[0]?.point).toMatchObject({ stock: 'sold_out', units: 0 })
    expect(seen([offer()], [{ ...refusal, why: 'quota' }])[0]?.point.stock).toBe('available')
    expect(seen([offer()], [{ ...refusal, why: 'sold-out', untilMs: AT_MS }])[0]?.point.stock).toBe('available')
    expect(seen([offer({ region: 'eu-2' })], [{ ...refusal, why: 'sold-out' }])[0]?.point.stock).toBe('available')
  })

  test('a price without a word about stock is no stock', () => {
    expect(seen([offer({ stock: undefined })])[0]?.point).toMatchObject({ stock: 'unknown', units: undefined })
  })

  test('is nothing of machines of our own, without accelerators, or under quarantine', () => {
    expect(
      seen([offer({ capacity: 'owned' }), offer({ gpu: undefined }), offer({ quarantine: 'PRICE_PLACEHOLDER' })]),
    ).toEqual([])
  })
})

describe('the row of a machine', () => {
  test('gets a point where something changed, and is written once an hour otherwise', () => {
    const row = rowAfter(later(0))
    expect(rowWith(row, later(5))).toBeUndefined()
    expect(rowWith(row, later(60))).toMatchObject({ seenMs: AT_MS + HOUR_MS, points: [{ usd: 4 }] })
    expect(rowWith(row, later(5, { usdPerHour: 3.5 }))?.points).toMatchObject([{ usd: 4 }, { usd: 3.5 }])
    expect(rowWith(row, later(-5, { usdPerHour: 3.5 }))).toBeUndefined()
  })

  test('tells what nobody saw from what did not change', () => {
    const points = rowWith(rowAfter(later(0)), later(300))?.points
    expect(points?.map(({ stock }) => stock)).toEqual(['available', 'unread', 'available'])
  })

  test('says that a machine is gone, once', () => {
    const gone = must(rowWithout(rowAfter(later(0)), AT_MS + MINUTE_MS), 'a change')
    expect(gone.points.at(-1)).toEqual({ atMs: AT_MS + MINUTE_MS, stock: 'gone' })
    expect(rowWithout(gone, AT_MS + HOUR_MS)).toBeUndefined()
    expect(rowWith(gone, later(600))?.points.map(({ stock }) => stock)).toEqual(['available', 'gone', 'available'])
  })

  test('stays small, however much changes and for however long', () => {
    let row = rowAfter(later(0))
    let most = 0
    const everyMinutes = 20
    for (let minute = everyMinutes; minute <= 40 * 24 * 60; minute += everyMinutes) {
      const stock = { level: 'available', units: minute % 997, seenAtMs: 1 } as const
      const usdPerHour = 1 + (minute % 89) / 7
      row = rowWith(row, later(minute, { usdPerHour, spotUsdPerHour: usdPerHour / 3, stock, gpu: cards() })) ?? row
      most = Math.max(most, row.points.length)
    }
    expect(most).toBeLessThanOrEqual(MARKET_POINTS_MAX)
    expect(JSON.stringify(row).length).toBeLessThan(24_000)
    const first = must(row.points[0], 'a point').atMs
    // It still reaches back as far as prices are kept, by one coarse step more or less.
    expect(Math.abs(row.seenMs - MARKET_KEPT_MS - first)).toBeLessThan(25 * HOUR_MS)
    const times = row.points.map(({ atMs }) => atMs)
    expect(times).toEqual(times.toSorted((one, two) => one - two))
    expect(times.filter((atMs) => atMs > row.seenMs - 24 * HOUR_MS).length).toBeGreaterThan(30)
  })
})
