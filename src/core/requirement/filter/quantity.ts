import type { Need } from '../need/need.ts'
import { atLeast, inRange, type Range } from '../need/range.ts'
import type { Machine } from '../../offer/machine.ts'
import type { Filter, Loosening } from './filter.ts'
import { no, unknown, type Reason, type ReasonDoc } from '../reason.ts'

/** What defines a filter that asks a machine for at least some amount. */
export interface Quantity {
  readonly name: string
  readonly rank: number
  /** The manifest key that states the amount; undefined when several keys do, so that no single change helps. */
  readonly key: string | undefined
  readonly tooLittle: { readonly code: string; readonly doc: ReasonDoc }
  readonly notKnown: { readonly code: string; readonly doc: ReasonDoc }
  /** What the need asks for; undefined when the requirement does not apply to this machine. */
  readonly wanted: (need: Need, machine: Machine) => Range | undefined
  readonly found: (machine: Machine) => number | undefined
  readonly print: (value: number) => string
  /** The need with another minimum. */
  readonly withRange: (need: Need, range: Range) => Need
}

/** A filter on one quantity: enough, too little, or unknown. Loosening goes down to the nearest value on offer. */
export function quantityFilter(quantity: Quantity): Filter<'machine'> {
  const { tooLittle, notKnown, print } = quantity
  const remembered = reasonMemory()
  const refuse = (min: number, found: number | undefined): Reason =>
    found === undefined ? unknown(notKnown.code, print(min)) : no(tooLittle.code, print(min), print(found))
  return {
    name: quantity.name,
    rank: quantity.rank,
    about: 'machine',
    reasons: { [tooLittle.code]: tooLittle.doc, [notKnown.code]: notKnown.doc },
    check(machine, need) {
      const range = quantity.wanted(need, machine)
      if (range?.min === undefined) return undefined
      const found = quantity.found(machine)
      if (found !== undefined && inRange(range, found)) return undefined
      const known = remembered(range)
      const reason = known.get(found) ?? refuse(range.min, found)
      known.set(found, reason)
      return reason
    },
    miss(machine, need) {
      const min = quantity.wanted(need, machine)?.min
      const found = quantity.found(machine)
      return min === undefined || found === undefined ? undefined : (min - found) / min
    },
    loosen: (need, refused) =>
      quantity.key === undefined ? [] : lowerMinimum(quantity, quantity.key, { need, refused }),
  }
}

/** Thousands of machines share a few values, so each reason is worded once per requested range. */
function reasonMemory(): (range: Range) => Map<number | undefined, Reason> {
  const memory = new WeakMap<Range, Map<number | undefined, Reason>>()
  return (range) => {
    const known = memory.get(range) ?? new Map<number | undefined, Reason>()
    memory.set(range, known)
    return known
  }
}

interface Refused {
  readonly need: Need
  readonly refused: readonly Machine[]
}

function lowerMinimum(quantity: Quantity, key: string, { need, refused }: Refused): readonly Loosening[] {
  const loosenings = new Map<number, Loosening>()
  for (const machine of refused) {
    const min = quantity.wanted(need, machine)?.min
    const found = roundDown(quantity.found(machine))
    if (min === undefined || found >= min || found <= 0) continue
    const loosened = quantity.withRange(need, atLeast(found))
    const share = (min - found) / min
    loosenings.set(found, { key, from: quantity.print(min), to: quantity.print(found), need: loosened, share })
  }
  return [...loosenings].sort(([one], [two]) => two - one).map(([, loosening]) => loosening)
}

/** Rounds down to the printed precision: a value rounded up would not admit the machine it came from. */
function roundDown(found: number | undefined): number {
  return found === undefined ? 0 : Math.floor(found * 1000) / 1000
}
