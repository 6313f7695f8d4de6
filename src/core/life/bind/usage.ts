import type { Usage } from '../../place/limits.ts'
import { isBilled, type Placement } from '../placement.ts'
import type { Project } from '../rows.ts'

export const NO_LIMITS: Project = { gpusMax: undefined, usdPerHourMax: undefined, workloadsMax: undefined }

/** Everything that exists or may exist. An unknown outcome counts until it is proven that nothing exists. */
export function usageOf(placements: Iterable<Placement>): Usage {
  let [gpus, usdPerHour] = [0, 0]
  for (const placement of placements) {
    if (!isBilled(placement)) continue
    gpus += placement.reserved.gpus
    usdPerHour += placement.reserved.usdPerHour
  }
  return { gpus, usdPerHour }
}
