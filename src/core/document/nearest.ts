/** The candidate that the writer most likely meant; undefined when none is similar. The first wins a tie. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const plain = plainWord(word)
  let best: string | undefined
  let bestDistance = distanceMax(plain) + 1
  for (const candidate of candidates) {
    const distance = editDistance(plain, plainWord(candidate), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** One edit for short words, two from six letters, three from twelve: more would suggest unrelated words. */
function distanceMax(word: string): number {
  if (word.length < 3) return 0
  if (word.length < 6) return 1
  return word.length < 12 ? 2 : 3
}

/** `minVram`, `min-vram` and `MIN_VRAM` are all spellings of `min_vram`. */
function plainWord(word: string): string {
  return word
    .slice(0, 64)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[-\s.]/g, '_')
    .toLowerCase()
}

/**
 * Insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment), at most
 * `limit`.
 */
export function editDistance(from: string, into: string, limit: number): number {
  if (Math.abs(from.length - into.length) >= limit) return limit
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: into.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const next = [row]
    for (let column = 1; column <= into.length; column++) {
      next.push(cheapest({ from, into, row, column, next, last, beforeLast }))
    }
    beforeLast = last
    last = next
  }
  return Math.min(last[into.length] ?? limit, limit)
}

interface Cell {
  readonly from: string
  readonly into: string
  readonly row: number
  readonly column: number
  readonly next: readonly number[]
  readonly last: readonly number[]
  readonly beforeLast: readonly number[]
}

function cheapest({ from, into, row, column, next, last, beforeLast }: Cell): number {
  const far = from.length + into.length
  const same = from[row - 1] === into[column - 1]
  const replaced = (last[column - 1] ?? far) + (same ? 0 : 1)
  const removed = (last[column] ?? far) + 1
  const inserted = (next[column - 1] ?? far) + 1
  const swapped = from[row - 1] === into[column - 2] && from[row - 2] === into[column - 1]
  const crossed = swapped ? (beforeLast[column - 2] ?? far) + 1 : far
  return Math.min(replaced, removed, inserted, crossed)
}
