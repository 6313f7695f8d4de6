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
    const hint = `Change it with berth apply, berth rollback or berth scale; to start it anew: berth stop ${name}, then apply its manifest again.`
    return refuse('RERUN_IMPOSSIBLE', `${name} is a service, which never ends by itself: it is ${state}.`, hint)
  }
  const hint = `Wait for its end with berth wait ${name} --for done, or end it with berth stop ${name}.`
  return refuse('RERUN_IMPOSSIBLE', `${name} has not ended: it is ${state}.`, hint)
}
