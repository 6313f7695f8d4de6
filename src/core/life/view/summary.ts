import type { Decision } from '../bind/decision.ts'
import { isBilled, isQueued, type Placement } from '../placement.ts'
import { problemOf } from './problem.ts'
import { isUpToDate } from '../current.ts'
import { byEpoch, isLiving, withoutSuccessors } from '../seats.ts'
import { hasSlot, roleOf, slotCount, slotOfSeat } from '../slots.ts'
import type { End, Status, Waiting } from '../status.ts'
import type { DecisionView, SlotView, WorkloadState, WorkloadView } from './view.ts'
import type { Workload } from '../workload.ts'

/** What is known about a workload beyond what its user wants. */
export interface SummaryInput {
  readonly status: Status | undefined
  /** Of all workloads that have had this name, in any order. */
  readonly placements: readonly Placement[]
  /** Whether a provider is configured; left out: all are. */
  readonly isConfigured?: (provider: string) => boolean
}

/** A workload as users see it, with at most `slotsMost` of its slots: a workload may have ten thousand. */
export function viewOf(workload: Workload, known: SummaryInput, slotsMost = Number.POSITIVE_INFINITY): WorkloadView {
  const placements = shownOf(workload, known)
  const slots = placements.slice(0, slotsMost).map((placement) => slotOf(placement, workload, known.isConfigured))
  return viewWith(workload, { ...known, placements }, slots)
}

/** How many slots are worked out at a time: about two milliseconds. */
const PIECE = 500

/** The same with all slots, in pieces: the caller may do other things between two of them. */
export function* viewInPieces(workload: Workload, known: SummaryInput): Generator<undefined, WorkloadView> {
  const placements = shownOf(workload, known)
  const slots: SlotView[] = []
  for (let from = 0; from < placements.length; from += PIECE) {
    if (from > 0) yield
    const piece = placements.slice(from, from + PIECE)
    slots.push(...piece.map((placement) => slotOf(placement, workload, known.isConfigured)))
  }
  if (placements.length > PIECE) yield
  return viewWith(workload, { ...known, placements }, slots)
}

function shownOf(workload: Workload, { placements }: SummaryInput): readonly Placement[] {
  const shown = placements.filter((placement) => isShown(placement, workload))
  const isSeated = shown.some(({ order: { tag } }) => slotOfSeat(tag.slot) !== tag.slot)
  return (isSeated ? withoutPast(shown) : shown).toSorted(bySlot)
}

/** Of what is gone, only the last attempt of a slot, and only if nothing else is there. */
function withoutPast(shown: readonly Placement[]): readonly Placement[] {
  const last = new Map<string, Placement>()
  for (const placement of shown) {
    const slot = slotOfSeat(placement.order.tag.slot)
    const known = last.get(slot)
    const isLater = known === undefined || byEpoch(known, placement) < 0
    if (known === undefined || (isBilled(known) === isBilled(placement) ? isLater : isBilled(placement)))
      last.set(slot, placement)
  }
  return shown.filter((one) => isBilled(one) || last.get(slotOfSeat(one.order.tag.slot)) === one)
}

