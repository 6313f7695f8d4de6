import type { PortAddress } from './address.ts'
import type { Exit } from './exit.ts'
import type { Tag } from './order.ts'

/** What a provider says is there. */
export interface Instance {
  readonly instance: string
  readonly tag: Tag
  /**
   * `queued` was accepted and waits for a machine: a wait that is no failure, however long it takes. `starting` is on its
   * way, `up` runs, `ended` has stopped and costs nothing more. Any state that Berth does not know is `unclear`, and proves
   * nothing.
   */
  readonly state: 'queued' | 'starting' | 'up' | 'ended' | 'unclear'
  /** `queued`: what it waits for, in the provider's words. */
  readonly reason?: string
  /** What the workload's own health path says; undefined: it has none, or it cannot be asked. */
  readonly healthy?: boolean
  /** How it ended; left out: not known. */
  readonly exit?: Exit
  /** Without `exit`: it ended by itself, which counts as a failure, and not because its machine did. */
  readonly endedItself?: boolean
  /** Ports of the workload by name, as addresses that can be called. */
  readonly ports?: Readonly<Record<string, PortAddress>>
  readonly usdPerHour?: number
  /** When the provider will take it away, if it gave notice. */
  readonly endsAtMs?: number
  /** Time of the last checkpoint that can be seen from outside. */
  readonly checkpointMs?: number
}
