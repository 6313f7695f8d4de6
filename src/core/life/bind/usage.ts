import type { Usage, Chosen } from './chosen.ts'
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

/** As many groups, in order, as the project's limits leave room for; `over`: the limit that the next group would break. */
export function roomLeft(
  groups: readonly (readonly Chosen[])[],
  usage: Usage,
  limits: Project,
): {
  readonly fitting: readonly (readonly Chosen[])[]
  readonly over: { readonly code: string; readonly text: string } | undefined
} {
  let { gpus, usdPerHour } = usage
  for (const [index, group] of groups.entries()) {
    for (const choice of group) {
      gpus += choice.gpus
      usdPerHour += choice.usdPerHour
    }
    const over = overBy({ gpus, usdPerHour }, limits)
    if (over !== undefined) return { fitting: groups.slice(0, index), over }
  }
  return { fitting: groups, over: undefined }
}

function overBy(
  { gpus, usdPerHour }: Usage,
  { gpusMax, usdPerHourMax }: Project,
): { code: string; text: string } | undefined {
  if (gpusMax !== undefined && gpus > gpusMax) {
    return {
      code: 'QUOTA_PROJECT',
      text: `the project may have ${gpusMax} GPU${gpusMax === 1 ? '' : 's'} and would have ${gpus}`,
    }
  }
  // Sums of prices carry rounding errors; they must not count as money.
  if (usdPerHourMax !== undefined && usdPerHour > usdPerHourMax + 1e-9) {
    const [most, sum] = [usdPerHourMax.toFixed(2), usdPerHour.toFixed(2)]
    return { code: 'BUDGET_PROJECT', text: `the project may spend $${most} an hour and would spend $${sum}` }
  }
  return undefined
}
