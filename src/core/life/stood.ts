import { isIdentityOf, isVersionOf, versionOf } from './identity.ts'
import { wellSinceMs, type Placement } from './placement.ts'
import { slotCount, slotsWanted } from './slots.ts'
import type { Status } from './status.ts'
import type { Workload } from './workload.ts'

/** What is known of a workload, in any order. */
interface Known {
  readonly status: Status | undefined
  readonly placements: readonly Placement[]
}

/** Whether what is wanted of a service was up and well in every slot at some time; undefined for jobs, which end instead. */
export function hasStood(workload: Workload, { status, placements }: Known, nowMs: number): boolean | undefined {
  const { manifest, uid } = workload
  if (manifest.kind !== 'service') return undefined
  if (status?.uid === uid && hasStoodAs(status, manifest)) return true
  return isWhole(workload, new Map(placements.map((placement) => [placement.order.tag.slot, placement])), nowMs)
}

/** More slots than this are not looked through each time that one of them leaves. */
const SLOTS_LOOKED_AT = 1000

/** What is to be remembered as one slot leaves: once it is gone nobody could tell any more that all of them stood. */
export function stoodBefore(
  { workload, status, placements }: { workload: Workload; status: Status; placements: ReadonlyMap<string, Placement> },
  nowMs: number,
): Pick<Status, 'stood'> {
  const { manifest } = workload
  if (manifest.kind !== 'service' || slotCount(workload) > SLOTS_LOOKED_AT) return {}
  return !hasStoodAs(status, manifest) && isWhole(workload, placements, nowMs) ? { stood: versionOf(manifest) } : {}
}

/** As soon as `berth apply` says that it is up: what answers its health check at once, anything else after this long. */
const BELIEVED_MS = 3000

function isWhole(workload: Workload, placements: ReadonlyMap<string, Placement>, nowMs: number): boolean {
  const desiredSlots = slotsWanted(workload.want === 'running' ? workload : { ...workload, want: 'running' })
  return (
    desiredSlots.length > 0 &&
    desiredSlots.every(({ slot, role }) => {
      const placement = placements.get(slot)
      if (placement?.phase !== 'running' || placement.order.tag.uid !== workload.uid) return false
      const sinceMs = wellSinceMs(placement)
      const isWell = placement.wellMs !== undefined || (sinceMs !== undefined && sinceMs + BELIEVED_MS <= nowMs)
      return isWell && isIdentityOf(placement.shape, workload.manifest, role)
    })
  )
}

function hasStoodAs({ stood }: Status, manifest: Workload['manifest']): boolean {
  return stood !== undefined && isVersionOf(stood, manifest)
}
