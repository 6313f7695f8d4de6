import type { Config } from '../core/policy/policy.ts'
import type { SourceDocument } from '../core/document/document.ts'
import type { WrongAt } from '../core/life/bind/elsewhere.ts'
import type { RoleName } from '../core/life/rows.ts'
import type { Manifest } from '../core/manifest/manifest.ts'
import type { ReadManifest } from '../core/manifest/parse.ts'
import type { Snapshot } from '../core/offer/snapshot.ts'
import type { PlanReport } from '../core/place/explain/report.ts'
import type { Info, ProviderCheck, ProviderView } from '../ports/berth.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Answer, Call, Executed, InstanceRef, LogLine, LogWant } from '../ports/provider.ts'
import type { Random } from '../ports/random.ts'
import type { Vault } from '../ports/secret.ts'
import type { Store } from '../ports/store.ts'
import type { Timers } from '../ports/timers.ts'

/** Who asks. Nobody is no principal: there is no anonymous one to compare with. */
export interface Principal {
  /** Name of the token, or `development` without authentication. */
  readonly name: string
  readonly role: RoleName
  /** Projects it may touch; `*`: all. */
  readonly projects: readonly string[]
}

/** Everything the use cases behind the API may touch. Nothing else reaches the world from them. */
export interface ServiceDeps {
  readonly store: Store
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly log: Log
  readonly vault: Vault
  readonly hashing: Hashing
  /** The manifest in a text; throws or rejects with a UserError that has every problem in it. A large one takes its time. */
  readonly parse: (text: string, file: string) => ReadManifest | Promise<ReadManifest>
  /** YAML or JSON as a document that knows its lines; throws a UserError. */
  readonly read: (text: string, file: string) => SourceDocument
  /** A decision over what the providers offer now; binds nothing. */
  readonly decide: (manifest: Manifest, project: string, beside?: DecisionExtras) => Promise<PlanReport>
  /** What there is to choose from now, and the rules for choosing. */
  readonly capacity: () => Promise<{ readonly snapshot: Snapshot; readonly config: Config | undefined }>
  readonly providers: ServiceProviders
  /** The infrastructure file this control plane was started with. */
  readonly config: () => Config | undefined
  /** What is known to be wrong with the store or the lead, in a few words that anybody may read; undefined: nothing. */
  readonly whyNot: () => string | undefined
  /** Who leads, as far as this process knows. */
  readonly info: () => Omit<Info, 'now_ms'>
}

/** What else a decision is to know. */
export interface DecisionExtras {
  /** Others that take their room first. */
  readonly before?: readonly Manifest[]
  /** Places that called the workload wrong; left out: none did. */
  readonly wrongAt?: WrongAt
}

/** What needs the machine's cryptography. */
export interface Hashing {
  /** Hexadecimal. */
  readonly sha256: (text: string) => string
  /** 32 bytes that nobody can guess, in letters, digits, `-` and `_`. */
  readonly newToken: () => string
  /** Compares in a time that does not tell where two texts of one length differ. */
  readonly isSame: (one: string, other: string) => boolean
}

/** The providers of this process, as they are now. Which there should be is in the store and in the file. */
export interface ServiceProviders {
  /** What this process knows of each, by name. */
  readonly views: () => readonly ProviderView[]
  /** Those whose programs run as Berth's own user, where that takes an administrator's word. */
  readonly unwalled: () => readonly string[]
  readonly kinds: () => readonly KindView[]
  /** What is wrong with the settings of a provider of this kind; empty: nothing. The kind must be one of `kinds`. */
  readonly problemsOf: (kind: string, settings: Readonly<Record<string, unknown>>) => readonly string[]
  /** Asks it everything that costs nothing. Undefined: this process does not have it. */
  readonly test: (name: string, call: Call) => Promise<readonly ProviderCheck[]> | undefined
  /** Runs a program beside an instance. Undefined, or left out: this process does not have it, or it cannot. */
  readonly exec?: (source: LogSource, argv: readonly string[], call: Call) => Promise<Answer<Executed>> | undefined
  /** Undefined: this process does not have it, or it keeps no logs. */
  readonly logs: (source: LogSource, want: LogWant, call: Call) => AsyncIterable<LogLine> | undefined
}

interface KindView {
  readonly kind: string
  readonly about: string
  /** Settings that may be changed while something runs there; left out: none. */
  readonly harmless?: readonly string[]
}

interface LogSource {
  readonly provider: string
  readonly ref: InstanceRef
}
