import type { PortAddress } from '../../core/life/call/address.ts'
import type { Exit } from '../../core/life/call/exit.ts'
import type { Order } from '../../core/life/call/order.ts'
import type { OfferDraft } from '../../core/offer/identity.ts'
import type { Answer, Call, Can, Instance, Launched, NoLogs } from '../../ports/provider.ts'
import type { PagedList } from '../rest/pages.ts'
import type { StoragePlan } from '../storage/plan.ts'
import type { CloudLogs } from './logs.ts'
import type { CloudNote } from './note.ts'

/** What differs from cloud to cloud. Everything else of the contract is in `CloudProvider`. */
export interface CloudApi {
  readonly kind: string
  readonly can: Can
  readonly lacks: readonly string[]
  /** What its machines print, or why that cannot be read. */
  readonly logs: CloudLogs | NoLogs
  /** How long its offers may be trusted. */
  readonly freshMs: number
  readonly offers: (provider: string, call: Call) => Promise<Answer<PagedList<OfferDraft>>>
  /** Why it can never run this, in words; undefined: it can. It creates nothing. */
  readonly refuse: (order: Order) => string | undefined
  /** One call that creates, and nothing after it that could fail. */
  readonly create: (start: CloudStart, call: Call) => Promise<Answer<Launched>>
  /** With `can.groups`: the same for all members of a gang, or for none. */
  readonly createGroup?: (starts: readonly CloudStart[], call: Call) => Promise<Answer<readonly Launched[]>>
  /** Everything in the account, of whatever owner. */
  readonly machines: (call: Call) => Promise<Answer<PagedList<CloudMachine>>>
  /** Undefined: there is no machine of this name. */
  readonly machine: (id: string, call: Call) => Promise<Answer<CloudMachine | undefined>>
  /** Asks machines of ours themselves, where the account says too little; what they do not say stays as it is. */
  readonly ask?: (machines: readonly OurMachine[], signal: AbortSignal) => Promise<readonly OurMachine[]>
  readonly remove: (id: string, call: Call) => Promise<Answer<{ readonly gone: boolean }>>
}

/** An order with all that the machine is told. */
export interface CloudStart {
  readonly order: Order
  readonly note: CloudNote
  /** The whole environment of the workload, secrets included. */
  readonly env: Readonly<Record<string, string>>
  /** What is done about its storage, credentials included; left out: it has none. */
  readonly storage?: StoragePlan
}

/** A machine in the account. */
export interface CloudMachine {
  readonly id: string
  readonly name: string
  /** Undefined: it has none that can be read. */
  readonly note: CloudNote | undefined
  readonly state: Instance['state']
  /** Queued: what it waits for. */
  readonly reason?: string
  readonly exit?: Exit
  /** It ended by itself, and its cloud does not tell how. */
  readonly endedItself?: boolean
  /** Where each port of the workload is reached. */
  readonly ports?: ReadonlyMap<number, PortAddress>
  /** Of a machine whose runner is asked. */
  readonly address?: string
  readonly usdPerHour?: number
  /** When it will be taken away, if notice was given. */
  readonly endsAtMs?: number
  /** When the newest checkpoint was saved. */
  readonly checkpointMs?: number
  /** It has ended and may cost something until it is removed. */
  readonly lingers?: boolean
}

/** A machine that we rented, and what we wrote on it. */
export interface OurMachine extends CloudMachine {
  readonly note: CloudNote
}
