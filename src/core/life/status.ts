/** What the leader knows of a workload beyond its placements. */
export interface Status {
  /** The workload's uid: a status of an earlier workload of the same name counts for nothing. */
  readonly uid: string
  /** Generation that the leader has acted on. */
  readonly generation: number
  /** Set once nothing more will happen by itself. */
  readonly end: End | undefined
  /** Why slots have no place now. */
  readonly waiting: Waiting | undefined
  /** Failures of its own (exit codes, crash loops), not of providers; back to 0 when there was progress since. */
  readonly failures: number
  /** No slot is placed before this. */
  readonly backoffUntilMs: number
  /** Jobs: replicas that ran to their end. */
  readonly completed: readonly number[]
  /** Jobs: when the first slot came up; `max_duration` counts from it. */
  readonly startedMs: number | undefined
  /** Restarts for whatever reason, and the work that was lost by them, as far as checkpoints tell. */
  readonly restarts: number
  readonly lostSeconds: number
  /** How many of the restarts were before this generation; left out: none. */
  readonly restartsBefore?: number | undefined
  /** Jobs with a checkpoint: the last moment that a restart can resume from, by replica. */
  readonly resumePoints: Readonly<Record<string, number>>
  /** Set when the object cannot be worked on: a bug or a row that makes no sense. The others go on. */
  readonly setAside: string | undefined
  /** Places that called the workload wrong; left out: none did. */
  readonly refusedBy?: RefusedBy
  /** Services: this generation fails, and its roll-out has ended. What serves goes on serving. */
  readonly stalled?: Stalled | undefined
  /** Services: the version that last stood, as what runs in its slots is told apart; left out: not known. */
  readonly stood?: string | undefined
  /** The last failure of its own, in words; there since the first of those that `failures` counts. */
  readonly trouble?: Trouble | undefined
  /** Jobs with `max_duration`: how long it had run at a moment, by the clocks of those who watched it. */
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
  /** A code from the reasons, one of `WithheldCode`, or `QUOTA_PROJECT`, `BUDGET_PROJECT`, `PLAN_STALE`, `BACKOFF`. */
  readonly code: string
  /** One line for people. */
  readonly text: string
  /** When it was to be looked for again as this was written; from then on about every half minute, and at once when there is news. */
  readonly nextLookMs: number
}

/** Why a slot that has its place is not launched there: a secret is missing, is kept from the project, or cannot be read now. */
export type WithheldCode = (typeof WITHHELD)[number]

const WITHHELD = ['SECRET_MISSING', 'SECRET_RESERVED', 'SECRET_UNREAD'] as const

/** Whether what it waits for is a secret, and no place. */
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

/** Places that called one version of a workload wrong. Others are tried before the workload is told so. */
interface RefusedBy {
  /** Of the workload: a changed manifest is tried everywhere again. */
  readonly generation: number
  readonly places: readonly WrongPlace[]
}

export interface WrongPlace {
  /** `PROVIDER`, or `PROVIDER/REGION` where the provider said that it is about the region. */
  readonly at: string
  /** The role that was refused; undefined: the workload has none. */
  readonly role?: string
  /** As the provider put it. */
  readonly why: string
}
