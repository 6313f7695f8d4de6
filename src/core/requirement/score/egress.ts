import { NOT_KNOWN, type Score } from './score.ts'

/** Free egress scores 1; ten cents per GiB score 0.5. */
export const egress: Score = {
  name: 'egress',
  rewards: 'cheap egress, so that results and checkpoints cost little to move',
  of: ({ state }) => (state.egressUsdPerGib === undefined ? NOT_KNOWN : 0.1 / (0.1 + state.egressUsdPerGib)),
}
