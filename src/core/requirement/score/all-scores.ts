import * as registered from './registry.ts'
import type { Score } from './score.ts'

/** Every score, by name. */
export const SCORES: readonly Score[] = Object.values<Score>(registered)

/** The names that policies use under `weights`. */
export const SCORE_NAMES: readonly string[] = SCORES.map((score) => score.name)
