import { isIdentityOf, isVersionOf, versionOf } from './identity.ts'
import { wellSinceMs, type Placement } from './placement.ts'
import { placementsOf } from './seats.ts'
import { slotCount, slotsWanted } from './slots.ts'
import type { Status } from './status.ts'
import type { Workload } from './workload.ts'

/** What is known about a workload, in any order. */
interface Known {
  readonly status: Status | undefined
  readonly placements: readonly Placement[]
}

/**
 * Whether the wanted version of a service was at some time up and healthy in every slot; undefined for jobs, which end instead.
 */
export function hasStood(workload: Workload, { status, placements }: Known, nowMs: number): boolean | undefined {
  const { manifest, uid } = workload
  if (manifest.kind !== 'service') return undefined
  if (status?.uid === uid && hasStoodAs(status, manifest)) return true
  return isWhole(workload, new Map(placements.map((placement) => [placement.order.tag.slot, placement])), nowMs)
}

/** Workloads with more slots than this are not scanned each time that a slot leaves. */
const SLOTS_LOOKED_AT = 1000

/** What to remember as a slot leaves: once it is gone, it is too late to tell that all slots were up. */
export function stoodBefore(
  { workload, status, placements }: { workload: Workload; status: Status; placements: ReadonlyMap<string, Placement> },
  nowMs: number,
): Pick<Status, 'stood'> {
  const { manifest } = workload
  if (manifest.kind !== 'service' || slotCount(workload) > SLOTS_LOOKED_AT) return {}
  return !hasStoodAs(status, manifest) && isWhole(workload, placements, nowMs) ? { stood: versionOf(manifest) } : {}
}

/** The same test as `berth apply`: with a health check, as soon as it answers; without one, after this long. */
const BELIEVED_MS = 3000

function isWhole(workload: Workload, placements: ReadonlyMap<string, Placement>, nowMs: number): boolean {
  const desiredSlots = slotsWanted(workload.want === 'running' ? workload : { ...workload, want: 'running' })
  return (
    desiredSlots.length > 0 &&
    desiredSlots.every(({ slot, role }) =>
      placementsOf({ placements }, slot).some((placement) => {
        if (placement.phase !== 'running' || placement.order.tag.uid !== workload.uid) return false
        const sinceMs = wellSinceMs(placement)
        const isWell = placement.wellMs !== undefined || (sinceMs !== undefined && sinceMs + BELIEVED_MS <= nowMs)
        return isWell && isIdentityOf(placement.shape, workload.manifest, role)
      }),
    )
  )
}

function hasStoodAs({ stood }: Status, manifest: Workload['manifest']): boolean {
  return stood !== undefined && isVersionOf(stood, manifest)
}
