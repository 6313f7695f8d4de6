import { NOTHING, type Change, type WorkloadRecord } from '../core/life/change.ts'
import { readDescribed, readGroup, readLaunched, readStopped } from '../core/life/call/check-reply.ts'
import type { Tag } from '../core/life/call/order.ts'
import type { Placement } from '../core/life/placement.ts'
import type { PlacementCall } from '../core/life/due-calls.ts'
import { isStillWanted } from '../core/life/reconcile.ts'
import {
  settleLaunch,
  settleMate,
  settleStop,
  settleWithheld,
  type Moment,
  type Withheld,
} from '../core/life/settle.ts'
import { see, type Evidence } from '../core/life/evidence.ts'
import { workloadKey } from '../core/life/workload.ts'
import { secretsFor, type FoundSecrets } from '../service/secrets.ts'
import type { ProviderGate } from './provider-gate.ts'
import type { Ledger } from './ledger.ts'
import type { Leadership } from './leadership.ts'
import type { Answer, Described, InstanceRef } from '../ports/provider.ts'

/** How to apply an answer once it is the workload's turn. */
export type Settle = (record: WorkloadRecord, placement: Placement) => Change | 'look'

/** Why a launch is withheld; undefined: the secrets could not be read. */
function withheldBy(found: Extract<FoundSecrets, { problems: unknown }> | undefined): Pick<Withheld, 'code' | 'text'> {
  const [first] = found?.problems ?? []
  if (first === undefined) return { code: 'SECRET_UNREAD', text: 'its secrets cannot be read now; Berth tries again' }
  const code = first.code === 'SECRET_RESERVED' ? first.code : 'SECRET_MISSING'
  const said = found?.problems.map(({ message }) => message).join(' ') ?? ''
  return { code, text: first.hint === undefined ? said : `${said} ${first.hint}` }
}

/** Applies a description that was requested by name; there is nothing more to look for then. */
function describedSettle(
  answer: Extract<Answer<Described>, { ok: true }>,
  about: Omit<Evidence, 'instance' | 'from'>,
): Settle {
  const instance = answer.value.state === 'absent' ? undefined : answer.value
  return (record, placement) => {
    const change = see(record, placement, { ...about, instance, from: 'describe' })
    return change === 'look' ? NOTHING : change
  }
}

/** How a provider finds a placement. */
function refOf({ order, instance }: Placement): InstanceRef {
  return { tag: order.tag, instance }
}

/** Makes the calls about placements. */
export class Caller {
  readonly #leadership: Leadership
  readonly #ledger: Ledger
  /** When a slot was last described, and when it was last said to be starting; by workload and slot. */
  readonly looked = new Map<string, number>()
  readonly starting = new Map<string, number>()

  constructor(leadership: Leadership, ledger: Ledger) {
    this.#leadership = leadership
    this.#ledger = ledger
  }

  /** How to apply the answer to each of them: one placement, or a gang that is launched as a whole, by rank. */
  async answersOf(
    kind: PlacementCall['kind'],
    placements: readonly Placement[],
    gate: ProviderGate,
  ): Promise<readonly (Settle | undefined)[]> {
    const [first, ...mates] = placements
    if (first === undefined) return []
    return mates.length === 0 ? [await this.answerOf(kind, first, gate)] : this.#launchGroup(placements, gate)
  }

  /** How to apply the answer; undefined: nothing to apply, or the call was not made. */
  async answerOf(kind: PlacementCall['kind'], placement: Placement, gate: ProviderGate): Promise<Settle | undefined> {
    switch (kind) {
      case 'launch':
        return this.#launch(placement, gate)
      case 'describe':
        return this.#describe(placement, gate)
      case 'stop':
        return this.#stop(placement, gate)
    }
  }

