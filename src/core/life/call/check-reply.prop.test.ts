import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isSoundOffer,
  readDescribed,
  readFault,
  readInstance,
  readLaunched,
  readListing,
  readStopped,
} from './check-reply.ts'
import { FAULTS } from './fault.ts'
import type { Instance } from './instance.ts'
import { cases } from '../../base/laws.suite.ts'

/** Anything at all: what JSON can say, and what it cannot. */
const anything = fc.oneof(
  fc.jsonValue(),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSet: true }),
  fc.constantFrom<unknown>(Symbol('x'), () => 1, Number.NaN, -0, 1e308, { toString: 1 }, Object.create(null)),
)

/** Something of the right form in which every field may be anything. */
function form(keys: readonly string[]): fc.Arbitrary<unknown> {
  return fc.record(Object.fromEntries(keys.map((key) => [key, fc.oneof(anything, LIKELY)])), { requiredKeys: [] })
}

const LIKELY = fc.oneof(fc.string(), fc.double(), fc.constantFrom('up', 'ended', 'absent', 'code', 'start', 'signal'))
const TAG = form(['owner', 'project', 'workload', 'uid', 'slot', 'epoch', 'attempt'])
const EXIT = form(['kind', 'code', 'signal', 'why'])
const soundTag = fc.constant({ owner: 'o', project: 'p', workload: 'w', uid: 'u', slot: '0', epoch: 1, attempt: 'a' })
const instance = fc.record(
  {
    instance: fc.oneof(anything, fc.string({ minLength: 1 })),
    tag: fc.oneof(anything, TAG, soundTag),
    state: fc.oneof(anything, LIKELY),
    healthy: fc.oneof(anything, fc.boolean()),
    exit: fc.oneof(anything, EXIT),
    ports: fc.oneof(anything, fc.dictionary(fc.string(), anything)),
    usdPerHour: fc.oneof(anything, fc.double()),
    endsAtMs: fc.oneof(anything, fc.double()),
    checkpointMs: fc.oneof(anything, fc.double()),
  },
  { requiredKeys: [] },
)
const reply = fc.oneof(anything, instance)
const RUNS = cases(400)

/** Whether it could be written down and read again as it is. */
function isPlain(value: unknown): void {
  const text = JSON.stringify(value)
  expect(JSON.stringify(JSON.parse(text))).toBe(text)
}

function isSound(read: Instance): void {
  expect(read.instance.length).toBeGreaterThan(0)
  expect(Object.keys(read.tag)).toHaveLength(7)
  expect(['queued', 'starting', 'up', 'ended', 'unclear']).toContain(read.state)
  expect(Object.values(read.ports ?? {}).every(({ port }) => Number.isInteger(port))).toBe(true)
  for (const amount of [read.usdPerHour ?? 0, read.endsAtMs ?? 0, read.checkpointMs ?? 0, read.tag.epoch]) {
    expect(Number.isFinite(amount) && amount >= 0).toBe(true)
  }
  isPlain(read)
}

describe('whatever a provider answers', () => {
  test('an instance is sound or none', () => {
    fc.assert(
      fc.property(reply, (value) => {
        const read = readInstance(value)
        if (read !== undefined) isSound(read)
        const described = readDescribed(value)
        if (described !== undefined) isPlain(described)
      }),
      RUNS,
    )
  })

  test('a list has only sound instances, and is complete only if every entry was one', () => {
    const listing = fc.record({
      instances: fc.oneof(anything, fc.array(reply, { maxLength: 4 })),
      complete: fc.oneof(anything, fc.boolean()),
    })
    fc.assert(
      fc.property(fc.oneof(anything, listing), (value) => {
        const read = readListing(value)
        if (read === undefined) return
        read.instances.forEach(isSound)
        // Proven: what was read as a list has them.
        const { instances, complete } = value as { readonly instances: readonly unknown[]; readonly complete: unknown }
        expect(read.complete).toBe(complete === true && read.instances.length === instances.length)
      }),
      RUNS,
    )
  })

  test('a fault has a known class, a short message and sound waits', () => {
    const fault = form(['class', 'message', 'scope', 'ttlMs', 'retryAfterMs'])
    const known = fc.record({
      class: fc.constantFrom(...Object.keys(FAULTS)),
      message: anything,
      scope: anything,
      ttlMs: anything,
      retryAfterMs: anything,
    })
    fc.assert(
      fc.property(fc.oneof(anything, fault, known), (value) => {
        const read = readFault(value, 'AMBIGUOUS')
        expect(Object.keys(FAULTS)).toContain(read.class)
        expect(read.message.length).toBeLessThanOrEqual(500)
        for (const waitMs of [read.ttlMs ?? 0, read.retryAfterMs ?? 0]) expect(waitMs).toBeGreaterThanOrEqual(0)
        isPlain(read)
      }),
      RUNS,
    )
  })

  test('a launch and a stop are sound or none, and an offer is believed or not', () => {
    const launched = form(['instance', 'usdPerHour', 'gone'])
    fc.assert(
      fc.property(fc.oneof(anything, launched), (value) => {
        const read = readLaunched(value)
        expect(read === undefined || (read.instance !== '' && read.usdPerHour >= 0 && read.usdPerHour <= 1e9)).toBe(
          true,
        )
        expect([undefined, true, false]).toContain(readStopped(value)?.gone)
        expect([true, false]).toContain(isSoundOffer(value))
      }),
      RUNS,
    )
  })
})
