import type { AboutOf, EventKind, FactsOf } from './kinds.ts'

/**
 * Something that happened to an object, for people: what `berth events` shows. It holds facts, not text, and never the value
 * of a secret. Facts that do not belong to its kind do not compile.
 */
export type NewEvent = {
  readonly [K in EventKind]: {
    readonly atMs: number
    readonly project: string
    /** Kind and name of the object: `workload/llama-70b`, `provider/north`. */
    readonly subject: `${AboutOf<K>}/${string}`
    readonly kind: K
    readonly facts: FactsOf<K>
  }
}[EventKind]

/** An event about a workload, without what follows from the workload. */
export type Happening = HappeningOf<EventKind>

export type HappeningOf<K extends EventKind> = {
  readonly [Each in K]: AboutOf<Each> extends 'workload'
    ? { readonly kind: Each; readonly facts: FactsOf<Each> }
    : never
}[K]

/** Facts as they are stored, by any version. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>

/**
 * An event as it is read. Events outlive the version that wrote them, so neither its kind nor its facts need be known here.
 */
export interface EventEntry {
  readonly seq: number
  readonly atMs: number
  readonly project: string
  readonly subject: string
  readonly kind: string
  readonly facts: Facts
}

/** Who changed what; written in the transaction of the change and never deleted. */
export interface NewAudit {
  readonly atMs: number
  /** Name of the token, `system`, or `development` without authentication. */
  readonly actor: string
  readonly project: string
  /** `apply`, `scale`, `token.create`, ... */
  readonly action: string
  /** Kind and name of the object. */
  readonly subject: string
  readonly facts: Facts
}

export interface AuditEntry extends NewAudit {
  readonly seq: number
}
