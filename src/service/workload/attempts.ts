import { attemptsIn, type AttemptView } from '../../core/event/attempts.ts'
import { slotOfSeat } from '../../core/life/slots.ts'
import type { At } from '../../ports/berth.ts'
import type { ServiceDeps } from '../deps.ts'
import { lastEvents } from '../events.ts'
import { mustGet } from './views.ts'

/** How many events to read, and how many attempts to return at most. */
const EVENTS_MAX = 2000
const ATTEMPTS_MAX = 100

/** The attempts to run a workload, oldest first, derived from its events; they are not stored separately. */
export async function attemptsOf({ store }: ServiceDeps, at: At): Promise<readonly AttemptView[]> {
  await mustGet(store, at)
  return attemptsIn(await lastEvents(store, at, EVENTS_MAX)).slice(-ATTEMPTS_MAX)
}

/** The number of the latest attempt of each slot. */
export function latestOf(attempts: readonly Pick<AttemptView, 'slot' | 'number'>[]): ReadonlyMap<string, number> {
  const inOrder = attempts.toSorted((one, two) => one.number - two.number)
  return new Map(inOrder.map(({ slot, number }) => [slotOfSeat(slot), number]))
}
