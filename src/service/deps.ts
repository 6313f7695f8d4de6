import type { Config } from '../core/policy/policy.ts'
import type { SourceDocument } from '../core/document/document.ts'
import type { ToPlace } from '../core/life/bind/question.ts'
import type { RoleName } from '../core/life/rows.ts'
import type { ReadManifest } from '../core/manifest/parse.ts'
import type { Snapshot } from '../core/offer/snapshot.ts'
import type { PlanReport } from '../core/place/explain/report.ts'
import type { Info, ProviderCheck, ProviderView } from '../ports/berth.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type {
  Answer,
  Call,
  DialledPort,
  Executed,
  InstanceRef,
  LogLine,
  LogWant,
  NoLogs,
  Pipe,
  ProgramSession,
  SessionStart,
} from '../ports/provider.ts'
import type { Random } from '../ports/random.ts'
import type { RotatingVault } from '../ports/secret.ts'
import type { Store } from '../ports/store.ts'
import type { Timers } from '../ports/timers.ts'

/** An authenticated caller. There is no anonymous principal. */
export interface Principal {
  /** The name of the token, or `development` without authentication. */
  readonly name: string
  readonly role: RoleName
  /** Projects it has access to; `*`: all. */
  readonly projects: readonly string[]
  /** The request that it made, for the audit; left out: it made none. */
  readonly requestId?: string | undefined
}

/** Everything the use cases behind the API depend on; they reach the outside world only through this. */
export interface ServiceDeps {
  readonly store: Store
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly log: Log
  readonly vault: RotatingVault
  readonly hashing: Hashing
  /** Parses a manifest. Throws or rejects with a UserError that has every problem in it. A large one is asynchronous. */
  readonly parse: (text: string, file: string) => ReadManifest | Promise<ReadManifest>
  /** Parses YAML or JSON into a document that knows its lines. Throws a UserError. */
  readonly read: (text: string, file: string) => SourceDocument
  /**
   * Decides with what the providers offer now, without placing anything. The workloads are of one project and are decided in
   * order; the plan is the last one's.
   */
  readonly decide: (project: string, workloads: readonly ToPlace[]) => Promise<PlanReport>
  /** The offers to choose from now, and the rules for choosing. */
  readonly capacity: () => Promise<{
    readonly snapshot: Snapshot
    readonly config: Config | undefined
    /** How old the offers are; left out: nobody knows. */
    readonly read?: readonly OffersRead[]
  }>
  readonly providers: ServiceProviders
  /** The infrastructure file that this control plane was started with. */
  readonly config: () => Config | undefined
  /** What is wrong with the store or the leadership, in words that any caller may read; undefined: nothing. */
  readonly whyNot: () => string | undefined
  /** The address of the gateway, as callers use it; left out: there is none. */
  readonly gateway?: string | undefined
  /** This control plane and its leadership, as far as this process knows. */
  readonly info: () => Omit<Info, 'now_ms'>
}

/** When a provider last said what it offers. */
export interface OffersRead {
  readonly provider: string
  /** Undefined: it has not answered yet. */
  readonly readMs: number | undefined
  /** How long that may be trusted. */
  readonly freshMs: number | undefined
  /** False: a part of it could not be read. */
  readonly complete: boolean
}

/** Cryptographic functions. */
export interface Hashing {
  /** Hexadecimal. */
  readonly sha256: (text: string) => string
  /** 32 random bytes, in letters, digits, `-` and `_`. */
  readonly newToken: () => string
  /** Compares in constant time, which does not reveal where two texts of the same length differ. */
  readonly isSame: (one: string, other: string) => boolean
}

/** The providers that this process has now. Which ones it should have is in the store and in the infrastructure file. */
export interface ServiceProviders {
  /** What this process knows about each provider. */
  readonly views: () => readonly ProviderView[]
  /** Providers whose programs run as Berth's own user, which a project may use only with an administrator's permission. */
  readonly unwalled: () => readonly string[]
  readonly kinds: () => readonly KindView[]
  /** The problems with the settings of a provider of this kind; empty: none. The kind must be one of `kinds`. */
  readonly problemsOf: (kind: string, settings: Readonly<Record<string, unknown>>) => readonly string[]
  /** Runs every check that costs nothing. Undefined: this process does not have the provider. */
  readonly test: (name: string, call: Call) => Promise<readonly ProviderCheck[]> | undefined
  /** Runs a program next to an instance. Undefined or left out: this process has no such provider, or it cannot. */
  readonly exec?: (source: LogSource, argv: readonly string[], call: Call) => Promise<Answer<Executed>> | undefined
  /** Runs a program that is written to while it runs; the same. */
  readonly session?: (source: LogSource, start: SessionStart, call: Call) => Promise<Answer<ProgramSession>> | undefined
  /** Connects to a port of an instance; the same. */
  readonly dial?: (source: LogSource, port: DialledPort, call: Call) => Promise<Answer<Pipe>> | undefined
  /** Why what runs at a provider has no logs, and what to do instead; undefined or left out: nobody knows. */
  readonly noLogs?: (provider: string) => NoLogs | undefined
  /** Undefined: this process does not have the provider, or it keeps no logs. */
  readonly logs: (source: LogSource, want: LogWant, call: Call) => AsyncIterable<LogLine> | undefined
}

interface KindView {
  readonly kind: string
  readonly about: string
  /** Settings that may change while something runs there; left out: none. */
  readonly harmless?: readonly string[]
}

interface LogSource {
  readonly provider: string
  readonly ref: InstanceRef
}
