import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { VERSION } from '../api/version.ts'
import { Controller } from '../controller/controller.ts'
import type { ControllerDeps } from '../controller/deps.ts'
import { Planner } from '../controller/planner.ts'
import { Pressure } from '../controller/pressure.ts'
import { ProviderGates } from '../controller/provider-gates.ts'
import { UserError } from '../core/base/problem.ts'
import type { RowKind } from '../core/life/rows.ts'
import type { Snapshot } from '../core/offer/snapshot.ts'
import type { Config } from '../core/policy/policy.ts'
import { readYaml } from '../formats/yaml/yaml.ts'
import type { Info } from '../ports/berth.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { ProviderKind } from '../ports/provider.ts'
import type { Random } from '../ports/random.ts'
import type { RotatingVault } from '../ports/secret.ts'
import type { Row, Store } from '../ports/store.ts'
import type { Timers } from '../ports/timers.ts'
import type { Mode } from '../server/deps.ts'
import { nodeHashing } from '../server/hashing.ts'
import type { Certified } from '../server/secure.ts'
import { buildServer } from '../server/server.ts'
import type { ServiceDeps } from '../service/deps.ts'
import { recordMarket } from '../service/market.ts'
import { keepListed } from '../service/workload/views.ts'
import { readableStore } from '../store/readable.ts'
import { ManifestReader } from './parse.ts'
import { OpenPlatform, type PlatformParts } from './platform.ts'

/** The parts of a control plane: its access to the outside world, and its configuration. */
export interface PlaneParts {
  readonly store: Store
  readonly storeKind: Info['store']
  readonly vault: RotatingVault
  readonly log: Log
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  /** The infrastructure file. */
  readonly config: Config
  readonly kinds: readonly ProviderKind[]
  /** The line of the infrastructure file that has a setting of a provider. */
  readonly settingPlace?: NonNullable<PlatformParts['settingPlace']>
  /** Each provider gets a folder inside it. */
  readonly folder: string
  /** Only this machine can connect. */
  readonly isPrivate: boolean
  readonly owner: string
  readonly holder: string
  readonly isDead?: (holder: string) => boolean
  readonly mode: Mode
  readonly tls?: Certified | undefined
  /** The address of the gateway, as callers use it. */
  readonly gateway?: string | undefined
  /** Offers from price lists, which cannot be launched. */
  readonly paper: () => Snapshot | undefined
  readonly whyNot: () => string | undefined
  /** Called with the time that each decision of the controller took, for measurements. */
  readonly decided?: (tookMs: number) => void
  /** Called at each turn of the controller with how late it was, for measurements. */
  readonly turned?: (lateMs: number) => void
  /** Gets what the leader learns and decides, line by line. */
  readonly record?: ((line: string) => void) | undefined
  /** Removes known secret values from a text. */
  readonly scrub?: (text: string) => string
}

/** A control plane that neither listens nor leads yet. */
export interface ControlPlane {
  readonly app: FastifyInstance
  /** The server's own, except that writes through it do not wake the leader. */
  readonly service: ServiceDeps
  readonly controller: Controller
  readonly platform: OpenPlatform
  /** Keeps ready what lists of workloads are found by. */
  readonly keepListed: () => Promise<void>
}

/** Composes the server, the use cases, the controller and the providers of one process. */
export function composePlane(parts: PlaneParts): ControlPlane {
  const { log, whyNot, mode, tls, paper } = parts
  const store = readable(parts.store, log)
  const platform = new OpenPlatform({ ...parts, store })
  const pressure = new Pressure()
  const { record, ...others } = parts
  const controllerDeps: ControllerDeps = {
    ...others,
    store,
    platform: () => platform.kept,
    pressure,
    ...(record && { record }),
  }
  const gates = new ProviderGates(parts)
  // The controller needs unreadable rows, too, to set their workloads aside; without them it would start the work again.
  const kept = readable(parts.store, log, KEPT_ROWS)
  const spent = { count: 0, seconds: 0 }
  const decided = (tookMs: number): void => {
    spent.count++
    spent.seconds += tookMs / 1000
    parts.decided?.(tookMs)
  }
  const controller = new Controller({ ...controllerDeps, decided, store: kept }, { gates })
  const planner = new Planner(controllerDeps, gates, paper)
  const service = serviceOf({ ...parts, store }, { platform, gates, planner, controller })
  const served = poking(service, controller, platform)
  const app = buildServer({
    service: served,
    measures: () => measuresOf(controller, platform, { gates, whyNot, decisions: spent }),
    mode,
    pressure,
    tls,
  })
  return { app, service, controller, platform, keepListed: keptListed(served, app) }
}

/** Keeps lists ready, and sends one request through the server, so that the first user does not wait until its code is compiled. */
function keptListed(served: ServiceDeps, app: ReturnType<typeof buildServer>): () => Promise<void> {
  let isWarm = false
  return async () => {
    await keepListed(served)
    if (isWarm) return
    isWarm = true
    await app.inject('/healthz')
  }
}

