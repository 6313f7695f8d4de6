import type { NewEvent } from '../../core/event/event.ts'
import type { EventKind } from '../../core/event/kinds.ts'
import type { Fault } from '../../core/life/call/fault.ts'
import type { Order, Tag } from '../../core/life/call/order.ts'
import type { Phase } from '../../core/life/placement.ts'
import type { LaunchAnswer, StopAnswer, Withheld } from '../../core/life/settle.ts'
import type { Config } from '../../core/policy/policy.ts'
import type {
  Answer,
  Described,
  Hint,
  InstanceList,
  InstanceRef,
  Inventory,
  Launched,
  Provider,
} from '../../ports/provider.ts'
import type { StoreChange, Write } from '../../ports/store.ts'
import type { LedgerRow } from './ledger.ts'

/** When something happened, by the clocks of the leader. */
export interface StepTime {
  /** Monotonic, in ms since 1970 as the machine's clock had it when the term began: for waits and proofs. */
  readonly nowMs: number
  /** As the machine's clock has it: for what people read. */
  readonly wallMs: number
}

/** What a term begins with. */
export interface Begin extends StepTime {
  readonly kind: 'begin'
  readonly term: number
  /** Uid of this installation, for tags. */
  readonly owner: string
  /** From which all chance of the term follows: at least 0 and less than 1. */
  readonly seed: number
  /** A name that was never used before: the names of attempts end with its end. */
  readonly name: string
  readonly unclearPollMs: number
}

/** Everything that a step may learn: data alone, so that it can be saved and replayed. */
export type StepEvent = StepTime & Learnt

export type Learnt =
  /** Some rows of the store at the beginning: all workloads come before their statuses and placements. */
  | { readonly kind: 'rows'; readonly rows: readonly LedgerRow[] }
  /** That were all rows. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'platform'; readonly platform: PlatformFacts }
  | ({ readonly kind: 'changes' } & StoreNews)
  | { readonly kind: 'landed'; readonly commit: number; readonly versions: readonly number[] }
  /** Without an answer: the call was not made. */
  | { readonly kind: 'answered'; readonly call: number; readonly answer?: CallAnswer | undefined }
  | { readonly kind: 'found'; readonly ask: number; readonly found: Found }
  /** A provider hints that something may have changed there. */
  | { readonly kind: 'hinted'; readonly provider: string; readonly what: Hint['what'] }
  /** Whatever is due now, is done now. */
  | { readonly kind: 'time' }
  /** The workload whose turn it is, is looked at. */
  | { readonly kind: 'look' }

/** What other processes wrote. */
export interface StoreNews {
  /** Of workloads and projects. */
  readonly changes: readonly StoreChange[]
  /** Secrets that were set, as `project/name`; never a value, sealed or not. */
  readonly secrets: readonly string[]
  readonly isPolicies: boolean
}

/** What is known about the providers without asking them, and the rules. */
export interface PlatformFacts {
  readonly providers: readonly ProviderFacts[]
  readonly config: Config | undefined
  readonly isAlone: boolean
}

export interface ProviderFacts {
  readonly provider: Pick<Provider, 'name' | 'can' | 'unwalled'>
  readonly state: 'open' | 'cordoned' | 'draining' | 'removing'
  /** It does not answer at the moment. */
  readonly isDown: boolean
}

/** What a provider answered, by the kind of call. */
export type CallAnswer =
  | { readonly kind: 'launch'; readonly answer: LaunchAnswer }
  /** Of a whole gang, by rank. */
  | { readonly kind: 'group'; readonly answer: Answer<readonly Launched[]> }
  /** No provider was called, because something is missing. */
  | ({ readonly kind: 'withheld' } & Pick<Withheld, 'code' | 'text'>)
  | { readonly kind: 'describe'; readonly answer: Answer<Described> }
  | { readonly kind: 'stop'; readonly answer: StopAnswer }
  | ListAnswer
  | { readonly kind: 'offers'; readonly answer: Answer<Inventory> }

export interface ListAnswer {
  readonly kind: 'list'
  readonly answer: Answer<InstanceList>
  /** When the call was really made. */
  readonly issuedMs: number
  /** Whether the provider counted as down before this call and after it, and what it last complained of. */
  readonly wasDown: boolean
  readonly isDown: boolean
  readonly lastFault: Pick<Fault, 'class' | 'message'> | undefined
}

/** What the store answered to a question; `unread`: nothing. */
export type Found =
  | { readonly kind: 'unread' }
  /** The attempt that has the slot by the store itself; undefined: there is no row. */
  | { readonly kind: 'placement'; readonly row: { readonly attempt: string; readonly phase: Phase } | undefined }
  /** The last event of one of these kinds about a provider. */
  | { readonly kind: 'told'; readonly last: { readonly kind: string; readonly atMs: number } | undefined }

/** What follows from an event: data alone, and none of it has happened yet. */
export interface StepResult {
  readonly commits: readonly StepCommit[]
  readonly calls: readonly StepCall[]
  readonly asks: readonly StepAsk[]
  readonly logs: readonly StepLog[]
  /** Workloads wait to be looked at. */
  readonly isMore: boolean
  /** When to come again at the latest, if nothing happens before; Infinity: never. */
  readonly wakeMs: number
}

/** One commit. The event `landed` with its number tells that it is durable. */
export interface StepCommit {
  readonly id: number
  /** The workload that is not touched before it has landed; undefined: it belongs to none. */
  readonly key: string | undefined
  readonly writes: readonly Write[]
  readonly events: readonly NewEvent[]
}

/** A call to a provider. The event `answered` with its number ends it. */
export type StepCall = { readonly id: number; readonly provider: string } & (
  | { readonly kind: 'launch'; readonly order: Order }
  /** A gang as a whole, by rank. */
  | { readonly kind: 'group'; readonly orders: readonly Order[] }
  | { readonly kind: 'describe' | 'stop'; readonly ref: InstanceRef }
  | { readonly kind: 'list' | 'offers' }
)

/** A question to the store. `found` with its number answers it, except for `let-go`, which has no answer. */
export type StepAsk = { readonly id: number; readonly provider: string } & (
  | { readonly kind: 'placement'; readonly tag: Tag }
  | { readonly kind: 'told'; readonly kinds: readonly EventKind[] }
  /** The provider holds nothing of ours: it may be removed. */
  | { readonly kind: 'let-go' }
)

export interface StepLog {
  readonly level: 'warn' | 'error'
  readonly text: string
  readonly facts: Readonly<Record<string, string>>
}
