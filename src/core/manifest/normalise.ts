import { vendorsOf } from '../requirement/gpu/vendor.ts'
import { GPU, MACHINE } from '../requirement/table.ts'
import { JOB_RESTARTS } from './limits.ts'
import type {
  Manifest,
  MigrationSettings,
  MigrationCause,
  Port,
  Replicas,
  Resources,
  Role,
  ScaleTarget,
  Volume,
} from './manifest.ts'
import type { ManifestFile } from './schema.ts'

type ResourcesFile = NonNullable<ManifestFile['resources']>
type GpuFile = NonNullable<ResourcesFile['gpu']>
type ReplicasFile = NonNullable<ManifestFile['replicas']>
type RoleFile = NonNullable<ManifestFile['roles']>[string]

/** Fills in every default, so that code that reads a Manifest need not know what was left out. */
export function normalise(file: ManifestFile): Manifest {
  return {
    kind: file.kind,
    name: file.name,
    image: file.image,
    command: file.command ?? [],
    args: file.args ?? [],
    env: file.env ?? {},
    secrets: file.secrets ?? [],
    ports: (file.ports ?? []).map(portOf),
    storage: (file.storage ?? []).map(volumeOf),
    replicas: replicasOf(file.replicas),
    spread: file.spread ?? 'none',
    nodes: file.nodes ?? 1,
    topology: file.topology?.within,
    ...(file.framework !== undefined && { framework: file.framework }),
    checkpoint: file.checkpoint && { path: file.checkpoint.path, everySeconds: file.checkpoint.every },
    maxDurationSeconds: file.max_duration,
    completions: file.completions ?? 1,
    restart: restartOf(file),
    migration: migrationOf(file),
    policy: file.policy,
    ...(file.labels && Object.keys(file.labels).length > 0 && { labels: file.labels }),
    ...(file.spot !== undefined && { spot: file.spot }),
    ...(file.routing && Object.keys(file.routing).length > 0 && { routing: routingOf(file.routing) }),
    resources: resourcesOf(file.resources ?? {}),
    roles: Object.entries(file.roles ?? {}).map(([name, role]) => roleOf(name, role, file)),
  }
}

function routingOf({ affinity, hedge }: NonNullable<ManifestFile['routing']>): NonNullable<Manifest['routing']> {
  return { ...(affinity !== undefined && { affinity }), ...(hedge !== undefined && { hedge }) }
}

function portOf(port: NonNullable<ManifestFile['ports']>[number]): Port {
  return { name: port.name, port: port.port, health: port.health, expose: port.expose ?? 'public' }
}

/** Unless the manifest says otherwise, mounted data is read-only and an empty volume is writable. */
function volumeOf({ mount, from, mode, size, secret }: NonNullable<ManifestFile['storage']>[number]): Volume {
  const usual = from === undefined ? 'rw' : 'ro'
  return { mount, from, mode: mode ?? usual, sizeGib: size, ...(secret !== undefined && { secret }) }
}

function replicasOf(replicas: ReplicasFile | undefined): Replicas {
  if (typeof replicas === 'object') {
    return { min: replicas.min, max: replicas.max, target: targetOf(replicas.target ?? {}) }
  }
  return { min: replicas ?? 1, max: replicas ?? 1, target: undefined }
}

function targetOf(target: { readonly [metric in ScaleTarget['metric']]?: number | undefined }):
  | ScaleTarget
  | undefined {
  for (const metric of ['rps', 'concurrency', 'queue'] as const) {
    const value = target[metric]
    if (value !== undefined) return { metric, value }
  }
  return undefined
}

/** A service is restarted without limit; a job that keeps failing is given up. */
function restartOf({ kind, restart }: ManifestFile): Manifest['restart'] {
  if (kind === 'service') {
    const sick = restart?.on_unhealthy
    return {
      class: restart?.class ?? 'inference',
      max: restart?.max,
      ...(sick !== undefined && { unhealthySeconds: sick }),
    }
  }
  return { class: restart?.class ?? 'training', max: restart?.max ?? JOB_RESTARTS }
}

/** A `price_drop` implies that a lower price may move the workload. */
function migrationOf({ kind, migration }: ManifestFile): MigrationSettings {
  const priceDrop = migration?.price_drop
  const on = new Set<MigrationCause>(migration?.on ?? (kind === 'service' ? ['outage'] : []))
  if (priceDrop !== undefined) on.add('price_drop')
  return { on: [...on], priceDrop, ...(migration?.grace !== undefined && { graceSeconds: migration.grace }) }
}

function resourcesOf(resources: ResourcesFile): Resources {
  return {
    ...MACHINE.read(resources),
    gpu: resources.gpu && GPU.read(resources.gpu),
    ...(resources.shm !== undefined && { shmGib: resources.shm }),
  }
}

function roleOf(name: string, role: RoleFile, file: ManifestFile): Role {
  return {
    name,
    resources: resourcesOf(mergeResources(file.resources ?? {}, role.resources ?? {})),
    replicas: replicasOf(role.replicas ?? file.replicas),
    reserve: role.reserve,
    command: role.command ?? file.command ?? [],
    args: role.args ?? file.args ?? [],
    env: { ...file.env, ...role.env },
    ports: (role.ports ?? file.ports ?? []).map(portOf),
  }
}

/** The role overrides the workload key by key. A role's `gpu` still inherits what it leaves out. */
function mergeResources(base: ResourcesFile, own: ResourcesFile): ResourcesFile {
  const gpu = base.gpu !== undefined && own.gpu !== undefined ? mergeGpus(base.gpu, own.gpu) : (own.gpu ?? base.gpu)
  return { ...base, ...own, ...(gpu !== undefined && { gpu }) }
}

/**
 * Vendor and architecture belong together: a role that states one of them inherits neither. If the role leaves NVIDIA,
 * it does not inherit requirements that only NVIDIA cards can meet.
 */
function mergeGpus(base: GpuFile, own: GpuFile): GpuFile {
  if (own.vendor === undefined && own.arch === undefined) return { ...base, ...own }
  const { vendor: _vendor, arch: _arch, ...shared } = base
  const vendors = own.vendor ?? vendorsOf(own.arch ?? [])
  if (vendors === 'any' || vendors.includes('nvidia')) return { ...shared, ...own }
  const anyMaker = Object.entries(shared).filter(([key]) => !NVIDIA_ONLY.has(key))
  return { ...Object.fromEntries(anyMaker), ...own }
}

const NVIDIA_ONLY = new Set(GPU.keys.filter(({ nvidiaOnly }) => nvidiaOnly !== undefined).map(({ key }) => key))
