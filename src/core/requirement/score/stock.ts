import type { State } from '../../offer/machine.ts'
import { NOT_KNOWN, type Score } from './score.ts'

/** How likely an order is to succeed: what the provider says, reduced by its recent refusals. */
export const stock: Score = {
  name: 'stock',
  rewards: 'a good chance of being in stock, judged by what the provider says and by its recent refusals',
  of: ({ state }, { nowMs }) => claimed(state) * trustAfterRefusals(state, nowMs),
}

const CLAIMED = { available: 1, low: 0.6, sold_out: 0, full: 0 } as const
const FORGOTTEN_AFTER_MS = 6 * 3_600_000

function claimed(state: State): number {
  return state.stock === undefined ? NOT_KNOWN : CLAIMED[state.stock]
}

/** Each refusal halves the chance; the memory fades over six hours. */
function trustAfterRefusals(state: State, nowMs: number): number {
  if (state.refusals === 0 || state.refusedAtMs === undefined) return 1
  const fresh = Math.max(0, 1 - Math.max(0, nowMs - state.refusedAtMs) / FORGOTTEN_AFTER_MS)
  return 1 - fresh * (1 - 0.5 ** Math.min(state.refusals, 10))
}
