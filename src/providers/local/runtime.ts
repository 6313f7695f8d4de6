import type { Exit } from '../../core/life/call/exit.ts'
import type { Fault } from '../../core/life/call/fault.ts'
import type { Order } from '../../core/life/call/order.ts'
import type { Answer, Can, Executed, LogLine, LogWant } from '../../ports/provider.ts'
import type { Secret } from '../../ports/secret.ts'
import type { Note } from './note.ts'

/**
 * A way to run work on this host: as processes, or in containers. Everything is known by its attempt, and everything
 * goes on without us. A runtime throws when it cannot say; then nobody knows.
 */
export interface Runtime {
  readonly name: RuntimeName
  /** What it does not do, in words for the operator's log. */
  readonly lacks: readonly string[]
  /** What it can do for a workload. */
  readonly can: Pick<Can, 'images' | 'volumes' | 'rendezvous'>
  /** A launch may have to fetch an image first. */
  readonly deadlineMs: number
  /** Why an order can never run here; undefined: it can. Nothing is created. */
  readonly refuse: (order: Order) => string | undefined
  /** Everything there is, of every owner; false: something could not be read. */
  readonly survey: (signal: AbortSignal) => Promise<{ readonly runs: readonly Run[]; readonly complete: boolean }>
  readonly find: (attempt: string, signal: AbortSignal) => Promise<Run | undefined>
  /** Whether the attempt was made before, also when everything else about it is forgotten. */
  readonly knows: (attempt: string, signal: AbortSignal) => Promise<boolean>
  /** Takes an attempt that was made before for the same, whatever became of it. */
  readonly start: (start: StartOrder, signal: AbortSignal) => Promise<Answer<undefined>>
  /** Begins to end it and answers whether it is over. */
  readonly stop: (attempt: string, signal: AbortSignal) => Promise<boolean>
  readonly logs: (attempt: string, want: LogWant, signal: AbortSignal) => AsyncIterable<LogLine>
  readonly exec: (attempt: string, argv: readonly string[], signal: AbortSignal) => Promise<Answer<Executed>>
  readonly close: () => Promise<void>
}

export type RuntimeName = 'process' | 'podman' | 'docker'

export interface StartOrder {
  readonly order: Order
  readonly note: Note
  readonly secrets: ReadonlyMap<string, Secret>
  /** Names of the cards in the claim, as their driver knows them; undefined: the host has none. */
  readonly cards: readonly string[] | undefined
}

/** Something that runs or ran here. */
export interface Run {
  readonly note: Note
  readonly state: 'starting' | 'up' | 'ended'
  readonly exit: Exit | undefined
  /** Addresses by name of the port, while it is up. */
  readonly ports: Readonly<Record<string, string>>
}

/** The name that we give an instance of this host. */
export function instanceOf(attempt: string): string {
  return `berth-${attempt}`
}

/** What may be part of a path or of a container's name. */
export function isAttempt(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text)
}

export function refuse(faultClass: Fault['class'], message: string): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault: { class: faultClass, message: message.slice(0, 500) } }
}

/** How long a workload has between SIGTERM and SIGKILL. */
export const GRACE_MS = 10_000

/** Ended ones are kept this long after they were stopped, or ended by themselves: logs are read until then. */
export const KEPT_STOPPED_MS = 3_600_000
export const KEPT_ENDED_MS = 24 * 3_600_000

/** Only the name of an attempt is kept longer, so that a call that comes very late starts nothing. */
export const KEPT_NAME_MS = 30 * 24 * 3_600_000
