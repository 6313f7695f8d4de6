import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { domainTree } from '../../fleet/domain-tree.ts'
import { fleetOf, generator, tenantOn, wholeCards } from './fleet.suite.ts'
import type { Gang } from './gang.ts'
import { stepQueue, type GangQueue, type QueueMoment, type QueueStep } from './queue.ts'
import { playSchedule, type Scheduler } from './schedule.suite.ts'
import { cases, times } from '../../base/laws.suite.ts'

// All 100,000 schedules run in `npm run bench -- gang`.
const SCHEDULES = times(5000)

describe('random schedules', () => {
  test('no gang runs in part, shares what only one can have, or goes wider than it must; and each runs in the end', () => {
    const wrong = Array.from({ length: SCHEDULES }, (_, seed) => ({ seed, wrong: playSchedule(seed).wrong }))
    expect(wrong.filter((each) => each.wrong.length > 0)).toEqual([])
  })

  test('nodes are kept in some of them', () => {
    const keeping = Array.from({ length: 500 }, (_, seed) => playSchedule(seed).keeping)
    expect(keeping.filter((steps) => steps > 0).length).toBeGreaterThan(50)
  })

  test('the same seed plays the same schedule', () => {
    expect(playSchedule(17)).toEqual(playSchedule(17))
  })

  test.each<[string, Scheduler, string]>([
    ['leaves out a worker', broken(({ nodes, ...spot }) => ({ ...spot, nodes: nodes.slice(1) })), 'gets'],
    ['uses a node twice', broken((spot) => ({ ...spot, nodes: spot.nodes.map(() => spot.nodes[0] ?? 0) })), 'twice'],
    ['takes what is not free', broken((spot) => ({ ...spot, nodes: spot.nodes.map((_, at) => at) })), 'not available'],
    ['forgets the bound', unbound(), 'is not within one'],
    ['forgets domains', withoutDomains(), 'would do'],
    ['lets nobody pass', strict(), 'waits but could run'],
    ['keeps nodes without end', hoarding(), 'never ran'],
  ])('a scheduler that %s is found out', (_, scheduler, words) => {
    const wrong = Array.from({ length: 300 }, (_, seed) => playSchedule(seed, scheduler).wrong).flat()
    expect(wrong.some((text) => text.includes(words))).toBe(true)
  })
})

describe('two gangs that each want 60 % of the fleet', () => {
  const stories = fc.record({
    seed: fc.nat(),
    nodes: fc.integer({ min: 2, max: 40 }),
    small: fc.integer({ min: 1, max: 3 }),
    longest: fc.integer({ min: 1, max: 12 }),
  })

  test('both run, however much small work arrives all the time', () => {
    fc.assert(
      fc.property(stories, (story) => {
        expect(play({ ...story, patienceMs: 10 }).toSorted()).toEqual(['one', 'two'])
      }),
      cases(300),
    )
  })

  test('small work would pass them for ever if nothing were kept', () => {
    const story = { seed: 1, nodes: 40, small: 2, longest: 12, patienceMs: Infinity }
    expect(play(story)).toEqual([])
  })
})

interface Story {
  readonly seed: number
  readonly nodes: number
  /** Nodes that a small gang uses at most. */
  readonly small: number
  /** Steps that anything runs at most. */
  readonly longest: number
  readonly patienceMs: number
}

/** A full fleet, two large gangs, and more small work in every step than could run. Answers which large ones ran. */
function play({ seed, nodes, small, longest, patienceMs }: Story): readonly string[] {
  const chance = generator(seed)
  const tree = domainTree(fleetOf({ 'z/f': Math.ceil(nodes / 2), '-': Math.floor(nodes / 2) }))
  const ends = Array.from({ length: nodes }, () => 1 + chance(longest))
  const large = ['one', 'two'].map((id) => gangOf(id, Math.ceil(nodes * 0.6)))
  let queue: GangQueue = { waiting: large.map((gang) => ({ gang, priority: 0, sinceMs: 0 })), kept: undefined }
  const ran: string[] = []
  for (let step = 1; step <= 10 + 4 * longest; step++) {
    const waiting = [...queue.waiting]
    for (let more = 0; waiting.length < nodes + 2; more++) {
      waiting.push({ gang: gangOf(`small-${step}-${more}`, 1 + chance(small)), priority: 1, sinceMs: step })
    }
    const done: QueueStep = stepQueue(tree, { ...queue, waiting }, momentOf({ ends, step, patienceMs }))
    for (const { gang, spot } of done.starts) {
      for (const node of spot.nodes) ends[node] = step + 1 + chance(longest)
      if (large.includes(gang)) ran.push(gang.id)
    }
    queue = done.queue
  }
  return ran
}

function gangOf(id: string, nodes: number): Gang {
  return { id, nodes, request: wholeCards(8), within: undefined }
}

function momentOf(given: {
  readonly ends: readonly number[]
  readonly step: number
  readonly patienceMs: number
}): QueueMoment {
  const { ends, step, patienceMs } = given
  const canHost = (node: number) => (ends[node] ?? 0) <= step
  const tenancy = { wouldHost: () => true, tenantsOn: (node: number) => (canHost(node) ? [] : [tenantOn(node)]) }
  const view = { canHost, score: () => 0, tenancy }
  return { nowMs: step, patienceMs, viewOf: () => view }
}

/** A scheduler that gives away other nodes than it should. */
function broken(change: (spot: QueueStep['starts'][number]['spot']) => QueueStep['starts'][number]['spot']): Scheduler {
  return (tree, queue, moment) => {
    const step = stepQueue(tree, queue, moment)
    return { ...step, starts: step.starts.map(({ gang, spot }) => ({ gang, spot: change(spot) })) }
  }
}

/** A scheduler that works on other gangs than it answers for. */
function disguised(change: (gang: Gang) => Gang): Scheduler {
  return (tree, queue, moment) => {
    const real = new Map(queue.waiting.map((each) => [each.gang.id, each.gang]))
    const back = <T extends { readonly gang: Gang }>(each: T): T => ({
      ...each,
      gang: real.get(each.gang.id) ?? each.gang,
    })
    const waiting = queue.waiting.map((each) => ({ ...each, gang: change(each.gang) }))
    const step = stepQueue(tree, { ...queue, waiting }, moment)
    return {
      queue: { ...step.queue, waiting: step.queue.waiting.map(back) },
      starts: step.starts.map(back),
      waits: step.waits.map(back),
    }
  }
}

function unbound(): Scheduler {
  return disguised((gang) => ({ ...gang, within: undefined }))
}

function withoutDomains(): Scheduler {
  return (tree, queue, moment) => stepQueue(domainTree(fleetOf({ '-': tree.home.length })), queue, moment)
}

/** Whoever is behind the first that does not fit does not start. */
function strict(): Scheduler {
  return (tree, queue, moment) => {
    const step = stepQueue(tree, queue, moment)
    return step.waits.length === 0 ? step : { ...step, queue, starts: [], waits: queue.waiting.map(heldUp) }
  }
}

/** Nobody starts any more once nodes are kept. */
function hoarding(): Scheduler {
  return (tree, queue, moment) => {
    const step = stepQueue(tree, queue, moment)
    return queue.kept === undefined ? step : { queue, starts: [], waits: queue.waiting.map(heldUp) }
  }
}

function heldUp({ gang }: { readonly gang: Gang }): QueueStep['waits'][number] {
  return { kind: 'held-up', gang }
}