  /** A launch that is no longer wanted is not made: a reserved slot has nothing to stop, and an unknown one is stopped. */
  async #launch({ order }: Placement, gate: ProviderGate): Promise<Settle | undefined> {
    const found = await secretsFor(this.#leadership.deps, order.tag.project, order.secrets).catch(() => undefined)
    // No provider is called while a secret is missing.
    if (found === undefined || 'problems' in found) {
      const withheld = withheldBy(found)
      return (record, placement) => settleWithheld(record, placement, { ...withheld, ...this.#moment() })
    }
    const answer = await gate.call({
      what: 'launch',
      whose: whoseOf(order.tag),
      mayCall: () => this.#leadership.holds() && this.#isWanted(order.tag),
      run: (call) => gate.provider.launch(order, { ...call, secrets: found.secrets }),
      read: readLaunched,
    })
    if (answer === undefined) return undefined
    return (record, placement) => settleLaunch(record, placement, { answer, ...this.#moment() })
  }

  /** All of a gang or none of it. A fault is accounted for once, with the first member. */
  async #launchGroup(placements: readonly Placement[], gate: ProviderGate): Promise<readonly (Settle | undefined)[]> {
    const orders = placements.map(({ order }) => order)
    const [first] = orders
    if (first === undefined) return []
    const { tag, secrets } = first
    const found = await secretsFor(this.#leadership.deps, tag.project, secrets).catch(() => undefined)
    if (found === undefined || 'problems' in found) {
      const withheld = withheldBy(found)
      return orders.map(() => (record, now) => settleWithheld(record, now, { ...withheld, ...this.#moment() }))
    }
    const answer = await gate.call({
      what: 'launch',
      whose: whoseOf(tag),
      mayCall: () => this.#leadership.holds() && orders.every((order) => this.#isPlaced(order.tag)),
      run: (call) => gate.provider.launchGroup?.(orders, { ...call, secrets: found.secrets }) ?? NO_GROUPS,
      read: (value) => readGroup(value, orders.length),
    })
    if (answer === undefined) return []
    return orders.map((_, rank): Settle => {
      const value = answer.ok ? answer.value[rank] : undefined
      const own = answer.ok ? value && { ok: true as const, value } : answer
      const settle = rank === 0 ? settleLaunch : settleMate
      return (record, now) => (own === undefined ? NOTHING : settle(record, now, { answer: own, ...this.#moment() }))
    })
  }

  async #stop(placement: Placement, gate: ProviderGate): Promise<Settle | undefined> {
    const answer = await gate.call({
      what: 'stop',
      whose: whoseOf(placement.order.tag),
      mayCall: () => this.#leadership.holds(),
      run: (call) => gate.provider.stop(refOf(placement), call),
      read: readStopped,
    })
    if (answer === undefined) return undefined
    return (record, now) => settleStop(record, now, { answer, ...this.#moment() })
  }

  async #describe(placement: Placement, gate: ProviderGate): Promise<Settle | undefined> {
    const { tag } = placement.order
    const issuedMs = this.#leadership.nowMs()
    const answer = await gate.call({
      what: 'describe',
      whose: whoseOf(placement.order.tag),
      mayCall: () => this.#leadership.holds(),
      run: (call) => gate.provider.describe(refOf(placement), call),
      read: readDescribed,
    })
    this.looked.set(`${tag.project}/${tag.workload}/${tag.slot}`, this.#leadership.nowMs())
    if (answer === undefined || !answer.ok) return undefined
    if (answer.value.state === 'starting' || answer.value.state === 'queued')
      this.starting.set(`${tag.project}/${tag.workload}/${tag.slot}`, issuedMs)
    const { settleMs, tokens } = gate.provider.can
    return describedSettle(answer, { issuedMs, settleMs, tokens, ...this.#moment() })
  }

  /** Whether exactly this attempt is still to be launched. */
  #isWanted(tag: Tag): boolean {
    const record = this.#ledger.record(whoseOf(tag))
    const placement = record?.placements.get(tag.slot)
    if (record === undefined || placement?.order.tag.attempt !== tag.attempt) return false
    const { phase } = placement
    return (phase === 'reserved' || phase === 'unknown') && this.#isPlaced(tag)
  }

  /** Whether exactly this attempt still has a place that its workload wants. */
  #isPlaced(tag: Tag): boolean {
    const record = this.#ledger.record(whoseOf(tag))
    const placement = record?.placements.get(tag.slot)
    if (record === undefined || placement?.order.tag.attempt !== tag.attempt) return false
    const { phase } = placement
    try {
      return phase !== 'stopping' && phase !== 'gone' && isStillWanted(record, placement)
    } catch {
      // An invalid workload is set aside when its turn comes.
      return false
    }
  }

  #moment(): Moment {
    return { nowMs: this.#leadership.nowMs(), chance: this.#leadership.deps.random.next() }
  }
}

/** A provider that says that it takes groups, and has no method for it. */
const NO_GROUPS = Promise.resolve({
  ok: false,
  fault: { class: 'BAD_REQUEST', message: 'it cannot start a gang with one call' },
} as const)

function whoseOf({ project, workload }: Tag): string {
  return workloadKey({ project, name: workload })
}
