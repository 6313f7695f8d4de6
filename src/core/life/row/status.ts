import * as z from 'zod'
import type { Status } from '../status.ts'
import { formatOf, type Upgrade } from './format.ts'
import { number, numberByName, text, texts } from './parts.ts'

/** Version 2 names the version of the identity in `stood`. */
const namesVersions: Upgrade = ({ stood, ...body }) =>
  typeof stood === 'string' ? { ...body, stood: `1.${stood}` } : body

export const statusFormat = formatOf<Status>()(
  z.object({
    uid: text,
    generation: number,
    end: z.object({ state: z.enum(['done', 'failed', 'stopped']), why: text, atMs: number }).optional(),
    waiting: z.object({ sinceMs: number, code: text, text, nextLookMs: number }).optional(),
    failures: number,
    backoffUntilMs: number,
    completed: z.array(number),
    startedMs: number.optional(),
    restarts: number,
    lostSeconds: number,
    restartsBefore: number.optional(),
    resumePoints: numberByName,
    setAside: text.optional(),
    refusedBy: z
      .object({
        generation: number,
        places: z.array(z.object({ at: text, role: text.optional(), why: text, sinceMs: number.optional() })),
      })
      .optional(),
    stalled: z.object({ generation: number, why: text, atMs: number, groups: texts }).optional(),
    stood: text.optional(),
    trouble: z.object({ atMs: number, sinceMs: number, slot: text, text }).optional(),
    ran: z.object({ ms: number, atMs: number }).optional(),
  }),
  [namesVersions],
)
