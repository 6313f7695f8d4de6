import type { Refusal } from '../offer/offer.ts'
import type { FactsOf } from '../event/kinds.ts'
import { NOTHING, type Change, type WorkloadRecord } from './change.ts'
import { createdBy, FAULTS, type Fault } from './call/fault.ts'
import { leave } from './leave.ts'
import { failed, givingUp, restartsMax } from './fail.ts'
import { retryMs, withheldMs } from './call/pace.ts'
import { advance, type Placement } from './placement.ts'
import { rememberWrong } from './bind/refused-by.ts'
import { roleOf } from './slots.ts'
import type { Place } from './call/order.ts'
import { isWithheld, type WithheldCode } from './status.ts'

/** When an answer came, and the chance that spreads the waits that follow. */
export interface Moment {
  readonly nowMs: number
  readonly chance: number
}

export type LaunchAnswer =
  | {
      readonly ok: true
      readonly value: { readonly instance: string; readonly usdPerHour: number; readonly isQuoted?: boolean }
    }
  | { readonly ok: false; readonly fault: Fault }

export type StopAnswer =
  | { readonly ok: true; readonly value: { readonly gone: boolean } }
  | { readonly ok: false; readonly fault: Fault }

/** An answer, and when it came. */
export interface Reply<A> extends Moment {
  readonly answer: A
}

/** What the answer to a launch, or to its repetition, changes. */
export function settleLaunch(
  record: WorkloadRecord,
  placement: Placement,
  { answer, ...moment }: Reply<LaunchAnswer>,
): Change {
  const called = { ...placement, calledMs: moment.nowMs }
  // The call was made, so nothing is missing any more.
  return supplied(record, answered(record, called, { answer, ...moment }))
}

/** What the answer to the launch of a gang changes for a member other than the first, which accounts for a refusal. */
export function settleMate(record: WorkloadRecord, placement: Placement, reply: Reply<LaunchAnswer>): Change {
  const { answer, ...moment } = reply
  const isNew = placement.phase === 'reserved' || placement.phase === 'unknown'
  if (answer.ok || !isNew || FAULTS[answer.fault.class].outcome === 'unknown')
    return settleLaunch(record, placement, reply)
  const isLeft = createdBy(answer.fault) !== 'no'
  const isOver = FAULTS[answer.fault.class].outcome === 'refused' && placement.phase === 'reserved'
  if (!isLeft && !isOver) return settleLaunch(record, placement, reply)
  const called = { ...placement, calledMs: moment.nowMs }
  return supplied(record, leave(record, called, { to: isLeft ? 'stopping' : 'gone', why: 'gang', ...moment }))
}

/** `placement` already has the time of the call. */
function answered(record: WorkloadRecord, placement: Placement, { answer, ...moment }: Reply<LaunchAnswer>): Change {
  // It was seen, or told to stop, during the call. Only the time of the call still counts, for the proof of absence.
  if (placement.phase !== 'reserved' && placement.phase !== 'unknown') return lateAnswer(placement)
  if (answer.ok) return taken(record, placement, { ...answer.value, ...moment })
  const { fault } = answer
  const { outcome } = FAULTS[fault.class]
  const created = createdBy(fault)
  if (outcome === 'throttled' && created === 'no') return later(placement, fault, moment)
  if (outcome === 'unknown') return unclear(placement, fault, moment)
  if (created !== 'no') return leftBehind(record, placement, { fault, ...moment })
  // A refusal of a repeated call says nothing about the first call, which may still be under way.
  if (placement.phase === 'unknown') return { ...later(placement, fault, moment), placements: [replayed(placement)] }
  return refused(record, placement, { fault, ...moment })
}

/** Why a launch was withheld: something that the work needs is missing, and the provider has no part in it. */
export interface Withheld extends Moment {
  readonly code: WithheldCode
  /** What is missing and how to go on, for people. */
  readonly text: string
}

