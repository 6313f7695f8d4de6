import { describe, expect, test } from 'vitest'
import type { FleetNode, Tenant } from '../fleet/fleet.ts'
import type { OwnedFleet } from '../fleet/owned-fleet.ts'
import { offer } from '../offer/offer.suite.ts'
import type { Offer } from '../offer/offer.ts'
import { freeze } from '../offer/snapshot.ts'
import { fleetOffers } from '../pack/owned/fleet-offers.ts'
import type { BindInput } from './bind/chosen.ts'
import { tenantName } from './bind/leaver.ts'
import type { WorkloadRecord } from './change.ts'
import { at, bindInput, job, placed, recordOf, service, workloadOf } from './keep.suite.ts'
import { isMakingWay, moved } from './move.ts'
import type { Placement } from './placement.ts'
import type { MoveCause } from './succession.ts'
import type { Workload } from './workload.ts'

const CARD = { health: 'ok', parts: 'none' } as const

function node(id: string, cards: number): FleetNode {
  const domains = { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined }
  const room = { cpuMilli: 64_000, memoryMib: 512 * 1024, diskMib: 4_000_000 }
  return {
    id,
    model: 'h100-sxm',
    ...room,
    cards: Array.from({ length: cards }, () => CARD),
    layout: undefined,
    domains,
  }
}

/** An attempt on cards of a node, as it was placed. */
function on(workload: Workload, slot: string, spot: { node: number; cards: readonly number[] }): Placement {
  const request = {
    cpuMilli: 0,
    memoryMib: 0,
    diskMib: 0,
    count: spot.cards.length,
    part: { kind: 'whole' },
    models: undefined,
  } as const
  const there = { id: `n${spot.node}`, request, spot: { ...spot, taken: undefined } }
  return at(placed(workload, slot, 'running'), { provider: 'hall', region: 'hall', offer: 'hall', node: there })
}

function tenantOf({ order: { tag, place } }: Placement): Tenant {
  const { request, spot } = place.node ?? {}
  if (request === undefined || spot === undefined) throw new Error('it is on a node')
  return { name: tenantName(tag), request, spot, priority: 0, restart: 'inference', checkpointAgeS: undefined }
}

/** What runs beside it, of somebody else. */
function other(cards: readonly number[]): Tenant {
  const request = { cpuMilli: 0, memoryMib: 0, diskMib: 0, count: cards.length, models: undefined } as const
  const spot = { node: 0, cards, taken: undefined }
  const plain = { priority: 0, restart: 'training', checkpointAgeS: undefined } as const
  return { name: 'other', request: { ...request, part: { kind: 'whole' } }, spot, ...plain }
}

const HOST = { hostArch: 'amd64', driver: '570.86.15', cuda: '12.8', inbound: true, volumeGib: 100 } as const

interface Hall {
  readonly nodes: readonly FleetNode[]
  readonly tenants: readonly Tenant[]
  /** What can be rented beside the hall. */
  readonly rented?: readonly Offer[]
}

function hallInput({ nodes, tenants, rented = [] }: Hall, change: Partial<BindInput> = {}): BindInput {
  const owned: OwnedFleet = { provider: 'hall', region: 'hall', fleet: { nodes }, tenants }
  const offers = fleetOffers(
    owned,
    nodes.map(() => HOST),
  )
  return { ...bindInput([]), snapshot: freeze([...offers, ...rented], [], [owned]), ...change }
}

function changed(text: string): Workload {
  return workloadOf(text, { generation: 2, restartedIn: 2 })
}

/** What is done about group 0: who leaves, who comes, and why it waits. */
function moves(record: WorkloadRecord, input: BindInput, why: MoveCause = 'replaced'): readonly string[] {
  const { placements, status } = moved(record, { group: '0', why }, input)
  const done = placements.map(({ order, phase }) => `${order.tag.slot} ${phase}`)
  return done.length > 0 ? done : [status?.waiting?.code ?? 'nothing']
}

