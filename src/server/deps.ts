import type { ServiceDeps } from '../service/deps.ts'
import type { Pressure } from '../controller/pressure.ts'
import type { Phase } from '../core/life/placement.ts'
import type { WorkloadState } from '../core/life/view/view.ts'
import type { Certified } from './secure.ts'

/** Everything the server may touch. */
export interface ServerDeps {
  readonly service: ServiceDeps
  readonly measures: () => Measures
  readonly mode: Mode
  readonly pressure: Pressure
  /** Left out: plain HTTP. */
  readonly tls?: Certified | undefined
}

/** Whom the server lets in. */
export interface Mode {
  /** Development: whoever comes from this machine needs no token. Nobody else is let in without one, ever. */
  readonly open: boolean
  /** Names that the server answers for beside those of this machine, without ports. */
  readonly hosts: readonly string[]
}

/** What Prometheus is told of the control plane itself. */
export interface Measures {
  readonly workloads: Readonly<Partial<Record<WorkloadState, number>>>
  readonly placements: Readonly<Partial<Record<Phase, number>>>
  /** Since the start of the process. */
  readonly providers: readonly ProviderMeasure[]
  readonly commits: number
  readonly leader: boolean
  /** Of the thread that answers, since it was asked before. */
  readonly turnSecondsMax: number
  /** As /readyz has it. */
  readonly ready: boolean
  readonly term: number
}

interface ProviderMeasure {
  readonly provider: string
  readonly call: string
  readonly calls: number
  readonly faults: number
}
