import type * as z from 'zod'
import type { Problem } from '../base/problem.ts'
import type { DocNode, Mark, SourceDocument } from './document.ts'
import { inOrder } from './in-order.ts'
import { problemsOf } from './issues.ts'
import { placeOf } from './look-up.ts'
import { PROTO, toPlain } from './plain.ts'
import { candidatesOf } from './schema-walk.ts'

export { inOrder } from './in-order.ts'

export type Checked<T> = { readonly value: T } | { readonly problems: readonly Problem[] }

/**
 * Turns a document into the value that a schema describes, or returns all problems in line order. Schemas can carry
 * more metadata than zod knows: see traits.ts. Maps should be `z.strictObject`.
 */
export function checkDocument<T>(schema: z.ZodType<T>, document: SourceDocument): Checked<T> {
  const checked = checkUncut(schema, document)
  return 'value' in checked ? checked : { problems: inOrder(checked.problems) }
}

/** The same without a limit on problems, for callers that add more before `inOrder`. */
export function checkUncut<T>(schema: z.ZodType<T>, document: SourceDocument): Checked<T> {
  const data = toPlain(document.root, candidatesOf(schema))
  const result = schema.safeParse(data)
  const forbidden = forbiddenKeys(document.root).map((mark) => forbiddenKey(document, mark))
  if (result.success && forbidden.length === 0) return { value: result.data }
  const issues = result.success ? [] : result.error.issues
  return { problems: [...forbidden, ...problemsOf(issues, { schema, document })] }
}

/** Refuses, at any depth, the one key that JavaScript objects cannot hold safely. */
function forbiddenKeys(node: DocNode): readonly Mark[] {
  if (node.kind === 'scalar') return []
  if (node.kind === 'list') return node.items.flatMap(forbiddenKeys)
  return node.entries.flatMap(({ key, keyAt, value }) => (key === PROTO ? [keyAt] : forbiddenKeys(value)))
}

function forbiddenKey(document: SourceDocument, mark: Mark): Problem {
  const message = `\`${PROTO}\` cannot be used as a key.`
  return { code: 'KEY_UNKNOWN', message, found: PROTO, hint: 'Remove it.', place: placeOf(document, mark) }
}
