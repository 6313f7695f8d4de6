import type { Fault } from '../../../core/life/call/fault.ts'
import { parseQuantity } from '../nodes/object/quantity.ts'

/** A limit as it is written; negative or missing: there is none. */
export function stated(limit: unknown): number | undefined {
  return parseQuantity(limit)
}

/** What a queue can never give, however empty it is; undefined: it may. The order is at fault, and not the rest of the cluster. */
export function overQuota(
  queue: string,
  wants: ReadonlyMap<string, number>,
  limits: ReadonlyMap<string, number>,
): Fault | undefined {
  for (const [resource, amount] of wants) {
    const limit = limits.get(resource)
    if (limit === undefined || amount <= limit) continue
    const message = `queue ${queue}: it asks for ${shown(amount)} ${resource}, and the queue may have ${shown(limit)}.`
    return { class: 'QUOTA', message, scope: 'offer', created: 'no' }
  }
  return undefined
}

/** Bytes of memory are long, parts of a card are short. */
export function shown(amount: number): string {
  return amount >= 1024 ** 3 ? `${Math.round(amount / 1024 ** 3)}Gi` : `${Math.round(amount * 1000) / 1000}`
}
