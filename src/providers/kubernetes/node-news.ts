import type { WatchEvent } from './hints.ts'
import * as z from 'zod'
import { LABELS, labelValue } from './names.ts'
import { textAt } from './nodes/object/json.ts'

/** Tells which events of nodes can matter to a decision. Nodes report themselves every few minutes without any news. */
export function nodeNews(): (event: WatchEvent) => boolean {
  const known = new Map<string, string>()
  return ({ type, object }) => {
    const { data } = nodeForm.safeParse(object)
    if (data === undefined) return true
    const { name } = data.metadata
    if (type === 'DELETED') return known.delete(name) || true
    const now = JSON.stringify([
      data.metadata.labels,
      data.spec,
      data.status.allocatable,
      data.status.conditions.map((condition) => [condition.type, condition.status]),
    ])
    const isNews = known.get(name) !== now
    known.set(name, now)
    return isNews
  }
}

/** Tells which events of pods that hold something can matter. What we have placed ourselves is counted since we chose its place. */
export function holdersNews(owner: string): (event: WatchEvent) => boolean {
  const own = labelValue(owner)
  return ({ type, object }) =>
    type !== 'MODIFIED' && (type !== 'ADDED' || textAt(object, 'metadata', 'labels', LABELS.owner) !== own)
}

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
