import { assert } from '../../base/assert.ts'
import type { GpuModel, MigProfile } from '../../hardware/gpu.ts'

/** How a card can be cut: a row of memory slices, with a compute slice on each of the first ones. */
export interface MigShape {
  /** Memory slices, at most 8: a power of two. */
  readonly slices: number
  /** Compute slices: seven on cards with eight memory slices; otherwise one per memory slice. */
  readonly compute: number
  /** In the order of the hardware table. */
  readonly profiles: readonly SliceProfile[]
}

/** A profile and its positions on the card. */
export interface SliceProfile {
  /** `1g.10gb` */
  readonly name: string
  /** Nominal memory in the vendor's GB. */
  readonly gib: number
  readonly compute: number
  /** Memory slices, next to each other. */
  readonly size: number
  /** Memory slices at which it may start, ascending. */
  readonly starts: readonly number[]
}

/**
 * The shape that follows from the known profiles of a card; undefined: it cannot be cut. One rule gives every list of
 * placements that a driver prints: a slice starts at a multiple of its size, and its memory covers at least as many compute
 * slices as it has.
 */
export function migShape({ id, mig }: Pick<GpuModel, 'id' | 'mig'>): MigShape | undefined {
  const [unit] = mig.toSorted((one, two) => one.gib - two.gib || two.max - one.max)
  if (unit === undefined) return undefined
  const compute = unit.max
  const slices = 2 ** Math.ceil(Math.log2(compute))
  assert(slices <= SLICES_MAX, `${id}: ${slices} memory slices are more than a mask holds`)
  const profiles = mig.map((profile) => laidOut(profile, { unitGib: unit.gib, slices, compute }))
  for (const [index, { name, starts }] of profiles.entries())
    assert(starts.length === mig[index]?.max, `${id}: ${name} fits ${starts.length} times`)
  return { slices, compute, profiles }
}

/** A mask of taken memory slices fits into a byte. */
export const SLICES_MAX = 8

function laidOut({ name, gib }: MigProfile, card: Card): SliceProfile {
  const compute = Number.parseInt(name, 10)
  const size = Math.round(gib / card.unitGib)
  const starts: number[] = []
  for (let start = 0; start + size <= card.slices; start += size) {
    const under = Math.min(start + size, card.compute) - start
    if (under >= compute) starts.push(start)
  }
  return { name, gib, compute, size, starts }
}

interface Card {
  /** Nominal memory of one memory slice. Names round it, so sizes are compared after rounding. */
  readonly unitGib: number
  readonly slices: number
  readonly compute: number
}
