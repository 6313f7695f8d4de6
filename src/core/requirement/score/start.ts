import { NOT_KNOWN, type Score } from './score.ts'

/** A machine that is up within a minute scores 0.5, within ten seconds 0.86. */
export const start: Score = {
  name: 'start',
  rewards: 'a short time from the order to a running container',
  of: ({ state }) =>
    state.startSeconds === undefined ? NOT_KNOWN : HALF_AT_SECONDS / (HALF_AT_SECONDS + state.startSeconds),
}

const HALF_AT_SECONDS = 60
