import { describe, expect, test } from 'vitest'
import { readFleetFile } from '../../../formats/fleet-file/fleet-file.ts'
import { DEFAULT_POLICY, type Policy } from '../../policy/policy.ts'
import { oneOf } from '../../requirement/need/choice.ts'
import { ANY_NEED, type Need } from '../../requirement/need/need.ts'
import { ANY_GPU } from '../../requirement/need/need.suite.ts'
import { atLeast } from '../../requirement/need/range.ts'
import type { Offer } from '../../offer/offer.ts'
import { listOffers } from '../../offer/list.ts'
import { freeze } from '../../offer/snapshot.ts'
import { fleetOffers } from '../../pack/owned/fleet-offers.ts'
import { decide } from '../decide.suite.ts'
import { explain } from '../explain/explain.ts'
import type { Plan } from '../plan.ts'
import { report } from '../explain/report.ts'
import { sold } from '../capacity.suite.ts'
import { reportWait, type WaitReport } from './wait-report.ts'
import { NOW_MS } from '../world.suite.ts'

interface Scene {
  readonly nodes: readonly string[]
  readonly running: readonly string[]
  readonly rented?: readonly Offer[]
  readonly need?: Partial<Need>
  readonly policy?: Partial<Policy>
  readonly replicas?: number
}

/** The plan for four whole cards unless something else is asked for. */
function planOf({ nodes, running, rented = [], need, policy, replicas = 1 }: Scene): Plan {
  const list = (key: string, items: readonly string[]): string =>
    items.length === 0 ? '' : `${key}:\n${items.map((item) => `  - { ${item} }\n`).join('')}`
  const read = readFleetFile(`berth: v1\nkind: fleet\n${list('nodes', nodes)}${list('running', running)}`, 'f.yaml')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  const owned = { provider: 'harbor', region: 'f', fleet: read.fleet, tenants: read.tenants }
  const gpu = { ...ANY_GPU, count: atLeast(4), sharing: oneOf(['whole']) }
  const asked: Need = { ...ANY_NEED, gpu, market: oneOf(['on-demand']), ...need }
  return decide(freeze([...rented, ...fleetOffers(owned, [])], [], [owned]), {
    workload: 'w',
    asks: [{ role: undefined, need: asked, replicas, spread: 'none' }],
    policy: { ...DEFAULT_POLICY, ...policy },
    nowMs: NOW_MS,
  })
}

function waitsIn(scene: Scene): readonly WaitReport[] {
  const plan = planOf(scene)
  const { snapshot } = plan
  return explain(plan).flatMap(({ waits }) => waits.map((wait) => reportWait(wait, snapshot.fleets)))
}

const L40S = 'gpu: { model: l40s, count: 4 }, cpu: 64, memory: 256Gi'
const TWO = [`name: a, ${L40S}`, `name: b, ${L40S}`]
const HELD = 'cpu: 1, memory: 1Gi'

function movesOf(scene: Scene): readonly string[] {
  return waitsIn(scene).flatMap(({ would_free: freeing }) =>
    (freeing?.moves ?? []).map(({ name, from, to }) => `${name} ${from.node} -> ${to.node}`),
  )
}

describe('a node on which something runs is one offer', () => {
  const CPU_ONLY = { gpu: undefined, cpu: atLeast(2) }
  const nodes = ['name: a, cpu: 8, memory: 64Gi']
  const told = (need: Partial<Need>, cpu: number) => {
    const plan = report(planOf({ nodes, running: [`name: one, node: a, cpu: ${cpu}, memory: 1Gi`], need }))
    const [ask] = plan.asks
    return { ...plan.refused, fitting: ask?.fitting, of: plan.offers.looked_at, by: ask?.providers[0]?.refused }
  }
  const listed = (cpu: number) => {
    const { snapshot } = planOf({ nodes, running: [`name: one, node: a, cpu: ${cpu}, memory: 1Gi`], need: CPU_ONLY })
    return listOffers(snapshot, { provider: undefined, gpus: undefined }, { sort: 'price', limit: 9 }).matching
  }

  test('it is not full for what fits beside what runs there', () => {
    expect(told(CPU_ONLY, 1)).toEqual({ fitting: 1, of: 1, by: 0 })
    expect(listed(1)).toBe(1)
  })

  test('it is full for what would fit if nothing ran there', () => {
    expect(told(CPU_ONLY, 7)).toEqual({ HOST_FULL: 1, fitting: 0, of: 1, by: 1 })
    expect(told(CPU_ONLY, 8)).toEqual({ HOST_FULL: 1, fitting: 0, of: 1, by: 1 })
    expect([listed(7), listed(8)]).toEqual([1, 1])
  })

  test('what it could never do is the reason, once', () => {
    expect(told({ gpu: undefined, cpu: atLeast(9) }, 1)).toEqual({ TOO_LITTLE_CPU: 1, fitting: 0, of: 1, by: 1 })
  })
})

