import type { Exit } from '../../core/life/call/exit.ts'
import type { Fault } from '../../core/life/call/fault.ts'
import type { Order, Tag } from '../../core/life/call/order.ts'
import type { Offer } from '../../core/offer/offer.ts'
import type { Dice } from '../../core/base/dice.ts'
import type { HostFacts, OwnedFleet } from '../../core/fleet/owned-fleet.ts'
import { CloudFleets, type CloudNode } from './cloud-fleets.ts'
import type { SimFleet } from './fleets.ts'
import { runOf } from './run-of.ts'

/** A simulated cloud. It holds the billing truth: an observer need not trust any other source. */
export interface CloudSpec {
  readonly name: string
  /** Part of every name it gives, if several processes act as one cloud. */
  readonly mark?: string
  /** What it offers; `stock.units` is the number when none is taken; undefined: no limit. */
  readonly offers: readonly Offer[]
  /** Machines of one's own that it looks after; left out: none. */
  readonly fleets?: readonly SimFleet[]
  /** The most instances of the account at once, of all owners. */
  readonly quota: number | undefined
  /** Repeating an attempt starts no second instance. */
  readonly tokens: boolean
  /** Whether the cloud itself refuses a launch above its ceiling, or starts it and reports the price. */
  readonly minds: 'ceilings' | 'nothing'
  /** From the order until it is up, and from the stop until billing ends: at least and at most. */
  readonly startMs: readonly [number, number]
  readonly stopMs: readonly [number, number]
  /** The most that lists lag behind the truth. */
  readonly lagMs: number
  /** How long an order waits in a queue before its start begins; left out: there is no queue. */
  readonly queueMs?: readonly [number, number] | undefined
  /** How long ended instances are still listed. */
  readonly keepMs: number
  /** A count of starts per slot that several clouds share; left out: each cloud counts for itself. */
  readonly runs?: Map<string, number>
}

/** What ended an instance. */
export type EndedBy = 'call' | 'itself' | 'machine' | 'preemption' | 'person'

/** One instance. It is billed from `createdMs` until `endsMs`; everything else follows from the time. */
export interface CloudInstance {
  readonly id: string
  readonly tag: Tag
  readonly offer: string
  readonly market: Order['place']['market']
  readonly usdPerHour: number
  readonly usdPerHourMax: number
  readonly gpus: number
  readonly createdMs: number
  /** Until when it waits in the queue; left out: it did not wait. */
  readonly queuedMs?: number
  readonly upMs: number
  /** Infinity: no end is known. */
  readonly endsMs: number
  readonly endedBy: EndedBy | undefined
  readonly exit: Exit | undefined
  /** From when on lists show it. */
  readonly shownMs: number
  /** How long lists still show it as alive after its end. */
  readonly lingerMs: number
  /** When the notice of its preemption was given. */
  readonly noticeMs: number | undefined
  readonly checkpointSeconds: number | undefined
  readonly healthy: boolean | undefined
  /** Since when it is unhealthy. */
  readonly sickMs?: number | undefined
  /** Noted but not started; it starts when it is launched again after this long. */
  readonly notedForMs?: number | undefined
  /** Its state cannot be read: it is missing from lists, or listed without a state. */
  readonly unreadable?: 'hidden' | 'unclear' | undefined
  /** When it became readable again. */
  readonly readableMs?: number | undefined
  /** What it prints when it is up. */
  readonly prints: readonly string[]
  /** Where in a fleet it runs. */
  readonly node?: CloudNode
}

export type CloudLaunch =
  | { readonly kind: 'launched'; readonly instances: readonly CloudInstance[] }
  | { readonly kind: 'refused'; readonly fault: Fault }

/** Receives every change of the truth, before any other code can act on it. */
export type CloudWatch = (instance: CloudInstance, before: CloudInstance | undefined, nowMs: number) => void

const NO_WATCH: CloudWatch = () => undefined

export class Cloud {
  readonly spec: CloudSpec
  readonly #dice: Dice
  readonly #instances = new Map<string, CloudInstance>()
  readonly #byAttempt = new Map<string, string>()
  readonly #runs = new Map<string, number>()
  /** Instances without an end by offer, and those with one, so that a launch need not count all of them. */
  readonly #endless = new Map<string, number>()
  readonly #ending = new Set<string>()
  readonly #capacity = new Map<string, number>()
  readonly #prices = new Map<string, number>()
  readonly #fleets: CloudFleets
  #quota: number | undefined
  #born = 0
  watch: CloudWatch = NO_WATCH

