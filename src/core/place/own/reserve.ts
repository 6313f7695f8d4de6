import type { Reserve } from '../../manifest/manifest.ts'
import { replicasInReserve } from '../../pack/proposal/reserve.ts'
import type { OwnAsk, OwnPlace } from './ask.ts'

/** Room in fleets that stays empty for replicas to come. */
export interface ReservePlan {
  /** For how many replicas. */
  readonly wanted: number
  /** Where there is room for them; fewer than wanted when the fleets are full. */
  readonly kept: readonly OwnPlace[]
}

/** Keeps the reserve of a role, one replica after the other. Only what is owned is kept empty: to rent it would cost. */
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
