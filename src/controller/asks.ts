import type { Tag } from '../core/life/call/order.ts'
import { EVERYWHERE } from '../core/life/rows.ts'
import type { Store } from '../ports/store.ts'
import { forgetRemoved } from '../service/providers.ts'
import type { Leadership } from './leadership.ts'
import type { Found, StepAsk } from './step/event.ts'

/** How many events of a provider are searched for the last of its kind. */
const PROVIDER_EVENTS = 100

/** What the store answers to a question of a step. Never rejects. */
export async function answerAsk({ deps, number, over }: Leadership, ask: StepAsk): Promise<Found> {
  try {
    switch (ask.kind) {
      case 'placement':
        return { kind: 'placement', row: await placementAt(deps.store, ask.tag, over) }
      case 'told':
        return { kind: 'told', last: await lastTold(deps.store, ask, over) }
      case 'let-go':
        await forgetRemoved(deps, number)
        return { kind: 'unread' }
    }
  } catch {
    return { kind: 'unread' }
  }
}

async function placementAt(store: Store, { project, workload, slot }: Tag, signal: AbortSignal) {
  const row = await store.get('placement', `${project}/${workload}/${slot}`, signal)
  return row && { attempt: row.body.order.tag.attempt, phase: row.body.phase }
}

async function lastTold(store: Store, { provider, kinds }: Extract<StepAsk, { kind: 'told' }>, signal: AbortSignal) {
  const subject = `provider/${provider}`
  const query = { projects: [EVERYWHERE], subject, after: 0, limit: PROVIDER_EVENTS, end: 'last' } as const
  const isAsked = (kind: string): boolean => kinds.some((one) => one === kind)
  const last = (await store.events(query, signal)).findLast(({ kind }) => isAsked(kind))
  return last && { kind: last.kind, atMs: last.atMs }
}
