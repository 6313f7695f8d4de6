import type { Order } from '../../../src/core/life/call/order.ts'
import type { Placement } from '../../../src/core/life/placement.ts'
import type { Project } from '../../../src/core/life/rows.ts'
import type { LaunchCall } from '../../../src/ports/provider.ts'
import type { Commit } from '../../../src/ports/store.ts'
import type { Offer } from '../../../src/core/offer/offer.ts'
import type { CloudInstance, CloudSpec } from '../../../src/providers/sim/cloud.ts'
import type { Mirror } from '../users/mirror.ts'
import type { Process } from '../../../src/controller/process.suite.ts'

/** What a cloud really has and bills. */
export interface TrueCloud {
  readonly spec: Pick<CloudSpec, 'name' | 'offers' | 'fleets'>
  /** The offers as they are now. */
  readonly offers: (nowMs: number) => readonly Offer[]
  readonly instances: () => Iterable<CloudInstance>
  readonly instance: (id: string) => CloudInstance | undefined
}

/** What the invariants know of the world beyond the clouds and the store. */
export interface Witness {
  readonly nowMs: () => number
  readonly startMs: number
  readonly owner: string
  readonly clouds: ReadonlyMap<string, TrueCloud>
  /** Since when everything that is needed to act on a provider is there; undefined: it is not. */
  readonly readySinceMs: (provider: string) => number | undefined
  /** Whether a provider answered nothing for as long as a grace, just now. */
  readonly wasSilent: (provider: string) => boolean
  /** Since when nothing at all gets through to it; undefined: something does. */
  readonly silentSinceMs: (provider: string) => number | undefined
  /** Since when the configuration has it; undefined: it has not. */
  readonly thereSinceMs: (provider: string) => number | undefined
  readonly limitsOf: (project: string) => Project
  /** Most an hour that a policy allows for one machine. */
  readonly ceilingOf: (policy: string | undefined) => number
  /** Last time that the provider was being emptied; undefined: never. `closedSinceMs`: since when it takes nothing new. */
  readonly drainedMs: (provider: string) => number | undefined
  readonly closedSinceMs: (provider: string) => number | undefined
  /** Most calls a minute that a provider may get, in a minute in which so many processes were started; of one kind of look. */
  readonly callsPerMinute: (provider: string, isLook: boolean) => number
  /** The value of every secret of a project; undefined: it has none. */
  readonly canaryOf: (project: string) => string | undefined
  readonly canaries: readonly string[]
  /** Whether some clock of this world is set while it runs: figures that leaders compute across their terms mean little then. */
  readonly hasOddClocks: boolean
}

/** What every check looks at, and where it says what it found. */
export interface Evidence {
  readonly witness: Witness
  readonly mirror: Mirror
  /** Instances of a slot that are billed now. */
  readonly billed: (uid: string, slot: string) => readonly CloudInstance[]
  /** What an attempt has started, whatever became of it. */
  readonly startedBy: (attempt: string) => CloudInstance | undefined
  readonly broke: (invariant: string, detail: string) => void
}

/** Watches over one thing that must hold. */
export interface Check {
  /** A commit has landed; the mirror does not have it yet. `process` undefined: no control plane wrote it. */
  readonly written?: (commit: Commit, process: Process | undefined) => void
  /** A launch leaves a control plane with these values. */
  readonly sent?: (order: Order, secrets: LaunchCall['secrets']) => void
  /** Now and then: what is wrong only if it goes on for too long. */
  readonly tick?: () => void
}

/** One row of a commit that says something of a placement. */
export interface Step {
  readonly key: string
  readonly workload: string
  /** Of the same attempt; undefined: this is where it begins. */
  readonly before: Placement | undefined
  readonly after: Placement
}

/** What a commit does to placements, row by row. */
export function stepsOf({ writes }: Commit, mirror: Mirror): readonly Step[] {
  return writes.flatMap((write): readonly Step[] => {
    if (write.kind !== 'placement' || write.body === undefined) return []
    const { key, body: after } = write
    const known = mirror.placements.get(key)
    const before = known?.order.tag.attempt === after.order.tag.attempt ? known : undefined
    return [{ key, workload: key.slice(0, key.lastIndexOf('/')), before, after }]
  })
}

/** Whether this is the write that says why it leaves. */
export function isLeaving({ before, after }: Step): boolean {
  return after.why !== undefined && before?.why === undefined
}
