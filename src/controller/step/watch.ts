import { aboutMs } from '../../core/base/backoff.ts'
import type { Instance } from '../../core/life/call/instance.ts'
import type { Evidence } from '../../core/life/evidence.ts'
import type { Placement } from '../../core/life/placement.ts'
import { livingOf } from '../../core/life/seats.ts'
import type { Hint, InstanceList, Inventory } from '../../ports/provider.ts'
import { takeEvidence } from './answers.ts'
import type { CallAnswer, ListAnswer, PlatformFacts } from './event.ts'
import { workloadKeyOf } from './ledger.ts'
import { lookAtPending } from './look.ts'
import { letGo, listedOrphans, sweep, tellOfReach } from './orphans.ts'
import type { Answered } from './outcome.ts'
import { isSilence, notHeard } from './silence.ts'
import { nextId, type OpenCall, type Reading, type StepContext } from './state.ts'

/** No provider's offers are read more often than this. */
const OFFERS_APART_MS = 1000
/**
 * However many hints come, a provider is read for such a share of the time at most because of them, and once a second. Ten lists
 * may follow each other sooner: callers wait for what they tell, that a replica is gone and where the next one answers.
 */
const HINTS_APART_MS = 1000
const HINTS_SHARE = { list: 8, offers: 2 } as const
const SOONEST_MS = { list: 100, offers: HINTS_APART_MS } as const
const FEW_MS = 10 * HINTS_APART_MS
/** When offers are read again that could not be read, and lists. */
const OFFERS_AGAIN_MS = 5000
const LIST_AGAIN_MS = 2000

/** Providers were added or removed, opened, closed or drained, went down or came back, or the rules have changed. */
export function platformChanged(at: StepContext, { providers, config, isAlone }: PlatformFacts): void {
  const { state } = at
  state.platform = { providers: new Map(providers.map((facts) => [facts.provider.name, facts])), config, isAlone }
  state.capacity.rulesChanged()
  if (state.readyMs === undefined) return
  watch(at)
}

/** Starts reading new providers, and wakes the workloads there when one opens, closes or is drained. */
export function watch({ state, nowMs }: StepContext): void {
  const { providers } = state.platform
  for (const name of state.followed.keys()) if (!providers.has(name)) state.followed.set(name, 'unconfigured')
  for (const name of state.readings.keys()) if (!providers.has(name)) state.readings.delete(name)
  for (const name of state.silent.keys()) if (!providers.has(name)) state.silent.delete(name)
  for (const [name, facts] of providers) {
    const before = state.followed.get(name)
    state.followed.set(name, facts.state)
    if (!state.readings.has(name)) state.readings.set(name, { list: dueAt(nowMs), offers: dueAt(nowMs) })
    // At first everything is looked at anyway. A provider that comes later may hold work that could not be checked before.
    if (before === facts.state || (before === undefined && !state.isFollowing)) continue
    for (const placement of state.ledger.on(name).values()) state.agenda.add(workloadKeyOf(placement), 'urgent')
    lookAtPending(state)
  }
  state.isFollowing = true
}

function dueAt(nowMs: number): Reading {
  return { call: undefined, askedMs: 0, tookMs: 0, dueMs: nowMs, isHinted: false, paidMs: 0 }
}

/** Reads the instances and offers of every provider that are due. */
export function read(at: StepContext): void {
  const { state, nowMs } = at
  if (state.waiters.isAny) readWhereRoomIs(at)
  for (const [provider, readings] of state.readings) {
    for (const what of ['list', 'offers'] as const) {
      const reading = readings[what]
      if (reading.call !== undefined || reading.dueMs > nowMs) continue
      const id = nextId(state)
      readings[what].call = id
      readings[what].askedMs = nowMs
      readings[what].isHinted = false
      state.calls.set(id, { about: what, provider, issuedMs: nowMs })
      at.out.calls.push({ id, provider, kind: what })
    }
  }
}

