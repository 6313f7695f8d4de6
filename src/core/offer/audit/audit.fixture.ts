import type { CardFinding, SourceClaim } from './audit.ts'
import { auditCard } from './audit.ts'
import type { OfferGpu } from '../offer.ts'

/** One fully described H100 of an unknown provider; tests change what they are about. */
export const CLAIM: SourceClaim = {
  provider: 'northwind',
  instance: 'n1',
  named: 'H100',
  describedAs: '',
  upstream: undefined,
  plainFamily: undefined,
  count: 1,
  countAgain: undefined,
  cardMib: 81920,
  totalMib: undefined,
  habit: undefined,
}

export function findingOf(changes: Partial<SourceClaim>): CardFinding {
  return auditCard({ ...CLAIM, ...changes })
}

/** A finding in one line: `2 × a100-80 (share 20) VRAM_GB_AS_MIB`, or the code of its quarantine. */
export function brief(finding: CardFinding): string {
  if (finding.gpu === undefined) return finding.quarantine
  return [briefGpu(finding.gpu), ...finding.repairs].join(' ')
}

function briefGpu({ count, model, slice }: OfferGpu): string {
  const part = slice === undefined ? '' : ` (${slice.profile ?? slice.kind} ${slice.gib})`
  return `${count} × ${model}${part}`
}