/** How long after a note of a provider's prices the next one is made. */
const NOTED_APART_MS = 300_000

/** Notes prices and stock as the leader last read them; whoever does not lead leaves that to the one that does. */
export function marketNotes(
  { store, clock }: Pick<ServiceDeps, 'store' | 'clock'>,
  controller: Pick<Controller, 'leading' | 'told'>,
): () => Promise<void> {
  const noted = new Map<string, number>()
  return async () => {
    const { leading: term, told } = controller
    if (term === undefined) return
    const nowMs = clock.tickMs()
    const due = [...told].filter(([provider]) => nowMs >= (noted.get(provider) ?? -Infinity) + NOTED_APART_MS)
    const reads = due.map(([provider, { inventory, askedMs }]) => {
      return { provider, offers: inventory.offers, complete: inventory.complete, readMs: askedMs }
    })
    await recordMarket({ store }, { reads, term })
    for (const [provider] of due) noted.set(provider, nowMs)
  }
}

/** Kinds of row that the controller reads even if damaged. */
const KEPT_ROWS: readonly RowKind[] = ['workload', 'status', 'placement']

/** The store without unreadable rows, each of which is logged. */
export function readable(store: Store, log: Log, passed: readonly RowKind[] = []): Store {
  return readableStore(store, { tell: (row) => tellOfDamaged(row, log), passed })
}

function tellOfDamaged({ kind, key }: Pick<Row, 'kind' | 'key'>, log: Log): void {
  log.error('a row cannot be read and is left out', { row: `${kind} ${key}` })
}

interface Running {
  readonly platform: OpenPlatform
  readonly gates: ProviderGates
  readonly planner: Planner
  readonly controller: Controller
}

function serviceOf(parts: PlaneParts, { platform, gates, planner, controller }: Running): ServiceDeps {
  const { store, vault, log, clock, timers, random, config, owner, storeKind, whyNot } = parts
  return {
    store,
    vault,
    log,
    clock,
    timers,
    random,
    hashing: nodeHashing,
    parse: (text, file) => MANIFESTS.read(text, file),
    read: (text, file) => {
      const read = readYaml(text, file)
      if ('problems' in read) throw new UserError(read.problems)
      return read.document
    },
    decide: (project, workloads) => planner.plan(project, workloads),
    capacity: async () => {
      const snapshot = await planner.snapshot()
      return { snapshot, config: platform.kept.config, read: planner.read() }
    },
    providers: platform.service(gates, (name) => controller.offersOf(name) || planner.offersOf(name)),
    config: () => config,
    whyNot,
    gateway: parts.gateway,
    info: () => ({
      version: VERSION,
      owner,
      store: storeKind,
      leader: controller.leading !== undefined,
      term: controller.seenTerm,
    }),
  }
}

/** Kinds of row that define the providers, policies and tokens. */
const PLATFORM_ROWS: readonly RowKind[] = ['provider', 'policy', 'setting', 'token']

/** Wakes the controller after every write, if this process leads. A new provider is open before the request is answered. */
function poking(service: ServiceDeps, controller: Controller, platform: OpenPlatform): ServiceDeps {
  const commit: Store['commit'] = async (change, signal) => {
    const committed = await service.store.commit(change, signal)
    if (change.writes.some(({ kind }) => PLATFORM_ROWS.includes(kind))) await platform.refresh()
    controller.poke()
    return committed
  }
  return { ...service, store: { ...service.store, commit } }
}

/** One thread for all large manifests of this process. */
const MANIFESTS = new ManifestReader()

interface Measured {
  readonly gates: ProviderGates
  readonly whyNot: () => string | undefined
  readonly decisions: { readonly count: number; readonly seconds: number }
}

function measuresOf(controller: Controller, platform: OpenPlatform, { gates, whyNot, decisions }: Measured) {
  const { workloads = {}, placements = {}, commits = 0 } = controller.counts ?? {}
  const providers = [...platform.kept.providers.keys()].flatMap((provider) =>
    (gates.state(provider)?.counts ?? []).map(({ what, calls, faults }) => ({ provider, call: what, calls, faults })),
  )
  const [leader, term] = [controller.leading !== undefined, controller.leading ?? 0]
  const ready = controller.seenTerm > 0 && whyNot() === undefined
  return { workloads, placements, commits, decisions, providers, leader, term, ready, turnSecondsMax: longestTurn() }
}

const TURNS = monitorEventLoopDelay({ resolution: 10 })
TURNS.enable()

/** The longest turn of the main thread since the last call. No work may block the thread for long. */
function longestTurn(): number {
  const seconds = Math.max(0, TURNS.max) / 1e9
  TURNS.reset()
  return seconds
}
