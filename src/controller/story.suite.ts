import { must } from '../core/base/assert.ts'
import type { Config } from '../core/policy/policy.ts'
import type { EventEntry } from '../core/event/event.ts'
import { workloadOf } from '../core/life/keep.suite.ts'
import { byEpoch, isLiving } from '../core/life/seats.ts'
import { slotOfSeat } from '../core/life/slots.ts'
import type { Placement } from '../core/life/placement.ts'
import type { Status } from '../core/life/status.ts'
import { workloadKey, type Workload } from '../core/life/workload.ts'
import { Dice } from '../core/base/dice.ts'
import { CAN, type Can, type Provider } from '../ports/provider.ts'
import { Secret, type Vault } from '../ports/secret.ts'
import type { Store } from '../ports/store.ts'
import { Cloud, type CloudInstance, type CloudSpec } from '../providers/sim/cloud.ts'
import { SimProvider } from '../providers/sim/provider.ts'
import type { CloudCall, Fate } from '../providers/sim/whims.ts'
import { Loop } from './loop.suite.ts'
import { Process } from './process.suite.ts'
import { offerOf } from './offers.suite.ts'
import { memoryStore } from '../store/memory.ts'
import type { Pressure } from './pressure.ts'
import type { ControllerDeps, PlatformProvider } from './deps.ts'
import { Controller } from './controller.ts'

const OWNER = 'owner-1'

/** How a cloud of a story differs from the usual one. */
export interface CloudTraits extends Partial<
  Pick<CloudSpec, 'tokens' | 'keepMs' | 'lagMs' | 'quota' | 'queueMs' | 'fleets' | 'startMs'>
> {
  /** Relative to the usual price of 80 cents. */
  readonly factor?: number
  readonly units?: number
  readonly can?: Partial<Can>
}

/** A cloud, the calls it got, and the fate of the next ones. */
export interface StoryCloud {
  readonly cloud: Cloud
  readonly asked: { readonly ask: CloudCall; readonly atMs: number }[]
  /** The next call of a kind has this fate. */
  readonly next: Map<CloudCall, Fate[]>
  /** Whether nothing reaches it. */
  isCut: boolean
}

/** Seals nothing: the value follows what it is bound to. */
export const PLAIN_VAULT: Vault = {
  seal: (secret, about) => `${about}=${secret.reveal()}`,
  open: (sealed, about) => (sealed.startsWith(`${about}=`) ? new Secret(sealed.slice(about.length + 1)) : undefined),
}

/** A small world in hand-driven time: a store, clouds, and as many controllers as a test starts. */
export class Story {
  readonly loop = new Loop(7)
  readonly store: Store = memoryStore({ nowMs: () => this.loop.nowMs, strict: true })
  readonly clouds = new Map<string, StoryCloud>()
  readonly logs: string[] = []
  config: Config | undefined
  /** Whether every caller is an administrator. */
  isAlone = false
  pressure: Pressure | undefined
  isDead: ControllerDeps['isDead']
  /** What is between the controllers and the store. */
  between: (store: Store) => Store = (store) => store
  readonly #providers = new Map<string, PlatformProvider>()

  cloud(name: string, { factor = 1, units, can, ...spec }: CloudTraits = {}): StoryCloud {
    const offer = offerOf({ provider: name, region: 'r1', shape: 'small', factor, units, spot: false })
    const usual = { tokens: false, quota: undefined, lagMs: 0, keepMs: 30_000 } as const
    const times = { startMs: [2000, 2000], stopMs: [100, 100], minds: 'ceilings' } as const
    const cloud = new Cloud({ name, offers: [offer], ...usual, ...times, ...spec }, new Dice(3))
    const made: StoryCloud = { cloud, asked: [], next: new Map(), isCut: false }
    const provider = new SimProvider({
      name,
      cloud,
      can: {
        ...CAN,
        tokens: cloud.spec.tokens,
        settleMs: 60_000,
        secrets: true,
        rendezvous: { kind: 'names', pattern: '{workload}-{group}-{rank}' },
        ...can,
      },
      clock: { nowMs: () => this.loop.nowMs },
      timers: { sleep: (ms) => this.loop.sleep(ms) },
      whims: {
        dice: new Dice(5),
        course: (ask) => ({
          fate: made.isCut ? 'unreachable' : (made.next.get(ask)?.shift() ?? 'answered'),
          thereMs: 10,
          backMs: 10,
          laterMs: 30_000,
        }),
      },
      heard: (ask) => made.asked.push({ ask, atMs: this.loop.atMs }),
    })
    this.clouds.set(name, made)
    this.state(name, 'open', provider)
    return made
  }

