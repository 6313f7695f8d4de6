import type { SourceClaim } from './claim.ts'
import { auditCard } from './card.ts'
import { conclude, type AuditFinding, type PriceClaim } from './audit.ts'

/** Judges what a source claims about one row against the hardware table: certain, or else quarantined. */
export function audit(claim: SourceClaim, prices: PriceClaim): AuditFinding {
  return conclude(auditCard(claim), prices)
}
