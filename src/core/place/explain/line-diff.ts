/** A line that only one of the two texts has. */
export interface LineChange {
  readonly kind: 'removed' | 'added'
  /** Counted from 1, in the text that has the line. */
  readonly line: number
  readonly text: string
}

/** Comparing takes as many steps as the product of both line counts. Beyond this limit, changed parts are shown whole. */
const STEPS_MAX = 4_000_000

/** The fewest lines to remove and add that turn one text into the other. */
export function diffLines(from: string, into: string): readonly LineChange[] {
  const one = linesOf(from)
  const two = linesOf(into)
  const start = commonStart(one, two)
  const end = commonStart(one.slice(start).toReversed(), two.slice(start).toReversed())
  return diffMiddle(one.slice(start, one.length - end), two.slice(start, two.length - end), start)
}

/** The lines of a text. A line break at the very end does not start another line. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function commonStart(one: readonly string[], two: readonly string[]): number {
  let same = 0
  while (same < one.length && same < two.length && one[same] === two[same]) same++
  return same
}

function diffMiddle(one: readonly string[], two: readonly string[], start: number): readonly LineChange[] {
  const removed = (index: number): LineChange => ({ kind: 'removed', line: start + index + 1, text: one[index] ?? '' })
  const added = (index: number): LineChange => ({ kind: 'added', line: start + index + 1, text: two[index] ?? '' })
  if (one.length * two.length > STEPS_MAX) return [...one.map((_, at) => removed(at)), ...two.map((_, at) => added(at))]
  const shared = sharedAfter(one, two)
  const changes: LineChange[] = []
  let left = 0
  let right = 0
  while (left < one.length || right < two.length) {
    if (left < one.length && right < two.length && one[left] === two[right]) {
      left++
      right++
    } else if (right === two.length || (left < one.length && shared(left + 1, right) >= shared(left, right + 1))) {
      changes.push(removed(left++))
    } else changes.push(added(right++))
  }
  return changes
}

/** How many lines the remainders of both texts share, in order, from these lines on. */
function sharedAfter(one: readonly string[], two: readonly string[]): (left: number, right: number) => number {
  const width = two.length + 1
  const counts = new Uint32Array((one.length + 1) * width)
  const shared = (left: number, right: number): number => counts[left * width + right] ?? 0
  for (let left = one.length - 1; left >= 0; left--) {
    for (let right = two.length - 1; right >= 0; right--) {
      counts[left * width + right] =
        one[left] === two[right]
          ? shared(left + 1, right + 1) + 1
          : Math.max(shared(left + 1, right), shared(left, right + 1))
    }
  }
  return shared
}
