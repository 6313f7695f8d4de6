import { z } from 'zod'
import { label } from '../core/manifest/fields.ts'

/** Largest body of a manifest or a template, in characters. The reader of manifests counts bytes again. */
const TEXT_MAX = 256 * 1024

/** Most entries that one page holds. */
export const PAGE_MAX = 500

/** Names of workloads, projects, providers, policies, tokens and templates. */
export const name = label.meta({ description: 'A DNS label that starts with a letter.' })

/** Names of secrets, which become environment variables. */
export const secretName = z
  .string()
  .max(256)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'The name of a secret has only letters, digits and underscores.')

export const text = z.string().min(1).max(TEXT_MAX)
export const file = z
  .string()
  .max(512)
  .regex(/^[^\p{Cc}]*$/u, 'A file name has no control characters.')
  .default('manifest.yaml')
  .meta({ description: 'What problems are said to stand in.' })

/** A number in a query, where everything is text. */
export const wholeText = z
  .string()
  .regex(/^\d{1,15}$/, 'This must be a whole number.')
  .transform(Number)

export const flagText = z.enum(['true', 'false']).transform((word) => word === 'true')

export const cursor = z
  .string()
  .max(1024)
  .regex(/^[A-Za-z0-9_-]+$/, 'Give `next` of the page before, unchanged.')
  .meta({ description: '`next` of the page before.' })

export const limit = wholeText
  .pipe(z.number().int().min(1, 'At least 1.').max(PAGE_MAX, `At most ${PAGE_MAX}.`))
  .meta({ description: `Entries a page, at most ${PAGE_MAX}.` })

export const amount = z.number().nonnegative().max(1e12)
export const count = z.int().nonnegative()
export const moment = z.number().meta({ description: 'Milliseconds since 1970.' })

/** How deep free-form settings may be nested: whoever walks through them must come back. */
const DEPTH_MAX = 32

/** Free-form settings: plain JSON, a few levels deep at most. */
export const settings = z
  .record(z.string().max(256), z.unknown())
  .refine((value) => isShallow(value), `Settings are nested ${DEPTH_MAX} deep at most.`)

/** Looks level by level, so that no depth is too deep for looking. */
function isShallow(value: unknown): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    if (level.length === 0) return true
  }
  return false
}

/** An idempotency key, as a header carries it. */
export const IDEMPOTENCY_KEY = /^[A-Za-z0-9._:-]{1,128}$/
