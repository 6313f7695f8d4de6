import type { Exit } from '../call/exit.ts'
import type { Phase } from '../placement.ts'
import type { End, Waiting } from '../status.ts'

/** A workload as users see it: what they want, what exists, and why the two differ. Everything is plain JSON. */
export interface WorkloadView {
  readonly project: string
  readonly name: string
  readonly uid: string
  readonly kind: 'service' | 'job'
  readonly generation: number
  readonly want: 'running' | 'stopped' | 'removed'
  /**
   * One word: `waiting` (some slot has no place), `starting`, `serving` (a service, all up), `degraded` (a service, some up),
   * `running` (a job), `unknown` (nothing of it can be seen), `stopping`, `stopped`, `done`, `failed`, `set-aside`.
   */
  readonly state: WorkloadState
  readonly ready: number
  readonly total: number
  /** How many are up and run the wanted version; fewer than `ready` during a roll-out. Left out by older servers. */
  readonly updated?: number | undefined
  /** The last change is a restart: replicas that are not `current` were started before it. Left out: it is not. */
  readonly restarting?: boolean | undefined
  /** Why the current roll-out ended early; replicas that serve keep serving. */
  readonly stalled?: string | undefined
  /** Slots at providers that are not configured. It is unknown whether they are up, so they are not `ready`. Left out: none. */
  readonly unseen?: number | undefined
  /** Of everything that is or may be billed, including unknown outcomes. */
  readonly usd_per_hour: number
  readonly created_ms: number
  readonly changed_ms: number
  readonly slots: readonly SlotView[]
  /** In lists: how many slots are not shown. The view of a single workload shows all. */
  readonly slots_left_out?: number | undefined
  readonly waiting?: WaitingView | undefined
  readonly end?: EndView | undefined
  /** The known cause of the trouble, in one line: `There is no program pyton3 on this host.` */
  readonly problem?: string | undefined
  readonly restarts: number
  /** The restarts since the last change; left out by older servers. */
  readonly restarts_since_change?: number | undefined
  readonly lost_seconds: number
  readonly template?: { readonly name: string; readonly version: number } | undefined
  readonly policy?: string | undefined
  /** Undefined: it has none. */
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly set_aside?: string | undefined
  /** Providers being drained at which something of it is; left out: none, or an older server. */
  readonly drained?: readonly string[] | undefined
  /** It moves away from a provider that is drained; left out: it stays there. */
  readonly leaves_on_drain?: boolean | undefined
  /** Where a service answers, behind the gateway; left out: it has no public port, or there is no gateway. */
  readonly endpoint?: string | undefined
}

/** Why it waits, and when the next search for a place is due. */
interface WaitingView extends Pick<Waiting, 'code' | 'text'> {
  readonly since_ms: number
  readonly next_look_ms: number
}

interface EndView extends Pick<End, 'state' | 'why'> {
  readonly at_ms: number
}

export type WorkloadState =
  | 'waiting'
  /** Everything that is not up waits in the queue of its provider. */
  | 'queued'
  | 'starting'
  | 'serving'
  | 'degraded'
  | 'running'
  | 'unknown'
  | 'stopping'
  | 'stopped'
  | 'done'
  | 'failed'
  | 'set-aside'

export interface SlotView {
  readonly slot: string
  readonly epoch: number
  readonly attempt: string
  readonly phase: Phase
  /** Whether it runs the wanted version, or is starting it; left out if it is gone, and by older servers. */
  readonly current?: boolean | undefined
  readonly since_ms: number
  readonly provider: string
  readonly region: string
  readonly offer: string
  readonly instance?: string | undefined
  readonly gpus: number
  readonly usd_per_hour: number
  readonly healthy?: boolean | undefined
  /** It passed its health check before and fails it now; left out: it does not, never did, or an older server. */
  readonly was_healthy?: boolean | undefined
  /** The path that tells whether it is healthy; left out: it has none. */
  readonly health_path?: string | undefined
  /** When its newest checkpoint was saved, by the clock of the store; left out: none was seen. */
  readonly checkpoint_ms?: number | undefined
  /** It waits in the queue of its provider: since when, and for what. */
  readonly queued?: { readonly since_ms: number; readonly reason: string } | undefined
  /** Its provider is not configured, so this is what was last seen. */
  readonly unseen?: boolean | undefined
  readonly ports: Readonly<Record<string, string>>
  readonly because: string
  readonly why?: string | undefined
  readonly exit?: Exit | undefined
  /** Calls that failed in a row, and when the next is made. */
  readonly tries: number
  readonly next_try_ms: number
  /** The evidence behind its place; left out: not kept. */
  readonly decision?: DecisionView | undefined
}

/** The evidence for a place, as it was when the place was chosen. */
export interface DecisionView {
  readonly at_ms: number
  readonly policy: string
  readonly candidates: number
  readonly fitting: number
  readonly refused: Readonly<Record<string, number>>
  readonly runner_up?: { readonly offer: string; readonly usd_per_hour: number } | undefined
  readonly image_unused?: boolean | undefined
}
