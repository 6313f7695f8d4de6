import type { Allotting } from '../../core/life/allot/chosen.ts'
import type { Kept } from '../../core/life/change.ts'
import type { Placement } from '../../core/life/placement.ts'
import { FRESH_STATUS } from '../../core/life/status.ts'
import { NO_LIMITS, usageOf } from '../../core/life/allot/usage.ts'
import type { Workload } from '../../core/life/workload.ts'
import type { DeskDoors } from '../doors.ts'
import { policyFor } from '../project-rules.ts'

/** What the leader would decide about a workload by, if it were asked now. */
export interface Unbound {
  readonly kept: Kept
  readonly allotting: Allotting
}

/** A decision that binds nothing, over what there is now: names, limits and chances do not matter in it. */
export async function unbound(
  doors: DeskDoors,
  workload: Workload,
  placements: readonly Placement[],
): Promise<Unbound> {
  const { snapshot, config } = await doors.shelf()
  const policy = await policyFor(doors, { ...workload, config })
  const { uid, generation } = workload
  const nowMs = doors.clock.nowMs()
  return {
    kept: {
      workload,
      status: { ...FRESH_STATUS, uid, generation },
      placements: new Map(placements.map((placement) => [placement.order.tag.slot, placement])),
    },
    allotting: {
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
