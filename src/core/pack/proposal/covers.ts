import { PriorityQueue } from '../../base/priority-queue.ts'

/** Something that could be given up. */
export interface Item {
  /** A whole number above 0. */
  readonly price: number
  /** How much of each need it covers. */
  readonly gives: readonly number[]
}

export interface CoverRequest {
  /** What is missing, in the order of `gives`; 0 or less: nothing is. */
  readonly need: readonly number[]
  /** The final check of a choice, beyond the sums. If it holds for some items, it must hold for more items, too. */
  readonly isEnough: (chosen: readonly number[]) => boolean
  /** How many choices are wanted. */
  readonly limit: number
}

/** Choices that are tried before the search stops being exact. */
const STEPS_MAX = 2000

/**
 * The cheapest choices of items (as ascending indices) that are enough, cheapest first; of equals, the one whose items come
 * first. None contains another. After `STEPS_MAX` tries it may return fewer than wanted, and if it has none by then, one
 * from which no item can be removed. Empty: not even all items are enough.
 */
export function cheapestCovers(items: readonly Item[], wanted: CoverRequest): readonly (readonly number[])[] {
  if (!wanted.isEnough(items.map((_, index) => index))) return []
  const atLeast = boundFor(items)
  const open = new PriorityQueue<Choice>(isBefore)
  open.push({ chosen: [], price: 0, bound: atLeast(wanted.need, 0), need: wanted.need })
  const found: (readonly number[])[] = []
  for (let step = 0; step < STEPS_MAX && found.length < wanted.limit; step++) {
    const choice = open.pop()
    if (choice === undefined) return found
    if (choice.need.every((amount) => amount <= 0) && wanted.isEnough(choice.chosen)) {
      if (!found.some((smaller) => isWithin(smaller, choice.chosen))) found.push(choice.chosen)
    } else for (const next of oneMore(items, choice, atLeast)) open.push(next)
  }
  return found.length > 0 ? found : [leanest(items, wanted)]
}

interface Choice {
  readonly chosen: readonly number[]
  readonly price: number
  /** A lower bound on the price of all choices that begin with this one. */
  readonly bound: number
  readonly need: readonly number[]
}

type Bound = (need: readonly number[], from: number) => number

/**
 * A lower bound on the price to cover a need with the items from an index on: the worst single need, if items could be
 * bought in fractions. Prices are whole, so the bound is rounded up to a multiple of their common divisor.
 */
function boundFor(items: readonly Item[]): Bound {
  const step = items.map(({ price }) => price).reduce(commonDivisor, 0)
  const needs = items[0]?.gives.length ?? 0
  const byWorth = Array.from({ length: needs }, (_, need) =>
    items
      .map(({ price, gives }, index) => ({ index, price, amount: gives[need] ?? 0 }))
      .filter(({ amount }) => amount > 0)
      .sort((a, b) => a.price / a.amount - b.price / b.amount || a.index - b.index),
  )
  return (need, from) => {
    let worst = 0
    for (const [at, amount] of need.entries()) {
      let left = amount
      let price = 0
      for (const item of byWorth[at] ?? []) {
        if (left <= 0) break
        if (item.index < from) continue
        price += item.price * Math.min(1, left / item.amount)
        left -= item.amount
      }
      if (left > 0) return Infinity
      worst = Math.max(worst, price)
    }
    return step === 0 ? 0 : step * Math.ceil(worst / step - 1e-9)
  }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}

function oneMore(items: readonly Item[], choice: Choice, atLeast: Bound): readonly Choice[] {
  const from = (choice.chosen.at(-1) ?? -1) + 1
  return items.slice(from).flatMap((item, offset) => {
    const need = choice.need.map((amount, at) => amount - (item.gives[at] ?? 0))
    const price = choice.price + item.price
    const bound = price + atLeast(need, from + offset + 1)
    return bound === Infinity ? [] : [{ chosen: [...choice.chosen, from + offset], price, bound, need }]
  })
}

function isWithin(smaller: readonly number[], larger: readonly number[]): boolean {
  return smaller.every((index) => larger.includes(index))
}

/** Starts with all items and removes the most expensive first, as long as the rest is enough. */
function leanest(items: readonly Item[], { isEnough }: CoverRequest): readonly number[] {
  const dearest = items.map(({ price }, index) => ({ price, index })).sort((a, b) => b.price - a.price)
  return dearest.reduce<readonly number[]>(
    (chosen, { index }) => {
      const fewer = chosen.filter((other) => other !== index)
      return isEnough(fewer) ? fewer : chosen
    },
    items.map((_, index) => index),
  )
}

/** Cheaper first, then the one whose items come first. */
function isBefore(a: Choice, b: Choice): boolean {
  if (a.bound !== b.bound) return a.bound < b.bound
  for (const [at, index] of a.chosen.entries()) {
    const other = b.chosen[at]
    if (other === undefined) return false
    if (index !== other) return index < other
  }
  return true
}
