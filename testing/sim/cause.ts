import { GANG_WITHIN_MS } from '../../src/core/life/call/pace.ts'
import { isBeforeRestart } from '../../src/core/life/current.ts'
import { isIdentityOf } from '../../src/core/life/identity.ts'
import type { Placement } from '../../src/core/life/placement.ts'
import { groupOf, slotOfSeat, slotsWanted } from '../../src/core/life/slots.ts'
import type { CloudInstance } from '../../src/providers/sim/cloud.ts'
import { roleOf } from './check/service.ts'
import type { Attempt, Mirror } from './users/mirror.ts'

/** What else is known when an instance is stopped. Times before the attempt's intent count for nothing. */
export interface Circumstances {
  readonly mirror: Mirror
  /** When a machine of its gang was lost last. */
  readonly lostMs: number
  readonly sickMs: number
  readonly drainedMs: number
  readonly isGangWhole: () => boolean
  /** Whether another attempt of its slot is up and well. */
  readonly isRelieved: (placement: Placement) => boolean
}

/** By then a leader has heard of what was asked of it. */
const HEARD_MS = 60_000

/** Why an instance that is well may be stopped; undefined: it may not. */
export function causeOf(instance: CloudInstance, attempt: Attempt, situation: Circumstances): string | undefined {
  const { mirror, lostMs, sickMs, drainedMs, isGangWhole, isRelieved } = situation
  const { key, placement, ordered, intentMs } = attempt
  const workload = mirror.ownerOf(placement)
  if (workload === undefined || workload.want !== 'running') return 'not wanted'
  if (mirror.statuses.get(key.slice(0, key.lastIndexOf('/')))?.end !== undefined) return 'ended'
  if (mirror.wasUnwanted(key, intentMs)) return 'changed'
  // A leader that had not heard of it yet has placed what was not wanted any more.
  if (!slotsWanted(workload).some(({ slot }) => slot === slotOfSeat(placement.order.tag.slot))) return 'not wanted'
  // A leader that had not heard of the change yet has placed the old one.
  if (!isIdentityOf(ordered, workload.manifest, roleOf(placement, workload))) return 'changed'
  // The same of a restart. Only one that was just asked for: what is placed later is of its generation.
  if (isBeforeRestart(placement, workload) && mirror.wasUnwanted(key, intentMs - HEARD_MS)) return 'restarted'
  if (instance.noticeMs !== undefined) return 'preempted'
  if (instance.usdPerHour > instance.usdPerHourMax) return 'too expensive'
  if (sickMs >= intentMs) return 'sick'
  if (wasRefused(placement, mirror)) return 'refused'
  if (drainedMs >= intentMs && workload.manifest.migration.on.includes('drain')) return 'drained'
  if (isRelieved(placement)) return placement.why
  if (workload.manifest.nodes === 1) return undefined
  const isLate = placement.phase !== 'running' && instance.upMs - intentMs > GANG_WITHIN_MS
  return lostMs >= intentMs || isLate || !isGangWhole() ? 'gang' : undefined
}

/** Whether its order was refused after it had begun: its own, or that of its whole gang. */
function wasRefused({ why, order: { tag } }: Placement, { placements }: Mirror): boolean {
  if (why === 'refused') return true
  const mates = [...placements.values()].filter(
    (mate) => mate.order.tag.uid === tag.uid && groupOf(mate.order.tag.slot) === groupOf(tag.slot),
  )
  return why === 'gang' && mates.some((mate) => mate.why === 'refused')
}
