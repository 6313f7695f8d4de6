import { expect } from 'vitest'
import type { Order } from '../../core/life/call/order.ts'
import {
  becomes,
  call,
  freshTag,
  isQueued,
  isUp,
  launch,
  launchCall,
  listed,
  stopped,
  within,
  yes,
  type Bench,
  type Sample,
  type Sentence,
} from './bench.suite.ts'

/** Gangs that are launched as a whole, waits in queues, and hints. */
export const group: readonly Sentence[] = [
  {
    says: 'a gang is launched as a whole, and answered by rank',
    about: 'groups',
    async holds(bench) {
      const orders = await gangOf(bench, ['long', 'long', 'long'])
      const launched = yes((await bench.provider.launchGroup?.(orders, launchCall())) ?? NONE)
      expect(new Set(launched.map(({ instance }) => instance)).size).toBe(3)
      for (const [rank, { tag }] of orders.entries()) {
        const up = await becomes(bench, { tag, instance: undefined }, isUp)
        expect(up).toMatchObject({ tag, instance: launched[rank]?.instance })
      }
      await Promise.all(orders.map(({ tag }, rank) => stopped(bench, { tag, instance: launched[rank]?.instance })))
    },
  },
  {
    says: 'a gang with one wrong order is refused, and none of it is started',
    about: 'groups',
    async holds(bench) {
      const orders = await gangOf(bench, ['long', 'bad'])
      const answer = await bench.provider.launchGroup?.(orders, launchCall())
      expect(answer).toMatchObject({ ok: false, fault: { class: 'BAD_REQUEST' } })
      const seen = await listed(bench, orders[0]?.tag.owner ?? '')
      expect(orders.filter(({ tag }) => seen.has(tag.attempt))).toEqual([])
    },
  },
  {
    says: 'a gang that is launched again is answered with what was started before',
    about: 'groups',
    async holds(bench) {
      if (!bench.provider.can.tokens) return
      const orders = await gangOf(bench, ['long', 'long'])
      const first = yes((await bench.provider.launchGroup?.(orders, launchCall())) ?? NONE)
      expect(yes((await bench.provider.launchGroup?.(orders, launchCall())) ?? NONE)).toEqual(first)
      await Promise.all(orders.map(({ tag }) => stopped(bench, { tag, instance: undefined })))
    },
  },
  {
    says: 'what waits in a queue says what it waits for, and can be stopped',
    about: 'queues',
    async holds(bench) {
      const ref = await launch(bench, { kind: 'long' })
      const seen = await becomes(bench, ref, (described) => isQueued(described) || isUp(described))
      if (seen.state === 'queued') expect(seen.reason).toMatch(/\S/)
      await stopped(bench, ref)
      const next = await launch(bench, { kind: 'long' })
      await becomes(bench, next, isUp)
      await stopped(bench, next)
    },
  },
  {
    says: 'a hint comes when something has changed, and hints end when the reader stops',
    about: 'watch',
    async holds(bench) {
      const control = new AbortController()
      let count = 0
      const read = (async () => {
        for await (const { what } of bench.provider.watch?.('owner-of-the-contract', call(control.signal)) ?? []) {
          expect(['instances', 'offers']).toContain(what)
          count++
        }
      })()
      const ref = await launch(bench, { kind: 'long' })
      await becomes(bench, ref, isUp)
      await stopped(bench, ref)
      await within(bench, async () => count > 0)
      control.abort()
      await read
    },
  },
]

const NONE = { ok: false, fault: { class: 'BAD_REQUEST', message: 'there is no launchGroup' } } as const

async function gangOf(bench: Bench, samples: readonly ('long' | 'bad')[]): Promise<readonly Order[]> {
  const { uid } = freshTag()
  return Promise.all(
    samples.map(async (kind, rank) => {
      const order = await bench.order({ kind } satisfies Sample)
      return { ...order, nodes: samples.length, tag: freshTag({ uid, slot: `0.${rank}` }) }
    }),
  )
}
