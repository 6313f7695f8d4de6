import type { Phase } from '../core/life/placement.ts'
import type { WorkloadState } from '../core/life/view/view.ts'

/** What a leader handles and has done, for metrics. */
export interface ControllerCounts {
  readonly workloads: Readonly<Partial<Record<WorkloadState, number>>>
  readonly placements: Readonly<Partial<Record<Phase, number>>>
  readonly commits: number
  readonly reconciles: number
  readonly orphans: number
}
