import { isBilled, type Placement } from '../core/life/placement.ts'
import { inCharge, newestOf } from '../core/life/seats.ts'
import { slotOfSeat } from '../core/life/slots.ts'

/**
 * Of attempts in the slots that a user asked for, those that are meant. A slot is what is in charge of it; another attempt in
 * it has to be named by its seat. Without a slot, it is everything but what is gone and was followed by another attempt.
 */
export function meantBy(slot: string | undefined, placements: readonly Placement[]): readonly Placement[] {
  if (slot !== undefined) return slotOfSeat(slot) === slot ? inCharge(placements) : placements
  const newest = new Set(newestOf(placements))
  return placements.filter((one) => isBilled(one) || newest.has(one))
}
