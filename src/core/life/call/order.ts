import type { Request, Spot } from '../../fleet/fleet.ts'
import type { Checkpoint, Framework, Port, Volume, Within } from '../../manifest/manifest.ts'
import type { Market } from '../../offer/offer.ts'

/**
 * What a provider is asked to run: one machine of one slot. It is written down before any provider is called, and sent
 * unchanged each time it is repeated. It never holds values of secrets.
 */
export interface Order {
  readonly tag: Tag
  readonly place: Place
  readonly image: string
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Names only; the provider gets the values separately. */
  readonly secrets: readonly string[]
  readonly ports: readonly Port[]
  readonly storage: readonly Volume[]
  /** How much it may use; undefined: all that comes with the machine. */
  readonly cpu: number | undefined
  readonly memoryGib: number | undefined
  readonly diskGib: number | undefined
  /** Size of /dev/shm where the work gets its own; left out: the default of the runtime. */
  readonly shmGib?: number
  /** Machines of the gang it belongs to; 1: it is no gang. */
  readonly nodes: number
  /** Where the members of the gang meet; left out: it is no gang, or the meeting point is not known. */
  readonly meeting?: Meeting
  /** What all machines of the gang must share, for a provider whose own scheduler picks them; left out: nothing. */
  readonly within?: Within
  /**
   * What runs the command over all machines of the gang, where the provider has it: Ray once, or Ray Serve the application that it names.
   * Left out: each runs it for itself.
   */
  readonly framework?: Framework | 'ray-serve'
  /** What a restart costs, for a scheduler that looks for room: next to nothing, or the work since the last checkpoint. */
  readonly restart?: 'inference' | 'training'
  /** Cards, or slices of cards. */
  readonly gpus: number
  /** The provider refuses the order (OFFER_GONE) if the machine costs more than this by now. */
  readonly usdPerHourMax: number
  /** Most seconds it may run before the provider or the controller ends it; undefined: no limit. */
  readonly maxDurationSeconds: number | undefined
  /** For a job that resumes: the time of its last checkpoint. */
  readonly resumeFromMs: number | undefined
  /** Where it saves its work and how often; left out: it does not. */
  readonly checkpoint?: Checkpoint
}

/** Put on every instance we start, in the form in which the provider keeps labels. `attempt` is also the idempotency token. */
export interface Tag {
  /** Uid of this installation of Berth. Instances of other owners are never touched. */
  readonly owner: string
  readonly project: string
  readonly workload: string
  /** Uid of the workload. */
  readonly uid: string
  readonly slot: string
  readonly epoch: number
  readonly attempt: string
}

/** The offer that was chosen. */
export interface Place {
  /** Id of the offer. */
  readonly offer: string
  readonly provider: string
  readonly region: string
  readonly zone: string | undefined
  readonly instance: string
  readonly market: Market
  /** The place within a fleet of our own. */
  readonly node: { readonly id: string; readonly spot: Spot; readonly request: Request } | undefined
}

/** Where the members of a gang meet: their hosts by rank, and the port of the first. */
export interface Meeting {
  readonly hosts: readonly string[]
  readonly port: number
}
