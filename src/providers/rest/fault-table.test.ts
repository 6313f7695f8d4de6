import { describe, expect, test } from 'vitest'
import type { FaultRow } from './fault-row.ts'
import { faultOf, replyFault } from './fault-table.ts'
import type { RefusalWords } from './words.ts'

const ROWS: readonly FaultRow[] = [
  { status: 409, class: 'OFFER_GONE', seen: 'a' },
  { code: 'CONDITION_NOT_MET', class: 'BAD_REQUEST', seen: 'b' },
  { code: 'CONDITION_NOT_MET', text: /capacity/i, class: 'SOLD_OUT', scope: 'region', seen: 'c' },
  { code: /^Insufficient/, class: 'SOLD_OUT', seen: 'd' },
  { text: /started late/, class: 'TRANSIENT', created: 'yes', seen: 'e' },
  { text: /not yours/, on: 'create', class: 'QUOTA', seen: 'f' },
  { text: /slow down/, class: 'RATE_LIMIT', retryAfterMs: 12_000, seen: 'g' },
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
    expect(classOf({ code: 'Other', text: 'odd', status: 409 })).toBe('OFFER_GONE')
    expect(classOf({ code: 'InsufficientInstanceCapacity', status: 500 }, true)).toBe('SOLD_OUT')
  })

  test('keeps what its row says beyond the class', () => {
    expect(faultOf(said({ text: 'it started late' }), ROWS, { creates: true })).toEqual({
      class: 'TRANSIENT',
      created: 'yes',
      message: 'it started late (status 400)',
    })
  })

  test('may mean something else when something is created', () => {
    expect([classOf({ text: 'not yours', status: 403 }, true), classOf({ text: 'not yours', status: 403 })]).toEqual([
      'QUOTA',
      'AUTH',
    ])
  })

  test.each([
    [401, 'AUTH', 'AUTH'],
    [403, 'AUTH', 'AUTH'],
    [402, 'BILLING', 'BILLING'],
    [400, 'TRANSIENT', 'TRANSIENT'],
    [422, 'TRANSIENT', 'TRANSIENT'],
    [404, 'TRANSIENT', 'TRANSIENT'],
    [429, 'RATE_LIMIT', 'RATE_LIMIT'],
    [200, 'TRANSIENT', 'AMBIGUOUS'],
    [408, 'TRANSIENT', 'AMBIGUOUS'],
    [460, 'TRANSIENT', 'AMBIGUOUS'],
    [500, 'TRANSIENT', 'AMBIGUOUS'],
    [503, 'TRANSIENT', 'AMBIGUOUS'],
  ])('that no row knows is judged by its status: %i', (status, read, create) => {
    expect([classOf({ status }), classOf({ status }, true)]).toEqual([read, create])
  })

  test('about a name that exists already means that an earlier try may have gone through', () => {
    expect(classOf({ status: 400, text: 'A machine with this name already exists.' }, true)).toBe('AMBIGUOUS')
  })

  test.each([
    [{ code: 'InsufficientInstanceCapacity', status: 400 }, undefined],
    [{ code: 'InsufficientInstanceCapacity', status: 500 }, 'maybe'],
    [{ code: 'InsufficientInstanceCapacity', status: 200 }, 'maybe'],
  ])('proves that nothing exists only with the status of a refusal: %j', (change, created) => {
    expect(faultOf(said(change), ROWS, { creates: true }).created).toBe(created)
  })

  test('of something in front of the API says nothing about credential or order', () => {
    for (const status of [400, 401, 403, 422]) {
      expect(classOf({ status, text: 'no capacity', isOwn: false }, true)).toBe('TRANSIENT')
    }
  })

  test.each([
    [{ headers: { 'retry-after': '7' } }, 7000],
    [{ text: 'slow down' }, 12_000],
    [{ text: 'slow down, and try again in 2 minutes' }, 120_000],
    [{ headers: { 'ratelimit-reset': '3' } }, 3000],
    [{ text: 'Too many requests, try again in 6 seconds' }, 6000],
    [{ text: 'Please wait 1235 s' }, 1_235_000],
    [{ text: 'Request was throttled. Expected available in 17 seconds.' }, 17_000],
    [{ headers: { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' } }, undefined],
    [{ headers: { 'retry-after': '999999' } }, 3_600_000],
    // An instant counts from when the reply was sent.
    [{ headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT', date: 'Thu, 01 Jan 2026 00:00:00 GMT' } }, 20_000],
    [{ headers: { 'ratelimit-reset': '1767225690', date: 'Thu, 01 Jan 2026 00:00:00 GMT' } }, 90_000],
    [{ headers: { 'ratelimit-reset': '1767225690' } }, undefined],
    [{ text: 'Slow down. Retry-After: 30' }, 30_000],
  ])('says when to come back: %j', (change, waitMs) => {
    expect(faultOf(said({ status: 429, ...change }), ROWS, { creates: false }).retryAfterMs).toBe(waitMs)
  })
})

describe('a whole reply', () => {
  const reply = (status: number, text: string, type = 'application/json') => ({
    status,
    text,
    headers: { 'content-type': type },
  })
  const faults = {
    rows: ROWS,
    leftover: (body: unknown) =>
      typeof body === 'object' && body !== null && 'made' in body ? String(body.made) : undefined,
  }
  const creates = { creates: true }

  test('that names what was created leaves it behind, whatever else it says', () => {
    expect(replyFault(reply(400, '{"code":"Insufficient","made":7}'), faults, creates)).toMatchObject({
      class: 'SOLD_OUT',
      created: 'yes',
      instance: '7',
    })
  })

  test('that is cut off may have named something', () => {
    expect(replyFault(reply(400, '{"code":"Insufficient","ma'), faults, creates).class).toBe('AMBIGUOUS')
  })

  test.each([
    [{ retry_after: 30 }, 30_000],
    [{ error: { message: 'slow down', retryAfterMs: 500 } }, 500],
    [{ details: { retryAfterSeconds: '7' } }, 7000],
  ])('says when to come back in a field of its own: %j', (body, waitMs) => {
    const limit = reply(429, JSON.stringify({ message: 'slow', ...body }))
    expect(replyFault(limit, { rows: [] }, { creates: true }).retryAfterMs).toBe(waitMs)
  })

  test.each([
    ['text/html', '{"code":"Insufficient"}'],
    ['text/plain', 'error code: 1010'],
    ['application/json', '{}'],
    ['application/json', '[1, {"code": {}}]'],
    ['application/json', '"Insufficient"'],
  ])('that is not in the form of the API is no refusal of it: %s %s', (type, text) => {
    expect(['TRANSIENT', 'AMBIGUOUS']).toContain(replyFault(reply(403, text, type), faults, creates).class)
  })
})
