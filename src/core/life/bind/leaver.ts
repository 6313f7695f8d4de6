import type { Leaver } from '../../place/own/freed.ts'
import type { WorkloadRecord } from '../change.ts'
import type { Tag } from '../call/order.ts'
import { isBilled, type Placement } from '../placement.ts'
import { placementsOf } from '../seats.ts'
import type { DesiredSlot } from '../slots.ts'

/** What would leave if these groups did: everything of theirs that can be ended now. */
export function leavingOf(
  record: Pick<WorkloadRecord, 'placements'>,
  groups: readonly (readonly DesiredSlot[])[],
): readonly Placement[] {
  return groups
    .flat()
    .flatMap(({ slot }) => placementsOf(record, slot))
    .filter((placement) => isBilled(placement) && placement.why !== 'outage')
}

export function leaverOf({ order: { tag, place } }: Placement): Leaver {
  const { provider, region, offer, node } = place
  return { name: tenantName(tag), provider, region, offer, node: node?.id }
}

/** What an attempt is called among the tenants of a fleet: users know workloads. */
export function tenantName({ project, workload, slot }: Pick<Tag, 'project' | 'workload' | 'slot'>): string {
  return `${project}/${workload}${slot === '0' ? '' : ` ${slot}`}`
}
