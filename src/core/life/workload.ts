import type { Manifest } from '../manifest/manifest.ts'

/** What a user wants, as accepted. */
export interface Workload {
  /** Never given twice, also not to another workload of the same name later. */
  readonly uid: string
  readonly project: string
  readonly name: string
  /** One more with each change. */
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
  /** Exactly these places or none: a plan that was made before. Undefined: decide when it is placed. */
  readonly pinned: readonly Pin[] | undefined
  /** Most it may cost an hour in all, beyond its policy; undefined: no limit of its own. */
  readonly usdPerHourMax: number | undefined
  readonly createdMs: number
  readonly changedMs: number
  /** What was applied before, newest first: a few, and not too large. Left out: nothing else was. */
  readonly past?: readonly PastManifest[]
}

/** A manifest that was applied before. */
export interface PastManifest {
  /** The last generation that it was wanted in. */
  readonly generation: number
  readonly text: string
  /** When that generation began. */
  readonly atMs: number
  /** Whether it was up and well in every slot at some time; left out: not known. */
  readonly stood?: boolean | undefined
}

const PAST_MAX = 10
const PAST_CHARACTERS_MAX = 256 * 1024

/** What is remembered when another text takes the place of this workload's. */
export function pastOf(workload: Workload, stood: boolean | undefined): readonly PastManifest[] {
  const { generation, text, changedMs, past = [] } = workload
  const last = { generation, text, atMs: changedMs, ...(stood !== undefined && { stood }) }
  const all = [last, ...past].slice(0, PAST_MAX)
  let characters = 0
  return all.filter((one) => (characters += one.text.length) <= PAST_CHARACTERS_MAX)
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
