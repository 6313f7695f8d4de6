/**
 * Something that happened to an object, for people: what `berth events` shows. It holds facts, not text; the CLI and the
 * web page render them. It never holds the value of a secret.
 */
export interface NewEvent {
  readonly atMs: number
  readonly project: string
  /** Kind and name of the object: `workload/llama-70b`, `provider/north`. */
  readonly subject: string
  readonly kind: EventKind
  readonly facts: Facts
}

export type Facts = Readonly<Record<string, string | number | boolean | null>>

export interface EventEntry extends NewEvent {
  readonly seq: number
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

/** One word each, as users read it. */
export type EventKind =
  | 'accepted'
  | 'changed'
  | 'scaled'
  | 'placed'
  | 'launched'
  | 'refused'
  | 'unknown'
  | 'adopted'
  | 'up'
  | 'unhealthy'
  | 'slow'
  | 'ended'
  | 'died'
  | 'preempted'
  | 'stopping'
  | 'stopped'
  | 'waiting'
  | 'gave-up'
  | 'done'
  | 'failed'
  | 'removed'
  | 'drained'
  | 'orphan'
  | 'set-aside'
  | 'provider-down'
  | 'provider-up'
