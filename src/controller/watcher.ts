import { aboutMs } from '../core/base/backoff.ts'
import { readListing, readStopped } from '../core/life/call/check-reply.ts'
import type { Instance } from '../core/life/call/instance.ts'
import type { Tag } from '../core/life/call/order.ts'
import type { Placement } from '../core/life/placement.ts'
import { see, type Evidence } from '../core/life/evidence.ts'
import type { InstanceList } from '../ports/provider.ts'
import { ENOUGH } from '../ports/timers.ts'
import { EVERYWHERE } from '../service/platform-rows.ts'
import { forgetRemoved } from '../service/providers.ts'
import type { ProviderGate } from './provider-gate.ts'
import { workloadKeyOf, type Ledger } from './ledger.ts'
import type { Capacity } from './capacity.ts'
import { readInventory } from './provider-offers.ts'
import type { Leadership } from './leadership.ts'
import type { Answered, Reconciler } from './reconciler.ts'

/** No provider's offers are read more often than this. */
const OFFERS_APART_MS = 1000

/** How many reported orphans are remembered, and how many events of a provider are searched for the last of its kind. */
const ORPHANS_TOLD = 10_000
const PROVIDER_EVENTS = 100

/** Of what kind a list is. */
type Asked = Pick<Evidence, 'issuedMs' | 'settleMs' | 'tokens'>

interface Watching {
  readonly ledger: Ledger
  readonly capacity: Capacity
  readonly work: Reconciler
}

/** Reads the instances and offers of every provider continuously, and stops instances of ours that belong to no record. */
export class Watcher {
  readonly #leadership: Leadership
  readonly #ledger: Ledger
  readonly #capacity: Capacity
  readonly #work: Reconciler
  /** Running loops. */
  readonly #watched = new Set<string>()
  readonly #states = new Map<string, string>()
  /** Providers that wait between two reads of their offers: when they were read, and how to cut the wait short. */
  readonly #naps = new Map<string, { readonly askedMs: number; readonly wake: () => void }>()
  /** Orphans, and whether providers are down, as reported by this leader. */
  readonly #toldOrphans = new Set<string>()
  readonly #toldDown = new Map<string, boolean>()
  #isBegun = false
  orphans = 0

  constructor(leadership: Leadership, { ledger, capacity, work }: Watching) {
    this.#leadership = leadership
    this.#ledger = ledger
    this.#capacity = capacity
    this.#work = work
  }

