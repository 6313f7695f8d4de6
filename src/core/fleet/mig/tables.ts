import { must } from '../../base/assert.ts'
import { SLICES_MAX, type MigShape, type SliceProfile } from './shape.ts'

/** Values that follow from the mask of taken memory slices. Rows are masks; columns, where there are any, are profiles. */
export interface MigTables {
  /** How useful the rest is: `IDLE_VALUE` on an idle card, 0 if nothing fits any more. */
  readonly value: Uint16Array
  /** Where the next slice of a profile should start; -1: it does not fit. */
  readonly start: Int8Array
  /** How much value is lost when it is cut there; -1: it does not fit. */
  readonly loss: Int16Array
  /** How many slices of a profile can still be cut, if no others are. */
  readonly left: Uint8Array
}

const IDLE_VALUE = 1000

/** All tables have this many rows, so that a mask of one card is never outside the table of another. */
const MASKS = 2 ** SLICES_MAX

/**
 * The weight of a request one step in the future, relative to one now. On generated requests, any value from 0.93 to 0.97
 * places the same work. Lower values waste room for large slices: 0.85 loses a few tenths of a percent.
 */
const PATIENCE = 0.95

/** Enough rounds to make the error of the first guess far smaller than half a point of value. */
const ROUNDS = 400

/**
 * The tables for a shape, given how often each profile is requested: `demand` is in the order of profiles and has any
 * scale.
 */
export function migTables(shape: MigShape, demand: readonly number[]): MigTables {
  const { profiles } = shape
  const value = values(shape, demand)
  const start = new Int8Array(MASKS * profiles.length).fill(-1)
  const loss = new Int16Array(MASKS * profiles.length).fill(-1)
  const left = new Uint8Array(MASKS * profiles.length)
  for (let taken = 0; taken < 2 ** shape.slices; taken++) {
    for (const [index, profile] of profiles.entries()) {
      const free = profile.starts.filter((from) => isFree(taken, run(profile, from)))
      const after = (from: number) => value[taken | run(profile, from)] ?? 0
      const best = mostUseful(free, after)
      left[taken * profiles.length + index] = free.length
      if (best === undefined) continue
      start[taken * profiles.length + index] = best
      loss[taken * profiles.length + index] = (value[taken] ?? 0) - after(best)
    }
  }
  return { value, start, loss, left }
}

/** The memory slices that a profile takes from a given start. */
export function run({ size }: Pick<SliceProfile, 'size'>, start: number): number {
  return ((1 << size) - 1) << start
}

/**
 * The value of a mask is the work, in memory slices, that an endless stream of requests would still place, if each could be
 * accepted or not and later ones count less. A card with more room can do everything that one with less room can: so
 * taking more never raises the value.
 */
function values(shape: MigShape, demand: readonly number[]): Uint16Array {
  const { profiles } = shape
  const sum = demand.reduce((total, weight) => total + weight, 0)
  const worth = new Float64Array(MASKS)
  // Taking slices always leads to higher masks, so those are computed first.
  for (let taken = 2 ** shape.slices - 1; taken >= 0; taken--) {
    const gains = profiles.map((profile) => gain(profile, taken, worth))
    let here = 0
    for (let round = 0; round < ROUNDS; round++) {
      let next = 0
      for (let index = 0; index < gains.length; index++)
        next += ((demand[index] ?? 0) / sum) * Math.max(PATIENCE * here, gains[index] ?? 0)
      here = next
    }
    worth[taken] = here
  }
  const idle = must(worth[0], 'the idle card has a worth')
  return Uint16Array.from(worth, (each) => Math.round((IDLE_VALUE * each) / idle))
}

/** What accepting a request for a profile gains now and later; 0: it does not fit. */
function gain(profile: SliceProfile, taken: number, worth: Float64Array): number {
  let best = 0
  for (const start of profile.starts) {
    const slices = run(profile, start)
    if (isFree(taken, slices)) best = Math.max(best, profile.size + PATIENCE * (worth[taken | slices] ?? 0))
  }
  return best
}

function isFree(taken: number, slices: number): boolean {
  return (taken & slices) === 0
}

/** The first start of those that leave the most value. */
function mostUseful(starts: readonly number[], leaves: (start: number) => number): number | undefined {
  let [best] = starts
  for (const start of starts) if (best !== undefined && leaves(start) > leaves(best)) best = start
  return best
}
