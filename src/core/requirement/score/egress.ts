import { NOT_KNOWN, type Score } from './score.ts'

/** Free egress scores 1, ten cents a GiB 0.5. */
export const egress: Score = {
  name: 'egress',
  rewards: 'cheap traffic out, so that results and checkpoints can leave',
  of: ({ state }) => (state.egressUsdPerGib === undefined ? NOT_KNOWN : 0.1 / (0.1 + state.egressUsdPerGib)),
}
