import type { Fault } from '../../core/life/call/fault.ts'
import type { Answer } from '../../ports/provider.ts'

/** One page of a list. */
export interface RestPage<T> {
  readonly items: readonly T[]
  /** What asks for the next page; undefined: this was the last. */
  readonly next: string | undefined
}

/** A list as far as it was read. Only a complete one proves that something is not there. */
export interface PagedList<T> {
  readonly items: readonly T[]
  readonly complete: boolean
  /** Why it is not complete. */
  readonly fault?: Fault
}

const PAGES_MOST = 200

/**
 * Reads page after page. A first page that fails is a fault; a later one makes the list incomplete, and so does a list that
 * goes in circles or does not end.
 */
export async function readPages<T>(
  page: (cursor: string | undefined) => Promise<Answer<RestPage<T>>>,
  pagesMost = PAGES_MOST,
): Promise<Answer<PagedList<T>>> {
  const items: T[] = []
  const cursors = new Set<string>()
  let cursor: string | undefined
  for (let count = 0; count < pagesMost; count++) {
    const answer = await page(cursor)
    if (!answer.ok) return count === 0 ? answer : { ok: true, value: { items, complete: false, fault: answer.fault } }
    items.push(...answer.value.items)
    cursor = answer.value.next
    if (cursor === undefined) return { ok: true, value: { items, complete: true } }
    if (cursors.has(cursor)) break
    cursors.add(cursor)
  }
  return { ok: true, value: { items, complete: false } }
}

/** A list that comes in one piece. */
export function wholeList<T>(answer: Answer<readonly T[]>): Answer<PagedList<T>> {
  return answer.ok ? { ok: true, value: { items: answer.value, complete: true } } : answer
}
