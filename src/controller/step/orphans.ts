import type { NewEvent } from '../../core/event/event.ts'
import { EVERYWHERE } from '../../core/life/rows.ts'
import type { Tag } from '../../core/life/call/order.ts'
import type { InstanceList } from '../../ports/provider.ts'
import type { Found, ListAnswer } from './event.ts'
import { nextId, type OpenAsk, type Orphan, type StepContext } from './state.ts'
import { commit } from './write.ts'

/** How many reported orphans are remembered. */
const ORPHANS_TOLD = 10_000

/**
 * An instance with our tag that no placement owns is stopped. The store itself is asked, not memory. It never gives up. An
 * instance that has ended by itself costs nothing, and may be listed for as long as the provider likes.
 */
export function sweep(at: StepContext, provider: string, { instances }: InstanceList): void {
  const { state, out } = at
  const { owner } = state.begin
  const strange = instances.filter(({ tag, state: is }) => tag.owner === owner && is !== 'ended' && !isOurs(at, tag))
  for (const { tag, instance } of strange) {
    const orphan: Orphan = { provider, ref: { tag, instance } }
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
  const { state, wallMs, out } = at
  const { provider, ref } = orphan
  const { project, workload, attempt } = ref.tag
  state.orphans++
  const facts = { provider, instance: ref.instance }
  out.logs.push({ level: 'warn', text: 'stopping an orphan', facts: { ...facts, attempt } })
  if (state.toldOrphans.has(attempt)) return stopOrphan(at, orphan)
  if (state.toldOrphans.size >= ORPHANS_TOLD) state.toldOrphans.clear()
  state.toldOrphans.add(attempt)
  const event: NewEvent = { atMs: wallMs, project, subject: `workload/${workload}`, kind: 'orphan', facts }
  state.endingAfter.set(commit(at, { key: undefined, writes: [], events: [event] }), orphan)
}

export function stopOrphan({ state, out }: StepContext, orphan: Orphan): void {
  const id = nextId(state)
  state.calls.set(id, { about: 'orphan', name: nameOf(orphan) })
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
  out.asks.push({ id, kind: 'told', provider })
}

function reachFound(at: StepContext, ask: Extract<OpenAsk, { about: 'reach' }>, answer: Found): void {
  const { provider, reach } = ask
  if (answer.kind !== 'told') return void at.state.toldDown.delete(provider)
  const { last } = answer
  if ((last?.isDown === true) === reach.isDown) return
  const { wallMs: atMs } = at
  const { class: fault = '', message = '' } = reach.lastFault ?? {}
  const told = reach.isDown
    ? { kind: 'provider-down' as const, facts: { class: fault, message } }
    : { kind: 'provider-up' as const, facts: { down_ms: Math.max(0, atMs - (last?.atMs ?? atMs)) } }
  const event: NewEvent = { atMs, project: EVERYWHERE, subject: `provider/${provider}`, ...told }
  commit(at, { key: undefined, writes: [], events: [event] })
}

/** A provider that is being removed is removed once nothing of ours can be there: by our rows, and by its own list. */
export function letGo({ state, out }: StepContext, provider: string, { instances, complete }: InstanceList): void {
  if (state.platform.providers.get(provider)?.state !== 'removing' || !complete) return
  const { owner } = state.begin
  const isEmpty =
    state.ledger.on(provider).size === 0 &&
    !instances.some(({ tag, state: is }) => tag.owner === owner && is !== 'ended')
  if (isEmpty) out.asks.push({ id: nextId(state), kind: 'let-go', provider })
}
