import { Dice } from '../base/dice.ts'
import { byKey, type Keyed } from './affinity.ts'
import { leastLoaded } from './balance.ts'

/** Conversations of several turns before replicas that remember the last prefixes they have seen, as engines do. */
export interface Trace {
  readonly seed: number
  readonly replicas: number
  /** Requests that one replica works on at a time; what comes beyond waits in its order. */
  readonly slots: number
  /** Prefixes that one replica remembers: those that were used last. */
  readonly cached: number
  /** New conversations a second, and the most turns of one: each number is as likely as any other. */
  readonly perSecond: number
  readonly turnsMax: number
  /** What a person takes on average to say the next thing. */
  readonly thinkMs: number
  /** Reading a prompt whose prefix is known, reading one that is not, and writing the answer, on average. */
  readonly hitMs: number
  readonly missMs: number
  readonly answerMs: number
  readonly requests: number
}

export interface Traced {
  /** Of all requests, the share that found its prefix. */
  readonly hits: number
  /** What requests waited for a slot of their replica: 99 of 100 waited no longer. */
  readonly waitP99Ms: number
  /** Requests that a replica had when one came to it: 99 of 100 found no more. */
  readonly queueP99: number
  /** The share of the time in which slots are taken. */
  readonly busy: number
}

interface Replica extends Keyed {
  load: number
  free: number
  cache: Set<string>
  waiting: Turn[]
}

interface Turn {
  readonly key: string
  readonly cameMs: number
  readonly left: number
}

type Choose = (
  all: readonly Replica[],
  key: string,
  chance: { readonly nowMs: number; readonly dice: number },
) => Keyed | undefined

/** Replicas are old, so that none of them starts slowly. */
const BEGIN_MS = 1e6

export const byPrefix: Choose = (all, key, chance) => byKey(all, key, { ...chance, isAllowed: () => true })
export const byLoad: Choose = (all, _, chance) => leastLoaded(all, chance)

/** Plays a trace event by event. The same conversations with the same lengths come whatever chooses. */
export function play(trace: Trace, choose: Choose): Traced {
  const arrivals = new Dice(trace.seed)
  const chance = new Dice(trace.seed + 1000)
  const events = new Events()
  const replicas: Replica[] = Array.from({ length: trace.replicas }, (_, at) => ({
    id: `${at}.a`,
    load: 0,
    sinceMs: 0,
    free: trace.slots,
    cache: new Set<string>(),
    waiting: [],
  }))
  const waits: number[] = []
  const queues: number[] = []
  let [hits, busyMs, conversations] = [0, 0, 0]

  const begin = (replica: Replica, turn: Turn, nowMs: number): void => {
    const isHit = replica.cache.delete(turn.key)
    replica.cache.add(turn.key)
    for (const [oldest = ''] = replica.cache; replica.cache.size > trace.cached;) replica.cache.delete(oldest)
    if (isHit) hits++
    waits.push(nowMs - turn.cameMs)
    const ms = (isHit ? trace.hitMs : trace.missMs) + chance.wait(trace.answerMs)
    busyMs += ms
    replica.free--
    events.at(nowMs + ms, (endMs) => finish(replica, turn, endMs))
  }
  const finish = (replica: Replica, turn: Turn, nowMs: number): void => {
    replica.free++
    replica.load--
    const next = replica.waiting.shift()
    if (next !== undefined) begin(replica, next, nowMs)
    if (turn.left > 0) events.at(nowMs + chance.wait(trace.thinkMs), (atMs) => ask(turn.key, turn.left - 1, atMs))
  }
  const ask = (key: string, left: number, nowMs: number): void => {
    const chosen = choose(replicas, key, { nowMs, dice: chance.next() })
    const replica = replicas.find(({ id }) => id === chosen?.id)
    if (replica === undefined) return
    queues.push(replica.load++)
    const turn = { key, left, cameMs: nowMs }
    if (replica.free > 0) begin(replica, turn, nowMs)
    else replica.waiting.push(turn)
  }
  const arrive = (nowMs: number): void => {
    ask(`conversation ${conversations++}`, arrivals.roll(trace.turnsMax), nowMs)
    events.at(nowMs + arrivals.wait(1000 / trace.perSecond), arrive)
  }

  events.at(BEGIN_MS, arrive)
  let nowMs = BEGIN_MS
  while (waits.length < trace.requests) nowMs = events.next()
  return {
    hits: hits / waits.length,
    waitP99Ms: p99(waits),
    queueP99: p99(queues),
    busy: busyMs / ((nowMs - BEGIN_MS) * trace.replicas * trace.slots),
  }
}

function p99(values: readonly number[]): number {
  return values.toSorted((one, two) => one - two)[Math.floor(values.length * 0.99)] ?? 0
}

/** What is to happen, in the order of its time. */
class Events {
  readonly #waiting: Event[] = []

  at(ms: number, act: Event['act']): void {
    let [from, to] = [0, this.#waiting.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.#waiting[middle]?.ms ?? 0) < ms) to = middle
      else from = middle + 1
    }
    this.#waiting.splice(from, 0, { ms, act })
  }

  /** Lets the next one happen, and answers when that is. */
  next(): number {
    const event = this.#waiting.pop()
    event?.act(event.ms)
    return event?.ms ?? 0
  }
}

interface Event {
  readonly ms: number
  readonly act: (ms: number) => void
}
