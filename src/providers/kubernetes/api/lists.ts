import * as z from 'zod'
import type { Answer, Call } from '../../../ports/provider.ts'
import { isMap } from '../nodes/object/json.ts'
import { readPages, type PagedList } from '../../rest/pages.ts'
import type { KubeClient, KubeRequest } from './client.ts'

const PAGE = 500

export interface ListAsk {
  readonly query?: KubeRequest['query']
  readonly call: Pick<Call, 'signal' | 'requestId'>
}

/** Everything under a path, page by page. A list whose later pages cannot be had is not complete. */
export function listAll(client: KubeClient, path: string, ask: ListAsk): Promise<Answer<PagedList<unknown>>> {
  return listEach(client, path, { ...ask, read: bare })
}

/** The same, each object read as it comes: what is not needed of a large list is gone before the next page is there. */
export async function listEach<T>(
  client: KubeClient,
  path: string,
  { query, call, read }: ListAsk & { readonly read: (item: unknown) => T },
): Promise<Answer<PagedList<T>>> {
  return readPages<T>(async (cursor) => {
    const reply = await client.call({ method: 'GET', path, query: { ...query, limit: PAGE, continue: cursor } }, call)
    if (!reply.ok) return { ok: false, fault: reply.fault }
    const page = pageForm.safeParse(reply.value)
    if (!page.success)
      return {
        ok: false,
        fault: { class: 'TRANSIENT', message: `${path}: the API server answered with something that is no list.` },
      }
    const { items, metadata } = page.data
    const next = metadata.continue === undefined || metadata.continue === '' ? undefined : metadata.continue
    return { ok: true, value: { items: items.map(read), next } }
  })
}

/** Nobody asks who manages which field, or which images a node has: often the larger part of an object. */
function bare(item: unknown): unknown {
  if (!isMap(item)) return item
  const { metadata, status } = item
  return { ...item, metadata: without('managedFields', metadata), status: without('images', status) }
}

function without(name: string, value: unknown): unknown {
  if (!isMap(value) || !Object.hasOwn(value, name)) return value
  const { [name]: _, ...rest } = value
  return rest
}

const pageForm = z.object({
  items: z
    .array(z.unknown())
    .nullable()
    .transform((items) => items ?? []),
  metadata: z.object({ continue: z.string().optional() }).catch({}),
})
