import { describe, expect, test } from 'vitest'
import type { State } from '../../offer/machine.ts'
import { inWords, need, NOW_MS, state } from './facts.suite.ts'
import { stock } from './stock.ts'

const TWO_NODES = need({ nodes: 2 })

function refused(why: State['refusedWhy'], untilMs: number): State {
  return state({ refusedWhy: why, refusedAtMs: NOW_MS - 1_000, refusedUntilMs: untilMs, refusals: 1 })
}

describe('stock', () => {
  test('what is in stock will do, even when little is left', () => {
    expect(stock.check(state({ stock: 'available' }), need(), NOW_MS)).toBeUndefined()
    expect(stock.check(state({ stock: 'low' }), need(), NOW_MS)).toBeUndefined()
  })

  test('what is sold out is turned down, whatever else is said', () => {
    const reason = stock.check(state({ stock: 'sold_out', units: 5 }), TWO_NODES, NOW_MS)
    expect(reason).toEqual({ code: 'SOLD_OUT', wanted: '2', found: '0' })
    expect(inWords(stock, reason)).toBe('sold out; clears: capacity')
  })

  test('a gang needs as many machines as it has nodes', () => {
    expect(stock.check(state({ units: 2 }), TWO_NODES, NOW_MS)).toBeUndefined()
    expect(stock.check(state({ units: 3 }), TWO_NODES, NOW_MS)).toBeUndefined()
    const reason = stock.check(state({ units: 1 }), TWO_NODES, NOW_MS)
    expect(reason).toEqual({ code: 'NOT_ENOUGH_STOCK', wanted: '2', found: '1' })
    expect(inWords(stock, reason)).toBe('fewer than 2 left; clears: capacity')
  })

  test('a refusal counts until it expires, to the millisecond', () => {
    const reason = stock.check(refused('sold-out', NOW_MS + 1), need(), NOW_MS)
    expect(reason).toEqual({ code: 'REFUSED_RECENTLY', wanted: '1', found: 'sold-out' })
    expect(inWords(stock, reason)).toBe('refused an order recently; clears: time')
    expect(stock.check(refused('fault', NOW_MS + 1), need(), NOW_MS)?.found).toBe('fault')
    expect(stock.check(refused(undefined, NOW_MS + 1), need(), NOW_MS)?.found).toBe('refused')
    expect(stock.check(refused('sold-out', NOW_MS), need(), NOW_MS)).toBeUndefined()
    expect(stock.check(refused('sold-out', NOW_MS - 1), need(), NOW_MS)).toBeUndefined()
  })

  test('a refusal for lack of quota says nothing about stock', () => {
    expect(stock.check(refused('quota', NOW_MS + 1), need(), NOW_MS)).toBeUndefined()
  })

  test('a price list without stock is an unknown', () => {
    const reason = stock.check(state({ stock: undefined }), need(), NOW_MS)
    expect(reason).toEqual({ code: 'STOCK_UNKNOWN', wanted: '1', found: undefined })
    expect(inWords(stock, reason)).toBe('does not say whether any are left; clears: never')
  })
})
