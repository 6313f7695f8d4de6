import { must } from '../../base/assert.ts'
import type { Domains, Fleet } from '../../fleet/fleet.ts'
import { domainTree, type DomainTree } from '../../fleet/domain-tree.ts'
import { generator, nodeOf, tenantOn, wholeCards } from './fleet.suite.ts'
import type { Gang } from './gang.ts'
import { hostsIn, lowestLevel, usedOn, wrongWith, type Running, type World } from './model.suite.ts'
import { stepQueue, type GangQueue, type QueueMoment, type QueueStep, type QueueView } from './queue.ts'

/** The outcome of one schedule. */
export interface Outcome {
  readonly steps: number
  readonly starts: number
  /** Steps in which nodes were held. */
  readonly keeping: number
  /** The first few problems that the model found. */
  readonly wrong: readonly string[]
}

export type Scheduler = (tree: DomainTree, queue: GangQueue, moment: QueueMoment) => QueueStep

/**
 * Plays one schedule: a small fleet with partly unknown domains, gangs that come and go, nodes that fail and heal. The model
 * checks every step. At the end all work runs out, and every gang that fits an empty fleet must have run.
 */
export function playSchedule(seed: number, scheduler: Scheduler = stepQueue): Outcome {
  const chance = generator(seed)
  const fleet = smallFleet(chance)
  const play: Play = {
    chance,
    fleet,
    tree: domainTree(fleet),
    scores: fleet.nodes.map(() => chance(5)),
    scheduler,
    cards: fleet.nodes.map(() => cardsOf(chance)),
    running: [],
    queue: { waiting: [], kept: undefined },
    nowMs: 0,
    tally: { steps: 0, starts: 0, keeping: 0 },
    wrong: [],
  }
  const events = 4 + chance(10)
  for (let event = 0; event < events; event++) {
    happen(play, event)
    step(play)
  }
  runOut(play)
  return { ...play.tally, wrong: play.wrong.slice(0, 5) }
}

interface Play {
  readonly chance: (below: number) => number
  readonly fleet: Fleet
  readonly tree: DomainTree
  readonly scores: readonly number[]
  readonly scheduler: Scheduler
  readonly cards: number[]
  running: readonly Running[]
  queue: GangQueue
  nowMs: number
  readonly tally: { steps: number; starts: number; keeping: number }
  readonly wrong: string[]
}

const PATIENCE_MS = 15

/** Up to sixteen nodes. Names repeat across domains, and every second fleet has unknown domains. */
function smallFleet(chance: Play['chance']): Fleet {
  const nodes = 2 + chance(15)
  const unknown = chance(2) * (1 + chance(4))
  const name = (letter: string, below: number): string | undefined =>
    chance(10) < unknown ? undefined : `${letter}${chance(below)}`
  const domains = (): Domains => ({
    zone: name('z', 2),
    fabric: name('f', 2),
    rack: name('r', 3),
    nvlinkDomain: name('n', 2),
  })
  const places = Array.from({ length: 1 + chance(6) }, domains)
  const placeOf = (): Domains => (chance(4) === 0 ? domains() : must(places[chance(places.length)], 'a place'))
  return { nodes: Array.from({ length: nodes }, (_, index) => nodeOf(`n${index}`, placeOf())) }
}

function cardsOf(chance: Play['chance']): number {
  return [8, 8, 8, 4, 2, 0][chance(6)] ?? 8
}

/** One thing happens: a gang comes, one ends, a node fails or heals. */
function happen(play: Play, event: number): void {
  const { chance, running } = play
  play.nowMs += chance(20)
  const kind = chance(8)
  if (kind >= 4 || (kind >= 1 && running.length === 0)) arrive(play, event)
  else if (kind >= 1) play.running = running.toSpliced(chance(running.length), 1)
  else {
    const node = chance(play.cards.length)
    // A node fails only when it is empty: workers on a dead node are not decided here.
    if (usedOn(node, running) === 0) play.cards[node] = cardsOf(chance)
  }
}

function arrive(play: Play, event: number): void {
  const { chance, fleet, queue, nowMs } = play
  const most = fleet.nodes.length
  const gang: Gang = {
    id: `g${event}`,
    nodes: 1 + (chance(3) === 0 ? chance(most + 1) : chance(Math.ceil(most / 2))),
    request: wholeCards([1, 2, 4, 8][chance(4)] ?? 1),
    within: ([undefined, undefined, 'zone', 'rack', 'nvlink_domain'] as const)[chance(5)],
  }
  play.queue = { ...queue, waiting: [...queue.waiting, { gang, priority: chance(3), sinceMs: nowMs }] }
}

function step(play: Play): QueueStep {
  const { fleet, running, queue, nowMs, tally } = play
  const world: World = { fleet, cards: [...play.cards], running, nowMs, patienceMs: PATIENCE_MS }
  const done = play.scheduler(play.tree, queue, momentOf(play))
  play.wrong.push(...wrongWith(world, queue, done))
  play.running = [...running, ...done.starts.map(({ gang, spot }) => ({ gang, nodes: spot.nodes }))]
  play.queue = done.queue
  tally.steps++
  tally.starts += done.starts.length
  tally.keeping += Number(done.queue.kept !== undefined)
  return done
}

function momentOf({ cards, running, scores, nowMs }: Play): QueueMoment {
  const free = cards.map((have, node) => have - usedOn(node, running))
  return {
    nowMs,
    patienceMs: PATIENCE_MS,
    viewOf: ({ request }) => viewOf({ free, cards, running, scores }, request.count),
  }
}

type Seen = Pick<Play, 'cards' | 'running' | 'scores'> & { readonly free: readonly number[] }

function viewOf({ free, cards, running, scores }: Seen, count: number): QueueView {
  return {
    canHost: (node) => (free[node] ?? 0) >= count,
    score: (node) => scores[node] ?? 0,
    tenancy: {
      wouldHost: (node) => (cards[node] ?? 0) >= count,
      tenantsOn: (node) =>
        running.filter(({ nodes }) => nodes.includes(node)).map(({ gang }) => tenantOn(node, { name: gang.id })),
    },
  }
}

/** Lets running work end, oldest first, until no gang starts any more. */
function runOut(play: Play): void {
  const limit = 4 * (play.running.length + play.queue.waiting.length + 1)
  for (let turn = 0; turn < limit; turn++) {
    play.nowMs += PATIENCE_MS
    const { starts } = step(play)
    if (starts.length === 0 && play.running.length === 0) break
    play.running = play.running.slice(1)
  }
  for (const { gang } of play.queue.waiting) {
    if (lowestLevel(play.fleet, gang, hostsIn(play, [], gang)) !== undefined) play.wrong.push(`${gang.id} never ran`)
  }
}
