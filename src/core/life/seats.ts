import type { Manifest } from '../manifest/manifest.ts'
import type { WorkloadRecord } from './change.ts'
import { isBilled, type Placement } from './placement.ts'
import { seatsOf, slotOfSeat, type DesiredSlot } from './slots.ts'

/**
 * Whether a replica may have its successor beside it: services on one machine each, unless they write to storage that
 * outlives the machine. Two at a time would write to the same place.
 */
export function hasSuccessors({ kind, nodes, storage }: Pick<Manifest, 'kind' | 'nodes' | 'storage'>): boolean {
  return kind === 'service' && nodes === 1 && storage.every(({ from, mode }) => from === undefined || mode !== 'rw')
}

/** Everything that is known of a slot, in any of its seats. */
export function placementsOf({ placements }: Pick<WorkloadRecord, 'placements'>, slot: string): readonly Placement[] {
  return seatsOf(slot).flatMap((seat) => placements.get(seat) ?? [])
}

/** Whether it is there to stay, as far as is known: what leaves can never come back. */
export function isLiving({ phase }: Placement): boolean {
  return phase !== 'stopping' && phase !== 'gone'
}

/** The attempts of a slot that live, the one in charge first, and then its successor. */
export function livingOf({ workload, placements }: WorkloadRecord, slot: string): readonly Placement[] {
  const living = placementsOf({ placements }, slot).filter(
    (placement) => isLiving(placement) && placement.order.tag.uid === workload.uid,
  )
  return living.length < 2 ? living : living.toSorted(byCharge)
}

/** Who is in charge comes first: of those that are up, the oldest; if none is, the oldest of all. */
function byCharge(one: Placement, other: Placement): number {
  return Number(other.phase === 'running') - Number(one.phase === 'running') || byEpoch(one, other)
}

/** Of each slot, what is in charge; where nothing lives, its newest attempt. */
export function inCharge(placements: readonly Placement[]): readonly Placement[] {
  if (!placements.some(isSeated)) return placements
  return [...Map.groupBy(placements, slotIn).values()].flatMap((own) => {
    const [first] = own.filter(isLiving).toSorted(byCharge)
    return first ?? own.toSorted(byEpoch).at(-1) ?? []
  })
}

/** Without those that wait to take over from what is in charge of their slot. */
export function withoutSuccessors(placements: readonly Placement[]): readonly Placement[] {
  if (!placements.some(isSeated)) return placements
  const first = new Map<string, Placement>()
  for (const placement of placements.filter(isLiving)) {
    const known = first.get(slotIn(placement))
    if (known === undefined || byCharge(placement, known) < 0) first.set(slotIn(placement), placement)
  }
  return placements.filter((one) => !isLiving(one) || first.get(slotIn(one)) === one)
}

function isSeated({ order: { tag } }: Placement): boolean {
  return slotOfSeat(tag.slot) !== tag.slot
}

/** The slot that it is in, of whichever workload of this name. */
function slotIn({ order: { tag } }: Placement): string {
  return `${tag.uid} ${slotOfSeat(tag.slot)}`
}

/** Of each slot, the newest attempt: what has a successor leaves. */
export function newestOf(placements: readonly Placement[]): readonly Placement[] {
  if (!placements.some(isSeated)) return placements
  return [...new Map(placements.toSorted(byEpoch).map((placement) => [slotIn(placement), placement])).values()]
}

export function byEpoch(one: Placement, other: Placement): number {
  return one.order.tag.epoch - other.order.tag.epoch
}

/** The slot in a seat where nothing is; undefined: all are taken. */
export function inFreeSeat(
  { placements }: Pick<WorkloadRecord, 'placements'>,
  desired: DesiredSlot,
): DesiredSlot | undefined {
  const free = seatsOf(desired.slot).find((seat) => {
    const placement = placements.get(seat)
    return placement === undefined || !isBilled(placement)
  })
  if (free === undefined) return undefined
  return free === desired.slot ? desired : { ...desired, slot: free }
}
