import type { Happening } from '../event/event.ts'
import { NOTHING, type Change, type WorkloadRecord } from './change.ts'
import type { Instance } from './call/instance.ts'
import { isFinished, leave } from './leave.ts'
import { addressText, type PortAddress } from './call/address.ts'
import { ABSENCE_APART_MS } from './call/pace.ts'
import { advance, isQueued, type Leaving, type Placement } from './placement.ts'

/** What a provider showed for one attempt: its instance, or that there is none. */
export interface Evidence {
  readonly instance: Instance | undefined
  /** An incomplete list shows what exists, but proves nothing about what it lacks: it is no evidence of absence. */
  readonly from: 'list' | 'describe'
  /** When the provider was asked. What it shows may be as old as that. */
  readonly issuedMs: number
  readonly settleMs: number
  /** Whether a launch may be repeated there without starting a second instance. */
  readonly tokens: boolean
  readonly nowMs: number
  readonly chance: number
}

/**
 * What evidence about a placement changes. `look`: one list without the instance proves nothing once the instance has a
 * name; ask for it by that name.
 */
export function see(record: WorkloadRecord, placement: Placement, evidence: Evidence): Change | 'look' {
  if (placement.phase === 'reserved' || placement.phase === 'gone') return NOTHING
  return evidence.instance === undefined
    ? seeNothing(record, placement, evidence)
    : seeInstance(record, placement, { ...evidence, instance: evidence.instance })
}

interface Seen extends Evidence {
  readonly instance: Instance
}

function seeInstance(record: WorkloadRecord, placement: Placement, evidence: Seen): Change {
  const { instance, nowMs } = evidence
  const known = { ...placement, instance: instance.instance, absentMs: undefined }
  if (placement.phase === 'stopping') return changed(placement, known, [])
  if (instance.state === 'ended') return ended(record, known, evidence)
  // After a launch of unknown outcome, this is the first time the real price is heard.
  const isUnheard = placement.phase === 'unknown' || placement.unpriced === true
  // A provider that cannot tell the state cannot tell the price.
  const usdPerHour = instance.state === 'unclear' ? undefined : instance.usdPerHour
  if (isUnheard && (usdPerHour ?? 0) > placement.order.usdPerHourMax)
    return leave(record, known, departure(evidence, 'stopping', 'too-expensive'))
  const unpriced = isUnheard && usdPerHour === undefined
  const news = { ...known, ...reported(placement, instance, nowMs), ...(isUnheard && { unpriced }) }
  const isUp = instance.state === 'up'
  if (placement.phase === 'running') return changed(placement, news, healthEvents(placement, news))
  if (isUp) {
    const running = advance(leftQueue(news, nowMs), 'running', { sinceMs: nowMs, upMs: nowMs })
    return withStart(record, { placements: [running], events: [...adoption(placement), upEvent(running)] }, nowMs)
  }
  // Being listed is not being started: only the answer to the launch confirms that, and repeating the launch gets the answer.
  if (placement.phase === 'unknown' && evidence.tokens && !placement.replayed)
    return changed(placement, unnamed(placement), [])
  const waiting = queuing(placement, news, evidence)
  if (placement.phase !== 'unknown') return waiting
  const [now = news] = waiting.placements
  return {
    placements: [advance(now, 'starting', { sinceMs: nowMs })],
    events: [...adoption(placement), ...waiting.events],
  }
}

/**
 * Whether it waits in the provider's queue. The time in the queue counts against no deadline: its start begins when it leaves
 * the queue.
 */
function queuing(placement: Placement, news: Placement, { instance, nowMs }: Seen): Change {
  const { state, reason = '' } = instance
  if (state === 'unclear') return changed(placement, news, [])
  if (state !== 'queued') return changed(placement, leftQueue(news, nowMs), [])
  const sinceMs = isQueued(placement) ? (placement.queued?.sinceMs ?? nowMs) : nowMs
  const { tag, place } = placement.order
  const facts = { slot: tag.slot, epoch: tag.epoch, provider: place.provider, reason }
  const events: readonly Happening[] = isQueued(placement) ? [] : [{ kind: 'queued', facts }]
  return changed(placement, { ...news, queued: { sinceMs, reason } }, events)
}

function leftQueue(news: Placement, nowMs: number): Placement {
  const { queued } = news
  if (queued === undefined || queued.untilMs !== undefined) return news
  return { ...news, queued: { ...queued, untilMs: nowMs }, sinceMs: nowMs }
}

/** It was seen, so it is not absent. It gets its name once the launch is answered. */
function unnamed(placement: Placement): Placement {
  return { ...placement, absentMs: undefined }
}

