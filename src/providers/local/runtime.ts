import type { PortAddress } from '../../core/life/call/address.ts'
import type { Exit } from '../../core/life/call/exit.ts'
import type { Fault } from '../../core/life/call/fault.ts'
import type { Order } from '../../core/life/call/order.ts'
import type { Answer, Can, Executed, LogLine, LogWant, ProgramSession } from '../../ports/provider.ts'
import type { Secret } from '../../ports/secret.ts'
import type { Note } from './note.ts'

/**
 * A way to run work on this host: as processes, or in containers. Everything is identified by its attempt, and keeps running
 * without Berth. A runtime throws if it cannot tell; then the state is unknown.
 */
export interface Runtime {
  readonly name: RuntimeName
  /** What it does not do, in words for the operator's log. */
  readonly lacks: readonly string[]
  /** What it can do for a workload. */
  readonly can: Pick<Can, 'images' | 'volumes' | 'objectStorage' | 'rendezvous'>
  /** A launch may have to fetch an image first. */
  readonly deadlineMs: number
  /** Why an order can never run here; undefined: it can. It creates nothing. */
  readonly refuse: (order: Order) => string | undefined
  /** Everything that exists, of every owner; `complete` is false if something could not be read. */
  readonly survey: (signal: AbortSignal) => Promise<{ readonly runs: readonly Run[]; readonly complete: boolean }>
  readonly find: (attempt: string, signal: AbortSignal) => Promise<Run | undefined>
  /** Whether the attempt was made before, even if everything else about it is forgotten. */
  readonly knows: (attempt: string, signal: AbortSignal) => Promise<boolean>
  /** An attempt that was made before counts as started, whatever became of it. */
  readonly start: (start: StartOrder, signal: AbortSignal) => Promise<Answer<undefined>>
  /** Starts to stop it. Returns whether it is over. */
  readonly stop: (attempt: string, signal: AbortSignal) => Promise<boolean>
  readonly logs: (attempt: string, want: LogWant, signal: AbortSignal) => AsyncIterable<LogLine>
  readonly exec: (attempt: string, argv: readonly string[], signal: AbortSignal) => Promise<Answer<Executed>>
  /** The same for a program that is written to while it runs, without a terminal. */
  readonly session: (attempt: string, argv: readonly string[], signal: AbortSignal) => Answer<ProgramSession>
  /** Something may have started or ended; left out: it does not hear of that. */
  readonly news?: (signal: AbortSignal) => AsyncIterable<'instances'>
  readonly close: () => Promise<void>
}

export type RuntimeName = 'process' | 'podman' | 'docker'

export interface StartOrder {
  readonly order: Order
  readonly note: Note
  readonly secrets: ReadonlyMap<string, Secret>
  /** What gives access to storage, by name; not for the workload. */
  readonly storageSecrets: ReadonlyMap<string, Secret>
  /** The driver's names for the cards in the claim; undefined: the host has none. */
  readonly cards: readonly string[] | undefined
}

/** Something that runs or ran here. */
export interface Run {
  readonly note: Note
  readonly state: 'starting' | 'up' | 'ended'
  readonly exit: Exit | undefined
  /** When the newest checkpoint was saved, as far as that is known. */
  readonly checkpointMs?: number
  /** Addresses by port name, while it is up. */
  readonly ports: Readonly<Record<string, PortAddress>>
}

/** A port of this host, as callers on it reach it. */
export function loopback(port: number): PortAddress {
  return { host: '127.0.0.1', port, tls: false }
}

/** The name that we give an instance of this host. */
export function instanceOf(attempt: string): string {
  return `berth-${attempt}`
}

/** Whether a text may be part of a path or of a container's name. */
export function isAttempt(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text)
}

export function refuse(faultClass: Fault['class'], message: string): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault: { class: faultClass, message: message.slice(0, 500) } }
}

/** How long a workload has between SIGTERM and SIGKILL. */
export const GRACE_MS = 10_000

/** How long ended attempts are kept after they were stopped, or ended by themselves: logs can be read until then. */
export const KEPT_STOPPED_MS = 3_600_000
export const KEPT_ENDED_MS = 24 * 3_600_000

/** How long only the name of an attempt is kept, so that a very late call starts nothing. */
export const KEPT_NAME_MS = 30 * 24 * 3_600_000
