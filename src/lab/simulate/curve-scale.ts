/** What one axis shows, and which values are marked on it. */
export interface Scale {
  readonly from: number
  readonly to: number
  /** Ascending, within the ends. */
  readonly ticks: readonly number[]
}

/** A point of a curve: x and y. */
export type Point = readonly [x: number, y: number]

/** An axis over these values with about `marks` round marks. It begins at 0 unless the values are far above it. */
export function scaleOver(values: readonly number[], marks: number): Scale {
  const least = values.reduce((low, value) => Math.min(low, value), Infinity)
  const most = values.reduce((high, value) => Math.max(high, value), -Infinity)
  if (least > most) return scaleBetween(0, 1, marks)
  const from = least >= 0 && least < most / 2 ? 0 : least
  return scaleBetween(from, most > from ? most : from + 1, marks)
}

/** An axis with given ends, which are moved outwards to round values. */
export function scaleBetween(from: number, to: number, marks: number): Scale {
  const step = roundStep((to - from) / Math.max(1, marks))
  const first = Math.floor(from / step + CLOSE)
  const last = Math.ceil(to / step - CLOSE)
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => exact((first + index) * step))
  return { from: exact(first * step), to: exact(last * step), ticks }
}

/**
 * A curve with no more points than can be seen: of all points in one column, the first, the lowest, the highest and the last
 * are kept, so that neither the line nor a spike changes.
 */
export function thin(points: readonly Point[], columns: number, { from, to }: Pick<Scale, 'from' | 'to'>): Point[] {
  if (points.length <= columns * KEPT) return [...points]
  const column = ([x]: Point): number => Math.floor(((x - from) / (to - from)) * columns)
  const kept: Point[] = []
  let bucket: Point[] = []
  for (const point of points) {
    const [first] = bucket
    if (first !== undefined && column(first) !== column(point)) {
      kept.push(...extremes(bucket))
      bucket = []
    }
    bucket.push(point)
  }
  return [...kept, ...extremes(bucket)]
}

/** How far a value may be from a round one and still count as it: sums of decimal steps are never exact. */
const CLOSE = 1e-9

/** The most points of one column that are kept. */
const KEPT = 4

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten, rounding up. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  const factor = [1, 2, 2.5, 5].find((candidate) => candidate >= step / power - CLOSE) ?? 10
  return factor * power
}

function exact(value: number): number {
  return Number(value.toPrecision(12))
}

function extremes(bucket: readonly Point[]): readonly Point[] {
  if (bucket.length <= KEPT) return bucket
  let low = 0
  let high = 0
  for (const [index, [, y]] of bucket.entries()) {
    if (y < (bucket[low]?.[1] ?? y)) low = index
    if (y > (bucket[high]?.[1] ?? y)) high = index
  }
  const kept = new Set([0, low, high, bucket.length - 1])
  return bucket.filter((_, index) => kept.has(index))
}