/** Workloads that wait for room need not wait for the next regular read of a provider where something has just ended. */
function readWhereRoomIs({ state, nowMs }: StepContext): void {
  for (const name of state.capacity.freed) {
    const offers = state.readings.get(name)?.offers
    if (offers !== undefined && nowMs >= offers.askedMs + OFFERS_APART_MS) offers.dueMs = Math.min(offers.dueMs, nowMs)
  }
}

/**
 * A hint makes the next reading come sooner, and not too often. It proves nothing: only what is read counts, and everything is
 * read again in its own time without any hint.
 */
export function hinted(at: StepContext, provider: string, what: Hint['what']): void {
  const { state, nowMs } = at
  const readings = state.readings.get(provider)
  const about = what === 'offers' ? 'offers' : 'list'
  const reading = readings?.[about]
  if (reading === undefined) return
  if (reading.call !== undefined) reading.isHinted = true
  else bringForward(about, reading, nowMs)
}

function bringForward(about: 'list' | 'offers', reading: Reading, nowMs: number): void {
  const { askedMs, tookMs, dueMs, paidMs } = reading
  const restMs = Math.max(SOONEST_MS[about], HINTS_SHARE[about] * tookMs)
  const soonestMs = Math.max(nowMs, askedMs + restMs, paidMs - FEW_MS)
  if (soonestMs >= dueMs) return
  reading.dueMs = soonestMs
  reading.paidMs = Math.max(paidMs, soonestMs) + HINTS_APART_MS
}

/** When the next provider is to be read. */
export function nextReadMs({ state }: Pick<StepContext, 'state'>): number {
  let earliestMs = Number.POSITIVE_INFINITY
  for (const { list, offers } of state.readings.values()) {
    if (list.call === undefined) earliestMs = Math.min(earliestMs, list.dueMs)
    if (offers.call === undefined) earliestMs = Math.min(earliestMs, offers.dueMs)
  }
  return earliestMs
}

/** A provider was read. One whose answer cannot be handled stops no other: it is read again in its own time. */
export function wasRead(
  at: StepContext,
  { id, call }: { readonly id: number; readonly call: Extract<OpenCall, { about: 'list' | 'offers' }> },
  reply: CallAnswer | undefined,
): void {
  const { about, provider } = call
  let waitMs = OFFERS_AGAIN_MS
  try {
    if (about === 'offers') waitMs = stocked(at, call, reply?.kind === 'offers' ? reply.answer : undefined)
    else waitMs = listed(at, provider, reply?.kind === 'list' ? reply : undefined)
  } catch (error) {
    const facts = { watch: `${provider} ${about}`, why: String(error) }
    at.out.logs.push({ level: 'error', text: 'a provider could not be watched', facts })
  }
  const reading = at.state.readings.get(provider)?.[about]
  if (reading?.call !== id) return
  reading.call = undefined
  reading.tookMs = Math.max(0, at.nowMs - reading.askedMs)
  reading.dueMs = Math.ceil(at.nowMs + aboutMs(waitMs, 0.1, at.state.dice.next()))
  if (reading.isHinted) bringForward(about, reading, at.nowMs)
}

/** Returns when to read them again. */
function stocked(
  { state }: StepContext,
  { provider, issuedMs }: { readonly provider: string; readonly issuedMs: number },
  answer: Extract<CallAnswer, { kind: 'offers' }>['answer'] | undefined,
): number {
  if (answer?.ok !== true) return OFFERS_AGAIN_MS
  const inventory: Inventory = answer.value
  if (state.capacity.stocked(provider, inventory, issuedMs)) lookAtPending(state)
  return Math.max(OFFERS_APART_MS, inventory.freshMs)
}

