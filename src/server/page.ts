import { refuse } from '../core/base/refuse.ts'
import type { Paged } from '../ports/berth.ts'

/** Decodes the `next` of a page. */
export function pageAfter(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  if (/^[\x20-\x7e]{1,512}$/.test(text) && Buffer.from(text).toString('base64url') === cursor) return text
  throw refuse(
    'REQUEST_MALFORMED',
    'after: This is not `next` of a page.',
    'Leave it out to start with the first page.',
  )
}

/** Encodes the `next` of a page, so that clients treat it as opaque. */
export function printPage<T>({ items, next }: Paged<T>): { readonly items: readonly T[]; readonly next?: string } {
  return next === undefined ? { items } : { items, next: Buffer.from(next).toString('base64url') }
}
