import { refuse } from '../api/refuse.ts'
import type { UserError } from '../problem.ts'
import type { WorkloadState } from './view.ts'

/** Whether nothing more happens by itself. */
export function isEnded(state: WorkloadState): boolean {
  return state === 'done' || state === 'failed' || state === 'stopped'
}

/** Only what has ended is run again. */
export function notEnded(name: string, state: WorkloadState): UserError {
  const hint = `Wait for its end with berth wait ${name} --for done, or end it with berth stop ${name}.`
  return refuse('RERUN_IMPOSSIBLE', `${name} has not ended: it is ${state}.`, hint)
}
