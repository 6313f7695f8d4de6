import type { Order } from '../../../src/core/life/call/order.ts'
import type { Offer } from '../../../src/core/offer/offer.ts'
import type { Loop } from '../../../src/controller/loop.suite.ts'
import { Broken, type Incoming } from '../../../src/ports/network.ts'
import type { CloudInstance } from '../../../src/providers/sim/cloud.ts'
import type { FakeMachine } from '../../clouds/engine.ts'
import type { FakeApi, WireRequest } from '../../clouds/fake-api.ts'
import type { TrueCloud } from '../check/check.ts'
import type { RentedTrouble } from './trouble.ts'
import type { RentedWire } from './wire.ts'

/** What a rented cloud tells the world. */
export interface RentedWatch {
  readonly changed: (cloud: TrueCloud, after: CloudInstance, before: CloudInstance | undefined) => void
  readonly broke: (invariant: string, detail: string) => void
  /** The order of an attempt, as it left a control plane. */
  readonly orderOf: (attempt: string) => Order | undefined
}

interface CloudParts {
  readonly loop: Loop
  readonly api: FakeApi
  readonly wire: RentedWire
  readonly settleMs: number
  readonly watch: RentedWatch
}

/** A pretended cloud in simulated time: what it bills is the truth, whatever its API says. */
export class RentedCloud implements TrueCloud {
  readonly spec: { readonly name: string; readonly offers: readonly Offer[]; readonly isUnpriced: boolean }
  readonly parts: CloudParts
  readonly #instances = new Map<string, CloudInstance>()
  readonly #byPerson = new Set<string>()
  /** Every request that was sent, for the limits that are published. */
  readonly sent: { readonly call: string; readonly atMs: number }[] = []

  constructor(spec: RentedCloud['spec'], parts: CloudParts) {
    this.spec = spec
    this.parts = parts
    parts.api.engine.watch = {
      created: (machine) => this.#created(machine),
      removed: (machine) => this.#removed(machine),
    }
  }

  offers(): readonly Offer[] {
    return this.spec.offers
  }

  instances(): Iterable<CloudInstance> {
    return this.#instances.values()
  }

  instance(id: string): CloudInstance | undefined {
    return this.#instances.get(id)
  }

