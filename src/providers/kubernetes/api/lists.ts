import * as z from 'zod'
import type { Answer, Call } from '../../../ports/provider.ts'
import { readPages, type PagedList } from '../../rest/pages.ts'
import type { KubeClient, KubeRequest } from './client.ts'

const PAGE = 500

/** Everything under a path, page by page. A list whose later pages cannot be had is not complete. */
export async function listAll(
  client: KubeClient,
  path: string,
  { query, call }: { readonly query?: KubeRequest['query']; readonly call: Pick<Call, 'signal' | 'requestId'> },
): Promise<Answer<PagedList<unknown>>> {
  return readPages<unknown>(async (cursor) => {
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
    return { ok: true, value: { items, next } }
  })
}

const pageForm = z.object({
  items: z
    .array(z.unknown())
    .nullable()
    .transform((items) => items ?? []),
  metadata: z.object({ continue: z.string().optional() }).catch({}),
})
