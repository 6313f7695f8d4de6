import type { Fault } from '../../core/life/call/fault.ts'
import type { CallAnswer, ListAnswer } from './event.ts'
import { workloadKeyOf } from './ledger.ts'
import type { ControllerState, OpenCall, StepContext } from './state.ts'

/** Faults that may mean that nothing answered. Anything else is an answer, and be it a refusal. */
const SILENCE: ReadonlySet<Fault['class']> = new Set(['TRANSIENT', 'AMBIGUOUS'])

export function isSilence(fault: Pick<Fault, 'class'>): boolean {
  return SILENCE.has(fault.class)
}

/** A list that was requested at that time was not answered. Its provider is silent since the first of them, once it is down. */
export function notHeard(at: StepContext, provider: string, { issuedMs, isDown }: ListAnswer): void {
  const { silent, unheard, heardMs } = at.state
  // It may have answered something else since.
  const sinceMs = unheard.get(provider) ?? Math.max(issuedMs, heardMs.get(provider) ?? 0)
  unheard.set(provider, sinceMs)
  if (!isDown || silent.has(provider)) return
  silent.set(provider, sinceMs)
  wakeThere(at, provider)
}

/** Any answer ends the silence of its provider. */
export function heard(at: StepContext, call: OpenCall, reply: CallAnswer | undefined): void {
  const { state, nowMs } = at
  if (reply === undefined || reply.kind === 'withheld') return
  const { answer } = reply
  const provider = answer.ok || !isSilence(answer.fault) ? providerOf(state, call) : undefined
  if (provider === undefined) return
  state.heardMs.set(provider, nowMs)
  state.unheard.delete(provider)
  if (state.silent.delete(provider)) wakeThere(at, provider)
}

function providerOf({ ledger }: ControllerState, call: OpenCall): string | undefined {
  if (call.about === 'orphan') return call.orphan.provider
  if (call.about !== 'slot') return call.provider
  const [first] = call.slots
  const placement = ledger.record(call.key)?.placements.get(first?.slot ?? '')
  return placement?.order.tag.attempt === first?.attempt ? placement?.order.place.provider : undefined
}

function wakeThere({ state }: StepContext, provider: string): void {
  for (const placement of state.ledger.on(provider).values()) state.agenda.add(workloadKeyOf(placement), 'urgent')
}