/** What a withheld launch changes: the slot keeps its place, says what it waits for, and is tried again soon. */
export function settleWithheld(record: WorkloadRecord, placement: Placement, withheld: Withheld): Change {
  if (placement.phase !== 'reserved' && placement.phase !== 'unknown') return NOTHING
  const { code, text, nowMs, chance } = withheld
  const nextTryMs = nowMs + withheldMs(chance)
  const kept = { placements: [{ ...placement, tries: placement.tries + 1, nextTryMs, fault: text }], events: [] }
  const { waiting } = record.status
  // A workload that waits for a place for another reason keeps showing that reason.
  if (waiting !== undefined && !isWithheld(record.status)) return kept
  const sinceMs = waiting?.sinceMs ?? nowMs
  const status = { ...record.status, waiting: { sinceMs, code, text, nextLookMs: nextTryMs } }
  const isNews = waiting?.text !== text && ![...record.placements.values()].some(({ fault }) => fault === text)
  const { slot } = placement.order.tag
  return { ...kept, status, events: isNews ? [{ kind: 'waiting', facts: { slot, code, why: text } }] : [] }
}

/** What was missing may be there now: everything that waits for it is tried at once. */
export function triedNow({ status, placements }: WorkloadRecord): Change {
  if (!isWithheld(status)) return NOTHING
  const held = [...placements.values()].filter(({ phase, nextTryMs }) => phase === 'reserved' && nextTryMs > 0)
  return { ...NOTHING, placements: held.map((placement) => ({ ...placement, nextTryMs: 0 })) }
}

function supplied({ status }: WorkloadRecord, change: Change): Change {
  const after = change.status ?? status
  return isWithheld(after) ? { ...change, status: { ...after, waiting: undefined } } : change
}

/** What the answer to a stop changes. A placement whose instance has a name is gone once the provider says so. */
export function settleStop(
  record: WorkloadRecord,
  placement: Placement,
  { answer, ...moment }: Reply<StopAnswer>,
): Change {
  if (answer.ok && answer.value.gone && placement.instance !== undefined) {
    return leave(record, placement, { to: 'gone', why: 'stopped', ...moment })
  }
  const tries = placement.tries + 1
  const waitMs = answer.ok ? retryMs(Math.min(tries, 3), moment.chance) : retryMs(tries, moment.chance)
  const fault = answer.ok ? undefined : answer.fault.message
  return { placements: [{ ...placement, tries, nextTryMs: moment.nowMs + waitMs, fault }], events: [] }
}

/** A refusal in the form that later decisions use. Undefined: it says nothing about other orders. */
export function remembered(fault: Fault, { provider, region, instance }: Place, nowMs: number): Refusal | undefined {
  const rule = FAULTS[fault.class]
  const scope = fault.scope ?? rule.scope
  const ttlMs = fault.ttlMs ?? rule.ttlMs
  if (scope === 'none' || ttlMs <= 0) return undefined
  return {
    provider,
    region: scope === 'offer' || scope === 'region' ? region : undefined,
    instance: scope === 'offer' || scope === 'instance' ? instance : undefined,
    why: rule.why,
    atMs: nowMs,
    untilMs: nowMs + ttlMs,
  }
}

interface Taken extends Moment {
  readonly instance: string
  readonly usdPerHour: number
  readonly isQuoted?: boolean
}

function taken(record: WorkloadRecord, placement: Placement, launched: Taken): Change {
  const { instance, usdPerHour, isQuoted, ...moment } = launched
  const { order } = placement
  const { slot, epoch, attempt } = order.tag
  const news = { sinceMs: moment.nowMs, instance, ...(isQuoted === true && { unpriced: true }) }
  const starting = advance(placement, 'starting', news)
  if (usdPerHour > order.usdPerHourMax)
    return leave(record, starting, { to: 'stopping', why: 'too-expensive', ...moment })
  const facts = { slot, epoch, attempt, provider: order.place.provider, instance }
  return { placements: [starting], events: [{ kind: 'launched', facts }] }
}

function lateAnswer(called: Placement): Change {
  return called.phase === 'gone' ? NOTHING : { placements: [called], events: [] }
}