/** `known.placements` are those that are shown, in order. */
function viewWith(workload: Workload, known: SummaryInput, slots: readonly SlotView[]): WorkloadView {
  const { placements } = known
  // A status of an earlier workload of the same name is ignored, and so is an end before the last change.
  const status = known.status?.uid === workload.uid ? known.status : undefined
  const end = status?.generation === workload.generation ? status.end : undefined
  const figures = count(workload, placements, known.isConfigured)
  const isHeard = status === undefined || status.generation === workload.generation
  return {
    project: workload.project,
    name: workload.name,
    uid: workload.uid,
    kind: workload.manifest.kind,
    generation: workload.generation,
    want: workload.want,
    state: status?.setAside === undefined ? (endOf(end, figures) ?? stateOf(workload, figures, isHeard)) : 'set-aside',
    ready: readyOf(figures, end),
    total: figures.total,
    updated: figures.updated,
    ...(workload.restartedIn === workload.generation && figures.updated < figures.total && { restarting: true }),
    ...(isHeard && status?.stalled && workload.want === 'running' && { stalled: status.stalled.why }),
    ...(figures.unseen > 0 && { unseen: figures.unseen }),
    usd_per_hour: sum(placements.filter(isBilled).map(({ reserved }) => reserved.usdPerHour)),
    created_ms: workload.createdMs,
    changed_ms: workload.changedMs,
    slots,
    ...(placements.length > slots.length && { slots_left_out: placements.length - slots.length }),
    // Why an earlier version waited says nothing about this one.
    waiting: isHeard ? waitingOf(status?.waiting ?? backoffOf(status, figures)) : undefined,
    end: end && { state: end.state, why: end.why, at_ms: Math.round(end.atMs) },
    restarts: status?.restarts ?? 0,
    restarts_since_change: isHeard ? (status?.restarts ?? 0) - (status?.restartsBefore ?? 0) : 0,
    lost_seconds: status?.lostSeconds ?? 0,
    template: workload.template,
    policy: workload.manifest.policy,
    ...(workload.manifest.labels && { labels: workload.manifest.labels }),
    set_aside: status?.setAside,
    ...(workload.manifest.migration.on.includes('drain') && { leaves_on_drain: true }),
    problem: problemOf(workload, { ...known, status }),
  }
}

/** Whole milliseconds, as everywhere in the view. */
function waitingOf(waiting: Waiting | undefined): WorkloadView['waiting'] {
  if (waiting === undefined) return undefined
  const { code, text, sinceMs, nextLookMs } = waiting
  return { since_ms: Math.round(sinceMs), code, text, next_look_ms: Math.round(nextLookMs) }
}

/** Work that failed by itself waits before its restart, too. */
function backoffOf(status: Status | undefined, { missing }: Figures): Waiting | undefined {
  if (status === undefined || status.end !== undefined || status.failures === 0 || missing === 0) return undefined
  const { failures, backoffUntilMs, trouble, stalled } = status
  if (stalled !== undefined) return undefined
  const how = (trouble?.text ?? 'berth events shows how').replace(/\.$/, '')
  // The first refusals by each place do not count as failures of the work itself, but they were failed tries.
  const { refusedBy, generation } = status
  const times = failures + (refusedBy?.generation === generation ? refusedBy.places.length : 0)
  const text = `it failed ${times === 1 ? 'once' : `${times} times`}: ${how}`
  return { sinceMs: trouble?.sinceMs ?? backoffUntilMs, code: 'BACKOFF', text, nextLookMs: backoffUntilMs }
}

interface Figures {
  readonly total: number
  readonly up: number
  /** Up, and of the wanted version. */
  readonly updated: number
  /** May cost money, whether up or not. */
  readonly billed: number
  /** Should have a place, and have none. */
  readonly missing: number
  /** Existed when they were last seen, at a provider that is not configured. */
  readonly unseen: number
  /** Wait in the queue of their provider, and all others that are on their way. */
  readonly queued: number
  readonly coming: number
}

const ON_ITS_WAY: ReadonlySet<Placement['phase']> = new Set(['reserved', 'unknown', 'starting'] as const)
const MAYBE_UP: ReadonlySet<Placement['phase']> = new Set(['unknown', 'starting', 'running'] as const)

function count(
  workload: Workload,
  placements: readonly Placement[],
  isConfigured: SummaryInput['isConfigured'] = () => true,
): Figures {
  // The total of a stopped workload is counted as if it ran: `0/3 stopped` says more than `0/0`.
  const total = slotCount(workload)
  const isSeen = ({ order }: Placement): boolean => isConfigured(order.place.provider)
  const well = withoutSuccessors(placements).filter(
    (one) => one.phase === 'running' && one.healthy !== false && isSeen(one),
  )
  const updated = well.filter((placement) => isCurrent(placement, workload)).length
  const billed = placements.filter(isBilled).length
  const placed = withoutSuccessors(placements).filter(isLiving).length
  const unseen = placements.filter((one) => MAYBE_UP.has(one.phase) && !isSeen(one)).length
  const queued = placements.filter((one) => isQueued(one)).length
  const coming = placements.filter(({ phase }) => ON_ITS_WAY.has(phase)).length - queued
  return { total, up: well.length, updated, billed, missing: Math.max(0, total - placed), unseen, queued, coming }
}