/** An instance with a name is absent if it is not found by that name; one without a name, if two late lists lack it. */
function seeNothing(record: WorkloadRecord, placement: Placement, evidence: Evidence): Change | 'look' {
  const { issuedMs, settleMs } = evidence
  if (issuedMs < placement.calledMs + settleMs) return NOTHING
  if (placement.instance !== undefined) {
    return evidence.from === 'list' ? 'look' : leave(record, placement, departure(evidence, 'gone', 'died'))
  }
  if (evidence.from === 'describe') return NOTHING
  if (placement.absentMs === undefined) return { placements: [{ ...placement, absentMs: issuedMs }], events: [] }
  if (issuedMs < placement.absentMs + ABSENCE_APART_MS) return NOTHING
  return leave(record, placement, departure(evidence, 'gone', 'absent'))
}

function ended(record: WorkloadRecord, placement: Placement, evidence: Seen): Change {
  const { exit } = evidence.instance
  const why = isFinished(record, exit) ? 'finished' : whyEnded(evidence.instance)
  const { checkpointMs } = evidence.instance
  const last = checkpointMs === undefined ? placement : { ...placement, checkpointMs }
  return leave(record, last, { ...departure(evidence, 'stopping', why), exit })
}

/** Work that ended by itself is restarted as often as its manifest says, whether or not its provider can tell how it ended. */
function whyEnded({ exit, endedItself }: Instance): Leaving {
  if (exit !== undefined) return LEAVING[exit.kind]
  return endedItself === true ? 'exited' : 'died'
}

const LEAVING: Readonly<Record<NonNullable<Instance['exit']>['kind'], Leaving>> = {
  code: 'exited',
  signal: 'exited',
  'out-of-memory': 'exited',
  start: 'exited',
  storage: 'exited',
  preempted: 'preempted',
  machine: 'died',
}

function departure({ nowMs, chance }: Evidence, to: 'stopping' | 'gone', why: Leaving): Parameters<typeof leave>[2] {
  return { to, why, nowMs, chance }
}

/** The first machine of a job that comes up starts the job's clock. */
function withStart({ status, workload }: WorkloadRecord, change: Change, nowMs: number): Change {
  const isNews = status.startedMs === undefined || status.waiting !== undefined
  if (!isNews) return change
  const isLimited = status.startedMs === undefined && workload.manifest.maxDurationSeconds !== undefined
  const started = { startedMs: status.startedMs ?? nowMs, ...(isLimited && { ran: { ms: 0, atMs: nowMs } }) }
  return { ...change, status: { ...status, ...started, waiting: undefined } }
}

/** The fields that are worth writing down when they differ. */
function reported(placement: Placement, seen: Instance, nowMs: number): Partial<Placement> {
  const { ports, checkpointMs } = seen
  // A provider that cannot tell the state cannot tell that it is healthy again.
  const healthy = seen.state === 'unclear' ? placement.healthy : seen.healthy
  return {
    healthy,
    ...(healthy === true && { wellMs: placement.wellMs ?? nowMs }),
    ...(healthy === false
      ? { sickMs: placement.sickMs ?? nowMs }
      : placement.sickMs !== undefined && { sickMs: undefined }),
    ports: ports === undefined ? placement.ports : textsOf(ports),
    checkpointMs: checkpointMs ?? placement.checkpointMs,
  }
}

function changed(before: Placement, after: Placement, events: readonly Happening[]): Change {
  const same =
    before.instance === after.instance &&
    before.healthy === after.healthy &&
    before.checkpointMs === after.checkpointMs &&
    before.absentMs === after.absentMs &&
    before.unpriced === after.unpriced &&
    before.queued?.reason === after.queued?.reason &&
    before.queued?.untilMs === after.queued?.untilMs &&
    isSame(before.ports, after.ports)
  return same ? NOTHING : { placements: [after], events }
}

function textsOf(ports: Readonly<Record<string, PortAddress>>): Placement['ports'] {
  return Object.fromEntries(Object.entries(ports).map(([name, address]) => [name, addressText(address)]))
}

function isSame(one: Readonly<Record<string, string>>, two: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(two).length && names.every((name) => one[name] === two[name])
}

function adoption({ phase, order: { tag, place } }: Placement): readonly Happening[] {
  if (phase !== 'unknown') return []
  return [{ kind: 'adopted', facts: { slot: tag.slot, epoch: tag.epoch, provider: place.provider } }]
}

function upEvent({ order: { tag, place } }: Placement): Happening {
  return { kind: 'up', facts: { slot: tag.slot, epoch: tag.epoch, provider: place.provider } }
}

function healthEvents(before: Placement, { healthy, order: { tag } }: Placement): readonly Happening[] {
  if (before.healthy === healthy || healthy === undefined) return []
  if (healthy && before.healthy === undefined) return []
  const facts = { slot: tag.slot, epoch: tag.epoch }
  return [healthy ? { kind: 'healthy', facts } : { kind: 'unhealthy', facts }]
}
