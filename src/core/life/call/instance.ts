import type { Exit } from './exit.ts'
import type { Tag } from './order.ts'

/** What a provider says is there. */
export interface Instance {
  readonly instance: string
  readonly tag: Tag
  /**
   * `starting` is on its way, `up` runs, `ended` runs no more and costs nothing more. A state that a provider invents
   * later is `unclear`, and means nothing.
   */
  readonly state: 'starting' | 'up' | 'ended' | 'unclear'
  /** What the workload's own health path says; undefined: it has none, or nobody can ask. */
  readonly healthy?: boolean
  /** Ended: how. Left out: it is not known. */
  readonly exit?: Exit
  /** Ports of the workload by name, as addresses that can be called: `127.0.0.1:31234`. */
  readonly ports?: Readonly<Record<string, string>>
  readonly usdPerHour?: number
  /** A notice that it will be taken away then. */
  readonly endsAtMs?: number
  /** Time of the last checkpoint that can be seen from outside. */
  readonly checkpointMs?: number
}
