import { describe, expect, test } from 'vitest'
import { domainTree, type DomainTree } from '../../fleet/domain-tree.ts'
import { fleetOf, tenantOn, wholeCards } from './fleet.suite.ts'
import type { Gang } from './gang.ts'
import { stepQueue, type GangQueue, type QueueMoment, type QueueStep, type WaitingGang } from './queue.ts'

const PATIENCE_MS = 100

function waiting(
  id: string,
  nodes: number,
  given: Partial<WaitingGang> & Pick<Partial<Gang>, 'within'> = {},
): WaitingGang {
  const { within, ...rest } = given
  return { gang: { id, nodes, request: wholeCards(8), within }, priority: 0, sinceMs: 0, ...rest }
}

/** A moment at which these nodes are busy, and these never do. */
function moment(nowMs: number, busy: readonly number[] = [], never: readonly number[] = []): QueueMoment {
  const view = {
    canHost: (node: number) => !busy.includes(node) && !never.includes(node),
    score: () => 0,
    tenancy: {
      wouldHost: (node: number) => !never.includes(node),
      tenantsOn: (node: number) => (busy.includes(node) ? [tenantOn(node)] : []),
    },
  }
  return { nowMs, patienceMs: PATIENCE_MS, viewOf: () => view }
}

function queueOf(...gangs: readonly WaitingGang[]): GangQueue {
  return { waiting: gangs, kept: undefined }
}

function started({ starts }: QueueStep): readonly string[] {
  return starts.map(({ gang, spot }) => `${gang.id}: ${spot.nodes.join(' ')}`)
}

const tree = domainTree(fleetOf({ z: 10 }))

describe('turns', () => {
  test('the higher priority goes first, then who came first, then the first id', () => {
    const queue = queueOf(
      waiting('d', 1, { sinceMs: 5 }),
      waiting('c', 1),
      waiting('b', 1),
      waiting('a', 1, { priority: 1, sinceMs: 9 }),
    )
    expect(started(stepQueue(tree, queue, moment(10)))).toEqual(['a: 0', 'b: 1', 'c: 2', 'd: 3'])
  })

  test('who fits passes who does not', () => {
    const step = stepQueue(tree, queueOf(waiting('large', 8), waiting('small', 2)), moment(10, [0, 1, 2]))
    expect(started(step)).toEqual(['small: 3 4'])
    expect(step.queue).toEqual(queueOf(waiting('large', 8)))
  })

  test('a node is given away once a step', () => {
    const step = stepQueue(tree, queueOf(waiting('a', 6), waiting('b', 6)), moment(10))
    expect(started(step)).toEqual(['a: 0 1 2 3 4 5'])
    expect(step.waits).toEqual([{ kind: 'behind', gang: waiting('b', 6).gang, others: ['a'] }])
  })

  test('every gang that goes on waiting is listed', () => {
    const { waits } = stepQueue(tree, queueOf(waiting('large', 8), waiting('huge', 11)), moment(10, [0, 1, 2]))
    expect(waits.map(({ kind, gang }) => `${gang.id} ${kind}`)).toEqual(['huge held-up', 'large held-up'])
  })

  test('views that are one object are counted once', () => {
    let asked = 0
    const plain = moment(10)
    const view = { ...plain.viewOf(waiting('a', 1).gang), canHost: () => asked++ >= 0 }
    stepQueue(tree, queueOf(waiting('a', 1), waiting('b', 2)), { ...plain, viewOf: () => view })
    expect(asked).toBe(10)
  })
})

