import type { KeeperDoors, KeeperPlatform, KeptProvider } from '../control/keep/doors.ts'
import { DEFAULT_POLICY, type Config, type Policy } from '../core/config/policy.ts'
import { Dice } from '../core/simulate/dice.ts'
import { CAN, type Provider } from '../ports/provider.ts'
import { Secret, type Vault } from '../ports/secret.ts'
import type { Commit, Store } from '../ports/store.ts'
import { Cloud } from '../providers/sim/cloud.ts'
import { SimProvider } from '../providers/sim/provider.ts'
import { memoryStore } from '../store/memory.ts'
import { breakIt } from './breakage.ts'
import { Desk } from './desk.ts'
import { gatedProvider, gatedStore, type CallHook } from './gates.ts'
import { Invariants } from './invariants.ts'
import { ends, unmet, type Standing } from './liveness.ts'
import { Loop, START_MS } from './loop.ts'
import { StoreWire, Wire } from './network.ts'
import { Plane, type MakeController } from './plane.ts'
import type { Process } from './process.ts'
import type { Scenario, SimCloud, UserAction } from './scenario.ts'
import { offerOf } from './shelf.ts'
import type { Wish } from './wishes.ts'

export const OWNER = 'owner-1'
const CANARY = 'canary-3f9a1c7e'
const TICK_MS = 30_000
const CEILINGS: Readonly<Record<string, number>> = { capped: 30 }

/** How a world is set up beside its scenario. */
export interface WorldOptions {
  readonly make: MakeController
  readonly hook?: CallHook
  readonly trace?: boolean
  readonly revive?: number
}

/** A whole world in virtual time: clouds, a database, the ways between them, control planes, people, and what goes wrong. */
export class World {
  readonly loop: Loop
  readonly invariants: Invariants
  readonly planes: readonly Plane[]
  readonly store: Store
  readonly clouds = new Map<string, Cloud>()
  readonly #scenario: Scenario
  readonly #options: WorldOptions
  readonly #wires = new Map<string, Wire>()
  readonly #providers = new Map<string, Provider>()
  readonly #storeWire: StoreWire
  readonly #desk: Desk
  readonly #states = new Map<string, { state: 'open' | 'cordoned' | 'draining'; sinceMs: number }>()
  readonly #drainedMs = new Map<string, number>()
  readonly #config: Config
  #platforms = new WeakMap<ReadonlyMap<string, Provider>, KeeperPlatform>()
  #stirredMs = START_MS
  readonly failures: string[] = []

