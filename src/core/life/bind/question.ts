import { domainAt } from '../../place/choose.ts'
import { derive } from '../../place/derive.ts'
import type { ProjectLimits, Usage } from '../../place/limits.ts'
import type { WorkloadInput } from '../../place/place.ts'
import type { Ask } from '../../place/plan.ts'
import type { WorkloadRecord } from '../change.ts'
import { isBilled } from '../placement.ts'
import { newestOf } from '../seats.ts'
import { groupOf, type DesiredSlot } from '../slots.ts'
import { ceilingsOf } from './agreed.ts'
import type { BindInput } from './chosen.ts'
import { wrongPlaces } from './refused-by.ts'

/** A workload, and the groups of it that are to be given a place. */
export interface ToPlace {
  readonly record: WorkloadRecord
  readonly groups: readonly (readonly DesiredSlot[])[]
}

/** What some groups of a workload ask of a decision. The other groups stay where they are. */
export function questionFor(
  { workload, placements, status }: WorkloadRecord,
  groups: readonly (readonly DesiredSlot[])[],
  { policy, nowMs, isPartial = false }: Pick<BindInput, 'policy' | 'nowMs' | 'isPartial'>,
): WorkloadInput {
  const input = derive(workload.manifest, policy, nowMs)
  // A workload may have ten thousand slots and wait for a place, so this runs often: keep it cheap.
  const standing = [...placements.values()].filter(isBilled)
  const moving = new Set(standing.length === 0 ? [] : groups.flatMap(([first]) => first?.group ?? []))
  const staying = standing.filter(({ order }) => !moving.has(groupOf(order.tag.slot)))
  const byRole = Map.groupBy(groups, ([first]) => first?.role)
  const ceilings = ceilingsOf(workload, staying)
  const asks = input.asks.flatMap((ask): readonly Ask[] => {
    const own = byRole.get(ask.role) ?? []
    const replicas = own.length
    const numbers = own.map(([first]) => first?.replica ?? 0)
    const placed = newestOf(staying).map(({ order }) => domainAt(order.place, ask.spread))
    const ceiling = ceilings.get(ask.role)
    return replicas === 0 ? [] : [{ ...ask, replicas, numbers, placed, ...(ceiling && { ceiling }) }]
  })
  const wrongAt = (role: string | undefined) => wrongPlaces(status, workload, role)
  return { ...input, asks, project: workload.project, wrongAt, isPartial }
}

/** The same without room for future replicas, which only plans show. */
export function withoutReserve(input: WorkloadInput): WorkloadInput {
  return { ...input, asks: input.asks.map((ask) => (ask.reserve === undefined ? ask : { ...ask, reserve: undefined })) }
}

/** The limits of one project, for a decision. */
export function limitsFor(
  project: string,
  { gpusMax, usdPerHourMax, isOfFile }: Omit<ProjectLimits, 'used'>,
  used: Usage,
): ReadonlyMap<string, ProjectLimits> {
  return new Map([[project, { gpusMax, usdPerHourMax, used, ...(isOfFile && { isOfFile }) }]])
}
