import { describe, expect, test } from 'vitest'
import { must } from '../base/assert.ts'
import { DEFAULT_POLICY } from '../policy/policy.ts'
import { gpuNeed, NOW_MS } from '../requirement/filter/facts.suite.ts'
import { oneOf } from '../requirement/need/choice.ts'
import { freeze } from '../offer/snapshot.ts'
import { idAt, sold } from './capacity.suite.ts'
import { heldText } from './explain/held.ts'
import { explain } from './explain/explain.ts'
import type { ProjectLimits } from './limits.ts'
import { place, type PlaceInput, type WorkloadInput } from './place.ts'

const CAPACITY = freeze([
  sold('cheap', 1, { stock: { level: 'available', units: 3, seenAtMs: undefined } }),
  sold('dear', 2, { stock: { level: 'available', units: 9, seenAtMs: undefined } }),
])
/** Cards of one machine. */
const CARDS = must(CAPACITY.machines[0]?.gpu, 'every offer here has cards').count

function workload(name: string, replicas: number, project = 'lab'): WorkloadInput {
  const need = { ...gpuNeed(), market: oneOf(['on-demand']) }
  const asks = [{ role: undefined, need, replicas, spread: 'none' as const }]
  return { workload: name, project, asks, policy: DEFAULT_POLICY, nowMs: NOW_MS }
}

function limits(change: Partial<ProjectLimits>): NonNullable<PlaceInput['limits']> {
  const used = { gpus: 0, usdPerHour: 0 }
  return new Map([['lab', { gpusMax: undefined, usdPerHourMax: undefined, used, ...change }]])
}

function chosen(input: Omit<PlaceInput, 'capacity'>): readonly (readonly string[])[] {
  return place({ capacity: CAPACITY, ...input }).map(({ asks }) =>
    asks.flatMap(({ choices }) => choices.map(({ standing }) => idAt(CAPACITY, standing.row))),
  )
}

describe('several workloads', () => {
  test('take their room one after the other', () => {
    const workloads = [workload('a', 2), workload('b', 2)]
    expect(chosen({ workloads })).toEqual([
      ['cheap', 'cheap'],
      ['cheap', 'dear'],
    ])
  })

  test('share the limits of their project, and leave what limits keep from them to others', () => {
    const workloads = [workload('a', 3), workload('b', 1), workload('c', 2, 'team')]
    expect(chosen({ workloads, limits: limits({ gpusMax: 2 * CARDS }) })).toEqual([
      ['cheap', 'cheap'],
      [],
      ['cheap', 'dear'],
    ])
  })

  test('are explained as each of them was decided', () => {
    const workloads = [workload('a', 3), workload('b', 1)]
    const alone = place({ capacity: CAPACITY, workloads: [workload('a', 3)] })
    const [first] = place({ capacity: CAPACITY, workloads })
    expect(explain(must(first, 'a plan'))).toEqual(explain(must(alone[0], 'a plan')))
  })
})

describe('a limit', () => {
  test('is said with what would help, and for what could never be within it, without', () => {
    const held = (replicas: number, change: Partial<ProjectLimits>): string | undefined => {
      const [plan] = place({ capacity: CAPACITY, workloads: [workload('a', replicas)], limits: limits(change) })
      return plan?.held && heldText(plan.held)
    }
    const used = { gpus: CARDS, usdPerHour: 1.5 }
    // No command changes a project of the infrastructure file.
    expect(held(1, { usdPerHourMax: 2, used, isOfFile: true })).toBe(
      'project lab may spend $2.00 an hour and spends $1.50; this costs $1.00: stop work of $0.50 an hour or ask an administrator to set max_usd_per_hour: 2.5 for the project lab in the infrastructure file',
    )
    expect(held(1, { gpusMax: 1, used, isOfFile: true })).toContain(`to set max_gpus: ${2 * CARDS} for the project lab`)
    expect(held(1, { gpusMax: 2 * CARDS, used })).toBeUndefined()
    expect(held(2, { gpusMax: 2 * CARDS, used })).toBe(
      `project lab may use ${2 * CARDS} GPUs and uses ${2 * CARDS}; this needs ${CARDS}: free ${CARDS} or ask an administrator: berth project set lab --gpus ${3 * CARDS}`,
    )
    expect(held(1, { gpusMax: 1, used: { gpus: 0, usdPerHour: 0 } })).toBe(
      `project lab may use 1 GPU and uses 0; this needs ${CARDS}: ask an administrator: berth project set lab --gpus ${CARDS}`,
    )
    expect(held(1, { usdPerHourMax: 2, used })).toBe(
      'project lab may spend $2.00 an hour and spends $1.50; this costs $1.00: stop work of $0.50 an hour or ask an administrator: berth project set lab --usd-per-hour 2.5',
    )
  })
})

describe('a place that rejected the workload', () => {
  const ceiling = { replicaUsd: 1, totalUsd: 1, replicas: 1, spentUsd: 0, tolerance: 0.05 }
  const agreed = (change: Partial<WorkloadInput>): WorkloadInput => {
    const { asks, ...rest } = workload('a', 1)
    return { ...rest, asks: asks.map((ask) => ({ ...ask, ceiling })), ...change }
  }
  const apart = freeze([sold('cheap', 1, { provider: 'one' }), sold('dear', 2, { provider: 'two' })])
  const placed = (input: WorkloadInput): readonly string[] =>
    place({ capacity: apart, workloads: [input] }).flatMap(({ asks }) =>
      asks.flatMap(({ choices }) => choices.map(({ standing }) => idAt(apart, standing.row))),
    )

  test('comes last', () => {
    expect(placed({ ...workload('a', 1), wrongAt: () => ['one'] })).toEqual(['dear'])
  })

  test('is tried again where all others cost more than was agreed', () => {
    expect(placed(agreed({ wrongAt: () => ['one'] }))).toEqual(['cheap'])
    expect(placed(agreed({ wrongAt: () => ['two'] }))).toEqual(['cheap'])
  })
})
