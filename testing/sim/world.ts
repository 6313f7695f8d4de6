import type { FastifyInstance } from 'fastify'
import type { ControllerDeps } from '../../src/controller/deps.ts'
import type { Workload } from '../../src/core/life/workload.ts'
import { NO_LIMITS } from '../../src/core/life/bind/usage.ts'
import { Dice } from '../../src/core/base/dice.ts'
import { CAN, type Provider } from '../../src/ports/provider.ts'
import { Secret, type Vault } from '../../src/ports/secret.ts'
import type { Commit, Row, Store } from '../../src/ports/store.ts'
import { Cloud } from '../../src/providers/sim/cloud.ts'
import { readFleets } from '../../src/providers/sim/fleets.ts'
import { SimProvider } from '../../src/providers/sim/provider.ts'
import type { CloudCall } from '../../src/providers/sim/whims.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { breakIt } from './breakage.ts'
import type { TrueCloud, Witness } from './check/check.ts'
import { Rented } from './rented/rented.ts'
import { giveTokens, serverOf } from './api.ts'
import { callersOf, Service } from './service.ts'
import { serviceDeps } from './service-deps.ts'
import { gatedProvider, gatedStore, type CallHook, type StoreWatch } from './gates.ts'
import { Invariants } from './invariants.ts'
import { ends, unmet, type LivenessInput } from './liveness.ts'
import { Loop, START_MS } from '../../src/controller/loop.suite.ts'
import { StoreWire, Wire } from './network.ts'
import { Plane, type MakeController } from './plane.ts'
import { SimPlatform } from './platform.ts'
import type { Process } from '../../src/controller/process.suite.ts'
import type { Scenario, SimCloud } from './scenario.ts'
import type { UserAction } from './users/action.ts'
import { hasRoom } from './room.ts'
import { offerOf } from '../../src/controller/offers.suite.ts'
import { readableStore } from '../../src/store/readable.ts'
import { Versions } from './versions.ts'
import type { Wish } from './users/wishes.ts'