  constructor(spec: CloudSpec, dice: Dice) {
    this.spec = spec
    this.#dice = dice
    this.#quota = spec.quota
    this.#fleets = new CloudFleets(spec, (id) => this.#instances.get(id))
  }

  /** Every instance that is not forgotten yet, by age. */
  instances(): IterableIterator<CloudInstance> {
    return this.#instances.values()
  }

  instance(id: string): CloudInstance | undefined {
    return this.#instances.get(id)
  }

  /** Restores an instance after a restart. */
  restore(instance: CloudInstance): void {
    this.#born = Math.max(this.#born, Number(instance.id.slice(instance.id.lastIndexOf('-') + 1)) || 0)
    this.#keep(instance)
    this.#byAttempt.set(attemptKey(instance.tag), instance.id)
  }

  /** The offers as they are now. */
  offers(nowMs: number): readonly Offer[] {
    const used = this.#used(nowMs)
    return this.spec.offers.map((offer) => {
      const units = this.#unitsOf(offer, () => used)
      const usdPerHour = this.#prices.get(offer.id) ?? offer.usdPerHour
      const left = this.#quota === undefined ? undefined : Math.max(0, this.#quota - this.#billed(nowMs))
      const level = units === undefined || units > 3 ? 'available' : units > 0 ? 'low' : 'sold_out'
      const stock = { level, units, seenAtMs: nowMs } as const
      return { ...offer, usdPerHour, quotaLeft: left, stock, ...(left !== undefined && { quota: 'instances' }) }
    })
  }

  /** The fleets with what runs there now. */
  fleets(nowMs: number): readonly OwnedFleet[] {
    return this.#fleets.at(nowMs)
  }

  hostsOf(region: string): readonly HostFacts[] {
    return this.#fleets.hostsOf(region)
  }

  /**
   * Launches all of them or none; what is there already is not launched twice. `greeting` is printed first. `isNoted`: they are only noted, and start when they are launched
   * again.
   */
  launch(orders: readonly Order[], nowMs: number, { greeting = [], isNoted = false }: LaunchExtras = {}): CloudLaunch {
    const known = new Map(
      orders.flatMap((order) => this.#replayed(order).map((instance) => [order, instance] as const)),
    )
    const missing = orders.filter((order) => !known.has(order))
    const prices = new Map<Order, number>()
    for (const [index, order] of missing.entries()) {
      const price = this.#priceNow(order, nowMs, missing.slice(0, index))
      if (typeof price !== 'number') return { kind: 'refused', fault: price }
      prices.set(order, price)
    }
    const queuedMs = this.spec.queueMs && missing.length > 0 ? nowMs + this.#between(this.spec.queueMs) : undefined
    const sale = { nowMs, greeting, isNoted, queuedMs }
    const instances = orders.map((order) => {
      const found = known.get(order)
      if (found === undefined) return this.#create(order, { ...sale, usdPerHour: prices.get(order) ?? 0 })
      return isNoted ? found : this.#begun(found, nowMs)
    })
    return { kind: 'launched', instances }
  }

  /** What an earlier launch of the order created, even if the rest of its group was not. */
  #replayed({ tag }: Order): readonly CloudInstance[] {
    const found = this.spec.tokens ? this.find({ tag, instance: undefined }) : undefined
    return found === undefined ? [] : [found]
  }