/** A job that is done has nothing up and nothing missing. */
function readyOf({ total, up }: Figures, end: End | undefined): number {
  return end?.state === 'done' ? total : Math.min(total, up)
}

/** A workload that was told to stop is stopped once nothing of it can cost money. */
function endOf(end: End | undefined, { billed }: Figures): End['state'] | undefined {
  return end?.state === 'stopped' && billed > 0 ? undefined : end?.state
}

/** A change that the leader has not acted on yet counts as under way, however well the old version runs. */
function stateOf(
  { want, manifest }: Workload,
  { total, up, billed, missing, unseen, queued, coming }: Figures,
  isHeard: boolean,
): WorkloadState {
  if (want !== 'running' || total === 0) return billed > 0 ? 'stopping' : 'stopped'
  if (up > 0 && !isHeard) return 'starting'
  if (up > 0) return manifest.kind === 'job' ? 'running' : up >= total ? 'serving' : 'degraded'
  if (unseen > 0) return 'unknown'
  if (missing > 0) return 'waiting'
  return queued > 0 && coming === 0 ? 'queued' : 'starting'
}

/** Whatever may still cost money is shown, even if it belongs to an earlier workload of this name. */
function isShown(placement: Placement, workload: Workload): boolean {
  const { uid, slot } = placement.order.tag
  return isBilled(placement) || (uid === workload.uid && hasSlot(workload, slot))
}

function bySlot(one: Placement, other: Placement): number {
  const [a, b] = [one.order.tag.slot, other.order.tag.slot]
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}

/** Whether what was ordered is what the manifest asks for now. */
function isCurrent(placement: Placement, workload: Workload): boolean {
  const { slot, uid } = placement.order.tag
  const role = roleOf(workload.manifest, slot)
  return uid === workload.uid && hasSlot(workload, slot) && isUpToDate(placement, workload, role)
}

function slotOf(placement: Placement, workload: Workload, isConfigured: SummaryInput['isConfigured']): SlotView {
  const { tag, place, ports = [] } = placement.order
  const path = ports.find(({ health }) => health !== undefined)?.health
  return {
    slot: tag.slot,
    epoch: tag.epoch,
    attempt: tag.attempt,
    phase: placement.phase,
    ...(isBilled(placement) && { current: isCurrent(placement, workload) }),
    since_ms: Math.round(placement.sinceMs),
    provider: place.provider,
    region: place.region,
    offer: place.offer,
    instance: placement.instance,
    gpus: placement.reserved.gpus,
    usd_per_hour: placement.reserved.usdPerHour,
    healthy: placement.healthy,
    ...(placement.healthy === false && placement.wellMs !== undefined && { was_healthy: true }),
    ...(path !== undefined && { health_path: path }),
    ...(isConfigured?.(place.provider) === false && { unseen: true as const }),
    ...(placement.checkpointMs !== undefined && { checkpoint_ms: Math.round(placement.checkpointMs) }),
    ...queuedOf(placement),
    ports: placement.ports,
    because: placement.because,
    why: placement.why,
    exit: placement.exit,
    // A stop that is under way is asked about again; that is not a failure.
    tries: placement.phase === 'stopping' && placement.fault === undefined ? 0 : placement.tries,
    next_try_ms: Math.round(placement.nextTryMs),
    ...(placement.decision !== undefined && { decision: decisionView(placement.decision) }),
  }
}

function queuedOf(placement: Placement): Pick<SlotView, 'queued'> {
  const { queued } = placement
  if (queued === undefined || !isQueued(placement)) return {}
  return { queued: { since_ms: Math.round(queued.sinceMs), reason: queued.reason } }
}

function decisionView({ atMs, runnerUp, imageUnused, ...rest }: Decision): DecisionView {
  return {
    at_ms: Math.round(atMs),
    ...rest,
    ...(runnerUp && { runner_up: { offer: runnerUp.offer, usd_per_hour: runnerUp.usdPerHour } }),
    ...(imageUnused && { image_unused: imageUnused }),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
