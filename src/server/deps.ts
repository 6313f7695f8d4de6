import type { ServiceDeps } from '../service/deps.ts'
import type { Pressure } from '../controller/pressure.ts'
import type { Phase } from '../core/life/placement.ts'
import type { WorkloadState } from '../core/life/view/view.ts'
import type { Certified } from './secure.ts'

/** Everything the server depends on. */
export interface ServerDeps {
  readonly service: ServiceDeps
  readonly measures: () => Measures
  readonly mode: Mode
  readonly pressure: Pressure
  /** Left out: plain HTTP. */
  readonly tls?: Certified | undefined
}

/** Which callers the server admits. */
export interface Mode {
  /** Development mode: callers from this machine need no token. All other callers always need one. */
  readonly open: boolean
  /** Host names, without ports, that the server answers for in addition to those of this machine. */
  readonly hosts: readonly string[]
}

/** The control plane's own figures for Prometheus. */
export interface Measures {
  readonly workloads: Readonly<Partial<Record<WorkloadState, number>>>
  readonly placements: Readonly<Partial<Record<Phase, number>>>
  /** Since the start of the process. */
  readonly providers: readonly ProviderMeasure[]
  readonly commits: number
  /** Decisions where work goes, and the time that they took together. */
  readonly decisions: { readonly count: number; readonly seconds: number }
  readonly leader: boolean
  /** The longest turn of the serving thread since the last scrape. */
  readonly turnSecondsMax: number
  /** What /readyz says. */
  readonly ready: boolean
  readonly term: number
}

interface ProviderMeasure {
  readonly provider: string
  readonly call: string
  readonly calls: number
  readonly faults: number
}
