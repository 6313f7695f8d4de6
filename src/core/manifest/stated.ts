import type { Manifest } from './manifest.ts'
import type { ManifestFile } from './schema.ts'

/** A normaliser's output for two manifests: one that states nothing, and one that states every key with nothing inside. */
export interface Defaults {
  readonly nothing: Manifest
  /** Its lists have one entry each. */
  readonly barest: Manifest
}

const FILE = { berth: 'v1', kind: 'service', name: 'bare', image: '' } as const satisfies ManifestFile

/** The defaults that a normaliser fills in, taken from the normaliser itself, so that no second list goes out of date. */
export function defaultsOf(normalise: (file: ManifestFile) => Manifest): Defaults {
  const ports = [{ name: '', port: 0 }]
  return {
    nothing: normalise(FILE),
    barest: normalise({ ...FILE, resources: { gpu: {} }, ports, storage: [{ mount: '' }] }),
  }
}

/** The values at one path in a manifest that states nothing, and in one that states the path with nothing inside. */
interface Usual {
  readonly nothing: unknown
  readonly barest: unknown
}

/**
 * What a part of a manifest states, as one text: keys in a fixed order, without missing values and without defaults.
 * Undefined when it states nothing. It builds text directly for speed, because a new leader hashes every workload in
 * the store.
 */
export function statedIn(value: unknown, { nothing, barest }: Usual): string | undefined {
  if (isSame(value, nothing)) return undefined
  if (Array.isArray(value)) {
    const entry = { nothing: undefined, barest: Array.isArray(barest) ? barest[0] : undefined }
    return `[${value.map((each) => statedIn(each, entry) ?? 'null').join()}]`
  }
  if (!isObject(value)) return JSON.stringify(value)
  // An optional part that is present, such as `gpu`, is compared with the emptiest part of its kind.
  const usual = isObject(nothing) ? nothing : isObject(barest) ? barest : {}
  const within = isObject(barest) ? barest : {}
  let stated = ''
  for (const key of Object.keys(value).sort()) {
    const inside = statedIn(value[key], { nothing: usual[key], barest: within[key] })
    if (inside !== undefined) stated += `${stated === '' ? '' : ','}${JSON.stringify(key)}:${inside}`
  }
  // A part that is always present states nothing by its presence.
  return stated === '' && isObject(nothing) ? undefined : `{${stated}}`
}

/** Whether two values are equal, whatever the order of their keys. A missing value equals null. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!isObject(one) || !isObject(other)) return (one ?? undefined) === (other ?? undefined)
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((each, index) => isSame(each, other[index]))
  }
  for (const key in one) if (!isSame(one[key], other[key])) return false
  for (const key in other) if (!(key in one) && (other[key] ?? undefined) !== undefined) return false
  return true
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