function unclear(placement: Placement, fault: Fault, { nowMs, chance }: Moment): Change {
  const tries = placement.tries + 1
  const wait = { tries, nextTryMs: nowMs + retryMs(tries, chance), absentMs: undefined, fault: fault.message }
  if (placement.phase === 'unknown') return { placements: [{ ...placement, ...wait }], events: [] }
  const born = placement.born ?? { fromMs: nowMs, isSure: false }
  const unknown = { ...advance(placement, 'unknown', { sinceMs: nowMs }), ...wait, born }
  return { placements: [unknown], events: [{ kind: 'unknown', facts: said(placement, fault) }] }
}

function later(placement: Placement, fault: Fault, { nowMs, chance }: Moment): Change {
  const tries = placement.tries + 1
  const waitMs = Math.max(fault.retryAfterMs ?? 0, retryMs(tries, chance))
  return { placements: [{ ...placement, tries, nextTryMs: nowMs + waitMs, fault: fault.message }], events: [] }
}

function replayed(placement: Placement): Placement {
  return { ...placement, replayed: true, absentMs: undefined }
}

/**
 * The provider refused, and something exists or may exist all the same. It is ended first: until then the placement keeps its
 * reservation, and the slot is not placed again.
 */
function leftBehind(record: WorkloadRecord, placement: Placement, { fault, ...moment }: Refused): Change {
  const isSure = createdBy(fault) === 'yes'
  const born = { fromMs: placement.born?.fromMs ?? moment.nowMs, isSure }
  const left = { ...placement, instance: fault.instance ?? placement.instance, born }
  return refused(record, left, { fault: kept(fault), ...moment, to: 'stopping' })
}

/** A rate limit is usually waited for. Once its order is over, the place is left alone for that time instead. */
function kept(fault: Fault): Fault {
  if (FAULTS[fault.class].outcome !== 'throttled') return fault
  return { scope: 'offer', ttlMs: Math.max(fault.retryAfterMs ?? 0, LEFT_ALONE_MS), ...fault }
}

const LEFT_ALONE_MS = 60_000

interface Refused extends Moment {
  readonly fault: Fault
  /** Left out: nothing of it exists. */
  readonly to?: 'stopping' | 'gone'
}

/** The provider refused: the slot may take another place at once, and later decisions know of the refusal. */
function refused(record: WorkloadRecord, placement: Placement, { fault, to = 'gone', ...moment }: Refused): Change {
  const left = leave(record, placement, { to, why: 'refused', ...moment })
  const refusal = remembered(fault, placement.order.place, moment.nowMs)
  const until = refusal === undefined ? null : refusal.untilMs
  const change: Change = {
    ...left,
    events: [{ kind: 'refused', facts: { ...said(placement, fault), until } }],
    ...(refusal && { refusals: [refusal] }),
  }
  if (refusal !== undefined) return change
  const { tag, place } = placement.order
  const isWrong = !FAULTS[fault.class].elsewhere
  const role = roleOf(record.workload.manifest, tag.slot)
  const { reservedMs } = placement
  const wrong = { place, role, fault, reservedMs, nowMs: moment.nowMs }
  const elsewhere = isWrong ? rememberWrong(record.status, record.workload, wrong) : undefined
  // A refusal that no later decision remembers would be repeated at once, forever: so it is slowed down.
  const status = elsewhere ?? slowedDown(record, placement, { fault, ...moment })
  return { ...change, status, events: [...change.events, ...givingUp(record.status, status, placement)] }
}

/** A refusal of this order alone: some tries, further and further apart. An order rejected as invalid is then given up. */
function slowedDown(
  record: WorkloadRecord,
  { order }: Placement,
  { fault, ...moment }: Moment & { readonly fault: Fault },
): WorkloadRecord['status'] {
  const restarts = restartsMax(record.workload.manifest) ?? BAD_REQUESTS_MAX
  const max = FAULTS[fault.class].elsewhere ? undefined : Math.min(restarts, BAD_REQUESTS_MAX)
  const text = fault.message
  return failed(record, { slot: order.tag.slot, text, max, endText: `refused as invalid: ${text}`, ...moment })
}

const BAD_REQUESTS_MAX = 4

function said({ order: { tag, place } }: Placement, fault: Fault): FactsOf<'unknown'> {
  const { slot, epoch, attempt } = tag
  const { provider, region, instance } = place
  return { slot, epoch, attempt, provider, region, instance, class: fault.class, message: fault.message }
}
