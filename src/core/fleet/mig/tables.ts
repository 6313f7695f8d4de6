import { must } from '../../base/assert.ts'
import { SLICES_MAX, type MigShape, type SliceProfile } from './shape.ts'

/** What follows from the mask of taken memory slices. Rows are masks; where there are columns, they are profiles. */
export interface MigTables {
  /** How useful the rest is: `IDLE_VALUE` on an idle card, 0 where nothing fits any more. */
  readonly value: Uint16Array
  /** Where the next slice of a profile should begin; -1: it does not fit. */
  readonly start: Int8Array
  /** What is lost of the value when it is cut there; -1: it does not fit. */
  readonly loss: Int16Array
  /** How many slices of a profile can still be cut, if nothing else is. */
  readonly left: Uint8Array
}

const IDLE_VALUE = 1000

/** Masks of every card have this many rows, so that a mask of one is never outside the table of another. */
const MASKS = 2 ** SLICES_MAX

/**
 * How much a request counts that is still a step away, against the one that comes now. On generated requests anything
 * from 0.93 to 0.97 places the same work; less is careless of large slices, 0.85 by a few tenths of a percent.
 */
const PATIENCE = 0.95

/** Enough rounds for what is left of the first guess to be far below half a point of value. */
const ROUNDS = 400

/**
 * The tables for a shape, when a request for each profile comes as often as `demand` says: by the order of profiles,
 * any scale.
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

/** The memory slices that a profile takes from a start on. */
export function run({ size }: Pick<SliceProfile, 'size'>, start: number): number {
  return ((1 << size) - 1) << start
}

/**
 * The value of a mask is the work, in memory slices, that an endless stream of requests would still bring in, if each
 * could be taken or left, and later ones count less. Whoever has more room can do all that one with less room does:
 * that is why taking more never raises it.
 */
function values(shape: MigShape, demand: readonly number[]): Uint16Array {
  const { profiles } = shape
  const sum = demand.reduce((total, weight) => total + weight, 0)
  const worth = new Float64Array(MASKS)
  // Taking slices only ever leads to higher masks, so those are settled first.
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

/** What taking a request for a profile brings now and later; 0: it does not fit. */
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

/** The first of those that leave the most. */
function mostUseful(starts: readonly number[], leaves: (start: number) => number): number | undefined {
  let [best] = starts
  for (const start of starts) if (best !== undefined && leaves(start) > leaves(best)) best = start
  return best
}
