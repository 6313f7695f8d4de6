import type * as z from 'zod'
import type { Fault } from '../core/life/call/fault.ts'
import type { Instance } from '../core/life/call/instance.ts'
import { GANG_WITHIN_MS } from '../core/life/call/pace.ts'
import type { Order, Tag } from '../core/life/call/order.ts'
import type { Rendezvous } from '../core/life/call/rendezvous.ts'
import type { Ability, Offer } from '../core/offer/offer.ts'
import type { OwnedFleet } from '../core/fleet/owned-fleet.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { Network } from './network.ts'
import type { Random } from './random.ts'
import type { Secret } from './secret.ts'
import type { Timers } from './timers.ts'

/** The version of this contract. A provider for another version is refused when it is registered. */
export const PROVIDER_CONTRACT = 'berth.provider/v2'

/**
 * A place where work can run. Every method may be called at any time, by several control planes, and again after a crash
 * that left the outcome of the last call unknown. An exception counts as AMBIGUOUS for `launch` and as TRANSIENT for all
 * others. A provider does not retry, limit rates or cache: the provider gate in front of it does.
 */
export interface Provider {
  /** Its name on the platform. */
  readonly name: string
  /** Its kind in the registry. */
  readonly kind: string
  readonly can: Can
  /** What users may expect of it but it does not do, in words: shown with the provider. */
  readonly lacks?: readonly string[]
  /** Why what it prints cannot be read through Berth, and how it can be read; left out where it can. */
  readonly noLogs?: NoLogs | undefined
  /**
   * Its programs run as the user of this process, who can read everything that Berth keeps: only for projects that an
   * administrator named.
   */
  readonly unwalled?: boolean
  /** Every offer, including those that are sold out: a plan must be able to say why nothing fits. */
  readonly offers: (call: Call) => Promise<Answer<Inventory>>
  /**
   * Starts `order.tag.attempt`. With `can.tokens`, a repeated attempt is answered with the instance that it started before,
   * alive or dead. It answers as soon as the order is accepted; `describe` and `list` tell whether it is up.
   */
  readonly launch: (order: Order, call: LaunchCall) => Promise<Answer<Launched>>
  /**
   * With `can.groups`: starts all members of a gang or none, by rank. The attempt of the first order is the token of the
   * whole group. With `can.tokens`, the repeated call is answered with what it started before. A fault is about all of
   * them. Secrets are those of every order: members of a gang name the same ones.
   */
  readonly launchGroup?: (orders: readonly Order[], call: LaunchCall) => Promise<Answer<readonly Launched[]>>
  /** The current state of one instance. */
  readonly describe: (ref: InstanceRef, call: Call) => Promise<Answer<Described>>
  /** Every instance with this owner in its tag, including ended ones for as long as the provider keeps them. */
  readonly list: (owner: string, call: Call) => Promise<Answer<InstanceList>>
  /** Ends an instance and its billing. If it is gone already, that is a success. `gone: false`: the stop is under way. */
  readonly stop: (ref: InstanceRef, call: Call) => Promise<Answer<{ readonly gone: boolean }>>
  /**
   * With `can.watch`: a hint each time something may have changed, until the signal is aborted. Hints may come late, twice or
   * for nothing, and any of them may be missing: a hint only makes the next list or the next read of offers come sooner.
   */
  readonly watch?: (owner: string, call: Call) => AsyncIterable<Hint>
  /** What it printed, oldest first. Ends when the instance has ended; without `follow`, at the end of what exists. */
  readonly logs?: (ref: InstanceRef, want: LogWant, call: Call) => AsyncIterable<LogLine>
  /** Runs a program next to the workload. */
  readonly exec?: (ref: InstanceRef, argv: readonly string[], call: Call) => Promise<Answer<Executed>>
  /**
   * Runs a program that is written to and read from while it runs: on a terminal (only with `can.terminals`), or without one.
   * Aborting the call ends the program.
   */
  readonly session?: (ref: InstanceRef, start: SessionStart, call: Call) => Promise<Answer<ProgramSession>>
  /** Connects to a port of the workload. Aborting the call closes the connection. */
  readonly dial?: (ref: InstanceRef, port: DialledPort, call: Call) => Promise<Answer<Pipe>>
  /** Whether it may do all that it has to, right by right. It changes nothing and costs nothing. */
  readonly check?: (call: Call) => Promise<readonly ProviderCheckup[]>
  /** Releases everything that it holds open. Instances keep running. */
  readonly close?: () => Promise<void>
}

