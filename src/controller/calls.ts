import { readDescribed, readGroup, readLaunched, readListing, readStopped } from '../core/life/call/check-reply.ts'
import type { Order, Tag } from '../core/life/call/order.ts'
import type { Withheld } from '../core/life/settle.ts'
import { secretsNeeded, storageSecrets } from '../core/manifest/secret-names.ts'
import { workloadKey } from '../core/life/workload.ts'
import type { LaunchCall } from '../ports/provider.ts'
import type { Secret } from '../ports/secret.ts'
import { secretsFor, type FoundSecrets } from '../service/secrets.ts'
import type { ProviderGate } from './provider-gate.ts'
import { readInventory } from './provider-offers.ts'
import type { Leadership } from './leadership.ts'
import type { CallAnswer, StepCall } from './step/event.ts'

/** Why a launch is withheld; undefined: the secrets could not be read. */
function withheldBy(found: NoSecrets | undefined): Pick<Withheld, 'code' | 'text'> {
  const [first] = found?.problems ?? []
  if (first === undefined) return { code: 'SECRET_UNREAD', text: 'its secrets cannot be read now; Berth tries again' }
  const code = first.code === 'SECRET_RESERVED' ? first.code : 'SECRET_MISSING'
  const said = found?.problems.map(({ message }) => message).join(' ') ?? ''
  return { code, text: first.hint === undefined ? said : `${said} ${first.hint}` }
}

type NoSecrets = Extract<FoundSecrets, { problems: unknown }>

type Launch = Extract<StepCall, { kind: 'launch' }>
type GroupLaunch = Extract<StepCall, { kind: 'group' }>
type SlotCall = Extract<StepCall, { kind: 'describe' | 'stop' }>

/** What is asked about an attempt right before its call. */
interface Wanted {
  /** Whether exactly this attempt is still to be launched. */
  readonly isLaunchWanted: (tag: Tag) => boolean
  /** Whether exactly this attempt still has a place that its workload wants. */
  readonly isPlaceWanted: (tag: Tag) => boolean
}

/** Makes the calls to providers that steps request. */
export class Caller {
  readonly #leadership: Leadership
  readonly #wanted: Wanted

  constructor(leadership: Leadership, wanted: Wanted) {
    this.#leadership = leadership
    this.#wanted = wanted
  }

  /** The answer; undefined: the call was not made. Never rejects. */
  async answerOf(call: StepCall): Promise<CallAnswer | undefined> {
    const answer = await this.#answerOf(call)
    const { scrub } = this.#leadership.deps
    return answer === undefined || scrub === undefined ? answer : scrubbed(answer, scrub)
  }

