import { describe, expect, test } from 'vitest'
import { faultOf, type FaultRow, type RefusalWords } from './fault-table.ts'

const ROWS: readonly FaultRow[] = [
  { status: 409, class: 'OFFER_GONE' },
  { code: 'CONDITION_NOT_MET', class: 'BAD_REQUEST' },
  { code: 'CONDITION_NOT_MET', text: /capacity/i, class: 'SOLD_OUT', scope: 'region' },
  { code: /^Insufficient/, class: 'SOLD_OUT' },
  { text: /started late/, class: 'TRANSIENT', created: 'yes' },
]

function said(change: Partial<RefusalWords>): RefusalWords {
  return { status: 400, code: undefined, text: '', isOwn: true, headers: {}, ...change }
}

function classOf(change: Partial<RefusalWords>, creates = false): string {
  return faultOf(said(change), ROWS, { creates }).class
}

describe('a reply', () => {
  test('is read by its text, then by its code, then by its status', () => {
    expect(classOf({ code: 'CONDITION_NOT_MET', text: 'no capacity', status: 409 })).toBe('SOLD_OUT')
    expect(classOf({ code: 'CONDITION_NOT_MET', text: 'wrong disk', status: 409 })).toBe('BAD_REQUEST')
    expect(classOf({ code: 'Other', text: 'no capacity', status: 409 })).toBe('OFFER_GONE')
    expect(classOf({ code: 'InsufficientInstanceCapacity', status: 500 }, true)).toBe('SOLD_OUT')
  })

  test('keeps what its row says beyond the class', () => {
    expect(faultOf(said({ text: 'it started late' }), ROWS, { creates: true })).toEqual({
      class: 'TRANSIENT',
      created: 'yes',
      message: 'it started late (status 400)',
    })
  })

  test.each([
    [401, 'AUTH', 'AUTH'],
    [403, 'AUTH', 'AUTH'],
    [402, 'BILLING', 'BILLING'],
    [400, 'BAD_REQUEST', 'BAD_REQUEST'],
    [422, 'BAD_REQUEST', 'BAD_REQUEST'],
    [404, 'TRANSIENT', 'TRANSIENT'],
    [429, 'RATE_LIMIT', 'RATE_LIMIT'],
    [500, 'TRANSIENT', 'AMBIGUOUS'],
    [503, 'TRANSIENT', 'AMBIGUOUS'],
  ])('that no row knows is judged by its status: %i', (status, read, create) => {
    expect([classOf({ status }), classOf({ status }, true)]).toEqual([read, create])
  })

  test('of something in front of the API says nothing about credential or order', () => {
    for (const status of [400, 401, 403, 422]) expect(classOf({ status, isOwn: false })).toBe('TRANSIENT')
  })

  test.each([
    [{ headers: { 'retry-after': '7' } }, 7000],
    [{ headers: { 'ratelimit-reset': '3' } }, 3000],
    [{ text: 'Too many requests, try again in 6 seconds' }, 6000],
    [{ text: 'Please wait 1235 s' }, 1_235_000],
    [{ headers: { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' } }, undefined],
    [{ headers: { 'retry-after': '999999' } }, 3_600_000],
  ])('says when to come back: %j', (change, waitMs) => {
    expect(faultOf(said({ status: 429, ...change }), ROWS, { creates: false }).retryAfterMs).toBe(waitMs)
  })
})