/** In sentences. */
export interface NoLogs {
  readonly why: string
  /** `{instance}` stands for the provider's name of what runs. */
  readonly instead: string
}

/** What a provider can do. The defaults in `CAN` are conservative; a provider declares where it is better. */
export interface Can {
  /** Repeating an attempt starts no second instance. */
  readonly tokens: boolean
  /** `list` always says correctly whether it is complete. */
  readonly completeLists: boolean
  /**
   * At most this long after a create call has ended, whatever its outcome, its instance shows up in complete lists. Only lists
   * requested after that prove absence.
   */
  readonly settleMs: number
  readonly spot: boolean
  readonly multiNode: boolean
  /** Starts all members of a gang with one call, or none. */
  readonly groups: boolean
  /** A gang that is not complete this long after its machines were handed out gives up those it has. */
  readonly gangWithinMs: number
  /** An order that was accepted may wait in a queue, as with a batch scheduler. */
  readonly queues: boolean
  /** Sends hints when something has changed. */
  readonly watch: boolean
  /** Runs the image that an order names. False: its command runs as a program of the host. */
  readonly images: boolean
  /** Attaches empty volumes (`storage` without `from`). */
  readonly volumes: boolean
  /** Fetches data from an object store (`storage` with `from`). */
  readonly objectStorage: boolean
  /** Runs one command over the nodes of a gang with Ray (`framework: ray`). */
  readonly ray: boolean
  /** Where the members of a gang meet; undefined: not known before they run, so gangs are not placed here. */
  readonly rendezvous: Rendezvous | undefined
  readonly logs: boolean
  /** Logs can still be read for as long as an ended instance is listed. */
  readonly endedLogs: boolean
  readonly exec: boolean
  /** Runs a program on a terminal. */
  readonly terminals: boolean
  /** Addresses in `Described.ports` can be reached from the host of Berth. */
  readonly ports: boolean
  readonly secrets: boolean
  /** Calls per second that it sustains, and how many at once. */
  readonly callsPerSecond: number
  readonly burst: number
  /** At least this long between two launches, where they have a limit of their own; 0: they have none. */
  readonly launchEachMs: number
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
  groups: false,
  gangWithinMs: GANG_WITHIN_MS,
  queues: false,
  watch: false,
  images: true,
  volumes: false,
  objectStorage: false,
  ray: false,
  rendezvous: undefined,
  logs: false,
  endedLogs: false,
  exec: false,
  terminals: false,
  ports: false,
  secrets: false,
  callsPerSecond: 2,
  burst: 10,
  launchEachMs: 0,
  deadlineMs: 30_000,
  pollMs: 15_000,
}

/** What a provider cannot do for a workload, in the form that offers use. */
export function lacksOf({ images, volumes, objectStorage, ray, secrets, rendezvous }: Can): readonly Ability[] {
  const able: readonly (readonly [Ability, boolean])[] = [
    ['gangs', rendezvous !== undefined],
    ['images', images],
    ['object-storage', objectStorage],
    ['ray', ray],
    ['secrets', secrets],
    ['volumes', volumes],
  ]
  return able.flatMap(([ability, isAble]) => (isAble ? [] : [ability]))
}

export interface Call {
  readonly signal: AbortSignal
  /** Sent along if the provider accepts one, and logged. */
  readonly requestId: string
}

export interface LaunchCall extends Call {
  /** By name; exactly the names in the order. */
  readonly secrets: ReadonlyMap<string, Secret>
  /** Those that give access to storage, by name. They are not for the workload. Left out: there are none. */
  readonly storageSecrets?: ReadonlyMap<string, Secret>
}

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: Fault }

export interface Inventory {
  readonly offers: readonly Offer[]
  /** Machines of our own that Berth packs itself. */
  readonly fleets: readonly OwnedFleet[]
  /** False: some could not be read. What is missing is unknown, not gone. */
  readonly complete: boolean
  /** How long it may be trusted. */
  readonly freshMs: number
}

export interface Launched {
  /** The provider's own name for it. */
  readonly instance: string
  /** The actual price; above the order's ceiling, the instance is ended again. */
  readonly usdPerHour: number
  /** The price was asked for before, and the reply to the order has none: the first that is told is held to the ceiling, too. */
  readonly isQuoted?: boolean
}

