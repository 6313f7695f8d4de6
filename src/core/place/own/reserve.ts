import type { Reserve } from '../../manifest/manifest.ts'
import { replicasInReserve } from '../../pack/proposal/reserve.ts'
import type { OwnAsk, OwnPlace } from './ask.ts'

/** Room in fleets that stays free for future replicas. */
export interface ReservePlan {
  /** For how many replicas. */
  readonly wanted: number
  /** Where there is room for them; fewer than wanted if the fleets are full. */
  readonly kept: readonly OwnPlace[]
}

/**
 * Keeps the reserve of a role, one replica after the other. Only machines of our own are kept free: rented ones would cost
 * money.
 */
export function keepReserve(ask: OwnAsk, reserve: Reserve | undefined, placed: number): ReservePlan | undefined {
  const wanted = replicasInReserve(reserve, placed)
  if (wanted === 0) return undefined
  const kept: OwnPlace[] = []
  while (kept.length < wanted) {
    const place = ask.hold()
    if (place === undefined) break
    kept.push(place)
  }
  return { wanted, kept }
}
