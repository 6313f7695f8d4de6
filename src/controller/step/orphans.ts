import type { NewEvent } from '../../core/event/event.ts'
import type { FactsOf } from '../../core/event/kinds.ts'
import { billKey, strayBillOf } from '../../core/life/bill.ts'
import { EVERYWHERE } from '../../core/life/rows.ts'
import type { Tag } from '../../core/life/call/order.ts'
import type { InstanceList } from '../../ports/provider.ts'
import type { Write } from '../../ports/store.ts'
import type { CallAnswer, Found, ListAnswer } from './event.ts'
import { nextId, type OpenAsk, type Orphan, type StepContext } from './state.ts'
import { commit } from './write.ts'

/** How many reported orphans are remembered. */
const ORPHANS_TOLD = 10_000

/** How many complete lists in a row must lack an orphan that counts as ended: one list may be hollow. */
const LISTS_WITHOUT = 2

/**
 * An instance with our tag that no placement owns is stopped. The store itself is asked, not memory. It never gives up. An
 * instance that has ended by itself costs nothing, and may be listed for as long as the provider likes.
 */
export function sweep(at: StepContext, provider: string, { instances }: InstanceList): void {
  const { state, out } = at
  const { owner } = state.begin
  const strange = instances.filter(({ tag, state: is }) => tag.owner === owner && is !== 'ended' && !isOurs(at, tag))
  for (const { tag, instance, usdPerHour } of strange) {
    const orphan: Orphan = { provider, ref: { tag, instance }, usdPerHour }
    if (state.ending.has(nameOf(orphan))) continue
    state.ending.add(nameOf(orphan))
    const id = nextId(state)
    state.asks.set(id, { about: 'orphan', orphan })
    out.asks.push({ id, kind: 'placement', provider, tag })
  }
}

function isOurs({ state }: StepContext, { project, workload, slot, attempt }: Tag): boolean {
  const placement = state.ledger.record(`${project}/${workload}`)?.placements.get(slot)
  return placement !== undefined && placement.order.tag.attempt === attempt && placement.phase !== 'gone'
}

function nameOf({ provider, ref }: Orphan): string {
  return `${provider}/${ref.instance}`
}

/** The store answered a question. */
export function found(at: StepContext, ask: OpenAsk, answer: Found): void {
  if (ask.about === 'reach') return reachFound(at, ask, answer)
  if (ask.about === 'drain') return drainFound(at, ask.provider, answer)
  const { orphan } = ask
  if (answer.kind === 'placement' && !isOwned(at, orphan.ref.tag, answer.row)) endOrphan(at, orphan)
  else at.state.ending.delete(nameOf(orphan))
}

/** A placement without its workload owns nothing; one that cannot be read owns whatever carries its name. */
function isOwned({ state }: StepContext, tag: Tag, row: Extract<Found, { kind: 'placement' }>['row']): boolean {
  const owner = `${tag.project}/${tag.workload}`
  if (state.ledger.isBroken(owner)) return true
  if (state.ledger.record(owner) === undefined) return false
  return row !== undefined && row.attempt === tag.attempt && row.phase !== 'gone'
}

/** Reported once each; the stop is repeated until the instance is gone. */
function endOrphan(at: StepContext, orphan: Orphan): void {
  const { state, nowMs, wallMs, out } = at
  const { provider, ref } = orphan
  const { project, workload, attempt } = ref.tag
  state.orphans++
  const facts = { provider, instance: ref.instance, attempt }
  out.logs.push({ level: 'warn', text: 'stopping an orphan', facts })
  if (state.toldOrphans.has(attempt)) return stopOrphan(at, orphan)
  if (state.toldOrphans.size >= ORPHANS_TOLD) state.toldOrphans.clear()
  state.toldOrphans.set(attempt, { orphan, seenMs: nowMs, missed: 0 })
  const subject = `workload/${workload}` as const
  const event: NewEvent = { atMs: wallMs, project, subject, kind: 'orphan', facts: factsOf(orphan) }
  state.endingAfter.set(commit(at, { key: undefined, writes: [], events: [event] }), orphan)
}

function factsOf({ provider, ref: { instance, tag }, usdPerHour }: Orphan): FactsOf<'orphan'> {
  const { slot, epoch, attempt } = tag
  return { provider, instance, slot, epoch, attempt, ...(usdPerHour !== undefined && { usd_per_hour: usdPerHour }) }
}

/** What a list shows of orphans that were reported: they have ended, or are not there any more. */
export function listedOrphans(at: StepContext, provider: string, { instances, complete }: InstanceList): void {
  const { toldOrphans } = at.state
  if (toldOrphans.size === 0) return
  const shown = new Map(instances.map(({ tag, state }) => [tag.attempt, state]))
  for (const [attempt, told] of toldOrphans) {
    if (told.orphan.provider !== provider || told.missed === Infinity) continue
    const is = shown.get(attempt)
    const missed = is === undefined && complete ? told.missed + 1 : 0
    toldOrphans.set(attempt, { ...told, missed })
    if (is === 'ended' || missed >= LISTS_WITHOUT) orphanEnded(at, attempt)
  }
}