  constructor(scenario: Scenario, options: WorldOptions) {
    const { seed } = scenario
    this.#scenario = scenario
    this.#options = options
    this.loop = new Loop(seed)
    if (options.trace === true) this.loop.trace = []
    this.store = memoryStore({ nowMs: () => this.loop.nowMs })
    this.#storeWire = new StoreWire(this.loop, seed * 17 + 3)
    this.invariants = this.#witnessed()
    scenario.clouds.forEach((spec, index) => this.#addCloud(spec, seed * 1009 + index))
    this.#config = { providers: [], policies: POLICIES, defaultPolicy: 'default', projects: [] }
    const wrote = (commit: Commit): Promise<void> => this.#wrote(commit)
    this.#desk = new Desk({ loop: this.loop, store: this.store, mirror: this.invariants.mirror, wrote })
    this.planes = Array.from({ length: scenario.planes }, (_, index) => this.#plane(index))
  }

  /** Puts what is there at first into the store, and everything that will happen on the calendar. */
  async begin(): Promise<void> {
    const { projects, actions, faults } = this.#scenario
    for (const [key, body] of Object.entries(projects))
      await this.store.commit({ writes: [{ kind: 'project', key, body }] })
    const sealed = VAULT.seal(new Secret(CANARY), '')
    for (const project of ['default', 'lab']) {
      const body = { version: 1, sealed, createdMs: START_MS }
      await this.store.commit({ writes: [{ kind: 'secret', key: `${project}/MODEL_TOKEN`, body }] })
    }
    for (const action of actions) this.loop.after(action.at, () => void this.#act(action))
    const breakables = { loop: this.loop, clouds: this.clouds, wires: this.#wires, planes: this.planes, owner: OWNER }
    for (const fault of faults) {
      this.loop.after(fault.at, () => breakIt(fault, { ...breakables, storeWire: this.#storeWire, desk: this.#desk }))
    }
    this.planes.forEach((plane, index) => this.loop.after(index * 100, () => plane.start()))
    this.#tick()
  }

  /** What is not yet as it should be in the end. */
  unmet(): readonly string[] {
    return unmet(this.#standing())
  }

  /** How every workload stands. */
  ends(): Readonly<Record<string, string>> {
    return ends(this.#standing())
  }

  #standing(): Standing {
    const limited = this.#scenario.projects
    const mayWait = ({ project, policy, spread }: Wish): boolean =>
      limited[project] !== undefined || policy === 'capped' || spread !== 'none'
    const isDraining = (provider: string): boolean => this.#states.get(provider)?.state === 'draining'
    const { wishes } = this.#desk
    return { nowMs: this.loop.nowMs, invariants: this.invariants, wishes, mayWait, isDraining }
  }

  #tick(): void {
    this.invariants.tick()
    this.loop.after(TICK_MS, () => this.#tick())
  }

  async #act(action: UserAction): Promise<void> {
    this.loop.note(`user ${action.kind}`)
    if (action.kind !== 'provider') return this.#desk.act(action)
    this.#states.set(action.provider, { state: action.state, sinceMs: this.loop.nowMs })
    this.#platforms = new WeakMap()
    this.#noteDrain(action.provider, action.state)
  }

  #noteDrain(provider: string, state: string): void {
    if (state === 'draining') this.#drainedMs.set(provider, Infinity)
    else if (this.#drainedMs.has(provider)) this.#drainedMs.set(provider, this.loop.nowMs)
  }

  async #wrote(commit: Commit): Promise<void> {
    this.loop.awake()
    const outcome = await this.store.commit(commit)
    this.invariants.committed(commit, outcome, undefined)
    this.loop.after(5, () => {
      for (const plane of this.planes) plane.poke()
    })
  }

  #addCloud(spec: SimCloud, seed: number): void {
    const { name, tokens, settleMs, callsPerSecond } = spec
    const offers = spec.items.map(offerOf)
    const cloud = new Cloud({ ...spec, offers, quota: undefined }, new Dice(seed))
    cloud.watch = (after, before) => this.invariants.changed(cloud, after, before)
    const whims = new Wire(this.loop, { seed: seed + 500, settleMs })
    // Who settles slowly is asked less often.
    const pollMs = settleMs > 60_000 ? 30_000 : CAN.pollMs
    const able = { spot: true, multiNode: true, secrets: true, volumes: true, objectStorage: true } as const
    const rendezvous = { kind: 'names', pattern: '{workload}-{group}-{rank}' } as const
    const can = { ...CAN, ...able, rendezvous, tokens, settleMs, callsPerSecond, pollMs }
    const timers = { sleep: (ms: number) => this.loop.sleep(ms) }
    const heard = (ask: string): void => {
      this.loop.note(`${name} ${ask}`)
      this.invariants.called(name)
    }
    this.clouds.set(name, cloud)
    this.#wires.set(name, whims)
    this.#providers.set(
      name,
      new SimProvider({ name, cloud, can, clock: { nowMs: () => this.loop.nowMs }, timers, whims, heard }),
    )
  }

  #plane(index: number): Plane {
    return new Plane({
      loop: this.loop,
      index,
      seed: this.#scenario.seed,
      make: this.#options.make,
      doors: (process) => this.#doors(process),
      stirred: () => {
        this.#stirredMs = this.loop.nowMs
      },
      failed: (why) => this.failures.push(why),
    })
  }

  #doors(process: Process): KeeperDoors {
    const { loop, invariants } = this
    const hook: CallHook = (who, when, call) => {
      const isDeed = call.endsWith('.launch') || call.endsWith('.stop')
      if (when === 'before' && isDeed) invariants.acting(who, call)
      if (when === 'before') loop.note(`${who.name} ${call}`)
      else loop.tell(() => `${who.name} has ${call}`)
      this.#options.hook?.(who, when, call)
      if (!who.isAlive) this.#revive()
    }
    const watch = {
      committed: (who: Process, commit: Commit, outcome: Parameters<Invariants['committed']>[1]): void => {
        loop.tell(() => `${who.name} wrote ${outcome.kind}${writesOf(commit)}`)
        invariants.committed(commit, outcome, who)
      },
      led: (who: Process, led: Parameters<Invariants['led']>[0]): void => invariants.led(led, who),
    }
    const gated = new Map(
      [...this.#providers].map(([name, each]) => [name, gatedProvider(each, { loop, process, hook })]),
    )
    const log = (message: string, fields?: object): void => {
      invariants.logged(`${message} ${fields === undefined ? '' : JSON.stringify(fields)}`)
      loop.tell(() => `  ${process.name}: ${message} ${JSON.stringify(fields ?? {})}`)
    }
    return {
      store: gatedStore(this.store, this.#storeWire, { loop, process, hook, watch }),
      clock: process.clock,
      timers: process.timers,
      random: process.random,
      log: { info: log, warn: log, error: log },
      vault: VAULT,
      platform: () => this.#platform(gated),
      owner: OWNER,
      holder: process.name,
      // In every other world all control planes share a machine, and see when one of them has died.
      ...(this.#scenario.seed % 2 === 1 && { isDead: (holder: string) => this.#isDead(holder) }),
    }
  }

  /** Names are of one life of one plane and of one of its stretches. */
  #isDead(holder: string): boolean {
    const name = holder.slice(0, holder.indexOf('-'))
    return this.planes.every(({ process }) => process?.isAlive !== true || process.name !== name)
  }

  #revive(): void {
    const { revive } = this.#options
    if (revive === undefined) return
    this.#stirredMs = this.loop.nowMs
    for (const plane of this.planes) this.loop.after(revive, () => plane.start())
  }

  /** Made anew only when somebody changed something. */
  #platform(gated: ReadonlyMap<string, Provider>): KeeperPlatform {
    const known = this.#platforms.get(gated)
    if (known !== undefined) return known
    const stateOf = (name: string): KeptProvider['state'] => this.#states.get(name)?.state ?? 'open'
    const providers = new Map([...gated].map(([name, provider]) => [name, { provider, state: stateOf(name) }]))
    const made = { providers, config: this.#config }
    this.#platforms.set(gated, made)
    return made
  }

  #witnessed(): Invariants {
    const { projects } = this.#scenario
    return new Invariants({
      nowMs: () => this.loop.nowMs,
      startMs: START_MS,
      owner: OWNER,
      clouds: this.clouds,
      readySinceMs: (provider) => this.#readySinceMs(provider),
      limitsOf: (project) => ({
        gpus: projects[project]?.gpusMax ?? Infinity,
        usdPerHour: projects[project]?.usdPerHourMax ?? Infinity,
      }),
      ceilingOf: (policy) => CEILINGS[policy ?? ''] ?? Infinity,
      drainedMs: (provider) => this.#drainedMs.get(provider),
      closedSinceMs: (provider) => {
        const known = this.#states.get(provider)
        return known === undefined || known.state === 'open' ? undefined : known.sinceMs
      },
      callsPerMinute: (provider) => {
        const can = this.#providers.get(provider)?.can ?? CAN
        const starts = this.planes.reduce((sum, { lives }) => sum + lives, 0)
        return 60 * can.callsPerSecond + can.burst * (1 + starts)
      },
      canary: this.#scenario.actions.some((action) => action.kind === 'apply' && action.wish.secrets.length > 0)
        ? CANARY
        : undefined,
    })
  }

  #readySinceMs(provider: string): number | undefined {
    const open = this.#wires.get(provider)?.openSinceMs
    const stored = this.#storeWire.openSinceMs
    const isRunning = this.planes.some(({ process }) => process?.isRunning === true)
    return open === undefined || stored === undefined || !isRunning
      ? undefined
      : Math.max(open, stored, this.#stirredMs)
  }
}

/** For those who read a trace. */
function writesOf({ writes }: Commit): string {
  return writes
    .map((write) => {
      if (write.kind !== 'placement' || write.body === undefined) return ` ${write.kind} ${write.key}`
      const { phase, why, order } = write.body
      return ` ${write.key} ${phase}${why === undefined ? '' : ` (${why})`} on ${order.place.offer}`
    })
    .join(',')
}

const POLICIES: readonly Policy[] = [
  { ...DEFAULT_POLICY },
  { ...DEFAULT_POLICY, name: 'thrifty', spot: 'allowed' },
  { ...DEFAULT_POLICY, name: 'capped', usdPerHourMax: 30 },
]

/** Seals nothing really: what counts here is where a value turns up. */
const VAULT: Vault = {
  seal: (secret) => [...secret.reveal()].toReversed().join(''),
  open: (sealed) => new Secret([...sealed].toReversed().join('')),
}