/** Returns when to list it again. */
function listed(at: StepContext, name: string, reply: ListAnswer | undefined): number {
  const { state } = at
  const can = state.platform.providers.get(name)?.provider.can
  if (can === undefined) return OFFERS_AGAIN_MS
  if (reply !== undefined) take(at, name, reply)
  // Whether that was a slip or the beginning of an outage is worth knowing soon.
  if (reply?.answer.ok === false && isSilence(reply.answer.fault)) return Math.min(can.pollMs, LIST_AGAIN_MS)
  return isUnclear(state.ledger.on(name).values()) ? Math.min(can.pollMs, state.begin.unclearPollMs) : can.pollMs
}

function take(at: StepContext, name: string, reply: ListAnswer): void {
  const { answer, issuedMs, wasDown, isDown, lastFault } = reply
  const can = at.state.platform.providers.get(name)?.provider.can
  if (wasDown !== isDown) lookAtPending(at.state)
  if (!answer.ok && isSilence(answer.fault)) notHeard(at, name, reply)
  // One failed call says neither that it is down nor that it is back.
  if (answer.ok || isDown) tellOfReach(at, name, { isDown, lastFault })
  if (!answer.ok || can === undefined) return
  const complete = answer.value.complete && can.completeLists
  const asked = { issuedMs, settleMs: can.settleMs, tokens: can.tokens }
  compare(at, name, { listing: { ...answer.value, complete }, asked })
  listedOrphans(at, name, { ...answer.value, complete })
  sweep(at, name, answer.value)
  letGo(at, name, answer.value)
}

/** Whether only a list can tell what became of something. */
function isUnclear(placements: Iterable<Placement>): boolean {
  for (const { phase, instance } of placements) {
    if (phase === 'unknown' || (phase === 'stopping' && instance === undefined)) return true
  }
  return false
}

interface Compared {
  readonly listing: InstanceList
  readonly asked: Pick<Evidence, 'issuedMs' | 'settleMs' | 'tokens'>
}

/** The provider was listed first, and our records are read second: so nothing in the list can be newer than our records. */
function compare(at: StepContext, name: string, { listing, asked }: Compared): void {
  const { state } = at
  const seen = new Map(listing.instances.map((instance) => [instance.tag.attempt, instance]))
  const news = new Map<string, Answered[]>()
  for (const placement of state.ledger.on(name).values()) {
    const { slot, attempt } = placement.order.tag
    const instance = seen.get(attempt)
    if (instance === undefined && !listing.complete) continue
    const key = workloadKeyOf(placement)
    // A list shows it as up. Whether the next replica may be touched can depend on it.
    const isUp = instance?.state === 'up'
    if (isUp && (state.seenUp.take(placement, asked.issuedMs) || isPair(state, placement)))
      state.agenda.add(key, 'urgent')
    if (isAsKnown(placement, instance)) continue
    const about = news.get(key) ?? []
    news.set(key, about)
    about.push({ slot, attempt, outcome: { kind: 'seen', instance, from: 'list', ...asked } })
  }
  let isWhole = true
  for (const [key, about] of news) isWhole = takeEvidence(at, key, about) && isWhole
  // What was passed over came at a bad moment, and no other hint may follow.
  if (!isWhole && state.platform.providers.get(name)?.provider.can.watch === true) hinted(at, name, 'instances')
}

/** Whether another attempt of its slot lives beside it: which of them stays can depend on what is seen. */
function isPair({ ledger }: StepContext['state'], placement: Placement): boolean {
  const record = ledger.record(workloadKeyOf(placement))
  return record !== undefined && livingOf(record, placement.order.tag.slot).length > 1
}

/** The usual case, told without any work: it runs, and is shown running as before. */
function isAsKnown({ phase, instance, healthy, checkpointMs }: Placement, seen: Instance | undefined): boolean {
  if (phase !== 'running' || seen === undefined || seen.state !== 'up') return false
  return (
    seen.instance === instance &&
    seen.healthy === healthy &&
    (seen.checkpointMs ?? checkpointMs) === checkpointMs &&
    seen.ports === undefined
  )
}