describe('a fleet that has no room', () => {
  const running = [
    `name: one, node: a, ${HELD}, cards: [0], restart: inference`,
    `name: two, node: b, ${HELD}, cards: [0], restart: inference`,
  ]

  test('names who is in the way, and what could be moved to make room', () => {
    const [wait] = waitsIn({ nodes: TWO, running })
    expect(wait).toMatchObject({
      fleet: 'harbor/f',
      fits_when_empty: true,
      nearest: { domain: { level: 'fleet' }, free: [], missing: 1, blocked: [{ node: 'a' }, { node: 'b' }] },
      helps: [{ kind: 'wait', nodes: ['a'] }],
    })
    expect(movesOf({ nodes: TWO, running })).toEqual(['one a -> b'])
  })

  test('proposes nothing for training without a checkpoint', () => {
    const stuck = running.map((text) => text.replace('inference', 'training'))
    expect(movesOf({ nodes: TWO, running: stuck })).toEqual([])
    const [wait] = waitsIn({ nodes: TWO, running: stuck })
    expect(wait?.nearest?.blocked[0]?.tenants[0]).toMatchObject({ name: 'one', may_move: false, planned: false })
  })

  test('takes training that runs on several nodes under one name for a gang, and moves none of it', () => {
    const saved = (name: string, node: string): string =>
      `name: ${name}, node: ${node}, ${HELD}, cards: [0], checkpoint_age: 1m`
    expect(movesOf({ nodes: TWO, running: [saved('one', 'a'), saved('two', 'b')] })).toEqual(['one a -> b'])
    expect(movesOf({ nodes: TWO, running: [saved('job', 'a'), saved('job', 'b')] })).toEqual([])
  })

  test('moves replicas of one service one by one', () => {
    const both = running.map((text) => text.replace(/name: \w+/, 'name: same'))
    expect(movesOf({ nodes: TWO, running: both })).toEqual(['same on a a -> b'])
  })

  test('moves no tenant to other cards than it has, unless it accepts them', () => {
    const nodes = [`name: a, ${L40S}`, 'name: other, gpu: { model: a100-80-sxm, count: 2 }, cpu: 64, memory: 256Gi']
    const alone = `name: one, node: a, ${HELD}, cards: [0], restart: inference`
    expect(movesOf({ nodes, running: [alone] })).toEqual([])
    expect(movesOf({ nodes, running: [`${alone}, models: [a100-80-sxm]`] })).toEqual(['one a -> other'])
  })

  test('counts what this plan has placed itself', () => {
    const [wait] = waitsIn({ nodes: [`name: a, ${L40S}`], running: [], replicas: 2 })
    expect(wait?.nearest?.blocked).toMatchObject([{ node: 'a', tenants: [{ name: 'w 0', planned: true }] }])
    expect(wait?.would_free).toBeUndefined()
  })

  test('is not mentioned when it would not serve anyway', () => {
    expect(waitsIn({ nodes: TWO, running, need: { nodes: 1, cpu: atLeast(65) } })).toEqual([])
  })

  test('is mentioned beside a cloud that serves, unless the policy prefers the cloud', () => {
    const cloud = sold('m', 4, { provider: 'cloud', gpu: { model: 'l40s', count: 4, slice: undefined, link: 'pcie' } })
    const scene = { nodes: TWO, running, rented: [cloud] }
    expect(planOf(scene).fits).toBe(true)
    expect(waitsIn(scene)).toHaveLength(1)
    expect(waitsIn({ ...scene, policy: { fallback: ['cloud'] } })).toEqual([])
    expect(waitsIn({ ...scene, policy: { fallback: ['harbor', 'cloud'] } })).toHaveLength(1)
  })

  test('is not mentioned while it has room', () => {
    const cloud = sold('m', 0, { provider: 'cloud', gpu: { model: 'l40s', count: 4, slice: undefined, link: 'pcie' } })
    const scene = { nodes: TWO, running: [], rented: [cloud], policy: { fallback: ['cloud'] } }
    expect(waitsIn({ ...scene, running: running.slice(0, 1) })).toEqual([])
  })
})
