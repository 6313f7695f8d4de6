import type { Tag } from '../../core/life/call/order.ts'
import { isStillWanted } from '../../core/life/reconcile.ts'
import type { ControllerState } from './state.ts'

/**
 * Whether exactly this attempt is still to be launched. Both questions only read: they may be asked at any time between two
 * steps.
 */
export function isLaunchWanted(state: ControllerState, tag: Tag): boolean {
  const phase = state.ledger.record(`${tag.project}/${tag.workload}`)?.placements.get(tag.slot)?.phase
  return (phase === 'reserved' || phase === 'unknown') && isPlaceWanted(state, tag)
}

/** Whether exactly this attempt still has a place that its workload wants. */
export function isPlaceWanted({ ledger }: ControllerState, { project, workload, slot, attempt }: Tag): boolean {
  const record = ledger.record(`${project}/${workload}`)
  const placement = record?.placements.get(slot)
  if (record === undefined || placement?.order.tag.attempt !== attempt) return false
  const { phase } = placement
  try {
    return phase !== 'stopping' && phase !== 'gone' && isStillWanted(record, placement)
  } catch {
    // An invalid workload is set aside when its turn comes.
    return false
  }
}
