import type { Snapshot } from '../../offer/snapshot.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Project } from '../rows.ts'
import type { Rendezvous } from '../call/rendezvous.ts'
import type { DesiredSlot } from '../slots.ts'
import type { ProjectLimits, Usage } from '../../place/limits.ts'
import type { Place } from '../call/order.ts'
import type { Decision } from './decision.ts'

/** What it takes to give slots their places. */
export interface BindInput {
  readonly snapshot: Snapshot
  readonly policy: Policy
  /** Uid of this installation, for tags. */
  readonly owner: string
  /** A new name for each attempt, never the same one twice. */
  readonly newId: () => string
  readonly limits: Project & Pick<ProjectLimits, 'isOfFile'>
  /** What the project has reserved, including attempts of unknown outcome. */
  readonly usage: Usage
  readonly nowMs: number
  readonly chance: number
  /** How members of a gang find each other at a provider; left out: not known. */
  readonly rendezvous?: (provider: string) => Rendezvous | undefined
  /** Ports of gangs that share the host of a provider; left out: there are none. */
  readonly gangPorts?: (provider: string) => ReadonlySet<number>
  /** The offers of some providers that take work are not known; left out: all are. */
  readonly isPartial?: boolean
}

/** A machine that was chosen for a slot, and what it costs. */
export interface Chosen {
  readonly desired: DesiredSlot
  readonly place: Place
  readonly usdPerHour: number
  readonly gpus: number
  readonly because: string
  /** Left out: it was not decided here. */
  readonly decision?: Decision
}