  /** Opens, cordons or drains a provider. */
  state(name: string, state: PlatformProvider['state'], provider?: Provider): void {
    const known = provider ?? must(this.#providers.get(name), 'a known provider').provider
    this.#providers.set(name, { provider: known, state })
  }

  /** Removes it from the configuration. */
  drop(name: string): void {
    this.#providers.delete(name)
  }

  provider(name: string): Provider {
    return must(this.#providers.get(name), 'a known provider').provider
  }

  /** Another control plane on the same store. */
  controller(name: string): { readonly controller: Controller; readonly process: Process; readonly stop: () => void } {
    const process = new Process(this.loop, { name, seed: name.length, skewMs: 0 })
    const controller = new Controller(this.#deps(process))
    const stop = new AbortController()
    void controller.run(stop.signal)
    return { controller, process, stop: () => stop.abort() }
  }

  /** The dependencies of one more process. */
  depsOf(name: string): ControllerDeps {
    return this.depsAnd(name).deps
  }

  depsAnd(name: string): { readonly deps: ControllerDeps; readonly process: Process } {
    const process = new Process(this.loop, { name, seed: 1, skewMs: 0 })
    return { deps: this.#deps(process), process }
  }

  async pass(seconds: number): Promise<void> {
    await this.loop.run(this.loop.nowMs + seconds * 1000, () => false)
  }

  async apply(text: string, change: Partial<Workload> = {}): Promise<Workload> {
    const workload = workloadOf(text, { uid: `uid-${change.name ?? 'demo'}`, ...change })
    await this.store.commit({ writes: [{ kind: 'workload', key: workloadKey(workload), body: workload }] })
    return workload
  }

  async secret(name: string, value: string): Promise<void> {
    const sealed = PLAIN_VAULT.seal(new Secret(value), `default/${name}/1`)
    const body = { version: 1, sealed, createdMs: this.loop.nowMs }
    await this.store.commit({ writes: [{ kind: 'secret', key: `default/${name}`, body }] })
  }

  /** What is in charge of a slot, in whichever seat; if nothing is there, its last attempt. */
  async placement(slot = '0', name = 'demo'): Promise<Placement | undefined> {
    const rows = await this.store.list('placement', { prefix: `default/${name}/`, limit: 1000 })
    const own = rows.map(({ body }) => body).filter(({ order }) => slotOfSeat(order.tag.slot) === slot)
    return own.filter(isLiving).toSorted(byEpoch)[0] ?? own.toSorted(byEpoch).at(-1)
  }

  async status(name = 'demo'): Promise<Status | undefined> {
    return (await this.store.get('status', `default/${name}`))?.body
  }

  /** `slot phase provider` of every stored placement, but for those that are gone while their successors are there. */
  async standing(): Promise<readonly string[]> {
    const rows = (await this.store.list('placement', { limit: 1000 })).map(({ body }) => body)
    const slotOf = ({ order: { tag } }: Placement): string => `${tag.project}/${tag.workload}/${slotOfSeat(tag.slot)}`
    const there = new Set(rows.filter(({ phase }) => phase !== 'gone').map(slotOf))
    return rows
      .filter((placement) => placement.phase !== 'gone' || !there.has(slotOf(placement)))
      .map(({ order, phase }) => `${order.tag.workload}/${order.tag.slot} ${phase} ${order.place.provider}`)
  }

  /** What is billed now, anywhere. */
  billed(): readonly CloudInstance[] {
    return [...this.clouds.values()].flatMap(({ cloud }) =>
      [...cloud.instances()].filter(({ endsMs }) => endsMs > this.loop.nowMs),
    )
  }

  async events(): Promise<readonly EventEntry[]> {
    return this.store.events({ after: 0, limit: 10_000 })
  }

  async kinds(): Promise<readonly string[]> {
    return (await this.events()).map(({ kind }) => kind)
  }

  #deps(process: Process): ControllerDeps {
    const write = (message: string): number => this.logs.push(message)
    return {
      store: this.between(this.store),
      clock: process.clock,
      timers: process.timers,
      random: process.random,
      log: { info: write, warn: write, error: write },
      vault: PLAIN_VAULT,
      platform: () => ({ providers: this.#providers, config: this.config, isAlone: this.isAlone }),
      owner: OWNER,
      holder: process.name,
      ...(this.pressure && { pressure: this.pressure }),
      ...(this.isDead && { isDead: this.isDead }),
    }
  }
}

/** How often a cloud was called for something. */
export function count({ asked }: StoryCloud, ask: CloudCall): number {
  return asked.filter((each) => each.ask === ask).length
}
