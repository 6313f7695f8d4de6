import { takenOver } from '../../core/life/boot.ts'
import { isNothing, NOTHING, type Change, type WorkloadRecord } from '../../core/life/change.ts'
import type { Moment } from '../../core/life/settle.ts'
import type { StepContext } from './state.ts'
import { watch } from './watch.ts'
import { commit, write } from './write.ts'

/** All rows are read: everything is taken over by our own clock before anything else is done. */
export function loaded(at: StepContext): void {
  const { state, nowMs, out } = at
  state.ledger.loaded()
  for (const row of state.ledger.damaged) {
    out.logs.push({ level: 'error', text: 'a row is invalid and is ignored', facts: { row } })
  }
  const writes = state.ledger.recut(nowMs)
  for (const refusal of state.ledger.refusals) state.probes.refused(refusal, nowMs)
  if (writes.length > 0) commit(at, { key: undefined, writes, events: [] })
  state.taking = [...state.ledger.keys].toReversed()
  beginWhenReady(at)
}

/** Takes over the next workload. */
export function takeOver(at: StepContext): void {
  const { state, nowMs } = at
  const key = state.taking?.pop()
  const record = key === undefined ? undefined : state.ledger.record(key)
  if (key !== undefined && record !== undefined) {
    const change = changeOf(record, { nowMs, chance: state.dice.next() })
    if (!isNothing(change)) write(at, key, { record, change })
  }
  beginWhenReady(at)
}

/** Once all that was taken over is durable, every workload is looked at and every provider is read. */
export function beginWhenReady(at: StepContext): void {
  const { state } = at
  if (state.readyMs !== undefined || state.taking === undefined) return
  if (state.taking.length > 0 || state.commits.size > 0) return
  state.readyMs = at.nowMs
  for (const key of state.ledger.keys) state.agenda.add(key)
  watch(at)
}

/** An invalid workload is set aside when its turn comes. */
function changeOf(record: WorkloadRecord, moment: Moment): Change {
  try {
    return takenOver(record, moment)
  } catch {
    return NOTHING
  }
}
