import { isNothing } from '../../core/life/change.ts'
import { triedNow } from '../../core/life/settle.ts'
import { slotAnswered, takeAnswers } from './answers.ts'
import { beginWhenReady, loaded, takeOver } from './boot.ts'
import type { CallAnswer, Learnt, StepEvent, StepResult, StoreNews } from './event.ts'
import { lookAtNext, lookAtPending } from './look.ts'
import { found, orphanAnswered, stopOrphan } from './orphans.ts'
import { heard } from './silence.ts'
import type { ControllerState, StepContext } from './state.ts'
import { hinted, nextReadMs, platformChanged, read, wasRead } from './watch.ts'
import { commit, write } from './write.ts'

/** How many waiting workloads look at once for room that was just freed; the others look when its provider has been read. */
const FIRST = 16

/** How often expired refusals are deleted. */
const EXPIRE_MS = 300_000

/**
 * The controller as a function: what follows from an event. It waits for nothing, and reads neither clock nor chance, so
 * the same beginning and the same events always give the same results. It changes the state in place; nothing else does.
 */
export function step(state: ControllerState, event: StepEvent): StepResult {
  const { nowMs, wallMs } = event
  const at: StepContext = { state, nowMs, wallMs, out: { commits: [], calls: [], asks: [], logs: [] } }
  take(at, event)
  const isMore = state.readyMs === undefined ? (state.taking?.length ?? 0) > 0 : state.agenda.isAny
  return { ...at.out, isMore, wakeMs: wakeMs(state) }
}

function take(at: StepContext, event: Learnt): void {
  const { state } = at
  switch (event.kind) {
    case 'rows':
      return state.ledger.take(event.rows)
    case 'loaded':
      return loaded(at)
    case 'platform':
      return platformChanged(at, event.platform)
    case 'changes':
      return takeChanges(at, event)
    case 'landed':
      return landed(at, event)
    case 'answered':
      return answered(at, event.call, event.answer)
    case 'found': {
      const ask = state.asks.get(event.ask)
      state.asks.delete(event.ask)
      return ask === undefined ? undefined : found(at, ask, event.found)
    }
    case 'hinted':
      return hinted(at, event.provider, event.what)
    case 'time':
      return timePassed(at)
    case 'look':
      return state.readyMs === undefined ? takeOver(at) : lookAtNext(at)
  }
}

/** Other processes wrote something. */
function takeChanges(at: StepContext, { changes, secrets, isPolicies }: StoreNews): void {
  const { state } = at
  const { keys, isRules } = state.ledger.changed(changes)
  for (const key of keys) state.agenda.add(key, 'urgent')
  for (const key of state.ledger.naming(new Set(secrets))) tryNow(at, key)
  if (isRules || isPolicies) lookAtPending(state)
}

/** A secret that it names was set: what waits for one is tried now. During a write, it is tried in its own time. */
function tryNow(at: StepContext, key: string): void {
  const record = at.state.ledger.record(key)
  if (record === undefined || at.state.writing.has(key)) return
  const change = triedNow(record)
  if (!isNothing(change)) write(at, key, { record, change })
}

/** A commit is durable. */
function landed(at: StepContext, { commit: id, versions }: Extract<Learnt, { kind: 'landed' }>): void {
  const { state } = at
  const known = state.commits.get(id)
  state.commits.delete(id)
  const orphan = state.endingAfter.get(id)
  state.endingAfter.delete(id)
  if (orphan !== undefined) stopOrphan(at, orphan)
  if (known?.key !== undefined) {
    state.ledger.landed(known.key, known.writes, versions)
    state.writing.delete(known.key)
    state.agenda.release(known.key)
    takeAnswers(at, known.key)
  }
  beginWhenReady(at)
}

/** A call has ended. Each call is answered once. */
function answered(at: StepContext, id: number, answer: CallAnswer | undefined): void {
  const { state } = at
  const call = state.calls.get(id)
  state.calls.delete(id)
  if (call === undefined) return
  heard(at, call, answer)
  if (call.about === 'slot') slotAnswered(at, call, answer)
  else if (call.about === 'orphan') orphanAnswered(at, call, answer)
  else wasRead(at, { id, call }, answer)
}

/** Everything that is due. */
function timePassed(at: StepContext): void {
  const { state, nowMs } = at
  if (state.readyMs === undefined) return
  // Before single workloads are due, so that they keep their order.
  if (state.waiters.nextMs <= nowMs) lookAtPending(state)
  if (state.isRoom) lookAtPending(state, FIRST)
  for (const key of state.alarm.due(nowMs)) state.agenda.add(key)
  state.isRoom = false
  read(at)
  if (nowMs < state.expireMs) return
  state.expireMs = nowMs + EXPIRE_MS
  const writes = state.ledger.expired(nowMs)
  if (writes.length > 0) commit(at, { key: undefined, writes, events: [] })
}

/** Before everything is taken over, only what lands can change anything. */
function wakeMs(state: ControllerState): number {
  if (state.readyMs === undefined) return Number.POSITIVE_INFINITY
  const alarmMs = state.alarm.nextMs ?? Number.POSITIVE_INFINITY
  return Math.min(alarmMs, state.waiters.nextMs, state.expireMs, nextReadMs({ state }))
}