describe('nodes kept for a gang', () => {
  const busy = [0, 1, 2, 3, 4, 5]
  const large = waiting('large', 8)
  const small = waiting('small', 3, { sinceMs: 90, priority: 9 })

  test('are none as long as its patience lasts', () => {
    const step = stepQueue(tree, queueOf(large, small), moment(100, busy))
    expect(step.queue.kept).toBeUndefined()
    expect(started(step)).toEqual(['small: 6 7 8'])
  })

  test('are those that are free and then those that are the least costly to clear', () => {
    const step = stepQueue(tree, queueOf(large, small), moment(101, busy))
    expect(step.queue.kept).toEqual({ gang: 'large', domain: 0, nodes: [0, 1, 2, 3, 6, 7, 8, 9] })
    expect(started(step)).toEqual([])
    expect(step.waits.map(({ kind, gang }) => `${gang.id} ${kind}`)).toEqual(['large held-up', 'small behind'])
  })

  test('are those that become free rather than those kept before', () => {
    const kept = { gang: 'large', domain: 0, nodes: [0, 1, 2, 3, 6, 7, 8, 9] }
    const step = stepQueue(tree, { waiting: [large, waiting('tiny', 1)], kept }, moment(200, [0, 1, 2, 3, 5]))
    expect(step.queue.kept?.nodes).toEqual([0, 1, 2, 4, 6, 7, 8, 9])
    expect(started(step)).toEqual([])
  })

  test('are used by it before anyone else is asked', () => {
    const kept = { gang: 'large', domain: 0, nodes: [0, 1, 2, 3, 6, 7, 8, 9] }
    const step = stepQueue(tree, { waiting: [small, large], kept }, moment(200, [4]))
    expect(started(step)).toEqual(['large: 0 1 2 3 5 6 7 8'])
    expect(step.queue).toEqual({ waiting: [small], kept: undefined })
  })

  test('are let go when it does not wait any more', () => {
    const kept = { gang: 'gone', domain: 0, nodes: [0, 1] }
    const step = stepQueue(tree, { waiting: [small], kept }, moment(100, [3, 4, 5, 6, 7, 8, 9]))
    expect(started(step)).toEqual(['small: 0 1 2'])
    expect(step.queue.kept).toBeUndefined()
  })

  test('are for the one that has waited longest, and stay with it', () => {
    const older = waiting('older', 9, { sinceMs: -5 })
    const first = stepQueue(tree, queueOf(large, older), moment(500, busy))
    expect(first.queue.kept?.gang).toBe('older')
    const oldest = waiting('oldest', 10, { sinceMs: -50 })
    const next = stepQueue(tree, { ...first.queue, waiting: [oldest, large, older] }, moment(510, busy))
    expect(next.queue.kept).toEqual(first.queue.kept)
  })

  test('are none for a gang that could never run, and the next gets them', () => {
    const step = stepQueue(tree, queueOf(waiting('huge', 11, { sinceMs: -9 }), large), moment(500, busy))
    expect(step.queue.kept?.gang).toBe('large')
    expect(step.waits.map(({ gang }) => gang.id).sort()).toEqual(['huge', 'large'])
  })
})

describe('the domain that is drained', () => {
  const racks: DomainTree = domainTree(fleetOf({ 'z/f/a': 4, 'z/f/b': 4, 'z/f/c': 3 }))
  const gang = waiting('g', 4, { within: 'rack' })

  test('is the nearest, and stays it while it can hold the gang', () => {
    const first = stepQueue(racks, queueOf(gang), moment(200, [0, 4, 5]))
    expect(first.queue.kept).toEqual({ gang: 'g', domain: 3, nodes: [0, 1, 2, 3] })
    const next = stepQueue(racks, first.queue, moment(300, [0, 1, 4]))
    expect(next.queue.kept).toEqual(first.queue.kept)
  })

  test('leaves the other nodes to all gangs', () => {
    const step = stepQueue(racks, queueOf(gang, waiting('tiny', 2)), moment(200, [0, 4, 5]))
    expect(step.queue.kept?.nodes).toEqual([0, 1, 2, 3])
    expect(started(step)).toEqual(['tiny: 6 7'])
  })

  test('is another when a node of it is lost', () => {
    const first = stepQueue(racks, queueOf(gang), moment(200, [0, 4, 5]))
    const next = stepQueue(racks, first.queue, moment(300, [0, 4, 5], [1]))
    expect(next.queue.kept).toEqual({ gang: 'g', domain: 4, nodes: [4, 5, 6, 7] })
  })

  test('does not bind the gang: it starts wherever it fits first', () => {
    const first = stepQueue(racks, queueOf(gang), moment(200, [0, 4, 5]))
    expect(started(stepQueue(racks, first.queue, moment(300, [0])))).toEqual(['g: 4 5 6 7'])
  })
})
