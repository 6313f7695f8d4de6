import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../policy/policy.ts'
import { offer } from '../../offer/offer.suite.ts'
import type { Offer } from '../../offer/offer.ts'
import { bind } from './bind.ts'
import type { BindInput } from './chosen.ts'
import type { Change, WorkloadRecord } from '../change.ts'
import { bindInput, HOUR_MS, NOW_MS, placed, recordOf, service, situation, workloadOf } from '../keep.suite.ts'
import { reconcile } from '../reconcile.ts'

const CHEAP = offer({ provider: 'beta', instance: 'cheap', usdPerHour: 3 })
const DEAR = offer({ provider: 'alpha', instance: 'dear', usdPerHour: 4 })

function single(id: string, units: number, usdPerHour: number): Offer {
  return offer({ instance: id, usdPerHour, stock: { level: 'available', units, seenAtMs: undefined } })
}

function placedOn(record: WorkloadRecord, capacity: BindInput): Change {
  return bind(record, reconcile(record, situation()).place, capacity)
}

function chosen({ placements }: Change): readonly string[] {
  return placements.map(({ order: { tag, place } }) => `${tag.slot} ${place.instance}`)
}

describe('a price that the user agreed to', () => {
  const EARLIER = NOW_MS - HOUR_MS
  const agreed = (replicas: number, usdPerHour: number, replicaUsd = usdPerHour / replicas) => ({
    agreed: { atMs: EARLIER, tolerance: 0.05, roles: { '': { replicas, usdPerHour, replicaUsd } } },
  })

  test('is kept with its tolerance: five percent more is as agreed, and a cent above that waits', () => {
    const record = recordOf(workloadOf(service(1), agreed(1, 3)))
    expect(chosen(placedOn(record, bindInput([single('same', 1, 3.15)])))).toEqual(['0 same'])
    const change = placedOn(record, bindInput([single('more', 1, 3.16)]))
    expect(change.placements).toEqual([])
    expect(change.status?.waiting).toMatchObject({
      code: 'PRICE_NOT_AGREED',
      text: '$3.00 an hour (and 5% more) was agreed for a replica, and it would be $3.16 now: apply it again to agree',
    })
    expect(change.events).toMatchObject([{ kind: 'waiting', facts: { code: 'PRICE_NOT_AGREED' } }])
  })

  test('lets a cheaper place be taken that would not be the first choice', () => {
    const record = recordOf(workloadOf(service(1), agreed(1, 3)))
    const policy = { ...DEFAULT_POLICY, fallback: ['alpha', 'beta'] }
    expect(chosen(placedOn(recordOf(workloadOf(service(1))), bindInput([CHEAP, DEAR], { policy })))).toEqual(['0 dear'])
    expect(chosen(placedOn(record, bindInput([CHEAP, DEAR], { policy })))).toEqual(['0 cheap'])
  })

  test('holds for all replicas together, too', () => {
    const record = recordOf(workloadOf(service(3), agreed(3, 10, 4)))
    const change = placedOn(record, bindInput([single('a', 1, 3), single('b', 2, 4)]))
    expect(chosen(change)).toEqual(['0 a', '1 b'])
    expect(change.status?.waiting?.text).toBe(
      '$10.00 an hour (and 5% more) was agreed for 3 replicas, and it would be $11.00 now: apply it again to agree',
    )
  })

  test('grows with the number of replicas, and counts those that were placed since', () => {
    const workload = workloadOf(service(1), { ...agreed(1, 3), scale: { '': 3 } })
    const reserved = { gpus: 2, usdPerHour: 3 }
    const record = recordOf(workload, [placed(workload, '0', 'running', { reserved, reservedMs: NOW_MS })])
    expect(chosen(placedOn(record, bindInput([single('a', 9, 3)])))).toEqual(['1 a', '2 a'])
  })

  test('says nothing about replicas that ran before', () => {
    const workload = workloadOf(service(2), agreed(1, 3))
    const reserved = { gpus: 2, usdPerHour: 9 }
    const record = recordOf(workload, [placed(workload, '0', 'running', { reserved, reservedMs: EARLIER - 1 })])
    expect(chosen(placedOn(record, bindInput([single('a', 9, 3)])))).toEqual(['1 a'])
  })

  test('does not hold a role for which none was shown', () => {
    const workload = workloadOf(service(1), { agreed: { atMs: EARLIER, tolerance: 0.05, roles: {} } })
    expect(chosen(placedOn(recordOf(workload), bindInput([DEAR])))).toEqual(['0 dear'])
  })
})
