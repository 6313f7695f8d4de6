import type { NewAudit } from '../core/event/event.ts'
import type { Principal } from './deps.ts'

/** An audit entry of what a caller did, with the id of its request where it came with one. */
export function auditBy({ name, requestId }: Principal, entry: Omit<NewAudit, 'actor'>): NewAudit {
  const facts = requestId === undefined ? entry.facts : { ...entry.facts, request_id: requestId }
  return { ...entry, actor: name, facts }
}