  /** Machines whose work is over, or which never came up: they cost money until they are removed. */
  lingering(): readonly string[] {
    const { engine } = this.parts.api
    const isOver = (machine: FakeMachine): boolean => ['ended', 'failed'].includes(engine.stateOf(machine))
    return engine
      .billed()
      .filter(isOver)
      .map((machine) => this.#idOf(machine))
  }

  /** A request on its way to the API and back. */
  async exchange(request: WireRequest): Promise<Incoming> {
    const { loop, api, wire } = this.parts
    const call = api.callOf(request)
    this.sent.push({ call: call ?? '', atMs: loop.nowMs })
    const { fate, thereMs, backMs, laterMs } = wire.course(call)
    loop.note(`${this.spec.name} is asked ${call} (${fate})`)
    await loop.sleep(thereMs)
    if (fate === 'unreachable') throw new Broken('connect ECONNREFUSED', false)
    if (fate === 'hung') return new Promise(() => undefined)
    if (fate === 'late') await loop.sleep(laterMs)
    const isMishap = fate !== 'answered' && fate !== 'late' && fate !== 'garbled'
    if (call !== undefined && isMishap) api.next(call, fate)
    const reply = await api.answer(request)
    if (fate === 'late') return new Promise(() => undefined)
    await loop.sleep(backMs)
    if (reply === 'cut') throw new Broken('socket hang up', true)
    if (fate === 'garbled')
      return { status: 502, headers: { 'content-type': 'text/html' }, text: '<h1>Bad gateway</h1>' }
    if (!('bytes' in reply)) return reply
    const { status, type = 'application/json', bytes } = reply
    return { status, headers: { 'content-type': type }, text: new TextDecoder().decode(bytes) }
  }

  /** Lets something go wrong; what it returns ends it. */
  suffer(trouble: RentedTrouble): () => void {
    const { api, wire, settleMs } = this.parts
    const { engine } = api
    if (trouble.kind === 'person') return this.#person(trouble.pick)
    const healed = wire.add(trouble)
    const until = (heal: () => void) => (): void => {
      heal()
      healed()
    }
    switch (trouble.kind) {
      case 'replies':
        return healed
      case 'lag':
        engine.listLagMs = Math.floor(trouble.share * settleMs)
        return until(() => (engine.listLagMs = 0))
      case 'empty':
        engine.isEmpty = true
        return until(() => (engine.isEmpty = false))
      case 'quota':
        engine.quota = trouble.quota
        return until(() => (engine.quota = Infinity))
      case 'poor':
        engine.balance = 'none'
        return until(() => (engine.balance = 'enough'))
      case 'price': {
        const usual = engine.usdPerHour
        if (!this.spec.isUnpriced) engine.usdPerHour = Math.round(usual * trouble.factor * 100) / 100
        return until(() => (engine.usdPerHour = usual))
      }
      case 'revoked': {
        const { key } = api
        api.key = 'another-key-0123456789'
        return until(() => (api.key = key))
      }
      case 'breaks':
        engine.breaksNext = true
        return until(() => (engine.breaksNext = false))
    }
  }

  #person(pick: number): () => void {
    const { engine } = this.parts.api
    const billed = engine.billed()
    const machine = billed[Math.floor(pick * billed.length)]
    if (machine !== undefined) {
      this.#byPerson.add(machine.id)
      engine.remove(machine)
    }
    return () => undefined
  }

  #idOf({ id }: FakeMachine): string {
    return `${this.spec.name}/${id}`
  }

  #created(machine: FakeMachine): void {
    const { watch } = this.parts
    const order = watch.orderOf(machine.env['BERTH_ATTEMPT'] ?? '')
    const id = this.#idOf(machine)
    if (order === undefined) return watch.broke('intent', `${id} was created, and no control plane ordered it`)
    this.#put(instanceOf(machine, { id, order, shownMs: machine.createdMs + this.parts.api.engine.listLagMs }))
  }

  #removed(machine: FakeMachine): void {
    const { loop, api } = this.parts
    const known = this.#instances.get(this.#idOf(machine))
    // Work that was over by itself ended then; the machine was paid for until now.
    if (known === undefined || known.endsMs <= loop.nowMs) return
    const endsMs = loop.nowMs + api.engine.stopMs
    const endedBy = this.#byPerson.has(machine.id) ? 'person' : 'call'
    this.#put({ ...known, endsMs: Math.min(known.endsMs, endsMs), endedBy, exit: undefined })
  }

  #put(instance: CloudInstance): void {
    const before = this.#instances.get(instance.id)
    this.#instances.set(instance.id, instance)
    this.parts.watch.changed(this, instance, before)
  }
}

function instanceOf(
  { createdMs, upMs, run, usdPerHour, isBroken }: FakeMachine,
  { id, order, shownMs }: { readonly id: string; readonly order: Order; readonly shownMs: number },
): CloudInstance {
  const { tag, place, usdPerHourMax, gpus } = order
  const endsMs = isBroken ? Infinity : upMs + run.endsAfterMs
  return {
    id,
    tag,
    offer: place.offer,
    market: place.market,
    usdPerHour,
    usdPerHourMax,
    gpus,
    createdMs,
    upMs: isBroken ? Infinity : upMs,
    endsMs,
    endedBy: endsMs === Infinity ? undefined : 'itself',
    exit: endsMs === Infinity ? undefined : run.exit,
    shownMs,
    lingerMs: 0,
    noticeMs: undefined,
    checkpointSeconds: undefined,
    healthy: undefined,
    prints: [],
  }
}