describe('a machine of one’s own that its only replica fills', () => {
  const workload = changed(service(1))
  const old = on(workload, '0', { node: 0, cards: [0, 1] })
  const record = recordOf(workload, [old])
  const full = { nodes: [node('n0', 2)], tenants: [tenantOf(old)] }

  test('is left first, and its room goes to the successor', () => {
    expect(moves(record, hallInput(full))).toEqual(['0 stopping'])
  })

  test('is looked at as it was before, afterwards', () => {
    const input = hallInput(full)
    expect([moves(record, input), moves(record, input)]).toEqual([['0 stopping'], ['0 stopping']])
    expect(input.snapshot.fleets[0]?.tenants).toHaveLength(1)
  })

  test('is kept as long as there is room for both', () => {
    expect(moves(record, hallInput({ ...full, nodes: [node('n0', 4)] }))).toEqual(['0.b reserved'])
    expect(moves(record, hallInput({ ...full, rented: [offer()] }))).toEqual(['0.b reserved'])
  })

  test('is kept if the new version would not fit even then', () => {
    const larger = changed(service(1).replace('count: 2', 'count: 4'))
    expect(moves(recordOf(larger, [old]), hallInput(full))[0]).not.toBe('0 stopping')
  })

  test('is kept if somebody else has what the new version needs more', () => {
    const larger = changed(service(1).replace('count: 2', 'count: 3'))
    const nodes = [node('n0', 4)]
    expect(moves(recordOf(larger, [old]), hallInput({ nodes, tenants: [tenantOf(old)] }))).toEqual(['0 stopping'])
    expect(moves(recordOf(larger, [old]), hallInput({ nodes, tenants: [tenantOf(old), other([2, 3])] }))[0]).not.toBe(
      '0 stopping',
    )
  })

  test('is kept where its provider takes no work: closed, drained or down, it is not among the offers', () => {
    const input = { ...hallInput(full), snapshot: freeze([]) }
    expect(moves(record, input, 'drained')).toEqual(['NO_OFFERS'])
  })

  test('is kept in an outage: nothing is free there until it answers', () => {
    expect(moves(record, hallInput(full), 'outage')[0]).not.toBe('0 stopping')
    const fenced = { ...old, phase: 'stopping', why: 'outage' } as const
    const second = at(placed(workload, '0.b', 'running'), { provider: 'alpha' })
    expect(moves(recordOf(workload, [fenced, second]), hallInput(full))).toEqual(['HOST_FULL'])
  })

  test('is kept if the limits of the project forbid the new version even alone', () => {
    const limits = { gpusMax: 1, usdPerHourMax: undefined, workloadsMax: undefined }
    expect(moves(record, hallInput(full, { limits, usage: { gpus: 2, usdPerHour: 0 } }))[0]).not.toBe('0 stopping')
    const enough = { ...limits, gpusMax: 2 }
    expect(moves(record, hallInput(full, { limits: enough, usage: { gpus: 2, usdPerHour: 0 } }))).toEqual([
      '0 stopping',
    ])
  })

  test('is left by a job that changes, too', () => {
    const own = changed(job())
    const one = on(own, '0', { node: 0, cards: [0, 1] })
    expect(moves(recordOf(own, [one]), hallInput({ ...full, tenants: [tenantOf(one)] }))).toEqual(['0 stopping'])
  })

  test('is left by all of a gang, or by none', () => {
    const own = changed(job('nodes: 2\n'))
    const members = [on(own, '0.0', { node: 0, cards: [0, 1] }), on(own, '0.1', { node: 1, cards: [0, 1] })]
    const hall = { nodes: [node('n0', 2), node('n1', 2)], tenants: members.map(tenantOf) }
    expect(moves(recordOf(own, members), hallInput(hall))).toEqual(['0.0 stopping', '0.1 stopping'])
    const larger = changed(job('nodes: 3\n'))
    expect(moves(recordOf(larger, members), hallInput(hall))[0]).not.toContain('stopping')
  })

  test('is what a sick replica is replaced in', () => {
    expect(moves(record, hallInput(full), 'unhealthy')).toEqual(['0 stopping'])
    expect(isMakingWay({ ...old, phase: 'gone', why: 'unhealthy' })).toBe(true)
  })
})

describe('a rented machine', () => {
  const workload = changed(service(1))
  const stock = { level: 'available', units: undefined, seenAtMs: undefined } as const
  const full = offer({ quotaLeft: 0, stock })
  const record = recordOf(workload, [at(placed(workload, '0', 'running'), { offer: full.id })])

  test('gives back its share of the account’s quota', () => {
    expect(moves(record, bindInput([full]))).toEqual(['0 stopping'])
  })

  test('gives nothing back to another offer, whose machines may take more of it', () => {
    const elsewhere = offer({ region: 'eu-2', quotaLeft: 0, stock })
    expect(moves(record, bindInput([elsewhere]))).toEqual(['QUOTA_EXHAUSTED'])
  })

  test('that is sold out is not given away: others may take it first', () => {
    const sold = offer({ stock: { level: 'sold_out', units: 0, seenAtMs: undefined } })
    const own = recordOf(workload, [at(placed(workload, '0', 'running'), { offer: sold.id })])
    expect(moves(own, bindInput([sold]))).toEqual(['SOLD_OUT'])
  })
})