const OWNER = 'owner-1'
/** Each project has its own value under the same name. */
const CANARIES: Readonly<Record<string, string>> = {
  default: 'canary-3f9a1c7e',
  lab: 'canary-81d40be2',
  team: 'canary-c5527f06',
}
/** As the real control plane has it: who keeps these sets aside what belongs to a row that cannot be read. */
const KEPT_ROWS = ['workload', 'status', 'placement'] as const
const TICK_MS = 30_000
/** How often a provider may be asked what it has, beside everything else. */
const LOOKS_PER_SECOND = 1
/** The most that one turn of a control plane may take. */
const TURN_MAX_MS = 20
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
  /** Of all clouds, simulated and rented. */
  readonly #truth = new Map<string, TrueCloud>()
  #rented: Rented | undefined
  readonly #scenario: Scenario
  readonly #options: WorldOptions
  readonly #wires = new Map<string, Wire>()
  readonly #providers = new Map<string, Provider>()
  readonly #storeWire: StoreWire
  readonly #versions: Versions
  readonly #service: Service
  readonly #witness: Witness
  readonly #platform: SimPlatform
  /** How often each slot was started, wherever that was. */
  readonly #runs = new Map<string, number>()
  readonly #servers = new WeakMap<Process, FastifyInstance>()
  #stirredMs = START_MS
  readonly failures: string[] = []

  constructor(scenario: Scenario, options: WorldOptions) {
    const { seed } = scenario
    this.#scenario = scenario
    this.#options = options
    this.loop = new Loop(seed)
    if (options.trace === true) this.loop.trace = []
    this.#versions = new Versions(seed)
    this.store = memoryStore({ nowMs: () => this.loop.nowMs, ...this.#versions.options })
    this.#storeWire = new StoreWire(this.loop, seed * 17 + 3)
    this.#platform = new SimPlatform(this.loop)
    this.#witness = this.#witnessed()
    this.invariants = new Invariants(this.#witness)
    scenario.clouds.forEach((spec, index) => this.#addCloud(spec, seed * 1009 + index))
    this.planes = Array.from({ length: scenario.planes }, (_, index) => this.#plane(index))
    this.#service = new Service({
      loop: this.loop,
      dice: new Dice(seed * 401 + 9),
      planes: this.planes,
      server: (plane) => this.#server(plane),
      broke: (invariant, detail) => this.invariants.broke(invariant, detail),
    })
  }

  /** Puts what is there at first into the store, and everything that will happen on the calendar. */
  async begin(): Promise<void> {
    const { projects, actions, faults } = this.#scenario
    for (const [key, body] of Object.entries(projects))
      await this.store.commit({ writes: [{ kind: 'project', key, body }] })
    for (const [project, canary] of Object.entries(CANARIES)) {
      const sealed = VAULT.seal(new Secret(canary), '')
      const body = { version: 1, sealed, createdMs: START_MS }
      await this.store.commit({ writes: [{ kind: 'secret', key: `${project}/MODEL_TOKEN`, body }] })
    }
    await giveTokens(this.store, callersOf(Object.keys(CANARIES)))
    for (const action of actions) this.loop.after(action.at, () => this.#act(action))
    await this.#rent()
    const poison = (name: string, body: Workload): void => void this.#wrote(name, body)
    const rented = this.#rented?.clouds ?? new Map()
    const breakables = {
      loop: this.loop,
      clouds: this.clouds,
      wires: this.#wires,
      rented,
      planes: this.planes,
      owner: OWNER,
    }
    for (const fault of faults) {
      this.loop.after(fault.at, () => breakIt(fault, { ...breakables, storeWire: this.#storeWire, poison }))
    }
    this.planes.forEach((plane, index) => this.loop.after(index * 100, () => plane.start()))
    this.#tick()
  }

  /** What is not yet as it should be in the end. */
  unmet(): readonly string[] {
    return [...unmet(this.#standing()), ...(this.#rented?.lingering() ?? [])]
  }

  /** The state of every workload. */
  ends(): Readonly<Record<string, string>> {
    return ends(this.#standing())
  }

  #standing(): LivenessInput {
    const limited = this.#scenario.projects
    const isLucky = ({ project, policy, spread, agreedUsd }: Wish): boolean =>
      limited[project] !== undefined || policy === 'capped' || spread !== 'none' || agreedUsd !== undefined
    const hasRoomFor: LivenessInput['hasRoom'] = (lacking, held) =>
      hasRoom(lacking, { witness: this.#witness, platform: this.#platform }, held)
    const isDraining = (provider: string): boolean => this.#platform.isDraining(provider)
    return { nowMs: this.loop.nowMs, invariants: this.invariants, isLucky, isDraining, hasRoom: hasRoomFor }
  }

  /** Whatever was written can be read, in whatever version; only what was poisoned cannot. */
  #unread({ kind, key }: Pick<Row, 'kind' | 'key'>): void {
    if (!key.includes('/poison-')) this.invariants.broke('rows', `${kind} ${key} cannot be read`)
  }

  #tick(): void {
    this.invariants.tick()
    this.loop.after(TICK_MS, () => this.#tick())
  }

  #act(action: UserAction): void {
    this.loop.note(`user ${action.kind}`)
    if (action.kind === 'provider' || action.kind === 'config') this.#platform.act(action)
    else if (action.kind === 'chore') this.#service.chore(action.chore)
    else this.#service.act(action)
  }

  /** A row that no control plane should ever have written. */
  async #wrote(name: string, body: Workload): Promise<void> {
    this.loop.awake()
    const commit = { writes: [{ kind: 'workload', key: `default/${name}`, body }] } as const
    this.invariants.committed(commit, await this.store.commit(commit), undefined)
  }

  #addCloud(spec: SimCloud, seed: number): void {
    const { name, tokens, settleMs, callsPerSecond } = spec
    const offers = spec.items.map(offerOf)
    const fleets = readFleets(spec.owned, [])
    const cloud = new Cloud({ ...spec, offers, fleets, quota: undefined, runs: this.#runs }, new Dice(seed))
    cloud.watch = (after, before) => this.invariants.changed(cloud, after, before)
    const whims = new Wire(this.loop, { seed: seed + 500, settleMs })
    // Who settles slowly is asked less often.
    const pollMs = settleMs > 60_000 ? 30_000 : CAN.pollMs
    const able = { spot: true, multiNode: true, secrets: true, volumes: true, objectStorage: true } as const
    const rendezvous = { kind: 'names', pattern: '{workload}-{group}-{rank}' } as const
    const queues = spec.queueMs !== undefined
    const { groups = false, watch = false } = spec
    const can = { ...CAN, ...able, rendezvous, tokens, settleMs, callsPerSecond, pollMs, queues, groups, watch }
    const timers = { sleep: (ms: number) => this.loop.sleep(ms) }
    const heard = (ask: CloudCall): void => {
      this.loop.note(`${name} ${ask}`)
      this.invariants.called(name, ask)
    }
    this.clouds.set(name, cloud)
    this.#truth.set(name, cloud)
    this.#wires.set(name, whims)
    this.#providers.set(
      name,
      new SimProvider({
        name,
        cloud,
        can,
        clock: { nowMs: () => this.loop.nowMs },
        timers,
        whims,
        heard,
        lists: 'everything',
        hints: 'flaky',
      }),
    )
  }

  /** Opens what is rented: one adapter for each life that a control plane may have. */
  async #rent(): Promise<void> {
    const { rented: names = [], seed, planes, faults } = this.#scenario
    if (names.length === 0) return
    const lives = planes + faults.filter(({ kind }) => kind === 'kill').length
    const watch = {
      changed: (...change: Parameters<Invariants['changed']>): void => this.invariants.changed(...change),
      broke: (invariant: string, detail: string): void => this.invariants.broke(invariant, detail),
    }
    this.#rented = await Rented.open({ loop: this.loop, seed, names, lives, watch })
    for (const [name, cloud] of this.#rented.clouds) this.#truth.set(name, cloud)
  }

  #plane(index: number): Plane {
    return new Plane({
      loop: this.loop,
      index,
      seed: this.#scenario.seed,
      make: this.#options.make,
      deps: (process) => this.#deps(process),
      stirred: () => {
        this.#stirredMs = this.loop.nowMs
      },
      failed: (why) => this.failures.push(why),
      tookMs: (name, ms) => {
        if (ms > TURN_MAX_MS) this.invariants.broke('I14', `${name} was busy for ${ms} ms in one turn`)
      },
    })
  }

  #hook(): CallHook {
    const { loop, invariants } = this
    return (who, when, call) => {
      const isDeed = call.endsWith('.launch') || call.endsWith('.stop')
      if (when === 'before' && isDeed) invariants.acting(who, call)
      if (when === 'before') loop.note(`${who.name} ${call}`)
      else loop.tell(() => `${who.name} has ${call}`)
      this.#options.hook?.(who, when, call)
      if (!who.isAlive) this.#revive()
    }
  }

  /** What requests to a control plane reach; undefined: there is no server to answer. */
  #server(plane: Plane): FastifyInstance | undefined {
    const { process } = plane
    if (process?.isRunning !== true) return undefined
    const known = this.#servers.get(process)
    if (known !== undefined) return known
    const { loop, invariants } = this
    const watch: StoreWatch = {
      committed: (who, commit, outcome) => {
        loop.tell(() => `${who.name} granted ${outcome.kind}${writesOf(commit)}`)
        invariants.committed(commit, outcome, undefined)
        if (outcome.kind !== 'done') return
        this.#service.wrote(commit)
        loop.after(5, () => plane.poke())
      },
      led: () => undefined,
    }
    const readable = readableStore(this.store, { tell: (row) => this.#unread(row), passed: [] })
    const store = gatedStore(readable, this.#storeWire, { loop, process, hook: this.#hook(), watch })
    const made = serverOf(serviceDeps(process, { store, vault: VAULT, config: () => this.#platform.config }))
    this.#servers.set(process, made)
    return made
  }

  #deps(process: Process): ControllerDeps {
    if ((this.planes[process.plane]?.lives ?? 1) > 1) this.#versions.next()
    const { loop, invariants } = this
    const hook = this.#hook()
    const kept = readableStore(this.store, { tell: (row) => this.#unread(row), passed: KEPT_ROWS })
    const sent = (...launch: Parameters<Invariants['sent']>): void => {
      this.#rented?.sent(launch[0])
      invariants.sent(...launch)
    }
    const watch = {
      committed: (who: Process, commit: Commit, outcome: Parameters<Invariants['committed']>[1]): void => {
        loop.tell(() => `${who.name} wrote ${outcome.kind}${writesOf(commit)}`)
        invariants.committed(commit, outcome, who)
      },
      led: (who: Process, led: Parameters<Invariants['led']>[0]): void => invariants.led(led, who),
    }
    const gated = new Map(
      [...this.#providers, ...(this.#rented?.providersFor(process) ?? [])].map(([name, each]) => [
        name,
        gatedProvider(each, { loop, process, hook, sent }),
      ]),
    )
    const log = (message: string, fields?: object): void => {
      invariants.logged(`${message} ${fields === undefined ? '' : JSON.stringify(fields)}`)
      loop.tell(() => `  ${process.name}: ${message} ${JSON.stringify(fields ?? {})}`)
    }
    return {
      store: gatedStore(kept, this.#storeWire, { loop, process, hook, watch }),
      clock: process.clock,
      timers: process.timers,
      random: process.random,
      log: { info: log, warn: log, error: log },
      vault: VAULT,
      platform: () => this.#platform.seenThrough(gated),
      owner: OWNER,
      holder: process.name,
      // In every other world all control planes share a machine, and see when one of them has died.
      ...(this.#scenario.seed % 2 === 1 && { isDead: (holder: string) => this.#isDead(holder) }),
    }
  }

  /** Names are of one life of one plane and of one of its stretches. Of some lives nobody can prove that they are over. */
  #isDead(holder: string): boolean {
    const name = holder.slice(0, holder.indexOf('-'))
    if ((Number(name.at(-1)) + this.#scenario.seed) % 3 === 0) return false
    return this.planes.every(({ process }) => process?.isAlive !== true || process.name !== name)
  }

  #revive(): void {
    const { revive } = this.#options
    if (revive === undefined) return
    this.#stirredMs = this.loop.nowMs
    for (const plane of this.planes) this.loop.after(revive, () => plane.start())
  }

  #witnessed(): Witness {
    const { projects, actions, faults } = this.#scenario
    return {
      nowMs: () => this.loop.nowMs,
      startMs: START_MS,
      owner: OWNER,
      clouds: this.#truth,
      readySinceMs: (provider) => this.#readySinceMs(provider),
      wasSilent: (provider) => this.#wireOf(provider)?.answers.wereMissing === true,
      silentSinceMs: (provider) => this.#wireOf(provider)?.silentSinceMs,
      thereSinceMs: (provider) => this.#platform.thereSinceMs(provider),
      limitsOf: (project) => projects[project] ?? NO_LIMITS,
      ceilingOf: (policy) => CEILINGS[policy ?? ''] ?? Infinity,
      drainedMs: (provider) => this.#platform.drainedMs(provider),
      closedSinceMs: (provider) => this.#platform.closedSinceMs(provider),
      callsPerMinute: (provider, isLook) => {
        const can = this.#providers.get(provider)?.can ?? CAN
        const starts = this.planes.reduce((sum, { lives }) => sum + lives, 0)
        return 60 * (isLook ? LOOKS_PER_SECOND : can.callsPerSecond) + can.burst * (1 + starts)
      },
      canaryOf: (project) => CANARIES[project],
      // Looked for where somebody uses one only: it takes time.
      canaries: actions.some((action) => action.kind === 'apply' && action.wish.secrets.length > 0)
        ? Object.values(CANARIES)
        : [],
      hasOddClocks: faults.some(({ kind }) => kind === 'clock'),
    }
  }

  #wireOf(provider: string) {
    return this.#wires.get(provider) ?? this.#rented?.clouds.get(provider)?.parts.wire
  }

  #readySinceMs(provider: string): number | undefined {
    const open = this.#wireOf(provider)?.openSinceMs
    const there = this.#platform.thereSinceMs(provider)
    const stored = this.#storeWire.openSinceMs
    const isRunning = this.planes.some(({ process }) => process?.isRunning === true)
    return open === undefined || there === undefined || stored === undefined || !isRunning
      ? undefined
      : Math.max(open, there, stored, this.#stirredMs)
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

/** Seals nothing really: what counts here is where a value turns up. */
const VAULT: Vault = {
  seal: (secret) => [...secret.reveal()].toReversed().join(''),
  open: (sealed) => new Secret([...sealed].toReversed().join('')),
}
