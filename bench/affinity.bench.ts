import { byLoad, byPrefix, play, type Trace, type Traced } from '../src/core/route/trace.suite.ts'
import { flag, round, type Bench } from './bench.ts'

const USUAL: Omit<Trace, 'seed'> = {
  replicas: 8,
  slots: 8,
  cached: 40,
  perSecond: 9,
  turnsMax: 10,
  thinkMs: 10_000,
  hitMs: 50,
  missMs: 400,
  answerMs: 800,
  requests: 20_000,
}

const TRACES: Readonly<Record<string, Partial<Trace>>> = {
  usual: {},
  light: { perSecond: 6 },
  overloaded: { perSecond: 10.2 },
  few_slots: { perSecond: 3.6, replicas: 6, slots: 4, cached: 16 },
  many_slots: { perSecond: 39, slots: 32, cached: 160, requests: 40_000 },
  four_replicas: { perSecond: 4.4, replicas: 4 },
  /** A hit makes nothing quicker: what affinity costs where it is of no use. */
  hits_save_nothing: { perSecond: 8.2, hitMs: 400 },
}

/** Prefix affinity beside least load, on generated conversations of several turns. */
export const affinity: Bench = {
  name: 'affinity',
  about: 'prefix hits and the waiting of requests, by prefix and by least load, on generated conversations (--seeds N)',
  async run(argv) {
    const seeds = Array.from({ length: Number(flag(argv, 'seeds', '10')) }, (_, at) => at + 1)
    return Object.fromEntries(Object.entries(TRACES).map(([name, change]) => [name, figuresOf(change, seeds)]))
  },
}

function figuresOf(change: Partial<Trace>, seeds: readonly number[]): Readonly<Record<string, unknown>> {
  const traces = seeds.map((seed) => ({ ...USUAL, ...change, seed }))
  const [least, prefix] = [byLoad, byPrefix].map((choose) => meanOf(traces.map((trace) => play(trace, choose))))
  if (least === undefined || prefix === undefined) return {}
  return {
    hits: { least: round(least.hits), prefix: round(prefix.hits), times: round(prefix.hits / least.hits) },
    wait_p99_ms: {
      least: Math.round(least.waitP99Ms),
      prefix: Math.round(prefix.waitP99Ms),
      times: least.waitP99Ms === 0 ? null : round(prefix.waitP99Ms / least.waitP99Ms),
    },
    queue_p99: { least: round(least.queueP99), prefix: round(prefix.queueP99) },
    busy: { least: round(least.busy), prefix: round(prefix.busy) },
  }
}

function meanOf(all: readonly Traced[]): Traced {
  const mean = (of: (one: Traced) => number): number => all.reduce((sum, one) => sum + of(one), 0) / all.length
  return {
    hits: mean(({ hits }) => hits),
    waitP99Ms: mean(({ waitP99Ms }) => waitP99Ms),
    queueP99: mean(({ queueP99 }) => queueP99),
    busy: mean(({ busy }) => busy),
  }
}
