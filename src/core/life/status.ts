/** What the leader knows of a workload beyond its placements. */
export interface Status {
  /** The workload's uid. A status with another uid belongs to an earlier workload of the same name, and is ignored. */
  readonly uid: string
  /** The generation that the leader has acted on. */
  readonly generation: number
  /** Set once nothing more will happen by itself. */
  readonly end: End | undefined
  /** Why slots have no place now. */
  readonly waiting: Waiting | undefined
  /** Failures of the work itself (exit codes, crash loops), not of providers. Back to 0 after progress. */
  readonly failures: number
  /** No slot is placed before this. */
  readonly backoffUntilMs: number
  /** Jobs: replicas that ran to completion. */
  readonly completed: readonly number[]
  /** Jobs: when the first slot came up; `max_duration` counts from it. */
  readonly startedMs: number | undefined
  /** Restarts for any reason, and the work lost by them, as far as checkpoints tell. */
  readonly restarts: number
  readonly lostSeconds: number
  /** How many of the restarts happened before this generation; left out: none. */
  readonly restartsBefore?: number | undefined
  /** Jobs with a checkpoint: the last moment that a restart can resume from, by replica. */
  readonly resumePoints: Readonly<Record<string, number>>
  /** Set when the workload cannot be handled, because of a bug or an invalid row. Other workloads are not affected. */
  readonly setAside: string | undefined
  /** Places that rejected the workload as invalid; left out: none. */
  readonly refusedBy?: RefusedBy
  /** Services: this generation fails, and its roll-out has ended. Replicas that serve keep serving. */
  readonly stalled?: Stalled | undefined
  /** Services: identity of the version that was last up in every slot; left out: not known. */
  readonly stood?: string | undefined
  /** The last failure of the work itself, in words. Set from the first failure that `failures` counts. */
  readonly trouble?: Trouble | undefined
  /** Jobs with `max_duration`: how long it had run at a moment, by the clocks of the leaders that watched it. */
  readonly ran?: { readonly ms: number; readonly atMs: number } | undefined
}

interface Stalled {
  readonly generation: number
  readonly why: string
  readonly atMs: number
  /** Groups that were given up: they stay empty until the next generation. */
  readonly groups: readonly string[]
}

interface Trouble {
  readonly atMs: number
  readonly sinceMs: number
  readonly slot: string
  readonly text: string
}

export interface End {
  readonly state: 'done' | 'failed' | 'stopped'
  readonly why: string
  readonly atMs: number
}

export interface Waiting {
  readonly sinceMs: number
  /** A code of a reason, a `WithheldCode`, or `QUOTA_PROJECT`, `BUDGET_PROJECT`, `PRICE_NOT_AGREED`, `PLAN_STALE`, `BACKOFF`. */
  readonly code: string
  /** One line for people. */
  readonly text: string
  /** When the next search for a place was due as this was written. After that, about every half minute, and at once on news. */
  readonly nextLookMs: number
}

/**
 * Why a slot that has its place is not launched: a secret is missing, is not available to the project, or cannot be read now.
 */
export type WithheldCode = (typeof WITHHELD)[number]

const WITHHELD = ['SECRET_MISSING', 'SECRET_RESERVED', 'SECRET_UNREAD'] as const

/** Whether it waits for a secret rather than for a place. */
export function isWithheld({ waiting }: Pick<Status, 'waiting'>): boolean {
  return WITHHELD.some((code) => code === waiting?.code)
}

export const FRESH_STATUS: Omit<Status, 'uid' | 'generation'> = {
  end: undefined,
  waiting: undefined,
  failures: 0,
  backoffUntilMs: 0,
  completed: [],
  startedMs: undefined,
  restarts: 0,
  lostSeconds: 0,
  resumePoints: {},
  setAside: undefined,
}

/** Places that rejected one version of a workload as invalid. Other places are tried before the user is told. */
interface RefusedBy {
  /** Of the workload: a changed manifest is tried everywhere again. */
  readonly generation: number
  readonly places: readonly WrongPlace[]
}

export interface WrongPlace {
  /** `PROVIDER`, or `PROVIDER/REGION` if the provider said that the refusal is about the region. */
  readonly at: string
  /** The role that was refused; undefined: the workload has no roles. */
  readonly role?: string
  /** As the provider put it. */
  readonly why: string
  /** When it said so; left out by earlier versions. */
  readonly sinceMs?: number
}