  /** What an order costs after these, or why it is refused. */
  #priceNow(order: Order, nowMs: number, ahead: readonly Order[]): number | Fault {
    const { SIM_REFUSE: refusal } = order.env
    if (refusal !== undefined) return refused('BAD_REQUEST', refusal)
    if (order.place.node !== undefined) return this.#fleets.refusal(order, nowMs, ahead) ?? 0
    const offer = this.spec.offers.find(({ id }) => id === order.place.offer)
    if (offer === undefined) return refused('OFFER_GONE', `there is no ${order.place.offer}`)
    const usdPerHour = this.#priceOf(offer, order)
    if (usdPerHour === undefined) return refused('OFFER_GONE', `${offer.id} is not sold as ${order.place.market}`)
    if (this.spec.minds === 'ceilings' && usdPerHour > order.usdPerHourMax) {
      return refused('OFFER_GONE', `${offer.id} costs ${usdPerHour} by now`)
    }
    if (this.#quota !== undefined && this.#billed(nowMs) + ahead.length >= this.#quota) {
      return refused('QUOTA', `the account may have ${this.#quota} instance${this.#quota === 1 ? '' : 's'}`)
    }
    const units = this.#unitsOf(offer, () => this.#used(nowMs))
    const taken = ahead.filter(({ place }) => place.offer === offer.id).length
    if (units !== undefined && units <= taken) return refused('SOLD_OUT', `no ${offer.id} left`)
    return usdPerHour
  }

  /** Ends it, and its billing a while later. Undefined: there is no such instance any more. */
  stop(id: string, nowMs: number): CloudInstance | undefined {
    const found = this.#instances.get(id)
    if (found === undefined || found.endsMs <= nowMs) return found
    const endsMs = Math.min(found.endsMs, nowMs + this.#between(this.spec.stopMs))
    const isCall = endsMs < found.endsMs
    return this.#put({ ...found, endsMs, ...(isCall && { endedBy: 'call', exit: undefined }) }, nowMs)
  }

  /** Ends it from outside: a machine dies, a person deletes it, the provider takes it back after a notice. */
  end(id: string, by: Exclude<EndedBy, 'call' | 'itself'>, when: { nowMs: number; noticeMs?: number }): void {
    const found = this.#instances.get(id)
    const endsMs = when.nowMs + (when.noticeMs ?? 0)
    if (found === undefined || found.endsMs <= endsMs) return
    const exit: Exit | undefined =
      by === 'machine' ? { kind: 'machine' } : by === 'preemption' ? { kind: 'preempted' } : undefined
    this.#put(
      { ...found, endsMs, endedBy: by, exit, noticeMs: by === 'preemption' ? when.nowMs : undefined },
      when.nowMs,
    )
  }

  setHealth(id: string, healthy: boolean | undefined, nowMs: number): void {
    const found = this.#instances.get(id)
    if (found !== undefined) this.#put({ ...found, healthy, sickMs: healthy === false ? nowMs : undefined }, nowMs)
  }

  /** Undefined: it can be read again. */
  setUnreadable(id: string, unreadable: CloudInstance['unreadable'], nowMs: number): void {
    const found = this.#instances.get(id)
    if (found !== undefined) this.#put({ ...found, unreadable, readableMs: nowMs }, nowMs)
  }

  /** Undefined: as in the catalogue. */
  setCapacity(offer: string, units: number | undefined): void {
    if (units === undefined) this.#capacity.delete(offer)
    else this.#capacity.set(offer, units)
  }

  setPrice(offer: string, usdPerHour: number | undefined): void {
    if (usdPerHour === undefined) this.#prices.delete(offer)
    else this.#prices.set(offer, usdPerHour)
  }

  setQuota(quota: number | undefined): void {
    this.#quota = quota
  }

  /** The instance of an attempt, by anything that is known about it. */
  find(ref: { readonly tag: Tag; readonly instance: string | undefined }): CloudInstance | undefined {
    if (ref.instance !== undefined) return this.#instances.get(ref.instance)
    return this.#instances.get(this.#byAttempt.get(attemptKey(ref.tag)) ?? '')
  }

  /** Drops instances that ended longer ago than they are kept. Returns their number. */
  forget(nowMs: number): number {
    let forgotten = 0
    for (const { id, endsMs, lingerMs, tag } of this.#instances.values()) {
      if (endsMs + lingerMs + this.spec.keepMs > nowMs) continue
      this.#instances.delete(id)
      if (this.#byAttempt.get(attemptKey(tag)) === id) this.#byAttempt.delete(attemptKey(tag))
      forgotten++
    }
    return forgotten
  }

  #begun(noted: CloudInstance, nowMs: number): CloudInstance {
    const { notedForMs, endsMs } = noted
    if (notedForMs === undefined || endsMs <= nowMs) return noted
    const upMs = nowMs + this.#between(this.spec.startMs)
    const life = { upMs, endsMs: upMs + notedForMs, notedForMs: undefined }
    return this.#put({ ...noted, ...life, ...(notedForMs !== Infinity && { endedBy: 'itself' }) }, nowMs)
  }

  #create(order: Order, { usdPerHour, nowMs, greeting, isNoted, queuedMs }: Sale): CloudInstance {
    const { tag, place, gpus, usdPerHourMax } = order
    const run = this.#run(tag)
    const { endsAfterMs, exit, checkpointSeconds, prints, starts } = runOf(order, run)
    const startsMs = queuedMs ?? nowMs
    const upMs = isNoted || starts === 'never' ? Infinity : startsMs + this.#between(this.spec.startMs)
    const endsMs = upMs + endsAfterMs
    const shownMs = nowMs + Math.floor(this.#dice.next() * this.spec.lagMs)
    const lingerMs = Math.floor(this.#dice.next() * this.spec.lagMs)
    const id = ['i', this.spec.name, this.spec.mark, ++this.#born].filter((part) => part !== undefined).join('-')
    this.#byAttempt.set(attemptKey(tag), id)
    const life = { createdMs: nowMs, upMs, endsMs, shownMs, lingerMs, noticeMs: undefined, checkpointSeconds, exit }
    const sold = { id, tag, offer: place.offer, market: place.market, usdPerHour, usdPerHourMax, gpus }
    const endedBy = endsMs === Infinity ? undefined : ('itself' as const)
    const healthy = starts === 'badly' ? false : undefined
    const extra = {
      ...(isNoted && { notedForMs: endsAfterMs }),
      ...(healthy === false && { sickMs: nowMs }),
      ...(queuedMs !== undefined && { queuedMs }),
    }
    const node = place.node && { node: { ...place.node, region: place.region } }
    return this.#put({ ...sold, ...life, ...extra, ...node, endedBy, healthy, prints: [...greeting, ...prints] }, nowMs)
  }

  #put(instance: CloudInstance, nowMs: number): CloudInstance {
    this.watch(instance, this.#keep(instance), nowMs)
    return instance
  }

  /** Returns the previous state. */
  #keep(instance: CloudInstance): CloudInstance | undefined {
    const { id, offer, endsMs } = instance
    const before = this.#instances.get(id)
    this.#instances.set(id, instance)
    if (instance.node !== undefined) this.#fleets.keep(id, instance.node)
    const change = Number(endsMs === Infinity) - Number(before?.endsMs === Infinity)
    this.#endless.set(offer, (this.#endless.get(offer) ?? 0) + change)
    if (endsMs !== Infinity) this.#ending.add(id)
    return before
  }

  /** How often this slot of this workload was started before: work may fail at first and succeed later. */
  #run({ uid, slot }: Tag): number {
    const key = `${uid}/${slot}`
    const runs = this.spec.runs ?? this.#runs
    const run = runs.get(key) ?? 0
    runs.set(key, run + 1)
    return run
  }

  #priceOf(offer: Offer, { place }: Order): number | undefined {
    if (place.market === 'spot') return offer.spotUsdPerHour
    return this.#prices.get(offer.id) ?? offer.usdPerHour
  }

  /** Offers without a limit are not counted. */
  #unitsOf(offer: Offer, used: () => ReadonlyMap<string, number>): number | undefined {
    const units = this.#capacity.get(offer.id) ?? offer.stock?.units
    return units === undefined ? undefined : Math.max(0, units - (used().get(offer.id) ?? 0))
  }

  #used(nowMs: number): ReadonlyMap<string, number> {
    const used = new Map(this.#endless)
    for (const id of this.#ending) {
      const found = this.#instances.get(id)
      if (found === undefined || found.endsMs <= nowMs) this.#ending.delete(id)
      else used.set(found.offer, (used.get(found.offer) ?? 0) + 1)
    }
    return used
  }

  #billed(nowMs: number): number {
    return this.#used(nowMs)
      .values()
      .reduce((sum, count) => sum + count, 0)
  }

  #between([least, most]: readonly [number, number]): number {
    return Math.floor(least + this.#dice.next() * (most - least))
  }
}

interface Sale {
  readonly usdPerHour: number
  readonly nowMs: number
  readonly greeting: readonly string[]
  readonly isNoted: boolean
  readonly queuedMs: number | undefined
}

interface LaunchExtras {
  readonly greeting?: readonly string[]
  readonly isNoted?: boolean
}

/** Two owners may use the same attempt name for different attempts. */
function attemptKey({ owner, attempt }: Tag): string {
  return `${owner}/${attempt}`
}

function refused(cls: Fault['class'], message: string): Fault {
  return { class: cls, message }
}
