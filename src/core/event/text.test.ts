import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Facts } from './event.ts'
import { definitionOf, EVENTS } from './kinds.ts'
import { eventText } from './text.ts'
import { FAULT_WORDS, LEAVING_WORDS, reasonWords } from './words.ts'

const NOW_MS = 1_763_000_000_000
const KINDS = Object.keys(EVENTS)

function say(kind: string, facts: Facts, subject = `${definitionOf(kind)?.about ?? 'workload'}/train`): string {
  return eventText({ kind, facts, atMs: NOW_MS, project: 'default', subject })
}

function exampleOf(kind: string): Facts {
  // An example has facts only.
  return (definitionOf(kind)?.example ?? {}) as Facts
}

describe('every kind of event', () => {
  test.each(KINDS)('%s has facts that are explained, an example of them, and words', (kind) => {
    const { facts, means, example } = definitionOf(kind) ?? {}
    expect(facts?.strict().safeParse(example)).toMatchObject({ success: true })
    const { properties = {} } = z.toJSONSchema(facts ?? z.object({}))
    for (const fact of Object.values(properties)) expect(fact).toHaveProperty('description', expect.any(String))
    expect(means).toMatch(/^[A-Z].+\.$/)
    const text = say(kind, exampleOf(kind))
    expect(text).not.toBe('')
    expect(text).not.toMatch(/undefined|null|NaN|\[object|\p{Cc}|^[,;:]|[,;:.]$/u)
  })

  test.each(KINDS)('%s of another version is shown as it is', (kind) => {
    const isFree = definitionOf(kind)?.facts.safeParse({}).success === true
    if (!isFree) expect(say(kind, { word: 'x', count: 3 })).toBe('word: x, count: 3')
    const strange = { slot: null, provider: '', usd_per_hour: 'a lot', until: true, why: '\u001B[2J\nx' }
    expect(say(kind, strange)).not.toMatch(/undefined|null|NaN|\[object|\p{Cc}|^[,;:]|[,;:]$/u)
    expect(say(kind, { ...exampleOf(kind), later: 'added by a later version' })).toBe(say(kind, exampleOf(kind)))
  })
})

describe('sentences', () => {
  const ASKED = { slot: '1', epoch: 1, attempt: 'a', provider: 'a', region: 'b', instance: 'card' }
  const LEFT = { slot: '0', epoch: 2, provider: 'a', exit: '' }
  test.each<[string, Facts, string]>([
    ['placed', exampleOf('placed'), '0 on north/north-1, 4 GPUs, $9.40/h (the best that fits)'],
    ['launched', { ...ASKED, slot: '0', provider: 'here', instance: 'p-12' }, '0 was accepted by here as p-12'],
    ['queued', exampleOf('queued'), '0 waits in the queue of batch: Priority'],
    [
      'refused',
      { ...ASKED, class: 'SOLD_OUT', message: 'none left', until: NOW_MS + 600_000 },
      '1 by a/b: sold out, “none left”; remembered for 10 min',
    ],
    [
      'refused',
      { ...ASKED, region: 'a', class: 'BAD_REQUEST', message: 'There is no program serve on this host.', until: null },
      '1 by a: There is no program serve on this host.',
    ],
    [
      'unknown',
      { ...ASKED, class: 'AMBIGUOUS', message: 'timeout' },
      'it is not known whether 1 was started on a/b (timeout); its place stays reserved until that is known',
    ],
    ['died', { ...LEFT, why: 'died', exit: 'exit code 1' }, '0 on a: exit code 1'],
    ['died', { ...LEFT, why: 'died' }, '0 on a: its instance is gone'],
    ['ended', { ...LEFT, why: 'exited', exit: 'exit code 1' }, '0 on a: exit code 1'],
    ['ended', { ...LEFT, why: 'exited' }, '0 on a: it ended by itself, its exit code is not known'],
    ['ended', { ...LEFT, why: 'late' }, '0 on a: it took too long to start'],
    ['stopped', { ...LEFT, why: 'scaled-down' }, '0 on a: fewer replicas are wanted; nothing of it is left'],
    ['stopped', { ...LEFT, why: 'replaced' }, '0 on a: it makes way for a new attempt; nothing of it is left'],
    ['replaced', { ...LEFT, why: 'replaced' }, '0 on a makes way for the changed manifest'],
    ['replaced', exampleOf('replaced'), '0 on north makes way for the changed manifest (image)'],
    ['stop-requested', { generation: 2, by: 'ada' }, 'all of it is to stop, by ada'],
    ['stop-requested', exampleOf('stop-requested'), 'all of it is to stop and then be removed, by ada'],
    ['changed', exampleOf('changed'), 'the manifest (image, env.MODEL), generation 3, by ada'],
    ['changed', { generation: 3, by: 'ada', what: 'run again' }, 'run again, generation 3, by ada'],
    ['scaled', exampleOf('scaled'), 'decode to 3 replicas, by ada'],
    ['done', exampleOf('done'), 'it has finished, exit code 0, 2 attempts, after 2 h'],
    [
      'gave-up',
      exampleOf('gave-up'),
      '0 failed 4 times: exit code 1 after 3 restarts; it is not tried again; look at berth logs train --slot 0 --attempt 4',
    ],
    [
      'gave-up',
      { slot: '0', why: 'no such image', failures: 5, goes_on: true },
      '0 failed 5 times: no such image; it stays empty, the others go on; look at berth explain train',
    ],
    ['provider-up', exampleOf('provider-up'), 'it answers again, after 2 h'],
    ['provider-drained', exampleOf('provider-drained'), 'nothing that Berth started is left there, after 5 min'],
    ['provider-state', exampleOf('provider-state'), 'takes no new work and is being drained, by ada'],
    ['drained', exampleOf('drained'), '1 leaves north, which is being drained'],
    [
      'orphan-ended',
      exampleOf('orphan-ended'),
      'the instance i-9 on north, which belonged to no workload and cost $2.10/h, was stopped within 40 s',
    ],
    [
      'provider-down',
      exampleOf('provider-down'),
      'it does not answer (no answer within 30 s); what runs there keeps running',
    ],
  ])('%s %j', (kind, facts, expected) => {
    expect(say(kind, facts)).toBe(expected)
  })

  test('a command that follows names the project', () => {
    const event = {
      kind: 'gave-up',
      facts: exampleOf('gave-up'),
      atMs: NOW_MS,
      project: 'lab',
      subject: 'workload/train',
    }
    expect(eventText(event)).toContain('berth logs train --project lab --slot 0 --attempt 4')
  })
})

test('an event of an unknown kind, or about another kind of object, is shown with its own words', () => {
  expect(say('restarting', { slot: '0', provider: 'north', why: 'preempted' })).toBe(
    '0 on north: the provider preempted it',
  )
  expect(say('restarting', { message: 'as it was said' })).toBe('as it was said')
  expect(say('restarting', {})).toBe('')
  // As 0.2.0 told of a new provider.
  expect(say('accepted', { kind: 'sim' }, 'provider/north')).toBe('kind: sim')
  expect(say('stopping', { generation: 2, by: 'ada' })).toBe('generation: 2, by: ada')
  expect(say('constructor', { why: 'x' })).toBe('x')
})

describe('reasonWords', () => {
  test('knows every fault and every leaving, and lets others stand', () => {
    for (const [code, words] of Object.entries({ ...FAULT_WORDS, ...LEAVING_WORDS }))
      expect(reasonWords(code)).toBe(words)
    expect(reasonWords('VRAM_TOO_SMALL')).toBe('VRAM_TOO_SMALL')
    expect(reasonWords('constructor')).toBe('constructor')
  })
})
