import { applied, joined, NOTHING, type Change, type WorkloadRecord } from './change.ts'
import { marked } from './duration.ts'
import { READY_WITHIN_MS, START_MOST_MS } from './call/pace.ts'
import { isBilled, isQueued, type Placement } from './placement.ts'
import { isUpToDate } from './current.ts'
import { hasSlot, roleOf, slotsWanted } from './slots.ts'
import type { Situation } from './situation.ts'
import type { Status } from './status.ts'
import type { Workload } from './workload.ts'

/**
 * What time and what is left decide about a workload: a version that is not ready, a service with nothing left, a slow start.
 */
export function judged(record: WorkloadRecord, situation: Situation): Change {
  const { workload, status } = record
  if (workload.want !== 'running' || status.end !== undefined) return NOTHING
  if (isExhausted(record)) return exhausted(status, situation.nowMs)
  const changed = joined(unready(record, situation), slowed(record, situation))
  return joined(changed, marked(applied(record, changed), situation.nowMs))
}

/** Whether a placement has been starting for longer than any start may take. Gangs have their own rule. */
export function isLate(placement: Placement, { startingMs }: Situation): boolean {
  const { phase, sinceMs, order } = placement
  if (phase !== 'starting' || isQueued(placement) || order.nodes > 1) return false
  return (startingMs(order.tag.slot) ?? 0) >= sinceMs + START_MOST_MS
}

/** When a placement that is up but not healthy counts as never ready; undefined: it is healthy, or was. */
export function unreadyAtMs({ phase, healthy, wellMs, upMs }: Placement): number | undefined {
  return phase === 'running' && healthy === false && wellMs === undefined ? (upMs ?? 0) + READY_WITHIN_MS : undefined
}

/** Every slot was given up, and the last one that served is gone: then the workload has failed, with the earlier reason. */
function isExhausted({ workload, status, placements }: WorkloadRecord): boolean {
  const { stalled } = status
  if (stalled === undefined || [...placements.values()].some(isBilled)) return false
  return slotsWanted(workload).every(({ group }) => stalled.groups.includes(group))
}

function exhausted(status: Status, nowMs: number): Change {
  const why = `no replica is up any more: ${status.stalled?.why ?? ''}`
  return { placements: [], status: { ...status, end: { state: 'failed', why, atMs: nowMs } }, events: [failedBy(why)] }
}

function failedBy(why: string): Change['events'][number] {
  return { kind: 'failed', facts: { why } }
}

/** A new version that is not ready in time ends its roll-out. If it becomes ready later, the roll-out goes on. */
function unready(record: WorkloadRecord, situation: Situation): Change {
  const { workload, status, placements } = record
  const { stalled } = status
  if (workload.manifest.kind !== 'service' || (stalled !== undefined && stalled.groups.length > 0)) return NOTHING
  // Another version that is not ready is about to be replaced, and says nothing of this one.
  const [first] = [...placements.values()].filter(
    (placement) => isUnready(placement, situation) && !isOther(workload, placement),
  )
  if (first === undefined) {
    return stalled === undefined ? NOTHING : { ...NOTHING, status: { ...status, stalled: undefined } }
  }
  if (stalled !== undefined || !isRollingOut(record, first)) return NOTHING
  const { slot } = first.order.tag
  const why = unreadyText(first)
  const after = { ...status, stalled: { generation: status.generation, why, atMs: situation.nowMs, groups: [] } }
  return { placements: [], status: after, events: [{ kind: 'stalled', facts: { slot, why } }] }
}

/** Why it counts as not ready, for people. */
export function unreadyText({ phase, order }: Placement): string {
  const path = order.ports.find(({ health }) => health !== undefined)?.health
  const minutes = READY_WITHIN_MS / 60_000
  if (phase === 'starting') return `${order.tag.slot} is still starting after ${minutes} min`
  const check = path === undefined ? 'fails its health check' : `does not answer with 2xx at ${path}`
  return `${order.tag.slot} ${check}, ${minutes} min after it came up`
}

function isUnready(placement: Placement, situation: Situation): boolean {
  return isSlow(placement, situation) || (unreadyAtMs(placement) ?? Infinity) <= situation.nowMs
}

/** Whether it runs the wanted version while another version is still running. */
function isRollingOut({ workload, placements }: WorkloadRecord, placement: Placement): boolean {
  const others = [...placements.values()].filter((each) => isOther(workload, each))
  return !isOther(workload, placement) && others.some(({ phase }) => phase === 'running')
}

/** Whether it runs another version than the wanted one in a slot of the workload. */
function isOther(workload: Workload, placement: Placement): boolean {
  const { slot } = placement.order.tag
  return hasSlot(workload, slot) && !isUpToDate(placement, workload, roleOf(workload.manifest, slot))
}

/** Whether the provider was asked after the time was up, and said that it was still starting. */
function isSlow(placement: Placement, { startingMs, isBusy }: Situation): boolean {
  const { phase, sinceMs, order } = placement
  const { slot } = order.tag
  // A call under way may be about to say that it is queued.
  if (phase !== 'starting' || isQueued(placement) || isBusy(slot)) return false
  return (startingMs(slot) ?? 0) >= sinceMs + READY_WITHIN_MS
}

/** A slow start is reported once. */
function slowed({ placements }: WorkloadRecord, situation: Situation): Change {
  const slow = [...placements.values()].filter((each) => each.slow !== true && isSlow(each, situation))
  if (slow.length === 0) return NOTHING
  const minutes = READY_WITHIN_MS / 60_000
  const events = slow.map(({ order: { tag, place } }) => {
    const facts = { slot: tag.slot, epoch: tag.epoch, provider: place.provider, minutes }
    return { kind: 'slow', facts } as const
  })
  return { placements: slow.map((each) => ({ ...each, slow: true as const })), events }
}
