import { refuse } from '../../base/refuse.ts'
import type { UserError } from '../../base/problem.ts'
import type { WorkloadState, WorkloadView } from './view.ts'

/** Whether nothing more happens by itself. */
export function isEnded(state: WorkloadState): boolean {
  return state === 'done' || state === 'failed' || state === 'stopped'
}

/** Only a workload that has ended can be run again. */
export function notEnded(name: string, { kind, state }: Pick<WorkloadView, 'kind' | 'state'>): UserError {
  if (kind === 'service') {
    const hint = `To replace its replicas by fresh ones: berth restart ${name}. To change it: berth apply, berth rollback or berth scale.`
    return refuse('RERUN_IMPOSSIBLE', `${name} is a service, which never ends by itself: it is ${state}.`, hint)
  }
  const hint = `Wait for its end with berth wait ${name} --for done, or end it with berth stop ${name}.`
  return refuse('RERUN_IMPOSSIBLE', `${name} has not ended: it is ${state}.`, hint)
}

/** Only a service that has not ended can be restarted. */
export function notRestarted(name: string, { kind, state }: Pick<WorkloadView, 'kind' | 'state'>): UserError {
  if (isEnded(state)) {
    return refuse('RESTART_IMPOSSIBLE', `${name} does not run: it is ${state}.`, `To run it again: berth rerun ${name}`)
  }
  const hint = `To run it from the beginning: berth stop ${name}, then berth rerun ${name}`
  return refuse('RESTART_IMPOSSIBLE', `${name} is a ${kind}: only services are restarted.`, hint)
}
