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
