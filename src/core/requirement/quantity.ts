import { atLeast, inRange, type Range } from './need/range.ts'
import type { Judge, KeyStep } from './key.ts'
import { no, unknown, type Reason, type ReasonDoc } from './reason.ts'

/** What defines a requirement for at least some amount. */
export interface Quantity<Facts> {
  readonly tooLittle: { readonly code: string; readonly doc: ReasonDoc }
  readonly notKnown: { readonly code: string; readonly doc: ReasonDoc }
  readonly found: (facts: Facts) => number | undefined
  readonly print: (value: number) => string
}

/** Judges one quantity: enough, too little, or unknown. Loosening goes down to the nearest value on offer. */
export function quantity<Facts>(amount: Quantity<Facts>): Judge<Range, Facts> {
  const { tooLittle, notKnown, print } = amount
  const remembered = reasonMemory()
  const refuse = (min: number, found: number | undefined): Reason =>
    found === undefined ? unknown(notKnown.code, print(min)) : no(tooLittle.code, print(min), print(found))
  return {
    reasons: { [tooLittle.code]: tooLittle.doc, [notKnown.code]: notKnown.doc },
    check(range, facts) {
      if (range.min === undefined) return undefined
      const found = amount.found(facts)
      if (found !== undefined && inRange(range, found)) return undefined
      const known = remembered(range)
      const reason = known.get(found) ?? refuse(range.min, found)
      known.set(found, reason)
      return reason
    },
    miss({ min }, facts) {
      const found = amount.found(facts)
      return min === undefined || found === undefined ? undefined : (min - found) / min
    },
    loosen: ({ min }, refused) => (min === undefined ? [] : lowerMinimum(amount, min, refused)),
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

function lowerMinimum<Facts>(
  { found: foundIn, print }: Quantity<Facts>,
  min: number,
  refused: readonly Facts[],
): readonly KeyStep<Range>[] {
  const steps = new Map<number, KeyStep<Range>>()
  for (const facts of refused) {
    const found = roundDown(foundIn(facts))
    if (found >= min || found <= 0) continue
    steps.set(found, { from: print(min), to: print(found), wanted: atLeast(found), share: (min - found) / min })
  }
  return [...steps].sort(([one], [two]) => two - one).map(([, step]) => step)
}

/** Rounds down to the printed precision: a value rounded up would not admit the machine it came from. */
function roundDown(found: number | undefined): number {
  return found === undefined ? 0 : Math.floor(found * 1000) / 1000
}
