import type { Order } from '../../../src/core/life/call/order.ts'
import type { Offer } from '../../../src/core/offer/offer.ts'
import { Dice } from '../../../src/core/base/dice.ts'
import type { Loop } from '../../../src/controller/loop.suite.ts'
import type { Process } from '../../../src/controller/process.suite.ts'
import { Broken, type Bounds, type Incoming, type Outgoing } from '../../../src/ports/network.ts'
import type { Provider, ProviderDeps } from '../../../src/ports/provider.ts'
import { Secret } from '../../../src/ports/secret.ts'
import { problemText, readSettings } from '../../../src/providers/settings.ts'
import { CLOUDS } from '../../clouds/cases.ts'
import { FakeApi } from '../../clouds/fake-api.ts'
import { MemorySockets } from './memory-sockets.ts'
import { RentedCloud, type RentedWatch } from './rented-cloud.ts'
import { RentedWire } from './wire.ts'

/** What the rented part of a world is made of. */
export interface RentedParts {
  readonly loop: Loop
  readonly seed: number
  /** Names of clouds in `CLOUDS`. */
  readonly names: readonly string[]
  /** How many lives of control planes there may be at most. */
  readonly lives: number
  readonly watch: Omit<RentedWatch, 'orderOf'>
}

/** A provider that was opened for a process that is not born yet: whoever opens one waits, and a birth does not. */
interface Opened {
  readonly provider: Provider
  readonly host: { process: Process | undefined }
}

/** The real adapters of rented clouds, and their pretended other sides, in one simulated world. */
export class Rented {
  readonly clouds = new Map<string, RentedCloud>()
  readonly #parts: RentedParts
  readonly #sockets = new MemorySockets()
  readonly #spare = new Map<string, Opened[]>()
  readonly #hosts = new Map<string, RentedCloud>()
  readonly #orders = new Map<string, Order>()
  readonly #dice: Dice

  private constructor(parts: RentedParts) {
    this.#parts = parts
    this.#dice = new Dice(parts.seed * 523 + 31)
  }

  static async open(parts: RentedParts): Promise<Rented> {
    const rented = new Rented(parts)
    for (const [index, name] of parts.names.entries()) await rented.#add(name, index)
    return rented
  }

  /** Its own way to every cloud, for a process that has just been born. */
  providersFor(process: Process): ReadonlyMap<string, Provider> {
    const found = [...this.#spare].map(([name, spare]) => {
      const opened = spare.shift()
      if (opened === undefined) throw new Error(`${name} was not opened often enough`)
      opened.host.process = process
      return [name, opened.provider] as const
    })
    return new Map(found)
  }

  /** An order leaves a control plane. */
  sent(order: Order): void {
    this.#orders.set(order.tag.attempt, order)
  }

  /** What is paid for though it is over. */
  lingering(): readonly string[] {
    return [...this.clouds.values()].flatMap((cloud) =>
      cloud.lingering().map((id) => `${id} has ended and is still paid for`),
    )
  }

  async #add(name: string, index: number): Promise<void> {
    const { loop, seed, lives, watch } = this.#parts
    const of = CLOUDS[name]
    if (of === undefined) throw new Error(`there is no cloud ${name}`)
    const api = new FakeApi(of.vendor, { nowMs: () => loop.nowMs, sockets: this.#sockets.of(index + 1) })
    const { engine } = api
    // Where no price is told, it is what the settings say.
    if (of.isUnpriced !== true) engine.usdPerHour = 1 + this.#dice.roll(20) / 10
    engine.startMs = 5000 + this.#dice.roll(120_000)
    engine.stopMs = of.vendor.isSlowToStop === true ? this.#dice.roll(40_000) : 0
    const host = `${name}.example`
    const read = readSettings(of.kind, { endpoint: `http://${host}${of.base ?? ''}`, internal: true, ...of.settings })
    if (!read.ok) throw new Error(read.problems.map(problemText).join('\n'))
    const open = async (): Promise<Opened> => {
      const born: Opened['host'] = { process: undefined }
      return { host: born, provider: await of.kind.open(name, read.settings, this.#depsOf(born, api)) }
    }
    const { provider } = await open()
    const { settleMs } = provider.can
    const wire = new RentedWire(loop, { seed: seed * 8641 + index, settleMs })
    const told = { ...watch, orderOf: (attempt: string) => this.#orders.get(attempt) }
    const offers = await offersOf(provider)
    const cloud = new RentedCloud(
      { name, offers, isUnpriced: of.isUnpriced === true },
      { loop, api, wire, settleMs, watch: told },
    )
    this.#hosts.set(host, cloud)
    this.clouds.set(name, cloud)
    this.#spare.set(name, await Promise.all(Array.from({ length: lives }, open)))
  }

  /** Everything but the network is that of the process. Before there is one, requests are answered at once. */
  #depsOf(host: Opened['host'], api: FakeApi): ProviderDeps {
    const { loop } = this.#parts
    const silent = (): void => undefined
    const { key } = api
    return {
      clock: {
        nowMs: () => host.process?.clock.nowMs() ?? loop.nowMs,
        tickMs: () => host.process?.clock.tickMs() ?? loop.nowMs,
        cpuMs: () => 0,
      },
      timers: { sleep: async (ms, signal) => host.process?.timers.sleep(ms, signal) },
      random: { next: () => host.process?.random.next() ?? 0, id: () => host.process?.random.id() ?? '' },
      log: { info: silent, warn: silent, error: silent },
      folder: '',
      credential: async () => new Secret(key),
      network: {
        send: (outgoing, bounds) =>
          host.process === undefined ? answered(api, outgoing) : this.#send(host.process, outgoing, bounds),
      },
    }
  }

  /** What a process sends arrives, even if it dies meanwhile; what comes back reaches it only while it lives. */
  #send(process: Process, outgoing: Outgoing, { signal, deadlineMs }: Bounds): Promise<Incoming> {
    if (!process.isAlive) return new Promise(() => undefined)
    const { loop } = this.#parts
    return new Promise((resolve, reject) => {
      const settle = (hand: () => void): void => {
        signal?.removeEventListener('abort', giveUp)
        late.run = undefined
        process.deliver(hand)
      }
      const giveUp = (): void => settle(() => reject(new Broken('no answer in time', true)))
      const late = loop.after(deadlineMs, giveUp)
      if (signal?.aborted === true) return giveUp()
      signal?.addEventListener('abort', giveUp, { once: true })
      this.#reply(outgoing).then(
        (incoming) => settle(() => resolve(incoming)),
        (error: unknown) => settle(() => reject(error)),
      )
    })
  }

  async #reply({ method, url, headers, body = '' }: Outgoing): Promise<Incoming> {
    const cloud = this.#hosts.get(url.hostname)
    if (cloud !== undefined) return cloud.exchange({ method, url, headers, text: body })
    // One of the machines.
    await this.#parts.loop.sleep(5 + this.#dice.roll(40))
    const answer = this.#sockets.at(url.host)
    if (answer === undefined) throw new Broken('connect ECONNREFUSED', false)
    return { headers: {}, ...answer(url.pathname) }
  }
}

async function answered(api: FakeApi, { method, url, headers, body = '' }: Outgoing): Promise<Incoming> {
  const reply = await api.answer({ method, url, headers, text: body })
  if (reply === 'cut' || 'bytes' in reply) throw new Broken('nothing goes wrong at first', true)
  return reply
}

async function offersOf(provider: Provider): Promise<readonly Offer[]> {
  const answer = await provider.offers({ signal: new AbortController().signal, requestId: 'first' })
  if (!answer.ok) throw new Error(answer.fault.message)
  return answer.value.offers
}
