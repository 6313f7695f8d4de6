import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { Measures } from './deps.ts'

/** Figures for Prometheus: what the server counts itself, and what the control plane reports at each scrape. */
export interface Metrics {
  readonly count: (request: { readonly route: string; readonly status: number; readonly seconds: number }) => void
  readonly streams: (change: 1 | -1) => void
  readonly print: () => Promise<string>
  readonly contentType: string
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function makeMetrics(measures: () => Measures): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'berth_http_requests_total',
    help: 'Requests by route and status.',
    labelNames: ['route', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'berth_http_request_seconds',
    help: 'Duration of requests, without streams.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  })
  const streams = new Gauge({ name: 'berth_http_streams', help: 'Open streams.', registers })
  const asked = makeGauges(registers)
  return {
    count: ({ route, status, seconds: took }) => {
      requests.inc({ route, status: String(status) })
      seconds.observe({ route }, took)
    },
    streams: (change) => streams.inc(change),
    print: async () => {
      asked(measures())
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}

/** Sets the control plane's figures. States that no object is in any more are removed. */
function makeGauges(registers: Registry[]): (measures: Measures) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const workloads = gauge('berth_workloads', 'Workloads by state.', ['state'])
  const placements = gauge('berth_placements', 'Placements by phase.', ['phase'])
  const calls = gauge('berth_provider_calls_total', 'Calls to providers since the start.', ['provider', 'call'])
  const faults = gauge('berth_provider_faults_total', 'Calls to providers that failed.', ['provider', 'call'])
  const commits = gauge('berth_commits_total', 'Commits to the store since the start.')
  const decisions = gauge('berth_decisions_total', 'Decisions where work goes, since the start.')
  const deciding = gauge('berth_deciding_seconds_total', 'Time that these decisions took, in all.')
  const turn = gauge('berth_turn_seconds_max', 'Longest turn of the serving thread since the last scrape.')
  const ready = gauge('berth_ready', 'Whether it can serve, as /readyz reports.')
  const leader = gauge('berth_leader', 'Whether this control plane leads.')
  const term = gauge('berth_term', 'Term of the leadership, as this control plane knows it.')
  return (measures) => {
    for (const each of [workloads, placements, calls, faults]) each.reset()
    for (const [state, count] of Object.entries(measures.workloads)) workloads.set({ state }, count)
    for (const [phase, count] of Object.entries(measures.placements)) placements.set({ phase }, count)
    for (const { provider, call, ...told } of measures.providers) {
      calls.set({ provider, call }, told.calls)
      faults.set({ provider, call }, told.faults)
    }
    commits.set(measures.commits)
    decisions.set(measures.decisions.count)
    deciding.set(measures.decisions.seconds)
    turn.set(measures.turnSecondsMax)
    ready.set(measures.ready ? 1 : 0)
    leader.set(measures.leader ? 1 : 0)
    term.set(measures.term)
  }
}
