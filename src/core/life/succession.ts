import type { Manifest } from '../manifest/manifest.ts'
import type { WorkloadRecord } from './change.ts'
import { isUpToDate } from './current.ts'
import { HEARD_WITHIN_MS, STEADY_MS } from './call/pace.ts'
import type { Leaving, Placement } from './placement.ts'
import { hasSuccessors, livingOf } from './seats.ts'
import type { Situation } from './situation.ts'
import { groupsWanted, roleOf, slotOfSeat } from './slots.ts'
import type { Workload } from './workload.ts'

/** A group in the wrong place, and why it is the wrong one. */
export interface GroupMove {
  readonly group: string
  readonly why: MoveCause
}

export type MoveCause = Extract<Leaving, 'drained' | 'replaced' | 'outage' | 'unhealthy'>

interface Moving {
  readonly workload: Workload
  readonly role: string | undefined
  readonly situation: Situation
}

/** Why a placement should be elsewhere, or be replaced where it is; undefined: it should not. */
export function whyMove(placement: Placement, { workload, role, situation }: Moving): MoveCause | undefined {
  if (placement.phase === 'gone') return undefined
  const { manifest } = workload
  if (hasSuccessors(manifest) && isOutage(placement, manifest, situation)) return 'outage'
  if (!isUpToDate(placement, workload, role)) return 'replaced'
  const isDraining = situation.provider(placement.order.place.provider)?.isDraining === true
  if (isDraining && manifest.migration.on.includes('drain')) return 'drained'
  return (sickAtMs(placement, manifest) ?? Infinity) <= situation.nowMs ? 'unhealthy' : undefined
}

/** When it has failed its health path for too long; undefined: it does not fail it, never was healthy, or may fail it for ever. */
export function sickAtMs(
  { phase, wellMs, sickMs }: Placement,
  { restart }: Pick<Manifest, 'restart'>,
): number | undefined {
  const seconds = restart.unhealthySeconds
  if (seconds === undefined || phase !== 'running' || wellMs === undefined || sickMs === undefined) return undefined
  return sickMs + seconds * 1000
}

/** Whether its provider has answered nothing for longer than the workload allows for. */
function isOutage(placement: Placement, manifest: Manifest, situation: Situation): boolean {
  return (outageAtMs(placement, manifest, situation) ?? Infinity) <= situation.nowMs
}

/** When the silence of its provider becomes an outage; undefined: it answers, or the workload stays whatever happens. */
export function outageAtMs(
  { order }: Placement,
  { migration }: Pick<Manifest, 'migration'>,
  { provider }: Situation,
): number | undefined {
  const silentMs = migration.on.includes('outage') ? provider(order.place.provider)?.silentMs : undefined
  return silentMs === undefined ? undefined : silentMs + (migration.graceSeconds ?? GRACE_SECONDS) * 1000
}

/** How long a provider may be silent if a manifest does not say. */
const GRACE_SECONDS = 30

/**
 * Whether what is leaving no longer keeps its slot: it gets no requests any more, is ended as soon as its provider answers,
 * and is billed and counted until then.
 */
export function isFenced(placement: Placement, { manifest }: Workload, situation: Situation | undefined): boolean {
  if (placement.phase !== 'stopping' || !hasSuccessors(manifest)) return false
  if (placement.why === 'outage') return true
  return situation !== undefined && (isGone(placement, manifest, situation) || isOutage(placement, manifest, situation))
}

/** Whether nobody can end it, because its provider is no longer configured. */
function isGone({ order }: Placement, { migration }: Manifest, { provider }: Situation): boolean {
  return migration.on.includes('outage') && provider(order.place.provider) === undefined
}

/** Of each pair of an attempt in charge and its successor, the one that leaves now, by slot. */
export function relieved(record: WorkloadRecord, situation: Situation): ReadonlyMap<string, Leaving> {
  const leaving = new Map<string, Leaving>()
  const { workload } = record
  if (!hasSuccessors(workload.manifest)) return leaving
  for (const slot of pairedIn(record)) {
    const [first, ...others] = livingOf(record, slot)
    const next = others.at(-1)
    if (first === undefined || next === undefined || !groupsWanted(workload).has(slot)) continue
    const moving = { workload, role: roleOf(workload.manifest, slot), situation }
    const why = whyMove(first, moving)
    // It may have died while nothing was heard of it: only what was seen since is there.
    const seenMs = situation.upMs(first.order.tag.slot) ?? 0
    const isBack = why === undefined && first.phase === 'running' && seenMs >= next.reservedMs
    const whyNot = whyWithdrawn(next, moving) ?? (isBack ? 'surplus' : undefined)
    if (whyNot !== undefined) leaving.set(next.order.tag.slot, whyNot)
    else if (mayTakeOver(next, why, situation)) leaving.set(first.order.tag.slot, why ?? 'surplus')
  }
  return leaving
}

/** Why a successor leaves before it has taken over. It makes way for nobody: what is in charge stays. */
function whyWithdrawn(next: Placement, moving: Moving): Leaving | undefined {
  const why = whyMove(next, moving)
  return why === 'replaced' ? 'withdrawn' : why
}

/** Slots with something in a seat other than the first: there are no pairs elsewhere. */
function pairedIn({ placements }: WorkloadRecord): ReadonlySet<string> {
  const slots = [...placements.keys()].flatMap((seat) => (slotOfSeat(seat) === seat ? [] : [slotOfSeat(seat)]))
  return new Set(slots)
}

/** Whether a successor is up and well: for as long as before any other change, or at once if its predecessor serves badly. */
function mayTakeOver(next: Placement, why: MoveCause | undefined, { upMs }: Situation): boolean {
  if (next.phase !== 'running') return false
  const isUrgent = why === 'outage' || why === 'unhealthy'
  const wellMs = steadyAtMs(next) - (isUrgent ? STEADY_MS : 0)
  return wellMs <= (upMs(next.order.tag.slot) ?? 0)
}

/** From when on a placement that is up counts as working, if nothing changes. */
export function steadyAtMs({ order, upMs = 0, wellMs, healthy }: Placement): number {
  if (healthy === false) return Infinity
  const isAsked = healthy !== undefined || !order.ports.some(({ health }) => health !== undefined)
  return isAsked ? Math.max(upMs, wellMs ?? 0) + STEADY_MS : upMs + HEARD_WITHIN_MS
}