/** A call to stop it was answered. */
export function orphanAnswered(
  at: StepContext,
  { orphan }: { readonly orphan: Orphan },
  reply: CallAnswer | undefined,
) {
  at.state.ending.delete(nameOf(orphan))
  if (reply?.kind === 'stop' && reply.answer.ok && reply.answer.value.gone) orphanEnded(at, orphan.ref.tag.attempt)
}

/** Reported once, though a late list may show it again. */
function orphanEnded(at: StepContext, attempt: string): void {
  const { state, nowMs, wallMs } = at
  const told = state.toldOrphans.get(attempt)
  if (told === undefined || told.missed === Infinity) return
  state.toldOrphans.set(attempt, { ...told, missed: Infinity })
  const { project, workload } = told.orphan.ref.tag
  const took = Math.max(0, nowMs - told.seenMs)
  const { provider, ref, usdPerHour } = told.orphan
  const seen = { instance: ref.instance ?? '', fromMs: wallMs - took, toMs: wallMs }
  const bill = strayBillOf({ tag: ref.tag, provider, usdPerHour, ...seen })
  const facts = { ...factsOf(told.orphan), took_ms: took }
  const subject = `workload/${workload}` as const
  const event: NewEvent = { atMs: wallMs, project, subject, kind: 'orphan-ended', facts }
  const writes: readonly Write[] = bill === undefined ? [] : [{ kind: 'bill', key: billKey(bill), body: bill }]
  commit(at, { key: undefined, writes, events: [event] })
}

export function stopOrphan({ state, out }: StepContext, orphan: Orphan): void {
  const id = nextId(state)
  state.calls.set(id, { about: 'orphan', orphan })
  out.calls.push({ id, provider: orphan.provider, kind: 'stop', ref: orphan.ref })
}

/** A provider that stops answering, or answers again, is reported once, even if the leader changes. */
export function tellOfReach(
  { state, out }: StepContext,
  provider: string,
  reach: Pick<ListAnswer, 'isDown' | 'lastFault'>,
): void {
  if (state.toldDown.get(provider) === reach.isDown) return
  state.toldDown.set(provider, reach.isDown)
  const id = nextId(state)
  state.asks.set(id, { about: 'reach', provider, reach })
  out.asks.push({ id, kind: 'told', provider, kinds: ['provider-down', 'provider-up'] })
}

function reachFound(at: StepContext, ask: Extract<OpenAsk, { about: 'reach' }>, answer: Found): void {
  const { provider, reach } = ask
  if (answer.kind !== 'told') return void at.state.toldDown.delete(provider)
  const { last } = answer
  if ((last?.kind === 'provider-down') === reach.isDown) return
  const { wallMs: atMs } = at
  const told = reach.isDown
    ? { kind: 'provider-down' as const, facts: faultFacts(reach.lastFault) }
    : { kind: 'provider-up' as const, facts: { down_ms: Math.max(0, atMs - (last?.atMs ?? atMs)) } }
  const event: NewEvent = { atMs, project: EVERYWHERE, subject: `provider/${provider}`, ...told }
  commit(at, { key: undefined, writes: [], events: [event] })
}

function faultFacts(fault: ListAnswer['lastFault']): FactsOf<'provider-down'> {
  return fault === undefined ? { message: '' } : { class: fault.class, message: fault.message }
}

/**
 * Once nothing of ours can be there, by our rows and by its own list, a provider that is being drained is drained, and one
 * that is being removed is removed.
 */
export function letGo({ state, out }: StepContext, provider: string, { instances, complete }: InstanceList): void {
  const wanted = state.platform.providers.get(provider)?.state
  if (wanted !== 'draining') state.toldDrained.delete(provider)
  if ((wanted !== 'removing' && wanted !== 'draining') || !complete || state.toldDrained.has(provider)) return
  const { owner } = state.begin
  const isEmpty =
    state.ledger.on(provider).size === 0 &&
    !instances.some(({ tag, state: is }) => tag.owner === owner && is !== 'ended')
  if (!isEmpty) return
  const id = nextId(state)
  if (wanted === 'removing') return void out.asks.push({ id, kind: 'let-go', provider })
  state.toldDrained.add(provider)
  state.asks.set(id, { about: 'drain', provider })
  out.asks.push({ id, kind: 'told', provider, kinds: ['provider-state', 'provider-drained'] })
}

/** Reported once for each drain, even if the leader changes. */
function drainFound(at: StepContext, provider: string, answer: Found): void {
  if (answer.kind !== 'told') return void at.state.toldDrained.delete(provider)
  const { last } = answer
  if (last?.kind === 'provider-drained') return
  const { wallMs: atMs } = at
  const facts = last === undefined ? {} : { took_ms: Math.max(0, atMs - last.atMs) }
  const event: NewEvent = {
    atMs,
    project: EVERYWHERE,
    subject: `provider/${provider}`,
    kind: 'provider-drained',
    facts,
  }
  commit(at, { key: undefined, writes: [], events: [event] })
}
