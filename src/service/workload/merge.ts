import { refuse } from '../../core/base/refuse.ts'
import { slotsWanted } from '../../core/life/slots.ts'
import { pastOf, type Agreement, type Pin, type Workload } from '../../core/life/workload.ts'
import type { Manifest } from '../../core/manifest/manifest.ts'
import { isSame } from '../../core/manifest/stated.ts'
import type { AgreedPrice } from '../../ports/berth.ts'

/** A request to apply a manifest. */
export interface ApplyAsk {
  readonly project: string
  readonly text: string
  readonly file: string
  readonly pinned: readonly Pin[] | undefined
  /** The price that the user confirmed; left out: none, or as before. */
  readonly agreed?: AgreedPrice | undefined
  /** Whether the project may be a new one. */
  readonly createProject?: boolean | undefined
  readonly template?: { readonly name: string; readonly version: number }
  /** Only what runs changes: there stay as many replicas as there are now, whatever the manifest says. */
  readonly keepReplicas?: boolean | undefined
}

/** The time of the change, and whether the current generation was ever fully up; left out: unknown. */
interface Merging extends ApplyAsk {
  readonly nowMs: number
  readonly stood?: boolean | undefined
  /** The keys in which the manifest differs from the one before; left out: not known. */
  readonly keys?: readonly string[]
}

/** A new workload from a manifest. */
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
    ...(ask.agreed && { agreed: agreementOf(ask.agreed, nowMs) }),
    createdMs: nowMs,
    changedMs: nowMs,
  }
  checkPins(workload)
  return workload
}

/**
 * The workload after a manifest is applied to it. Its generation grows only if the manifest asks for something else; a
 * changed comment does not count. The manifest wins over a replica count that was set with `berth scale`, unless the request
 * says that the replicas stay.
 */
export function merged(before: Workload, manifest: Manifest, ask: Merging): Workload {
  const { agreed: old, ...rest } = before
  const agreed = ask.agreed && agreementOf(ask.agreed, ask.nowMs)
  const next = {
    ...rest,
    ...(agreed && { agreed }),
    text: ask.text,
    manifest,
    want: 'running',
    scale: ask.keepReplicas === true ? scaleFor(keptReplicas(before, manifest)) : {},
    template: ask.template,
    pinned: ask.pinned,
  } as const satisfies Workload
  // The same text asks for the same, even if this version has other defaults for what it leaves out.
  const isSameManifest = ask.text === before.text || isSame(before.manifest, manifest)
  const isAgreed = agreed === undefined || isSame(termsIn(old), termsIn(agreed))
  if (isAgreed && isSameManifest && isSame(besideManifest(before), besideManifest(next)))
    return { ...before, text: ask.text }
  checkPins(next)
  const past = ask.text === before.text ? before.past : pastOf(before, ask)
  return { ...next, generation: before.generation + 1, changedMs: ask.nowMs, ...(past && { past }) }
}

/** A number of replicas that stays although a manifest states another. */
export interface KeptReplicas {
  readonly role: string
  readonly replicas: number
  readonly stated: number
}

/** Where as many replicas as now differ from what a manifest of the same workload states. */
export function keptReplicas({ manifest: now, scale }: Workload, manifest: Manifest): readonly KeptReplicas[] {
  if (manifest.kind === 'job') return []
  const roles = manifest.roles.length === 0 ? [''] : manifest.roles.map(({ name }) => name)
  return roles.flatMap((role) => {
    const stated = replicasOf(manifest, role)?.min
    const replicas = scale[role] ?? replicasOf(now, role)?.min
    return stated === undefined || replicas === undefined || replicas === stated ? [] : [{ role, replicas, stated }]
  })
}

function scaleFor(kept: readonly KeptReplicas[]): Workload['scale'] {
  return Object.fromEntries(kept.map(({ role, replicas }) => [role, replicas]))
}

/** The agreement as it is kept. */
export function agreementOf({ tolerance, roles }: AgreedPrice, atMs: number): Agreement {
  const entries = roles.map(({ role = '', replicas, usd_per_hour: usdPerHour, replica_usd_per_hour: replicaUsd }) => {
    return [role, { replicas, usdPerHour, replicaUsd }] as const
  })
  return { atMs, tolerance, roles: Object.fromEntries(entries) }
}

function termsIn(agreed: Agreement | undefined) {
  return agreed && { tolerance: agreed.tolerance, roles: agreed.roles }
}

/** What a workload asks for in addition to its manifest. */
function besideManifest({ want, scale, template, pinned }: Workload) {
  return { want, scale, template, pinned }
}

/** The replicas that a manifest asks for in a role; `''` is the workload itself. Undefined: it has no such role. */
export function replicasOf(manifest: Manifest, role: string): Manifest['replicas'] | undefined {
  if (role === '') return manifest.roles.length === 0 ? manifest.replicas : undefined
  return manifest.roles.find(({ name }) => name === role)?.replicas
}

/** Refuses a plan with a place for an unknown slot, or two for one slot: it was made for another manifest. */
function checkPins(workload: Workload): void {
  if (workload.pinned === undefined) return
  const wanted = new Set(slotsWanted(workload).map(({ slot }) => slot))
  for (const { slot } of workload.pinned) {
    if (wanted.delete(slot)) continue
    throw refuse(
      'REQUEST_MALFORMED',
      `The plan has a place for slot ${slot}, which ${workload.name} does not have, or two places for it.`,
      'Plan the manifest again and apply that plan.',
    )
  }
}
