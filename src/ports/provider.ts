import type { Fault } from '../core/life/call/fault.ts'
import type { Instance } from '../core/life/call/instance.ts'
import type { Order, Tag } from '../core/life/call/order.ts'
import type { Rendezvous } from '../core/life/call/rendezvous.ts'
import type { Ability, Offer } from '../core/offer/offer.ts'
import type { OwnedFleet } from '../core/fleet/owned-fleet.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { Random } from './random.ts'
import type { Secret } from './secret.ts'
import type { Timers } from './timers.ts'

/** The version of this contract. A provider that was written for another one is refused when it is registered. */
export const PROVIDER_CONTRACT = 'berth.provider/v1'

/**
 * A place where work can run. Every method may be called at any time, by several control planes, and again after a crash
 * that left the last call's outcome unknown. Whatever is thrown counts as AMBIGUOUS for `launch` and as TRANSIENT for
 * everything else. A provider does no retries, no rate limiting and no caching of its own: the provider gate in front of it does.
 */
export interface Provider {
  /** As the platform calls it. */
  readonly name: string
  /** As the registry calls it. */
  readonly kind: string
  readonly can: Can
  /** What people may expect of it and it does not do, in words: shown where somebody looks at the provider. */
  readonly lacks?: readonly string[]
  /** Its programs run as the user of this process, who can read everything that Berth keeps: only for projects that an administrator named. */
  readonly unwalled?: boolean
  /** Every offer, those that are sold out too: a plan must be able to say why nothing fits. */
  readonly offers: (call: Call) => Promise<Answer<Inventory>>
  /**
   * Starts `order.tag.attempt`. With `can.tokens`, an attempt that was started before is answered with the instance that
   * it started, alive or dead. Answers as soon as the order is taken; whether it is up is for `describe` and `list`.
   */
  readonly launch: (order: Order, call: LaunchCall) => Promise<Answer<Launched>>
  /** What became of one instance. */
  readonly describe: (ref: InstanceRef, call: Call) => Promise<Answer<Described>>
  /** Every instance with this owner in its tag, ended ones too as long as the provider keeps them. */
  readonly list: (owner: string, call: Call) => Promise<Answer<InstanceList>>
  /** Ends an instance and its billing. What is gone already is a success; `gone: false`: it has begun and goes on. */
  readonly stop: (ref: InstanceRef, call: Call) => Promise<Answer<{ readonly gone: boolean }>>
  /** What it printed, oldest first; ends when it has ended, or at the end of what there is unless `follow`. */
  readonly logs?: (ref: InstanceRef, want: LogWant, call: Call) => AsyncIterable<LogLine>
  /** Runs a program beside the workload. */
  readonly exec?: (ref: InstanceRef, argv: readonly string[], call: Call) => Promise<Answer<Executed>>
  /** Lets go of whatever it holds open. What runs goes on running. */
  readonly close?: () => Promise<void>
}

/** What a provider can do. The defaults in `CAN` are the careful ones; a provider declares where it is better. */
export interface Can {
  /** An attempt that is repeated starts nothing a second time. */
  readonly tokens: boolean
  /** `list` always says truly whether it is complete. */
  readonly completeLists: boolean
  /**
   * A create that was called, and whatever became of it, shows up in a complete list this long after the call ended at
   * the latest. Only lists asked for after that prove absence.
   */
  readonly settleMs: number
  readonly spot: boolean
  readonly multiNode: boolean
  /** Runs the image that an order names. False: its command is run as a program of the host. */
  readonly images: boolean
  /** Attaches empty volumes (`storage` without `from`). */
  readonly volumes: boolean
  /** Brings data from an object store (`storage` with `from`). */
  readonly objectStorage: boolean
  /** Where the members of a gang meet; undefined: nobody can say before they run, and gangs are not placed here. */
  readonly rendezvous: Rendezvous | undefined
  readonly logs: boolean
  readonly exec: boolean
  /** Addresses in `Described.ports` can be reached from where Berth runs. */
  readonly ports: boolean
  readonly secrets: boolean
  /** Calls a second that it takes for long, and how many at once. */
  readonly callsPerSecond: number
  readonly burst: number
  /** A call without an answer by then is given up: its outcome is unknown. */
  readonly deadlineMs: number
  /** How often the list is read while nothing changes. */
  readonly pollMs: number
}