  async #answerOf(call: StepCall): Promise<CallAnswer | undefined> {
    const provider = this.#leadership.deps.platform().providers.get(call.provider)?.provider
    if (provider === undefined) return undefined
    const gate = this.#leadership.gates.of(provider)
    switch (call.kind) {
      case 'launch':
        return this.#launch(call, gate)
      case 'group':
        return this.#launchGroup(call, gate)
      case 'describe':
        return this.#describe(call, gate)
      case 'stop':
        return this.#stop(call, gate)
      case 'list':
        return this.#list(gate)
      case 'offers':
        return this.#offers(gate)
    }
  }

  /** A launch that is no longer wanted is not made: a reserved slot has nothing to stop, and an unknown one is stopped. */
  async #launch({ order }: Launch, gate: ProviderGate): Promise<CallAnswer | undefined> {
    const found = await this.#secretsOf(order)
    // No provider is called while a secret is missing.
    if (found === undefined || 'problems' in found) return { kind: 'withheld', ...withheldBy(found) }
    const answer = await gate.call({
      what: 'launch',
      whose: whoseOf(order.tag),
      mayCall: () => this.#leadership.holds() && this.#wanted.isLaunchWanted(order.tag),
      run: (call) => gate.provider.launch(order, { ...call, ...found }),
      read: readLaunched,
    })
    return answer && { kind: 'launch', answer }
  }

  /** All of a gang or none of it. */
  async #launchGroup({ orders }: GroupLaunch, gate: ProviderGate): Promise<CallAnswer | undefined> {
    const [first] = orders
    if (first === undefined) return undefined
    const { tag } = first
    const found = await this.#secretsOf(first)
    if (found === undefined || 'problems' in found) return { kind: 'withheld', ...withheldBy(found) }
    const answer = await gate.call({
      what: 'launch',
      whose: whoseOf(tag),
      mayCall: () => this.#leadership.holds() && orders.every((order) => this.#wanted.isPlaceWanted(order.tag)),
      run: (call) => gate.provider.launchGroup?.(orders, { ...call, ...found }) ?? NO_GROUPS,
      read: (value) => readGroup(value, orders.length),
    })
    return answer && { kind: 'group', answer }
  }

  /** Those of the workload, and apart from them those of its storage; undefined: they cannot be read now. */
  async #secretsOf(order: Order): Promise<Pick<LaunchCall, 'secrets' | 'storageSecrets'> | NoSecrets | undefined> {
    const names = secretsNeeded(order)
    const found = await secretsFor(this.#leadership.deps, order.tag, names).catch(() => undefined)
    if (found === undefined || 'problems' in found) return found
    const pick = (wanted: readonly string[]): ReadonlyMap<string, Secret> =>
      new Map([...found.secrets].filter(([name]) => wanted.includes(name)))
    return { secrets: pick(order.secrets), storageSecrets: pick(storageSecrets(order.storage)) }
  }

  async #stop({ ref }: SlotCall, gate: ProviderGate): Promise<CallAnswer | undefined> {
    const answer = await gate.call({
      what: 'stop',
      whose: whoseOf(ref.tag),
      mayCall: () => this.#leadership.holds(),
      run: (call) => gate.provider.stop(ref, call),
      read: readStopped,
    })
    return answer && { kind: 'stop', answer }
  }

  async #describe({ ref }: SlotCall, gate: ProviderGate): Promise<CallAnswer | undefined> {
    const answer = await gate.call({
      what: 'describe',
      whose: whoseOf(ref.tag),
      mayCall: () => this.#leadership.holds(),
      run: (call) => gate.provider.describe(ref, call),
      read: readDescribed,
    })
    return answer && { kind: 'describe', answer }
  }

  async #list(gate: ProviderGate): Promise<CallAnswer | undefined> {
    let issuedMs = this.#leadership.nowMs()
    const wasDown = gate.isDown
    const answer = await gate.call({
      what: 'list',
      mayCall: () => !this.#leadership.isOver,
      run: (call) => {
        issuedMs = this.#leadership.nowMs()
        return gate.provider.list(this.#leadership.deps.owner, call)
      },
      read: readListing,
    })
    const { isDown, lastFault } = gate.state
    const fault = lastFault && { class: lastFault.class, message: lastFault.message }
    return answer && { kind: 'list', answer, issuedMs, wasDown, isDown, lastFault: fault }
  }

  async #offers(gate: ProviderGate): Promise<CallAnswer | undefined> {
    const { provider } = gate
    const answer = await gate.call({
      what: 'offers',
      mayCall: () => !this.#leadership.isOver,
      run: (call) => provider.offers(call),
      read: (value) => readInventory(value, provider.name),
    })
    return answer && { kind: 'offers', answer }
  }
}

/** What a provider complains of may quote what it was given. */
function scrubbed(reply: CallAnswer, scrub: (text: string) => string): CallAnswer {
  if (!('answer' in reply)) return reply
  const lastFault = 'lastFault' in reply ? reply.lastFault : undefined
  const last = lastFault && { lastFault: { ...lastFault, message: scrub(lastFault.message) } }
  if (reply.answer.ok) return { ...reply, ...last }
  const { fault } = reply.answer
  return { ...reply, ...last, answer: { ok: false, fault: { ...fault, message: scrub(fault.message) } } }
}

/** A provider that says that it takes groups, and has no method for it. */
const NO_GROUPS = Promise.resolve({
  ok: false,
  fault: { class: 'BAD_REQUEST', message: 'it cannot start a gang with one call' },
} as const)

function whoseOf({ project, workload }: Tag): string {
  return workloadKey({ project, name: workload })
}
