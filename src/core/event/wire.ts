import * as z from 'zod'
import type { EventKind } from './kinds.ts'
import { EVENTS } from './kinds.ts'

/**
 * The schema of an event on the wire: one for each kind, and one for events of other versions, which are passed on as they
 * are. `shared` has the fields that do not depend on the kind. Facts that a later version adds are kept.
 */
export function eventSchema<S extends z.ZodRawShape>(shared: S) {
  const of = (kind: EventKind) => {
    const { about, facts, means } = EVENTS[kind]
    const subject = z.string().regex(new RegExp(`^${about}/`))
    // Every fact is a text, a number, a flag or null.
    const known = facts.loose() as unknown as typeof FACTS
    return z.object({ ...shared, subject, kind: z.literal(kind), facts: known }).describe(means)
  }
  const { accepted: _, ...others } = EVENTS
  // A literal object has exactly the keys of its type.
  const kinds = z.discriminatedUnion('kind', [of('accepted'), ...(Object.keys(others) as EventKind[]).map(of)])
  return z.union([kinds, z.object({ ...shared, subject: z.string(), kind: z.string(), facts: FACTS }).describe(OTHER)])
}

const OTHER = 'An event of another version: of a kind, or with facts, that this version does not tell.'

const FACTS = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
