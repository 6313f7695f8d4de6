import type { Link } from '../hardware/link.ts'
import type { HostArch, Slice } from '../hardware/gpu.ts'

/** The terms on which a machine is sold. */
export type Market = 'on-demand' | 'spot'

/**
 * What a provider may be unable to do for a workload, whatever its machines are: run images, attach empty volumes, mount
 * an object store, pass secrets, let the members of a gang find each other, run one command over several nodes with Ray.
 */
export type Ability = 'images' | 'volumes' | 'object-storage' | 'secrets' | 'gangs' | 'ray'

/** The closest level at which a provider can place the machines of one order together. */
export type DomainLevel = 'zone' | 'rack' | 'nvlink_domain'

/**
 * What a provider sells (an instance type in a zone, possibly sold out), or what is already owned (a node with free
 * GPUs). Undefined always means that the source does not say; it is shown as `?` and never counts as zero or "fine".
 */
export interface Offer {
  /** Stable across runs, whatever the order of rows in a source; it breaks ties between offers. */
  readonly id: string
  readonly provider: string
  readonly region: string
  readonly zone: string | undefined
  /** The provider's own name for the machine. */
  readonly instance: string
  readonly capacity: 'rented' | 'owned'
  readonly gpu: OfferGpu | undefined
  readonly cpu: number | undefined
  readonly memoryGib: number | undefined
  readonly diskGib: number | undefined
  /** The largest volume that can be attached, in addition to the machine's own disk. */
  readonly volumeGib: number | undefined
  readonly hostArch: HostArch | undefined
  /** NVIDIA driver on the host, e.g. `570.86.15`. */
  readonly driver: string | undefined
  /** The newest CUDA that the host supports, where the provider states it instead of the driver. */
  readonly cuda: string | undefined
  /** Whether callers outside can reach its ports. */
  readonly inbound: boolean | undefined
  readonly domain: DomainLevel | undefined
  /** Dollars per hour for the whole machine. Undefined means not sold on these terms. */
  readonly usdPerHour: number | undefined
  readonly spotUsdPerHour: number | undefined
  readonly stock: Stock | undefined
  /** How many more machines of this kind the account may have. */
  readonly quotaLeft: number | undefined
  readonly health: 'ok' | 'degraded' | 'failing' | undefined
  /** Observed seconds from the order to a running container. */
  readonly startSeconds: number | undefined
  /** Share of orders that started and stayed up, 0..1. */
  readonly reliability: number | undefined
  readonly egressUsdPerGib: number | undefined
  /** Legal area of the machine, lower case: `eu`, `us`, `in`, ... */
  readonly residency: string | undefined
  /** Trust domain: who else may use the hardware, as the platform team labels it (`internal`, `secure-cloud`, `community`). */
  readonly trust: string | undefined
  /** Set when the source's row contradicts the hardware table and cannot be repaired with certainty. */
  readonly quarantine: QuarantineCode | undefined
  /** What its provider is known to be unable to do, sorted; left out when nothing is known. */
  readonly lacks?: readonly Ability[]
  /** Offers of one provider that name the same quota share what is left; left out when `quotaLeft` is this offer's own. */
  readonly quota?: string
}

export interface OfferGpu {
  /** Id of a model in the hardware table, or of a family when the form factor is unknown. */
  readonly model: string
  /** Cards (or slices, when `slice` is set) in the machine. */
  readonly count: number
  readonly slice: Slice | undefined
  /** The slowest link between the machine's cards; undefined when unknown. `pcie` for a single card. */
  readonly link: Link | undefined
  /** Cards of the whole node, of which this is what is free; left out: it is sold as it is. */
  readonly of?: number
}

export interface Stock {
  /** `full`: one of the user's own machines, on which something runs. */
  readonly level: 'available' | 'low' | 'sold_out' | 'full'
  /** Machines left, where the provider counts them. */
  readonly units: number | undefined
  /** When this was seen, in ms since 1970. */
  readonly seenAtMs: number | undefined
}

/** A remembered refusal by a provider. Later decisions respect it until it expires. */
export interface Refusal {
  readonly provider: string
  /** Undefined means every region, or every instance. */
  readonly region: string | undefined
  readonly instance: string | undefined
  readonly why: 'sold-out' | 'quota' | 'fault'
  readonly atMs: number
  readonly untilMs: number
}

/** Why a row is not trusted. Texts and documentation are in audit.ts. */
export type QuarantineCode =
  | 'NAME_UNKNOWN'
  | 'NAME_AMBIGUOUS'
  | 'VRAM_CONTRADICTS'
  | 'COUNT_CONTRADICTS'
  | 'PRICE_MISSING'
  | 'PRICE_PLACEHOLDER'
  | 'HOST_NOT_PRICED'
  | 'NOT_SOLD_ALONE'
  | 'ROW_UNREADABLE'

/** What was repaired in a row, with certainty, before it became an offer. */
export type RepairCode =
  | 'VRAM_GB_AS_MIB'
  | 'VRAM_TOTAL_AS_CARD'
  | 'VRAM_MISSING'
  | 'NAME_CORRECTED'
  | 'COUNT_CORRECTED'
  | 'HOST_JOINED'
  | 'GPU_JOINED'

/** The result for one row of a source, as `berth offers check` reports it. */
export interface RowVerdict {
  readonly source: string
  /** Its line in the file (the header is line 1). */
  readonly line: number
  readonly accelerator: boolean
  readonly verdict: 'resolved' | 'repaired' | 'quarantined'
  readonly repairs: readonly RepairCode[]
  readonly quarantine: QuarantineCode | undefined
  /** What was found, in a few words: `SizeInMiB 80 read as 80 GB`. */
  readonly note: string | undefined
  /** As the source wrote it. */
  readonly named: string
  readonly offer: Offer
  /** The same in larger sizes: cards that the provider attaches to hosts of the customer's choice. Left out: none. */
  readonly variants?: readonly Offer[]
}
