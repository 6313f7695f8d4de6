import { z } from 'zod'
import { label } from '../core/manifest/fields.ts'

/** The longest text of a manifest or a template, in characters. The manifest parser also limits the bytes. */
const TEXT_MAX = 256 * 1024

/** The most entries on one page. */
export const PAGE_MAX = 500

/** Names of workloads, projects, providers, policies, tokens and templates. */
export const name = label.meta({ description: 'A DNS label that starts with a letter.' })

/** Names of secrets, which become environment variables. */
export const secretName = z
  .string()
  .max(256)
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]*$/,
    'The name of a secret may have only letters, digits and underscores, and may not begin with a digit.',
  )

export const text = z.string().min(1).max(TEXT_MAX)
export const file = z
  .string()
  .max(512)
  .regex(/^[^\p{Cc}]*$/u, 'A file name has no control characters.')
  .default('manifest.yaml')
  .meta({ description: 'The file name that problems are reported under.' })

/** A number in a query, where everything is text. */
export const wholeText = z
  .string()
  .regex(/^\d{1,15}$/, 'This must be a whole number.')
  .transform(Number)

/** The number of a port in a path. */
export const portText = wholeText.pipe(z.number().int().min(1, 'Ports begin at 1.').max(65_535, 'Ports end at 65535.'))

export const flagText = z.enum(['true', 'false']).transform((word) => word === 'true')

export const cursor = z
  .string()
  .max(1024)
  .regex(/^[A-Za-z0-9_-]+$/, 'Give `next` of the previous page, unchanged.')
  .meta({ description: '`next` of the previous page.' })

export const limit = wholeText
  .pipe(z.number().int().min(1, 'At least 1.').max(PAGE_MAX, `At most ${PAGE_MAX}.`))
  .meta({ description: `Entries per page, at most ${PAGE_MAX}.` })

export const amount = z.number().nonnegative().max(1e12)
export const count = z.int().nonnegative()
export const moment = z.number().meta({ description: 'Milliseconds since 1970.' })

/** One of these words in a reply. A client accepts any other, too, because a newer control plane may know more of them. */
export function word<const W extends string>(...words: readonly W[]) {
  const description = `One of: ${words.join(', ')}. Later versions may add others.`
  return z.custom<W>((value) => typeof value === 'string').meta({ type: 'string', description })
}

/** How deep free-form settings may be nested, so that recursive readers cannot overflow the stack. */
const DEPTH_MAX = 32

/** Free-form settings: plain JSON of limited depth. */
export const settings = z
  .record(z.string().max(256), z.unknown())
  .refine((value) => isShallow(value), `Settings may be nested at most ${DEPTH_MAX} levels deep.`)

/** Checks level by level, so that the check itself needs no recursion. */
function isShallow(value: unknown): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    if (level.length === 0) return true
  }
  return false
}

/** The form of an idempotency key in a header. */
export const IDEMPOTENCY_KEY = /^[A-Za-z0-9._:-]{1,128}$/
