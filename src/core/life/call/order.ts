import type { Request, Spot } from '../../fleet/fleet.ts'
import type { Port, Volume } from '../../manifest/manifest.ts'
import type { Market } from '../../offer/offer.ts'

/**
 * What a provider is asked to run: one machine of one slot. Written down before anybody is called, and sent unchanged
 * each time it is repeated. Values of secrets are not in it.
 */
export interface Order {
  readonly tag: Tag
  readonly place: Place
  readonly image: string
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Names; the provider is handed the values beside the order. */
  readonly secrets: readonly string[]
  readonly ports: readonly Port[]
  readonly storage: readonly Volume[]
  /** What it may use; undefined: what comes with the machine. */
  readonly cpu: number | undefined
  readonly memoryGib: number | undefined
  readonly diskGib: number | undefined
  /** Size of /dev/shm where the work gets one of its own; left out: the runtime's own. */
  readonly shmGib?: number
  /** Machines of the gang it belongs to; 1: it stands alone. */
  readonly nodes: number
  /** Where the members of the gang meet; left out: it stands alone, or nobody knows. */
  readonly meeting?: Meeting
  /** What a restart costs, for whoever looks for room: next to nothing, or the work since the last checkpoint. */
  readonly restart?: 'inference' | 'training'
  /** Cards, or slices of cards. */
  readonly gpus: number
  /** The provider refuses (OFFER_GONE) what costs more than this by now. */
  readonly usdPerHourMax: number
  /** Most seconds it may run before the provider or the controller ends it; undefined: no limit. */
  readonly maxDurationSeconds: number | undefined
  /** A job that resumes: the moment of its last checkpoint. */
  readonly resumeFromMs: number | undefined
}

/** On every instance we start, in whatever form the provider keeps labels. `attempt` is the idempotency token, too. */
export interface Tag {
  /** Uid of this installation of Berth: instances of others are never touched. */
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
  /** Where in a fleet of one's own. */
  readonly node: { readonly id: string; readonly spot: Spot; readonly request: Request } | undefined
}

/** Where the members of a gang meet: their hosts by rank, and the port of the first. */
export interface Meeting {
  readonly hosts: readonly string[]
  readonly port: number
}
