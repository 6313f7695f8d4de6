import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createdBy, FAULTS } from '../../../src/core/life/call/fault.ts'
import { readCsv } from '../../../src/formats/csv.ts'
import { PROVIDER_KINDS } from '../../../src/providers/registry.ts'
import { CLASSIFIERS } from '../../../src/providers/replies.ts'
import { ROOT } from '../../house/files.ts'
import { KNOWN_REPLIES } from './known.ts'

const TABLE = join(ROOT, '../shared/facts/errors.csv')
const KINDS = new Set(KNOWN_REPLIES.map(([kind]) => kind))

function meaning(kind: string, status: number, body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const fault = CLASSIFIERS[kind]?.({ operation: 'create', status, headers: {}, body: text })
  if (fault === undefined) throw new Error(`${kind} does not classify`)
  const seconds = fault.retryAfterMs === undefined ? [] : [fault.retryAfterMs / 1000]
  return [fault.class, fault.scope ?? FAULTS[fault.class].scope, createdBy(fault), ...seconds].join(' ')
}

test.each(KNOWN_REPLIES)('%s, %s: %s (%i)', (kind, _provider, _match, ...[status, body, means]) => {
  expect(meaning(kind, status, body)).toBe(means)
})

test.skipIf(!existsSync(TABLE))('every row of the table of facts has such a reply (facts/errors.csv is needed)', () => {
  const { header, rows } = readCsv(readFileSync(TABLE, 'utf8'))
  const at = (fields: readonly string[], name: string): string => fields[header.indexOf(name)] ?? ''
  // What a machine or a cluster says while it runs is no reply to an order.
  const isReply = (where: string): boolean => !/status|poll|balance|^Event|^spec\./.test(where)
  const ours = [...rows()].filter(({ fields }) => KINDS.has(at(fields, 'provider').split('-')[0] ?? ''))
  const missing = ours
    .filter(({ fields }) => isReply(at(fields, 'where')))
    .filter(({ fields }) => {
      const [provider, match] = [at(fields, 'provider'), at(fields, 'match')]
      return !KNOWN_REPLIES.some(([, of, start]) => of === provider && start !== '' && match.startsWith(start))
    })
  expect(ours.length).toBeGreaterThan(20)
  expect(missing.map(({ fields }) => `${at(fields, 'provider')}: ${at(fields, 'match')}`)).toEqual([])
})

test('every kind with a key has its table of replies', () => {
  const keyed = PROVIDER_KINDS.filter(({ credential }) => credential !== undefined).map(({ kind }) => kind)
  expect(keyed.filter((kind) => CLASSIFIERS[kind] === undefined)).toEqual([])
  expect(Object.keys(CLASSIFIERS).filter((kind) => !KINDS.has(kind))).toEqual([])
})

// Only what is a Status is a word of a Kubernetes API server.
describe.each([...KINDS].filter((kind) => kind !== 'kubernetes'))('%s', (kind) => {
  test.each([
    [
      'an order that is not understood is passing, and counts for that offer only',
      400,
      '{"message":"flux capacitor misaligned"}',
      'TRANSIENT offer no',
    ],
    ['a page in front of the API says nothing about the key', 403, 'error code: 1010', 'TRANSIENT offer no'],
    ['neither does a page', 401, '<html><title>Sold out</title></html>', 'TRANSIENT offer no'],
    ['an empty 502 may have created something', 502, '', 'AMBIGUOUS offer maybe'],
    ['a gateway that gave up may have, too', 504, '{"message":"upstream request timeout"}', 'AMBIGUOUS offer maybe'],
    ['so may a request that took too long', 408, '{"message":"timeout"}', 'AMBIGUOUS offer maybe'],
    [
      'and a name that is taken',
      409,
      '{"message":"an instance with this name already exists"}',
      'AMBIGUOUS offer maybe',
    ],
    ['and a success that is no answer', 200, '{"message":"ok?"}', 'AMBIGUOUS offer maybe'],
    ['and half a reply', 400, '{"message":"out of st', 'AMBIGUOUS offer maybe'],
    [
      'a limit as plain text is a limit',
      403,
      '{"message":"rate limit exceeded, retry in 6 seconds"}',
      'RATE_LIMIT none no 6',
    ],
  ])('%s', (_, status, text, means) => {
    expect(meaning(kind, status, text)).toBe(means)
  })
})
