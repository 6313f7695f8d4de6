import type { Manifest } from '../manifest/manifest.ts'
import type { GpuRequest } from '../requirement/table.ts'
import { normalise } from '../manifest/normalise.ts'
import { defaultsOf, isSame, statedIn, type Defaults } from '../manifest/stated.ts'
import { fingerprint } from '../offer/hash.ts'
import { partOf } from './slots.ts'

/**
 * What runs in a slot, as one short text: `VERSION.HASH`. Two manifests have the same identity exactly if a change
 * from one to the other need not replace what runs. Identities of earlier versions stay as they were written, and are compared with what that
 * version would make of the manifest: a newer Berth never replaces running work because it computes identities differently.
 */
export interface Identities {
  readonly identityOf: (manifest: Manifest, role: string | undefined) => string
  /** Whether a text, of any version, is the identity of this role of the manifest. */
  readonly isIdentityOf: (text: string, manifest: Manifest, role: string | undefined) => boolean
  /** The same for all roles together. */
  readonly versionOf: (manifest: Manifest) => string
  readonly isVersionOf: (text: string, manifest: Manifest) => boolean
}

/** The identities that follow from the defaults of a normaliser. */
export function identitiesBy(defaults: Defaults): Identities {
  const usual = { nothing: runningOf(defaults.nothing, undefined), barest: runningOf(defaults.barest, undefined) }
  const stated = (running: Running): string => statedIn(running, usual) ?? ''
  const versions: Readonly<Record<string, Written>> = {
    1: (running) => {
      const known = firstVersion(running)
      // A version cannot have written down keys that it did not know.
      return isSame(known, running) || stated(known) === stated(running) ? hashOfFirst(known) : undefined
    },
    2: (running) => hashOf([stated(running)]),
  }
  const identity = (version: string, manifest: Manifest, role: string | undefined): string | undefined => {
    const known = knownOf(manifest)
    const id = `${version} ${role ?? ''}`
    if (!known.has(id)) known.set(id, versions[version]?.(runningOf(manifest, role)))
    return known.get(id)
  }
  const remembered = new WeakMap<Manifest, Map<string, string | undefined>>()
  const knownOf = (manifest: Manifest): Map<string, string | undefined> => {
    const known = remembered.get(manifest) ?? new Map<string, string | undefined>()
    remembered.set(manifest, known)
    return known
  }
  const whole = (version: string, manifest: Manifest): string | undefined => {
    const hashes = rolesOf(manifest).map((role) => identity(version, manifest, role))
    return hashes.includes(undefined) ? undefined : hashOf(hashes.map(String))
  }
  return {
    identityOf: (manifest, role) => `${LATEST}.${identity(LATEST, manifest, role)}`,
    isIdentityOf: (text, manifest, role) => {
      const [version, hash] = read(text)
      return hash !== undefined && identity(version, manifest, role) === hash
    },
    versionOf: (manifest) => `${LATEST}.${whole(LATEST, manifest)}`,
    isVersionOf: (text, manifest) => {
      const [version, hash] = read(text)
      return hash !== undefined && whole(version, manifest) === hash
    },
  }
}

/** What one version wrote down; undefined: that version could not express it. */
type Written = (running: Running) => string | undefined

const LATEST = '2'

export const { identityOf, isIdentityOf, versionOf, isVersionOf } = identitiesBy(defaultsOf(normalise))

type Running = ReturnType<typeof runningOf>

/** Everything of a manifest that decides what runs in a slot, and on what. */
function runningOf(manifest: Manifest, role: string | undefined) {
  const { resources, command, args, env, ports } = partOf(manifest, role)
  const { kind, image, secrets, storage, nodes, topology, framework, checkpoint } = manifest
  const own = {
    kind,
    image,
    secrets,
    storage,
    nodes,
    topology,
    ...(framework !== undefined && { framework }),
    checkpoint,
  }
  return { ...own, resources, command, args, env, ports }
}

function rolesOf({ roles }: Manifest): readonly (string | undefined)[] {
  return roles.length === 0 ? [undefined] : roles.map(({ name }) => name)
}

function read(text: string): readonly [string, string | undefined] {
  const dot = text.indexOf('.')
  return dot < 0 ? ['', undefined] : [text.slice(0, dot), text.slice(dot + 1)]
}

function hashOf(texts: readonly string[]): string {
  const print = fingerprint()
  for (const text of texts) print.text(text)
  return print.digest()
}

/** The first version's fields, in the order in which it wrote them. This must never change. */
function firstVersion(running: Running) {
  const { kind, image, secrets, nodes, topology, checkpoint, resources, command, args, env } = running
  const storage = running.storage.map(({ mount, from, mode, sizeGib }) => ({ mount, from, mode, sizeGib }))
  const ports = running.ports.map(({ name, port, health, expose }) => ({ name, port, health, expose }))
  const saving = checkpoint && { path: checkpoint.path, everySeconds: checkpoint.everySeconds }
  const { cpu, memoryGib, diskGib, hostArch, gpu, shmGib } = resources
  const own = { cpu, memoryGib, diskGib, hostArch, gpu: gpu && firstGpu(gpu), ...(shmGib !== undefined && { shmGib }) }
  return {
    kind,
    image,
    secrets,
    storage,
    nodes,
    topology,
    checkpoint: saving,
    resources: own,
    command,
    args,
    env,
    ports,
  }
}

function firstGpu(gpu: GpuRequest) {
  const { count, vendors, vramGibMin, usableGibMin, arch } = gpu
  const { computeCapabilityMin, driverMin, cudaMin, interconnect, sharing } = gpu
  const least = { computeCapabilityMin, driverMin, cudaMin }
  return { count, vendors, vramGibMin, usableGibMin, arch, ...least, interconnect, sharing }
}

function hashOfFirst(first: ReturnType<typeof firstVersion>): string {
  const { kind, image, secrets, storage, nodes, topology, checkpoint, resources, command, args, env, ports } = first
  return hashOf([
    JSON.stringify({ kind, image, secrets, storage, nodes, topology, checkpoint }),
    JSON.stringify({ resources, command, args, ports, env: Object.entries(env).toSorted(byName) }),
  ])
}

function byName([one]: readonly [string, string], [two]: readonly [string, string]): number {
  return one < two ? -1 : one > two ? 1 : 0
}
