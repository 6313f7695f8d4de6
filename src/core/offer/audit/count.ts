import { soldAs } from '../../hardware/instances.ts'
import { tpuChips } from '../../hardware/resolve.ts'
import type { SourceClaim } from './claim.ts'

/** How many cards a machine has, once its claim has been checked. */
export interface CountFinding {
  readonly count: number
  /** The part of a card that the machine has; 1 means whole cards. */
  readonly share: number
  /** Whether the hardware table knows the machine; it then decides. */
  readonly isKnown: boolean
  /** Set when the hardware table overrides the row. */
  readonly note: string | undefined
}

/** The number of cards: from the hardware table where it knows the machine, otherwise from the row. */
export function auditCount(claim: SourceClaim): CountFinding | { readonly contradiction: string } {
  const known = knownCount(claim)
  const stated = statedCount(claim)
  if (known === undefined) return stated
  if (!('contradiction' in stated) && stated.count === known.count && isNear(stated.share, known.share))
    return { ...known, note: undefined }
  return { ...known, note: `count ${claim.count ?? 'missing'}, but the machine has ${known.count * known.share}` }
}

/** Sources round a third of a card differently. */
function isNear(stated: number, known: number): boolean {
  return Math.abs(stated - known) <= known * 0.02
}

function knownCount(claim: SourceClaim): Omit<CountFinding, 'note'> | undefined {
  const [first, ...others] = soldAs(claim.provider, claim.instance).map(({ gpu, count, slice }) => ({
    count,
    share: slice === undefined ? 1 : slice.gib / gpu.vramGib,
  }))
  if (first?.count === undefined) return undefined
  const agree = others.every((other) => other.count === first.count && other.share === first.share)
  return agree ? { count: first.count, share: first.share, isKnown: true } : undefined
}

function statedCount({ named, count, countAgain }: SourceClaim): CountFinding | { readonly contradiction: string } {
  if (count === undefined) return { contradiction: 'no count stated' }
  if (countAgain !== undefined && countAgain !== 0 && countAgain !== count) {
    return { contradiction: `${count} cards in one place, ${countAgain} in another` }
  }
  const chips = tpuChips(named)?.chips
  if (count > 0 && count < 1 && chips === undefined) return { count: 1, share: count, isKnown: false, note: undefined }
  if (!Number.isSafeInteger(count) || count <= 0) return { contradiction: `${count} cards` }
  return { count: count * (chips ?? 1), share: 1, isKnown: false, note: undefined }
}