export const CAN: Can = {
  tokens: false,
  completeLists: true,
  settleMs: 180_000,
  spot: false,
  multiNode: false,
  images: true,
  volumes: false,
  objectStorage: false,
  rendezvous: undefined,
  logs: false,
  exec: false,
  ports: false,
  secrets: false,
  callsPerSecond: 2,
  burst: 10,
  deadlineMs: 30_000,
  pollMs: 15_000,
}

/** What a provider cannot do for a workload, as offers say it. */
export function lacksOf({ images, volumes, objectStorage, secrets, rendezvous }: Can): readonly Ability[] {
  const able: readonly (readonly [Ability, boolean])[] = [
    ['gangs', rendezvous !== undefined],
    ['images', images],
    ['object-storage', objectStorage],
    ['secrets', secrets],
    ['volumes', volumes],
  ]
  return able.flatMap(([ability, isAble]) => (isAble ? [] : [ability]))
}

export interface Call {
  readonly signal: AbortSignal
  /** Goes along where the provider takes one, and into the logs. */
  readonly requestId: string
}

export interface LaunchCall extends Call {
  /** By name; exactly the names in the order. */
  readonly secrets: ReadonlyMap<string, Secret>
}

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: Fault }

export interface Inventory {
  readonly offers: readonly Offer[]
  /** Machines of one's own that Berth packs itself. */
  readonly fleets: readonly OwnedFleet[]
  /** False: some could not be read; what is missing is unknown, not gone. */
  readonly complete: boolean
  /** How long it may be believed. */
  readonly freshMs: number
}

export interface Launched {
  /** The provider's own name for it. */
  readonly instance: string
  /** What it really costs; above the order's ceiling it is ended again. */
  readonly usdPerHour: number
}

/** The instance is known by its own name once that was heard, and by its tag always. */
export interface InstanceRef {
  readonly tag: Tag
  readonly instance: string | undefined
}

export type { Instance } from '../core/life/call/instance.ts'

export type Described = Instance | { readonly state: 'absent' }

export interface InstanceList {
  readonly instances: readonly Instance[]
  /** False: a page was missing, or an entry could not be read. Absence is then no evidence. */
  readonly complete: boolean
}

export interface LogWant {
  readonly follow: boolean
  /**
   * Last so many lines; undefined: all there is. The provider does the tailing: it costs what is told, not what was ever
   * printed.
   */
  readonly tail: number | undefined
  /** Only what comes after the line with this mark; what has been trimmed away since is left out. Goes before `tail`. */
  readonly after?: string | undefined
  /** Only what was printed at this time or later. Lines whose time the provider does not know are told all the same. */
  readonly sinceMs?: number | undefined
}

export interface LogLine {
  /** When it was printed; undefined: the provider does not know. */
  readonly atMs: number | undefined
  readonly stream: 'out' | 'err'
  readonly text: string
  /**
   * Where the log goes on after this line, in at most 64 letters, digits and any of `_.:-`: given back as `after` it resumes
   * without reading again what came before. Left out: this line is found again by counting only.
   */
  readonly mark?: string
}

export interface Executed {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Makes providers of one kind. One file in `providers/`, one line in its registry. */
export interface ProviderKind {
  readonly contract: typeof PROVIDER_CONTRACT
  readonly kind: string
  /** One line for `berth provider add --help`. */
  readonly about: string
  /** Settings that may be changed while something runs there: what is behind the name stays the same, and sees it. */
  readonly harmless?: readonly string[]
  /** Reads settings as users write them (snake_case). Problems name the key: `runtime: must be process, podman or docker`. */
  readonly configure: (settings: Readonly<Record<string, unknown>>) => Configured
}

type Configured =
  | { readonly ok: true; readonly open: (name: string, deps: ProviderDeps) => Promise<Provider> }
  | { readonly ok: false; readonly problems: readonly string[] }

/** What a provider may use of the world beside its own network or processes. */
export interface ProviderDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly log: Log
  /** A folder of its own, kept between runs; created when it is first used. */
  readonly folder: string
  /** Its credential, read anew for each call so that a change takes effect. */
  readonly credential: () => Promise<Secret | undefined>
}
