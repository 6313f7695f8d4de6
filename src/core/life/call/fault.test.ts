import { describe, expect, test } from 'vitest'
import { FAULTS, type FaultClass } from './fault.ts'
import { recordOf, MINUTE_MS, NOW_MS, placed, service, slotIn, workloadOf } from '../keep.suite.ts'
import { remembered, settleLaunch } from '../settle.ts'

const KEPT = recordOf(workloadOf(service()), [placed(workloadOf(service()), '0', 'reserved')])
const PLACE = slotIn(KEPT, '0').order.place

/** What the contract promises of each class: where the attempt stands after it, what is remembered, and for how long. */
const TABLE: readonly [FaultClass, string, string | undefined, number][] = [
  ['SOLD_OUT', 'gone', 'alpha/eu-1/large/sold-out', 3],
  ['OFFER_GONE', 'gone', 'alpha/eu-1/large/sold-out', 10],
  ['NO_MATCHING_SHAPE', 'gone', 'alpha/eu-1/large/fault', 10],
  ['QUOTA', 'gone', 'alpha/eu-1/*/quota', 10],
  ['BILLING', 'gone', 'alpha/*/*/fault', 15],
  ['AUTH', 'gone', 'alpha/*/*/fault', 5],
  ['BAD_REQUEST', 'gone', undefined, 0],
  ['RATE_LIMIT', 'reserved', undefined, 0],
  ['TRANSIENT', 'gone', 'alpha/eu-1/large/fault', 1],
  ['AMBIGUOUS', 'unknown', undefined, 0],
]

describe('every class of fault', () => {
  test('is in the table', () => {
    expect(TABLE.map(([name]) => name).toSorted()).toEqual(Object.keys(FAULTS).toSorted())
  })

  test.each(TABLE)('%s leaves the attempt %s and remembers %s', (name, phase, memory, minutes) => {
    const answer = { ok: false, fault: { class: name, message: 'no' } } as const
    const change = settleLaunch(KEPT, slotIn(KEPT, '0'), { answer, nowMs: NOW_MS, chance: 0.5 })
    expect(change.placements.map((placement) => placement.phase)).toEqual([phase])
    const record = (change.refusals ?? []).map(
      ({ provider, region, instance, why }) => `${provider}/${region ?? '*'}/${instance ?? '*'}/${why}`,
    )
    expect(record).toEqual(memory === undefined ? [] : [memory])
    expect((change.refusals ?? []).map(({ atMs, untilMs }) => [atMs, untilMs])).toEqual(
      memory === undefined ? [] : [[NOW_MS, NOW_MS + minutes * MINUTE_MS]],
    )
  })

  test.each(Object.entries(FAULTS))('%s may have created something only if its outcome is not known', (_, rule) => {
    expect(rule.created).toBe(rule.outcome === 'unknown' ? 'maybe' : 'no')
  })
})

describe('what is remembered of a refusal', () => {
  test('reaches as far as the provider says, if it does', () => {
    const reach = (scope: 'offer' | 'region' | 'instance' | 'provider' | 'none') => {
      const refusal = remembered({ class: 'SOLD_OUT', message: '', scope }, PLACE, NOW_MS)
      return refusal && [refusal.provider, refusal.region ?? '*', refusal.instance ?? '*'].join('/')
    }
    expect([reach('offer'), reach('region'), reach('instance'), reach('provider'), reach('none')]).toEqual([
      'alpha/eu-1/large',
      'alpha/eu-1/*',
      'alpha/*/large',
      'alpha/*/*',
      undefined,
    ])
  })

  test('lasts as long as the provider says, if it does', () => {
    const refusal = remembered({ class: 'QUOTA', message: '', ttlMs: 5 }, PLACE, NOW_MS)
    expect(refusal?.untilMs).toBe(NOW_MS + 5)
    expect(remembered({ class: 'QUOTA', message: '', ttlMs: 0 }, PLACE, NOW_MS)).toBeUndefined()
  })

  test('is nothing where the order itself was wrong, unless the provider names a scope and a time', () => {
    expect(remembered({ class: 'BAD_REQUEST', message: '' }, PLACE, NOW_MS)).toBeUndefined()
    const told = remembered({ class: 'BAD_REQUEST', message: '', scope: 'offer', ttlMs: 9 }, PLACE, NOW_MS)
    expect(told).toMatchObject({ instance: 'large', untilMs: NOW_MS + 9 })
  })
})
