import type { Hint } from '../../ports/provider.ts'
import type { WatchEvent } from './hints.ts'
import * as z from 'zod'

/** Tells which events of nodes can matter to a decision. Nodes report themselves every few minutes without any news. */
export function hintsOfNodes(): (event: WatchEvent) => readonly Hint['what'][] {
  const known = new Map<string, string>()
  return ({ type, object }) => {
    const { data } = nodeForm.safeParse(object)
    if (data === undefined) return OFFERS
    const { name } = data.metadata
    if (type === 'DELETED') known.delete(name)
    if (type === 'DELETED') return OFFERS
    const now = JSON.stringify([
      data.metadata.labels,
      data.spec,
      data.status.allocatable,
      data.status.conditions.map((condition) => [condition.type, condition.status]),
    ])
    const isNews = known.get(name) !== now
    known.set(name, now)
    return isNews ? OFFERS : []
  }
}

const OFFERS = ['offers'] as const

const nodeForm = z.object({
  metadata: z.object({ name: z.string(), labels: z.unknown() }),
  spec: z.unknown(),
  status: z
    .object({
      allocatable: z.unknown(),
      conditions: z.array(z.object({ type: z.unknown(), status: z.unknown() })).catch([]),
    })
    .catch({ allocatable: undefined, conditions: [] }),
})
