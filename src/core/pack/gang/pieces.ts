import { assert } from '../../base/assert.ts'

/** What a total can be pieced together from. */
export interface PieceStock {
  /** Pieces, largest first; each is smaller than the total. */
  readonly sizes: readonly number[]
  /** Pieces of size 1 that are part of nothing else. */
  readonly ones: number
  readonly total: number
}

export interface Pieces {
  /** How much of which piece; all but the last are used up. */
  readonly chosen: readonly { readonly index: number; readonly size: number }[]
  /** How many single ones. */
  readonly ones: number
}

/**
 * Builds a total from as few pieces as possible. Of equally small sets it takes the one whose largest piece is the smallest,
 * then whose second is the smallest, and so on: large pieces stay whole. Of pieces of one size, the later is taken.
 */
export function choosePieces({ sizes, ones, total }: PieceStock): Pieces {
  const sums = runningSums(sizes, ones)
  const pieces = sums.findIndex((sum) => sum >= total)
  assert(pieces >= 0, `${total} cannot be had of ${sums.at(-1)}`)
  const chosen: { index: number; size: number }[] = []
  let missing = total
  let from = 0
  for (let left = pieces; left > 0; left--) {
    const index = lastWindow(sums, { from, width: left, total: missing })
    // From here on, all pieces are single ones.
    if (index >= sizes.length) return { chosen, ones: missing }
    const size = Math.min(missing, sizes[index] ?? 0)
    chosen.push({ index, size })
    missing -= size
    from = index + 1
  }
  return { chosen, ones: 0 }
}

/** At `i`, the sum of the first `i` pieces. */
function runningSums(sizes: readonly number[], ones: number): readonly number[] {
  const sums = [0]
  let sum = 0
  for (const size of sizes) sums.push((sum += size))
  for (let one = 0; one < ones; one++) sums.push(++sum)
  return sums
}

interface Window {
  readonly from: number
  readonly width: number
  readonly total: number
}

/**
 * The last position from which `width` neighbours reach the total. Sizes fall, so the sums of neighbours fall too: bisection
 * finds it.
 */
function lastWindow(sums: readonly number[], { from, width, total }: Window): number {
  let low = from
  let high = sums.length - 1 - width
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const sum = (sums[middle + width] ?? 0) - (sums[middle] ?? 0)
    if (sum >= total) low = middle
    else high = middle - 1
  }
  return low
}
