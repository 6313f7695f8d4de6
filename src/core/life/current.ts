import { isIdentityOf } from './identity.ts'
import type { Placement } from './placement.ts'
import type { Workload } from './workload.ts'

/** Whether what runs in a slot is what its workload wants now: of the same identity, and placed since the last restart. */
export function isUpToDate(placement: Placement, workload: Workload, role: string | undefined): boolean {
  return isIdentityOf(placement.shape, workload.manifest, role) && !isBeforeRestart(placement, workload)
}

/** Whether it was placed before the last restart that was asked for. Older versions wrote down no generation. */
export function isBeforeRestart({ generation = 0 }: Placement, { restartedIn = 0 }: Workload): boolean {
  return generation < restartedIn
}
