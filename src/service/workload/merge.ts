import { refuse } from '../../core/base/refuse.ts'
import { slotsWanted } from '../../core/life/slots.ts'
import { pastOf, type Pin, type Workload } from '../../core/life/workload.ts'
import type { Manifest } from '../../core/manifest/manifest.ts'
import { isSame } from '../../core/manifest/stated.ts'

/** What somebody wants to have applied. */
export interface ApplyAsk {
  readonly project: string
  readonly text: string
  readonly file: string
  readonly pinned: readonly Pin[] | undefined
  /** Whether the project may be one that nobody knows yet. */
  readonly createProject?: boolean | undefined
  readonly template?: { readonly name: string; readonly version: number }
}

/** When it is applied, and whether what was wanted until then has stood; left out: not known. */
interface Merging extends ApplyAsk {
  readonly nowMs: number
  readonly stood?: boolean | undefined
}

/** The workload that a manifest asks for, where there was none. */
export function created(manifest: Manifest, ask: ApplyAsk, { uid, nowMs }: { uid: string; nowMs: number }): Workload {
  const workload: Workload = {
    uid,
    project: ask.project,
    name: manifest.name,
    generation: 1,
    text: ask.text,
    manifest,
    want: 'running',
    scale: {},
    template: ask.template,
    pinned: ask.pinned,
    usdPerHourMax: undefined,
    createdMs: nowMs,
    changedMs: nowMs,
  }
  checkPins(workload)
  return workload
}

/**
 * What becomes of a workload when a manifest is applied to it. Its generation is one more exactly if something else is
 * wanted than before; another comment in the text is not. What is applied holds: a replica count that was set by hand ends.
 */
export function merged(before: Workload, manifest: Manifest, ask: Merging): Workload {
  const next = {
    ...before,
    text: ask.text,
    manifest,
    want: 'running',
    scale: {},
    template: ask.template,
    pinned: ask.pinned,
  } as const satisfies Workload
  // The same text asks for the same, whatever this version reads into what it leaves out.
  const isSameManifest = ask.text === before.text || isSame(before.manifest, manifest)
  if (isSameManifest && isSame(besideManifest(before), besideManifest(next))) return { ...before, text: ask.text }
  checkPins(next)
  const past = ask.text === before.text ? before.past : pastOf(before, ask.stood)
  return { ...next, generation: before.generation + 1, changedMs: ask.nowMs, ...(past && { past }) }
}

/** What is wanted beside the manifest. */
function besideManifest({ want, scale, template, pinned }: Workload) {
  return { want, scale, template, pinned }
}

/** Replicas that a manifest asks for; `''` is the workload itself. Undefined: it has no such role. */
export function replicasOf(manifest: Manifest, role: string): Manifest['replicas'] | undefined {
  if (role === '') return manifest.roles.length === 0 ? manifest.replicas : undefined
  return manifest.roles.find(({ name }) => name === role)?.replicas
}

/** A pin for a slot that nobody wants, or two for one, is a plan for something else. */
function checkPins(workload: Workload): void {
  if (workload.pinned === undefined) return
  const wanted = new Set(slotsWanted(workload).map(({ slot }) => slot))
  for (const { slot } of workload.pinned) {
    if (wanted.delete(slot)) continue
    throw refuse(
      'REQUEST_MALFORMED',
      `The plan has a place for slot ${slot}, which ${workload.name} does not have, or has two for it.`,
      'Plan the manifest again and apply that plan.',
    )
  }
}
