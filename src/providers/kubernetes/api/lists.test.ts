import { expect, test } from 'vitest'
import { call } from '../../contract/bench.suite.ts'
import type { KubeClient } from './client.ts'
import { listAll, listEach } from './lists.ts'

/** An API server with these pages. */
function serving(pages: readonly (readonly unknown[])[]): KubeClient {
  const page = (at: number) => {
    const metadata = { continue: at + 1 < pages.length ? `${at + 1}` : '' }
    return { ok: true, value: { metadata, items: pages[at] ?? null } }
  }
  // Only `call` is used to list.
  return {
    call: async ({ query }: { readonly query: Readonly<Record<string, unknown>> }) =>
      page(Number(query['continue'] ?? 0)),
  } as unknown as KubeClient
}

test('a list is all of its pages, without what nobody reads', async () => {
  const managedFields = [{ manager: 'kubelet' }]
  const node = { metadata: { name: 'a', managedFields }, status: { phase: 'x', images: [{ names: ['i'] }] } }
  const pages = [[node, { metadata: { name: 'b' }, spec: { nodeName: 'a' } }], ['no object']]
  expect(await listAll(serving(pages), '/x', { call: call() })).toEqual({
    ok: true,
    value: {
      items: [
        { metadata: { name: 'a' }, status: { phase: 'x' } },
        { metadata: { name: 'b' }, spec: { nodeName: 'a' } },
        'no object',
      ],
      complete: true,
    },
  })
})

test('each object is read as it comes', async () => {
  const read = (item: unknown): string => `<${String(item)}>`
  const answer = await listEach(serving([[1, 2], [3]]), '/x', { call: call(), read })
  expect(answer).toEqual({ ok: true, value: { items: ['<1>', '<2>', '<3>'], complete: true } })
})