  /** Starts watching new providers, and wakes the workloads there when one opens, closes or is drained. */
  start(): void {
    const { providers } = this.#leadership.deps.platform()
    for (const name of this.#states.keys()) if (!providers.has(name)) this.#states.set(name, 'unconfigured')
    for (const [name, { state }] of providers) {
      this.#follow(name, state)
      this.#begin(`${name} list`, () => this.#listing(name))
      this.#begin(`${name} offers`, () => this.#stocking(name))
    }
    this.#isBegun = true
    if (this.#work.isAnyWaiting) this.#lookWhereRoomIs()
  }

  /**
   * Each loop ends by itself when its provider is no longer configured, though not at the same moment. Each is also started
   * again by itself when the provider is back.
   */
  #begin(loop: string, watch: () => Promise<void>): void {
    if (this.#watched.has(loop)) return
    this.#watched.add(loop)
    const over = (): boolean => this.#watched.delete(loop)
    void watch().then(over, (error: unknown) => {
      // A bug about one provider ends the watch of that provider, which is started again at the next look.
      this.#leadership.deps.log.error('a provider could not be watched', { watch: loop, why: String(error) })
      over()
    })
  }

  /** Workloads that wait for room need not wait for the next regular read of a provider where something has just ended. */
  #lookWhereRoomIs(): void {
    for (const name of this.#capacity.freed) {
      const nap = this.#naps.get(name)
      if (nap !== undefined && this.#leadership.nowMs() >= nap.askedMs + OFFERS_APART_MS) nap.wake()
    }
  }

  #follow(name: string, state: string): void {
    const before = this.#states.get(name)
    if (before === state) return
    this.#states.set(name, state)
    // At first everything is looked at anyway. A provider that comes later may hold work that could not be checked before.
    if (before === undefined && !this.#isBegun) return
    for (const placement of this.#ledger.on(name).values()) this.#work.look(workloadKeyOf(placement))
    this.#work.lookAtPending()
  }

  #gate(name: string): ProviderGate | undefined {
    const record = this.#leadership.deps.platform().providers.get(name)
    return record === undefined || this.#leadership.isOver ? undefined : this.#leadership.gates.of(record.provider)
  }

  async #listing(name: string): Promise<void> {
    for (let gate = this.#gate(name); gate !== undefined; gate = this.#gate(name)) {
      await this.#list(name, gate)
      const { pollMs } = gate.provider.can
      const waitMs = this.#isUnclear(name) ? Math.min(pollMs, this.#leadership.tuning.unclearPollMs) : pollMs
      await this.#leadership.deps.timers.sleep(aboutMs(waitMs, 0.1, this.#leadership.deps.random.next()))
    }
  }

  async #stocking(name: string): Promise<void> {
    for (let gate = this.#gate(name); gate !== undefined; gate = this.#gate(name)) {
      const { provider } = gate
      const askedMs = this.#leadership.nowMs()
      const answer = await gate.call({
        what: 'offers',
        mayCall: () => !this.#leadership.isOver,
        run: (call) => provider.offers(call),
        read: (value) => readInventory(value, name),
      })
      if (this.#leadership.isOver) return
      if (answer?.ok === true && this.#capacity.stocked(name, answer.value, askedMs)) this.#newStock()
      const freshMs = answer?.ok === true ? answer.value.freshMs : 5000
      const nap = new AbortController()
      this.#naps.set(name, { askedMs, wake: () => nap.abort(ENOUGH) })
      const waitMs = aboutMs(Math.max(OFFERS_APART_MS, freshMs), 0.1, this.#leadership.deps.random.next())
      await this.#leadership.deps.timers.sleep(waitMs, nap.signal)
      this.#naps.delete(name)
    }
  }

  #newStock(): void {
    this.#work.lookAtPending()
    this.#leadership.poke()
  }

  /** Whether only a list can tell what became of something there. */
  #isUnclear(name: string): boolean {
    for (const { phase, instance } of this.#ledger.on(name).values()) {
      if (phase === 'unknown' || (phase === 'stopping' && instance === undefined)) return true
    }
    return false
  }

  async #list(name: string, gate: ProviderGate): Promise<void> {
    const { provider } = gate
    const { owner } = this.#leadership.deps
    const wasDown = gate.isDown
    let issuedMs = this.#leadership.nowMs()
    const answer = await gate.call({
      what: 'list',
      mayCall: () => !this.#leadership.isOver,
      run: (call) => {
        issuedMs = this.#leadership.nowMs()
        return provider.list(owner, call)
      },
      read: readListing,
    })
    if (this.#leadership.isOver || answer === undefined) return
    if (wasDown !== gate.isDown) this.#newStock()
    // One failed call says neither that it is down nor that it is back.
    if (answer.ok || gate.isDown) void this.#tellOfReach(name, gate)
    if (!answer.ok) return
    const isComplete = answer.value.complete && provider.can.completeLists
    this.#compare(name, {
      listing: { ...answer.value, complete: isComplete },
      issuedMs,
      settleMs: provider.can.settleMs,
      tokens: provider.can.tokens,
    })
    await this.#sweep(answer.value, gate)
    await this.#letGo(name, answer.value)
  }

  /** The provider was listed first, and our records are read second: so nothing in the list can be newer than our records. */
  #compare(name: string, { listing, ...asked }: { readonly listing: InstanceList } & Asked): void {
    const seen = new Map(listing.instances.map((instance) => [instance.tag.attempt, instance]))
    const news = new Map<string, Answered[]>()
    for (const placement of this.#ledger.on(name).values()) {
      const instance = seen.get(placement.order.tag.attempt)
      if (instance === undefined && !listing.complete) continue
      if (instance?.state === 'up') this.#work.sawUp(placement, asked.issuedMs)
      if (isAsKnown(placement, instance)) continue
      const key = workloadKeyOf(placement)
      const about = news.get(key) ?? []
      news.set(key, about)
      about.push({ placement, settle: (record, now) => see(record, now, this.#evidenceOf(instance, asked)) })
    }
    for (const [key, about] of news) this.#work.evidence(key, about)
  }

  #evidenceOf(instance: Instance | undefined, asked: Asked): Evidence {
    const chance = this.#leadership.deps.random.next()
    return { instance, from: 'list', ...asked, nowMs: this.#leadership.nowMs(), chance }
  }

  /**
   * An instance with our tag that no placement owns is stopped. The store itself is asked, not memory. It never gives up. An
   * instance that has ended by itself costs nothing, and may be listed for as long as the provider likes.
   */
  async #sweep({ instances }: InstanceList, gate: ProviderGate): Promise<void> {
    const { owner } = this.#leadership.deps
    const strange = instances.filter(({ tag, state }) => tag.owner === owner && state !== 'ended' && !this.#isOurs(tag))
    await Promise.all(strange.map((instance) => this.#endOrphan(instance, gate)))
  }

  async #endOrphan({ instance, tag }: Instance, gate: ProviderGate): Promise<void> {
    const key = `${tag.project}/${tag.workload}/${tag.slot}`
    const row = await this.#leadership.deps.store.get('placement', key).catch(() => 'unknown' as const)
    if (row === 'unknown' || this.#leadership.isOver) return
    // A placement without its workload owns nothing; one that cannot be read owns whatever carries its name.
    const owner = `${tag.project}/${tag.workload}`
    if (this.#ledger.isBroken(owner)) return
    const isOwned = this.#ledger.record(owner) !== undefined
    if (isOwned && row?.body.order.tag.attempt === tag.attempt && row.body.phase !== 'gone') return
    await this.#tellOfOrphan(gate.provider.name, instance, tag)
    const mayCall = (): boolean => this.#leadership.holds()
    const run = gate.provider.stop.bind(gate.provider, { tag, instance })
    await gate.call({ what: 'stop', whose: owner, mayCall, run, read: readStopped })
  }

  /** Reported once each; the stop is repeated until the instance is gone. */
  async #tellOfOrphan(provider: string, instance: string, { project, workload, attempt }: Tag): Promise<void> {
    this.orphans++
    this.#leadership.deps.log.warn('stopping an orphan', { provider, instance, attempt })
    if (this.#toldOrphans.has(attempt)) return
    if (this.#toldOrphans.size >= ORPHANS_TOLD) this.#toldOrphans.clear()
    this.#toldOrphans.add(attempt)
    const facts = { provider, instance }
    const atMs = this.#leadership.deps.clock.nowMs()
    await this.#leadership.commit([], [{ atMs, project, subject: `workload/${workload}`, kind: 'orphan', facts }])
  }

  /** A provider that stops answering, or answers again, is reported once, even if the leader changes. */
  async #tellOfReach(name: string, { state: { isDown, lastFault } }: ProviderGate): Promise<void> {
    if (this.#toldDown.get(name) === isDown) return
    this.#toldDown.set(name, isDown)
    const subject = `provider/${name}`
    const query = { projects: [EVERYWHERE], subject, after: 0, limit: PROVIDER_EVENTS, end: 'last' } as const
    const events = await this.#leadership.deps.store.events(query).catch(() => undefined)
    if (events === undefined) return void this.#toldDown.delete(name)
    const last = events.findLast(({ kind }) => kind === 'provider-down' || kind === 'provider-up')
    if ((last?.kind === 'provider-down') === isDown || this.#leadership.isOver) return
    const atMs = this.#leadership.deps.clock.nowMs()
    const told = isDown
      ? { kind: 'provider-down' as const, facts: { class: lastFault?.class ?? '', message: lastFault?.message ?? '' } }
      : { kind: 'provider-up' as const, facts: { down_ms: Math.max(0, atMs - (last?.atMs ?? atMs)) } }
    await this.#leadership.commit([], [{ atMs, project: EVERYWHERE, subject, ...told }])
  }

  #isOurs({ project, workload, slot, attempt }: Tag): boolean {
    const placement = this.#ledger.record(`${project}/${workload}`)?.placements.get(slot)
    return placement !== undefined && placement.order.tag.attempt === attempt && placement.phase !== 'gone'
  }

  /** A provider that is being removed is removed once nothing of ours can be there: by our rows, and by its own list. */
  async #letGo(name: string, { instances, complete }: InstanceList): Promise<void> {
    const { platform, owner } = this.#leadership.deps
    if (platform().providers.get(name)?.state !== 'removing' || !complete || this.#leadership.isOver) return
    const isEmpty =
      this.#ledger.on(name).size === 0 && !instances.some(({ tag, state }) => tag.owner === owner && state !== 'ended')
    if (isEmpty) await forgetRemoved(this.#leadership.deps, this.#leadership.number).catch(() => [])
  }
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
