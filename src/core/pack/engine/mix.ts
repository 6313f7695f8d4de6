import type { Request } from '../../fleet/fleet.ts'
import type { PackingInput, PastRequests } from './policy.ts'

/** The usual work: kinds with their counts. */
export type Mix = readonly PastRequests[]

/** A mix from past requests. Kinds are ordered by id, so that sums do not depend on the order of arrival. */
export function mixOf(history: readonly PastRequests[]): Mix {
  const counts = new Map<number, PastRequests>()
  for (const { kind, count } of history) counts.set(kind.id, { kind, count: (counts.get(kind.id)?.count ?? 0) + count })
  return [...counts.values()].filter(({ count }) => count > 0).sort((one, two) => one.kind.id - two.kind.id)
}

/** The share of the fleet's CPU and memory that work on its cards usually gets. */
const USED = 0.8

/** The mix before anything is known: whole cards, halves and quarters, each with its part of the fleet's CPU and memory. */
export function coldMix({ kinds, capacity }: PackingInput): Mix {
  return coldRequests(capacity).map(({ request, count }) => ({ kind: kinds.of(request), count }))
}

/** The requests of that mix. */
export function coldRequests({
  cards,
  cpu,
  memory,
}: PackingInput['capacity']): readonly { readonly request: Request; readonly count: number }[] {
  if (cards === 0) return []
  return [1000, 500, 250].map((milli) => ({
    request: {
      cpuMilli: Math.floor((USED * cpu * milli) / (cards * 1000)),
      memoryMib: Math.floor((USED * memory * milli) / (cards * 1000)),
      diskMib: 0,
      count: 1,
      part: milli === 1000 ? { kind: 'whole' } : { kind: 'share', milli },
      models: undefined,
    },
    count: 1,
  }))
}
