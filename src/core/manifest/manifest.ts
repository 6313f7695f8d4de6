import type { GpuRequest, MachineRequest } from '../requirement/table.ts'

/** What the user wrote, checked, with every default filled in. `roles` is empty when the workload has a single part. */
export interface Manifest {
  readonly kind: 'service' | 'job'
  readonly name: string
  readonly image: string
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Names only; the vault holds the values. */
  readonly secrets: readonly string[]
  readonly ports: readonly Port[]
  readonly storage: readonly Volume[]
  readonly replicas: Replicas
  readonly spread: Spread
  /** Machines of a gang, which starts on all of them or not at all. */
  readonly nodes: number
  readonly topology: Within | undefined
  /** What runs the command over all nodes; left out: each node runs it for itself. */
  readonly framework?: Framework
  readonly checkpoint: Checkpoint | undefined
  readonly maxDurationSeconds: number | undefined
  readonly completions: number
  readonly restart: Restart
  readonly migration: MigrationSettings
  /** Name of a routing policy that the platform owns. */
  readonly policy: string | undefined
  /** For people and selectors; a change replaces nothing that runs. Left out when there are none. */
  readonly labels?: Readonly<Record<string, string>>
  /** Whether spot machines are acceptable, within what the policy permits; when left out, the policy decides. */
  readonly spot?: SpotUse
  /** How a gateway spreads requests over the replicas; a change replaces nothing that runs. Left out: by load alone. */
  readonly routing?: Routing
  readonly resources: Resources
  readonly roles: readonly Role[]
}

interface Routing {
  /** Requests of one session, or with the same beginning of a prompt, go to the same replica as far as its load permits. */
  readonly affinity?: 'session' | 'prefix'
  /** Requests that take longer than this share of the others are sent a second time, to another replica. */
  readonly hedge?: number
}

export type Framework = 'ray'
export type SpotUse = 'never' | 'allowed' | 'only'
export type Spread = 'none' | 'provider' | 'region' | 'zone'
export type Within = 'nvlink_domain' | 'rack' | 'zone'

export interface Resources extends MachineRequest {
  readonly gpu: GpuRequest | undefined
  /** Shared memory of a container (/dev/shm); when left out, the runtime's default. */
  readonly shmGib?: number
}

export interface Port {
  readonly name: string
  readonly port: number
  /** The path that answers once the workload is ready. */
  readonly health: string | undefined
  readonly expose: 'public' | 'private'
}

export interface Volume {
  readonly mount: string
  /** Address of the data to mount; undefined for an empty volume of `sizeGib`. */
  readonly from: string | undefined
  readonly mode: 'ro' | 'rw'
  readonly sizeGib: number | undefined
  /** Name of the secret that gives access to `from`; left out: it is public. */
  readonly secret?: string
}

export interface Replicas {
  readonly min: number
  readonly max: number
  readonly target: ScaleTarget | undefined
}

/** The load of each replica above which another one is started. */
export interface ScaleTarget {
  readonly metric: 'rps' | 'concurrency' | 'queue'
  readonly value: number
}

/** How a job saves its work. */
export interface Checkpoint {
  readonly path: string
  readonly everySeconds: number
}

interface Restart {
  /** What a restart costs: almost nothing, or everything since the last checkpoint. */
  readonly class: 'inference' | 'training'
  /** Restarts before the workload is given up; undefined means no limit. */
  readonly max: number | undefined
  /** How long a replica may fail its health path after it was healthy; left out: for ever. */
  readonly unhealthySeconds?: number
}

export type MigrationCause = 'outage' | 'drain' | 'price_drop'

export interface MigrationSettings {
  /** What may move running work; empty means nothing. */
  readonly on: readonly MigrationCause[]
  /** Share of the price, 0..1, that a move must save. */
  readonly priceDrop: number | undefined
  /** How long a provider may be silent before `outage` moves what runs there; left out: as Berth does it. */
  readonly graceSeconds?: number
}

/** A part of the workload with its own resources. It inherits from the workload what it does not state. */
export interface Role {
  readonly name: string
  readonly resources: Resources
  readonly replicas: Replicas
  readonly reserve: Reserve | undefined
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly ports: readonly Port[]
}

/** Headroom that is kept free for a role: a share of its replicas, 0..1, or a number of them. */
export type Reserve =
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'count'; readonly count: number }
