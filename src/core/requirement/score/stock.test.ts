import { describe, expect, test } from 'vitest'
import { NOW_MS } from '../filter/facts.suite.ts'
import { inState } from './candidate.suite.ts'
import { stock } from './stock.ts'

const HOUR_MS = 3_600_000

function after(refusals: number, agoMs: number): number {
  return inState(stock, { stock: 'available', refusals, refusedAtMs: NOW_MS - agoMs })
}

describe('the stock score', () => {
  test('believes what the provider says', () => {
    expect(inState(stock, { stock: 'available' })).toBe(1)
    expect(inState(stock, { stock: 'low' })).toBe(0.6)
    expect(inState(stock, { stock: 'sold_out' })).toBe(0)
    expect(inState(stock, { stock: undefined })).toBe(0.5)
  })

  test('each recent refusal halves the chance, up to ten', () => {
    expect(after(1, 0)).toBe(0.5)
    expect(after(2, 0)).toBe(0.25)
    expect(after(10, 0)).toBe(1 / 1024)
    expect(after(11, 0)).toBe(1 / 1024)
  })

  test('the memory fades over six hours', () => {
    expect(after(1, 3 * HOUR_MS)).toBe(0.75)
    expect(after(1, 6 * HOUR_MS)).toBe(1)
    expect(after(1, 9 * HOUR_MS)).toBe(1)
  })

  test('a refusal dated in the future counts as one just now', () => {
    expect(after(1, -HOUR_MS)).toBe(0.5)
  })

  test('without a refusal, or without its time, nothing is held against the offer', () => {
    expect(after(0, 0)).toBe(1)
    expect(inState(stock, { stock: 'available', refusals: 3, refusedAtMs: undefined })).toBe(1)
  })

  test('refusals weigh on what the provider says', () => {
    expect(inState(stock, { stock: 'low', refusals: 1, refusedAtMs: NOW_MS })).toBe(0.3)
  })
})
