import type { BindInput } from '../../core/life/bind/chosen.ts'
import type { WorkloadRecord } from '../../core/life/change.ts'
import type { Placement } from '../../core/life/placement.ts'
import { FRESH_STATUS } from '../../core/life/status.ts'
import { NO_LIMITS, usageOf } from '../../core/life/bind/usage.ts'
import type { Workload } from '../../core/life/workload.ts'
import type { ServiceDeps } from '../deps.ts'
import { policyFor } from '../project-rules.ts'

/** The input with which the leader would decide about a workload now. */
export interface Unbound {
  readonly kept: WorkloadRecord
  readonly bindInput: BindInput
}

/** The input for a decision that places nothing, so names, limits and random numbers are left empty. */
export async function unbound(
  deps: ServiceDeps,
  workload: Workload,
  placements: readonly Placement[],
): Promise<Unbound> {
  const { snapshot, config } = await deps.capacity()
  const policy = await policyFor(deps, { ...workload, config })
  const { uid, generation } = workload
  const nowMs = deps.clock.nowMs()
  return {
    kept: {
      workload,
      status: { ...FRESH_STATUS, uid, generation },
      placements: new Map(placements.map((placement) => [placement.order.tag.slot, placement])),
    },
    bindInput: {
      snapshot,
      policy,
      nowMs,
      limits: NO_LIMITS,
      usage: usageOf([]),
      owner: '',
      newId: () => '',
      chance: 0,
    },
  }
}