/** An instance is identified by its own name once that is known, and always by its tag. */
export interface InstanceRef {
  readonly tag: Tag
  readonly instance: string | undefined
}

export type { Instance } from '../core/life/call/instance.ts'

export type Described = Instance | { readonly state: 'absent' }

export interface InstanceList {
  readonly instances: readonly Instance[]
  /** False: a page was missing, or an entry could not be read. Then absence is no evidence. */
  readonly complete: boolean
}

/** What may have changed. */
export interface Hint {
  readonly what: 'instances' | 'offers'
}

export interface LogWant {
  readonly follow: boolean
  /**
   * The last lines, at most this many; undefined: all. The provider does the tailing: the cost depends on what is returned,
   * not on everything that was ever printed.
   */
  readonly tail: number | undefined
  /** Only what comes after the line with this mark; what has been trimmed since is left out. Takes precedence over `tail`. */
  readonly after?: string | undefined
  /** Only what was printed at this time or later. Lines without a known time are included. */
  readonly sinceMs?: number | undefined
}

export interface LogLine {
  /** When it was printed; undefined: the provider does not know. */
  readonly atMs: number | undefined
  readonly stream: 'out' | 'err'
  readonly text: string
  /**
   * Where the log continues after this line, in at most 64 letters, digits and any of `_.:-`. Passed back as `after`, it
   * resumes without reading again what came before. Left out: this line can only be found again by counting.
   */
  readonly mark?: string
}

export interface Executed {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A program to be run while somebody writes to it. */
export interface SessionStart {
  readonly argv: readonly string[]
  /** The size of its terminal; undefined: it has none, and its output and its errors come together. */
  readonly screen: ScreenSize | undefined
}

export interface ScreenSize {
  readonly rows: number
  readonly columns: number
}

/** Bytes in both directions. */
export interface Pipe {
  /** What comes, until the other side ends it. Throws if it was cut off, and says why. */
  readonly output: AsyncIterable<Uint8Array>
  /** Resolves when there is room for more. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Nothing more will be written. */
  readonly end: () => void
}

/** A program that runs. */
export interface ProgramSession extends Pipe {
  /** Its terminal has another size; without a terminal, nothing happens. */
  readonly resize: (screen: ScreenSize) => void
  /** Its exit code, after the end of its output; undefined: it was ended, or the code is not known. */
  readonly ended: Promise<number | undefined>
}

/** A port of a workload. */
export interface DialledPort {
  readonly port: number
  /** Its name in the manifest; undefined: the manifest does not have it. */
  readonly name: string | undefined
}

/** What one check found, with what to do if it is not fine. */
export interface ProviderCheckup {
  readonly check: string
  readonly ok: boolean
  readonly text: string
}

/** Makes providers of one kind. One file in `providers/`, one line in its registry. */
export interface ProviderKind {
  readonly contract: typeof PROVIDER_CONTRACT
  readonly kind: string
  /** One line for `berth provider add --help`. */
  readonly about: string
  /** Settings that may change while work runs there: the name still means the same place, which still sees that work. */
  readonly harmless?: readonly string[]
  /** Settings as users write them (snake_case). Unknown keys are refused; messages say what the value must be. */
  readonly settings: z.ZodType
  /** The form of its credential, which is a text; left out: it needs none. Messages never repeat the value. */
  readonly credential?: z.ZodType<unknown, string>
  /** Whether it needs its credential with these settings; left out: always. */
  readonly needsCredential?: (settings: unknown) => boolean
  /**
   * Opens one, with what `settings` made of its settings. What it takes to talk to the provider is loaded only here, so that it
   * costs nothing where no provider of this kind is configured.
   */
  readonly open: (name: string, settings: unknown, deps: ProviderDeps) => Promise<Provider>
}

/** What was asked of an API. Only `create` may leave something behind. */
export const API_OPERATIONS = ['create', 'describe', 'list', 'stop', 'offers'] as const

/** A refusal of an API as it came. */
export interface ApiReply {
  readonly operation: (typeof API_OPERATIONS)[number]
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a provider may use besides its own network or processes. */
export interface ProviderDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly log: Log
  /** Its own folder, kept between runs; created on first use. */
  readonly folder: string
  /** Its credential, read again for each call so that a change takes effect. */
  readonly credential: () => Promise<Secret | undefined>
  /** Left out: that of this host. */
  readonly network?: Network
}
