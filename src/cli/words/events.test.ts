import { describe, expect, test } from 'vitest'
import type { EventKind, Facts } from '../../core/event/event.ts'
import { NOW_MS } from '../harness.suite.ts'
import { eventText, FAULT_WORDS, LEAVING_WORDS, reasonWords, SENTENCES } from './events.ts'

const KINDS = Object.keys(SENTENCES).filter(isKind)

function isKind(name: string): name is EventKind {
  return Object.hasOwn(SENTENCES, name)
}

function say(kind: EventKind, facts: Facts): string {
  return eventText({ kind, facts, atMs: NOW_MS })
}

const EVERY_FACT: Facts = {
  slot: '0',
  epoch: 2,
  attempt: 'a1',
  provider: 'nebius',
  region: 'eu-north1',
  instance: 'i-7',
  class: 'QUOTA',
  message: 'limit',
  why: 'died',
  exit: 'exit code 1',
  until: NOW_MS + 60_000,
  usd_per_hour: 9.4,
  gpus: 4,
  by: 'ada',
  from: 1,
  to: 2,
  replicas: 2,
  restarts: 3,
  text: 'no room',
  next_look_ms: NOW_MS + 40_000,
  because: 'cheapest',
  generation: 3,
  failures: 5,
  completed: 1,
  address: '127.0.0.1:1',
  lost_seconds: 60,
  down_ms: 60_000,
}

describe('a change', () => {
  test.each([
    [{ state: 'draining', by: 'ada' }, 'takes no new work and is being drained, by ada'],
    [{ state: 'cordoned' }, 'takes no new work'],
    [{ state: 'open' }, 'takes new work again'],
    [{ kind: 'local' }, 'its settings'],
    [{ objective: 'cheapest' }, 'its objective is cheapest'],
    [{ gpus_max: 4, usd_per_hour_max: null }, 'its limits'],
    [{ generation: 3, by: 'ada' }, 'the manifest, generation 3, by ada'],
  ])('with the facts %j is said as %s', (facts, text) => {
    expect(say('changed', facts)).toBe(text)
  })
})

describe('every kind of event', () => {
  test('has a sentence', () => {
    expect(KINDS).toHaveLength(26)
  })

  test.each(KINDS)('%s says something, with no facts, with strange ones and with all', (kind) => {
    const strange = { slot: null, provider: '', usd_per_hour: 'a lot', until: true, why: '\u001b[2J\nx' }
    for (const facts of [{}, strange, EVERY_FACT]) {
      const text = say(kind, facts)
      expect(text).not.toBe('')
      expect(text).not.toMatch(/undefined|null|NaN|\[object|\p{Cc}|^[,;:]|[,;:]$/u)
    }
  })
})

describe('sentences', () => {
  test.each<[EventKind, Facts, string]>([
    ['placed', EVERY_FACT, '0 on nebius/eu-north1, 4 GPUs, $9.40/h (cheapest)'],
    ['launched', { slot: '0', provider: 'here', instance: 'p-12' }, '0 was accepted by here as p-12'],
    [
      'refused',
      { slot: '1', provider: 'a', region: 'b', class: 'SOLD_OUT', message: 'none left', until: NOW_MS + 600_000 },
      '1 by a/b: sold out, “none left”; remembered for 10 min',
    ],
    [
      'refused',
      { slot: '0', provider: 'here', class: 'BAD_REQUEST', message: 'There is no program serve on this host.' },
      '0 by here: the request is invalid: There is no program serve on this host.',
    ],
    [
      'unknown',
      { slot: '0', provider: 'a', class: 'AMBIGUOUS', message: 'timeout' },
      'it is not known whether 0 was started on a (timeout); its place stays reserved until it is',
    ],
    ['died', { slot: '0', provider: 'a', why: 'died', exit: 'exit code 1' }, '0 on a: exit code 1'],
    ['died', { slot: '0', provider: 'a', why: 'died', exit: '' }, '0 on a: it died'],
    ['stopped', { slot: '0', why: 'scaled-down' }, '0: fewer replicas are wanted; it is no longer billed'],
    ['stopping', { generation: 2, by: 'ada' }, 'all of it is stopped, by ada'],
    ['stopping', { generation: 2, remove: true, by: 'ada' }, 'all of it is stopped, then removed, by ada'],
    ['up', { slot: '0', epoch: 1, provider: 'here' }, '0 runs on here'],
    ['up', { slot: '0', epoch: 1 }, '0 answers its health check'],
    ['waiting', { code: 'QUOTA_PROJECT' }, 'the project’s quota of GPUs is used up'],
    ['waiting', { text: 'no H100', next_look_ms: NOW_MS + 40_000 }, 'no H100; next look in 40 s'],
    ['scaled', { from: 2, to: 3, role: 'decode', by: 'ada' }, 'decode from 2 to 3 replicas, by ada'],
    ['provider-up', { down_ms: 7_200_000 }, 'it answers again, after 2 h'],
    ['done', { completions: 3 }, 'it has finished, 3 completions'],
    ['drained', { slot: '1', provider: 'north', why: 'drained' }, '1 leaves north, which is being drained'],
    [
      'orphan',
      { provider: 'north', instance: 'i-9' },
      'an instance that belongs to no workload was found as i-9 on north; it is being stopped',
    ],
    [
      'provider-down',
      { class: 'TRANSIENT', message: 'no answer within 30 s' },
      'it does not answer (no answer within 30 s); what runs there keeps running',
    ],
  ])('%s %j', (kind, facts, expected) => {
    expect(say(kind, facts)).toBe(expected)
  })
})

test('an event of an unknown kind is shown with its own text', () => {
  // As an earlier version, or a later one, has written it.
  const kind = 'restarting' as EventKind
  expect(say(kind, { slot: '0', provider: 'north', why: 'preempted' })).toMatch(/^0 on north: .+/)
  expect(say(kind, { message: 'as it was said' })).toBe('it: as it was said')
  expect(say(kind, {})).toBe('it')
})

describe('reasonWords', () => {
  test('knows every fault and every leaving, and lets others stand', () => {
    for (const [code, words] of Object.entries({ ...FAULT_WORDS, ...LEAVING_WORDS }))
      expect(reasonWords(code)).toBe(words)
    expect(reasonWords('VRAM_TOO_SMALL')).toBe('VRAM_TOO_SMALL')
    expect(reasonWords('constructor')).toBe('constructor')
  })
})
