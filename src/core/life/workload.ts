import type { Manifest } from '../manifest/manifest.ts'

/** What a user wants, as accepted. */
export interface Workload {
  /** Never used twice, not even for a later workload of the same name. */
  readonly uid: string
  readonly project: string
  readonly name: string
  /** Grows by one with each change. */
  readonly generation: number
  /** As the user wrote it. */
  readonly text: string
  readonly manifest: Manifest
  /** `removed`: stop everything, then forget it. */
  readonly want: 'running' | 'stopped' | 'removed'
  /** Overrides the manifest's replicas, by role (`''` for a workload without roles). */
  readonly scale: Readonly<Record<string, number>>
  /** The template it was launched from. */
  readonly template: { readonly name: string; readonly version: number } | undefined
  /** The places of a saved plan: exactly these or none. Undefined: decided when it is placed. */
  readonly pinned: readonly Pin[] | undefined
  /** The most it may cost per hour in total, in addition to its policy; undefined: no limit of its own. */
  readonly usdPerHourMax: number | undefined
  /** The price that its user agreed to; left out: none was shown to anybody. */
  readonly agreed?: Agreement | undefined
  /** The generation in which a restart was asked for: what was placed before it is replaced. Left out: there was none. */
  readonly restartedIn?: number | undefined
  readonly createdMs: number
  readonly changedMs: number
  /** What was applied before, newest first: only a few, and none too large. Left out: nothing. */
  readonly past?: readonly PastManifest[]
}

/** The price that a user confirmed. A place that costs more is not taken: the workload waits for the user instead. */
export interface Agreement {
  readonly atMs: number
  /** How much more is still as agreed; 0.05: five percent. */
  readonly tolerance: number
  /** By role (`''` for a workload without roles). A role that is left out may cost anything. */
  readonly roles: Readonly<Record<string, AgreedRole>>
}

interface AgreedRole {
  /** How many replicas were shown with a place. */
  readonly replicas: number
  /** What they cost together. */
  readonly usdPerHour: number
  /** What the dearest of them costs. */
  readonly replicaUsd: number
}

/** A manifest that was applied before. */
export interface PastManifest {
  /** The last generation that used it. */
  readonly generation: number
  readonly text: string
  /** When that generation began. */
  readonly atMs: number
  /** Whether it was at some time up and healthy in every slot; left out: not known. */
  readonly stood?: boolean | undefined
  /** The keys in which the next manifest differs, as users write them; left out: not known, or too many. */
  readonly keys?: readonly string[] | undefined
}

/** How many earlier manifests are remembered. */
export const PAST_MAX = 10
const PAST_CHARACTERS_MAX = 256 * 1024
const PAST_KEYS_MAX = 50

/** What to remember when another manifest replaces this one. */
export function pastOf(
  workload: Workload,
  { stood, keys }: Pick<PastManifest, 'stood' | 'keys'>,
): readonly PastManifest[] {
  const { generation, text, changedMs, past = [] } = workload
  const known = keys === undefined || keys.length > PAST_KEYS_MAX ? undefined : keys
  const last = {
    generation,
    text,
    atMs: changedMs,
    ...(stood !== undefined && { stood }),
    ...(known && { keys: known }),
  }
  const all = [last, ...past]
  let characters = 0
  const kept = all.slice(0, PAST_MAX).filter((one) => (characters += one.text.length) <= PAST_CHARACTERS_MAX)
  return kept.length === all.length ? kept : withoutEarlierKeys(kept)
}

/** Earlier ones were dropped: what changed since any of those is not known. */
function withoutEarlierKeys(kept: readonly PastManifest[]): readonly PastManifest[] {
  return kept.map((one, at) => (at === kept.length - 1 ? { ...one, keys: undefined } : one))
}

/** A place from a saved plan. */
export interface Pin {
  readonly slot: string
  readonly offer: string
  readonly usdPerHour: number
}

/** `PROJECT/NAME`, the key of its rows. */
export function workloadKey({ project, name }: Pick<Workload, 'project' | 'name'>): string {
  return `${project}/${name}`
}
