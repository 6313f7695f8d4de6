import { isNothing, joined, NOTHING, type Change, type WorkloadRecord } from '../../core/life/change.ts'
import { placementKey, type Placement } from '../../core/life/placement.ts'
import type { PlacementCall } from '../../core/life/due-calls.ts'
import type { InstanceRef } from '../../ports/provider.ts'
import type { CallAnswer } from './event.ts'
import { applyOutcome, outcomeOf, type Answered } from './outcome.ts'
import { nextId, type OpenCall, type StepContext } from './state.ts'
import { write } from './write.ts'

/** How many answers about one workload are written together. */
const ANSWERS_MOST = 128

/** So many slots of one workload are changed at once by what a list showed; the next list changes the others. */
const EVIDENCE_MOST = 500

/**
 * Calls the provider of a slot, or of all members of a gang at once. Until the answer is written down, no other call about
 * them is made.
 */
export function callSlots(
  { state, nowMs, out }: StepContext,
  placements: readonly Placement[],
  kind: PlacementCall['kind'],
): void {
  const [first] = placements
  const facts = first && state.platform.providers.get(first.order.place.provider)
  if (first === undefined || facts === undefined) return
  const { tag, place } = first.order
  const { settleMs, tokens } = facts.provider.can
  const key = `${tag.project}/${tag.workload}`
  const id = nextId(state)
  for (const placement of placements) state.busy.add(placementKey(placement))
  const slots = placements.map(({ order }) => ({ slot: order.tag.slot, attempt: order.tag.attempt }))
  state.calls.set(id, { about: 'slot', kind, key, slots, issuedMs: nowMs, settleMs, tokens })
  out.calls.push({ id, provider: place.provider, ...wordsOf(placements, first, kind) })
}

function wordsOf(placements: readonly Placement[], first: Placement, kind: PlacementCall['kind']) {
  if (placements.length > 1) return { kind: 'group', orders: placements.map(({ order }) => order) } as const
  return kind === 'launch' ? ({ kind, order: first.order } as const) : ({ kind, ref: refOf(first) } as const)
}

/** How a provider finds a placement. */
function refOf({ order, instance }: Placement): InstanceRef {
  return { tag: order.tag, instance }
}

/** A provider answered a call about a slot, or the call was not made. */
export function slotAnswered(
  at: StepContext,
  call: Extract<OpenCall, { about: 'slot' }>,
  reply: CallAnswer | undefined,
): void {
  const { state, nowMs } = at
  const { key, kind, slots, issuedMs } = call
  const waiting = state.answers.get(key) ?? []
  state.answers.set(key, waiting)
  // A member that a list has shown meanwhile is up, whatever becomes of the call.
  const phases = slots.map(({ slot }) => state.ledger.record(key)?.placements.get(slot)?.phase)
  const first = Math.max(
    0,
    phases.findIndex((phase) => phase !== 'running'),
  )
  for (const [rank, { slot, attempt }] of slots.entries()) {
    if (kind === 'describe') state.looked.set(`${key}/${slot}`, nowMs)
    if (isOnItsWay(reply)) state.starting.set(`${key}/${slot}`, issuedMs)
    waiting.push({ slot, attempt, outcome: outcomeOf(call, reply, { rank, isFirst: rank === first }) })
  }
  takeAnswers(at, key)
}

/** Whether it was described as not yet up. */
function isOnItsWay(reply: CallAnswer | undefined): boolean {
  if (reply?.kind !== 'describe' || !reply.answer.ok) return false
  const { state } = reply.answer.value
  return state === 'starting' || state === 'queued'
}

/**
 * Answers are applied in turn: not while a write of the same workload is under way. Waiting answers are written together;
 * then the workload is looked at before the next ones are applied.
 */
export function takeAnswers(at: StepContext, key: string): void {
  const { state } = at
  const waiting = state.answers.get(key)
  if (waiting === undefined || state.writing.has(key) || state.owed.has(key)) return
  const batch = waiting.splice(0, ANSWERS_MOST)
  if (waiting.length === 0) state.answers.delete(key)
  for (const { slot } of batch) state.busy.delete(`${key}/${slot}`)
  state.agenda.add(key)
  settle(at, key, batch)
}

/** A list showed something about placements of one workload. False: some had a call or a write under way, and were passed over. */
export function takeEvidence(at: StepContext, key: string, batch: readonly Answered[]): boolean {
  const { state } = at
  if (state.writing.has(key)) return false
  const idle = batch.filter(({ slot }) => !state.busy.has(`${key}/${slot}`))
  if (idle.length > 0) settle(at, key, idle)
  return idle.length === batch.length
}

/** A workload that cannot be handled never stops the others. */
export function putAside(
  at: StepContext,
  key: string,
  { record, error, change = NOTHING }: { record: WorkloadRecord; error: unknown; change?: Change },
): void {
  const why = error instanceof Error ? error.message : String(error)
  at.state.setAside.set(key, record.workload.generation)
  const text = 'set aside: this workload cannot be handled'
  at.out.logs.push({ level: 'error', text, facts: { workload: key, why } })
  const status = { ...record.status, setAside: why.slice(0, 500) }
  const happened = { kind: 'set-aside', facts: { why: status.setAside } } as const
  write(at, key, { record, change: joined(change, { ...NOTHING, status, events: [happened] }) })
}

/**
 * One after the other, each based on the outcome of those before it. The placements, perhaps ten thousand, are copied only
 * once.
 */
function settle(at: StepContext, key: string, batch: readonly Answered[]): void {
  const { state, nowMs } = at
  const record = state.ledger.record(key)
  if (record === undefined) return
  const placements = new Map(batch.length === 1 ? [] : record.placements)
  let now: WorkloadRecord = batch.length === 1 ? record : { ...record, placements }
  let change = NOTHING
  const looks: Placement[] = []
  try {
    for (const { slot, attempt, outcome } of batch) {
      const placement = now.placements.get(slot)
      if (outcome === undefined || placement?.order.tag.attempt !== attempt) continue
      const next = applyOutcome(now, placement, { outcome, moment: { nowMs, chance: state.dice.next() } })
      if (next === 'look') looks.push(placement)
      if (next === 'look') continue
      change = joined(change, next)
      for (const each of next.placements) placements.set(each.order.tag.slot, each)
      now = { ...now, status: next.status ?? now.status }
      if (change.placements.length >= EVIDENCE_MOST) break
    }
    if (!isNothing(change)) write(at, key, { record, change })
    if (!isNothing(change)) state.owed.add(key)
  } catch (error) {
    return putAside(at, key, { record: now, error, change })
  }
  for (const placement of looks) callSlots(at, [placement], 'describe')
}
