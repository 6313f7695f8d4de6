import type { Page } from '../ports/store.ts'

/**
 * The order of keys in every store: by Unicode code point. That is also the order of their UTF-8 bytes, so databases that
 * compare bytes agree. JavaScript compares UTF-16 units, which puts surrogate pairs before U+E000.
 */
export function compareKeys(one: string, two: string): number {
  if (one === two) return 0
  const length = Math.min(one.length, two.length)
  for (let at = 0; at < length; at++) {
    const a = one.charCodeAt(at)
    const b = two.charCodeAt(at)
    if (a === b) continue
    if (isSurrogate(a) === isSurrogate(b)) return a - b
    return isSurrogate(a) ? 1 : -1
  }
  return one.length - two.length
}

/** The first text after every text that begins with `prefix`; undefined: there is none. */
export function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (letter) => letter.codePointAt(0) ?? 0)
  while (points.at(-1) === LAST_POINT) points.pop()
  const last = points.pop()
  if (last === undefined) return undefined
  // A surrogate alone is not a character.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}

/** The keys of a page as a range: after or from `from`, and before `until`. */
export function rangeOf({ prefix = '', after = '' }: Page): KeyRange {
  const isAfter = compareKeys(after, prefix) >= 0
  return { from: isAfter ? after : prefix, isAfter, until: endOfPrefix(prefix) }
}

export interface KeyRange {
  readonly from: string
  readonly isAfter: boolean
  /** Undefined: up to the last key. */
  readonly until: string | undefined
}

/** The index of `key` in sorted keys, or where it would be inserted. */
export function positionOf(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareKeys(keys[middle] ?? '', key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

const LAST_POINT = 0x10ffff

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000
}
