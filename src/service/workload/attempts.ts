import { attemptsIn, type AttemptView } from '../../core/event/attempts.ts'
import type { At } from '../../ports/berth.ts'
import type { ServiceDeps } from '../deps.ts'
import { lastEvents } from '../events.ts'
import { mustGet } from './views.ts'

/** How far back it is looked, and how much is told. */
const EVENTS_MAX = 2000
const ATTEMPTS_MAX = 100

/** What was tried for a workload, oldest first, read from its events: nothing is kept for it a second time. */
export async function attemptsOf({ store }: ServiceDeps, at: At): Promise<readonly AttemptView[]> {
  await mustGet(store, at)
  return attemptsIn(await lastEvents(store, at, EVENTS_MAX)).slice(-ATTEMPTS_MAX)
}
