import { must } from '../../base/assert.ts'
import type { Snapshot } from '../../offer/snapshot.ts'
import { heldText } from '../../place/explain/held.ts'
import { whileFreed } from '../../place/own/freed.ts'
import { place } from '../../place/place.ts'
import type { Plan } from '../../place/plan.ts'
import type { WorkloadRecord } from '../change.ts'
import type { DesiredSlot } from '../slots.ts'
import { whyNoPlace } from '../view/why-waiting.ts'
import type { Workload } from '../workload.ts'
import type { BindInput } from './chosen.ts'
import { leaverOf, leavingOf } from './leaver.ts'
import { limitsFor, questionFor, withoutReserve } from './question.ts'
import { usageOf } from './usage.ts'

/** Why these groups find no place beside everything that runs, in one line; undefined: they find one. */
export function whyUnplaced(
  record: WorkloadRecord,
  groups: readonly (readonly DesiredSlot[])[],
  bindInput: BindInput,
): string | undefined {
  const plan = planFor(record, groups, bindInput)
  const placed = plan.asks.reduce((sum, { choices }) => sum + choices.length, 0)
  return placed === groups.length ? undefined : whyWaiting(plan, placed, record.workload).text
}

/**
 * Whether every one of these groups would find a place within the project's limits if what it has now had left: another place,
 * or the very room that it leaves. What is out of reach leaves nothing.
 */
export function hasPlace(
  record: WorkloadRecord,
  groups: readonly (readonly DesiredSlot[])[],
  bindInput: BindInput,
): boolean {
  const held = leavingOf(record, groups)
  const { gpus, usdPerHour } = usageOf(held)
  const usage = { gpus: bindInput.usage.gpus - gpus, usdPerHour: bindInput.usage.usdPerHour - usdPerHour }
  const isPlacedIn = (snapshot: Snapshot): boolean =>
    planFor(record, groups, { ...bindInput, snapshot, usage }).asks.every(
      ({ ask, choices }) => choices.length === ask.replicas,
    )
  const { snapshot } = bindInput
  if (isPlacedIn(snapshot)) return true
  // One machine has no place elsewhere, so only what is left by its predecessor can be one.
  const rows = groups.flat().length === 1 ? 'freed' : 'all'
  return whileFreed({ snapshot, leavers: held.map(leaverOf), rows }, isPlacedIn) === true
}

/** Where these groups would go now, with the evidence. */
export function planFor(
  record: WorkloadRecord,
  groups: readonly (readonly DesiredSlot[])[],
  { snapshot, policy, nowMs, limits, usage, isPartial = false }: BindInput,
): Plan {
  const workloads = [withoutReserve(questionFor(record, groups, { policy, nowMs, isPartial }))]
  const { project } = record.workload
  return must(place({ capacity: snapshot, workloads, limits: limitsFor(project, limits, usage) })[0], 'one workload')
}

/** Why some of these groups have no place, in one line. */
export function whyWaiting(
  plan: Plan,
  placed: number,
  { project }: Workload,
): { readonly code: string; readonly text: string } {
  return plan.held === undefined
    ? whyNoPlace(plan, placed, project)
    : { code: plan.held.code, text: heldText(plan.held) }
}
