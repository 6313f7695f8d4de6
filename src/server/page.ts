import { refuse } from '../core/base/refuse.ts'
import type { Paged } from '../ports/berth.ts'

/** What `next` of a page stood for. */
export function pageAfter(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  if (/^[\x20-\x7e]{1,512}$/.test(text) && Buffer.from(text).toString('base64url') === cursor) return text
  throw refuse(
    'REQUEST_MALFORMED',
    'after: This is not `next` of a page.',
    'Leave it out to begin with the first page.',
  )
}

/** A page whose `next` nobody takes for more than it is. */
export function printPage<T>({ items, next }: Paged<T>): { readonly items: readonly T[]; readonly next?: string } {
  return next === undefined ? { items } : { items, next: Buffer.from(next).toString('base64url') }
}
