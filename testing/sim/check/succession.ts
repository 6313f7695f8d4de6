import type { Manifest } from '../../../src/core/manifest/manifest.ts'
import { isLiving } from '../../../src/core/life/seats.ts'
import { isBeforeRestart } from '../../../src/core/life/current.ts'
import { isIdentityOf } from '../../../src/core/life/identity.ts'
import { isBilled, type Leaving, type Placement } from '../../../src/core/life/placement.ts'
import { hasSlot, seatsOf, slotOfSeat } from '../../../src/core/life/slots.ts'
import { routeOf } from '../../../src/core/route/route.ts'
import type { Workload } from '../../../src/core/life/workload.ts'
import { isLeaving, stepsOf, type Check, type Evidence, type Step } from './check.ts'
import { isWell, roleOf } from './service.ts'

const MINUTE_MS = 60_000
/** How long it may take at most until what a silent provider has is placed elsewhere. */
const REPLACED_WITHIN_MS = 5 * MINUTE_MS

/**
 * I1 with successors: at most one attempt of a slot is in charge and gets requests, at most one waits to follow it, and what is
 * let go of never comes back.
 */
export function successionCheck(evidence: Evidence): Check {
  const epochs = new Map<string, number>()
  /** When a workload was last known to wait for a place: another replica that comes up ends that until the next look. */
  const waitedMs = new Map<string, number>()
  return {
    written: (commit) => {
      const steps = stepsOf(commit, evidence.mirror)
      const now = new Map(steps.map(({ key, after }) => [key, after]))
      for (const step of steps) {
        const beside = besideOf(step, now, evidence)
        if (step.before === undefined && isLiving(step.after)) checkNew(step, beside, { evidence, epochs })
        if (step.before?.phase === 'stopping' && isLiving(step.after))
          evidence.broke('I1', `${step.key} was being stopped and is ${step.after.phase} again`)
        if (isLeaving(step)) checkRelieved(step, beside, evidence)
      }
      for (const at of new Set(steps.map(({ workload }) => workload))) checkRoutes(at, now, evidence)
    },
    tick: () => checkOutages(evidence, waitedMs),
  }
}

/** Everything else of the same slot that may exist, after the commit. */
function besideOf(
  { key, after, workload: at }: Step,
  now: ReadonlyMap<string, Placement>,
  { mirror }: Evidence,
): readonly Placement[] {
  return seatsOf(after.order.tag.slot).flatMap((seat) => {
    const other = now.get(`${at}/${seat}`) ?? mirror.placements.get(`${at}/${seat}`)
    const isOther = other !== undefined && `${at}/${seat}` !== key && isBilled(other)
    return isOther && other.order.tag.uid === after.order.tag.uid ? [other] : []
  })
}

interface Beginning {
  readonly evidence: Evidence
  readonly epochs: Map<string, number>
}

/** An intent: alone in its slot, or beside one attempt that has to leave. */
function checkNew({ key, after }: Step, beside: readonly Placement[], { evidence, epochs }: Beginning): void {
  const { broke, mirror } = evidence
  const { uid, slot, epoch } = after.order.tag
  const own = `${uid}/${slotOfSeat(slot)}`
  const last = epochs.get(own) ?? 0
  if (epoch <= last) broke('I1', `${key} has epoch ${epoch} after ${last}`)
  epochs.set(own, Math.max(last, epoch))
  const living = beside.filter(isLiving)
  const workload = mirror.ownerOf(after)
  if (workload === undefined) return
  if (beside.length > 0 && !mayHaveTwo(workload.manifest) && !mayHaveTwo({ ...workload.manifest, ...after.order }))
    broke('I1', `${key} is placed beside ${beside[0]?.order.tag.slot}`)
  if (living.length > 1) broke('I1', `${key} is a second successor of ${living[0]?.order.tag.slot}`)
  for (const one of beside) {
    const mayMove = isLiving(one) && isToMove(one, workload, evidence)
    if (mayMove || !workload.manifest.migration.on.includes('outage')) {
      if (!mayMove && mirror.statuses.get(keyOf(one))?.generation === workload.generation)
        broke('I6', `${key} is placed beside ${one.order.tag.slot} against its policy`)
      continue
    }
    const isKnown = mirror.statuses.get(keyOf(one))?.generation === workload.generation
    if (isKnown && one.why !== 'outage' && !mayBeFenced(one, evidence))
      broke('I8', `${key} is placed although ${one.order.place.provider} answers for ${one.order.tag.slot}`)
  }
}

/** What is to leave keeps its slot until it has; unless nobody can end it, because nobody gets through to its provider. */
function mayBeFenced(placement: Placement, { witness }: Evidence): boolean {
  const { provider } = placement.order.place
  if (witness.wasSilent(provider)) return true
  // What was decided while it was not configured is written a moment later.
  const thereMs = witness.thereSinceMs(provider) ?? Infinity
  return !isLiving(placement) && witness.nowMs() < thereMs + MINUTE_MS
}

/** Said here once more: what is checked is not asked. */
function mayHaveTwo({ kind, nodes, storage }: Pick<Manifest, 'kind' | 'nodes' | 'storage'>): boolean {
  return kind === 'service' && nodes === 1 && storage.every(({ from, mode }) => from === undefined || mode === 'ro')
}

function keyOf({ order: { tag } }: Placement): string {
  return `${tag.project}/${tag.workload}`
}

/** Whether it has to leave for another reason than an outage. */
function isToMove(placement: Placement, workload: Workload, { witness }: Evidence): boolean {
  const isDrained =
    workload.manifest.migration.on.includes('drain') && witness.drainedMs(placement.order.place.provider) !== undefined
  const isCurrent = isIdentityOf(placement.shape, workload.manifest, roleOf(placement, workload))
  const isSick = workload.manifest.restart.unhealthySeconds !== undefined && placement.healthy === false
  return isDrained || !isCurrent || isSick || isBeforeRestart(placement, workload)
}

/** Causes that wait for a successor where there is room for one. */
const PLANNED: ReadonlySet<Leaving> = new Set<Leaving>(['drained', 'replaced', 'unhealthy'])

/** Nothing leaves for its successor before that is up and well, and no successor leaves without a predecessor. */
function checkRelieved({ key, before, after }: Step, beside: readonly Placement[], evidence: Evidence): void {
  const living = beside.filter(isLiving)
  const { attempt } = after.order.tag
  const isUp = ({ phase }: Placement): boolean => phase === 'running'
  const [inCharge] = [before ?? after, ...living].toSorted(
    (one, two) => Number(isUp(two)) - Number(isUp(one)) || one.order.tag.epoch - two.order.tag.epoch,
  )
  if (inCharge !== undefined && inCharge.order.tag.attempt !== attempt) evidence.mirror.spare.add(attempt)
  const [next] = living.toSorted((one, two) => two.order.tag.epoch - one.order.tag.epoch)
  if (after.why === 'surplus' && !living.some((one) => wasUp(one, evidence)))
    evidence.broke('I13', `${key} was let go of as surplus, and nothing else of its slot is up`)
  const isForNext = after.why === 'outage' || (after.why !== undefined && PLANNED.has(after.why) && next !== undefined)
  if (!isForNext || evidence.mirror.spare.has(attempt)) return
  if (next?.healthy === false)
    evidence.broke('I13', `${key} was let go of (${after.why}) for ${next.order.tag.slot}, which is not well`)
  if (next === undefined) evidence.broke('I13', `${key} was let go of (${after.why}) without a successor`)
  else if (before?.phase === 'running' && isWell(before, evidence) && !wasUp(next, evidence))
    evidence.broke('I13', `${key} was let go of (${after.why}) before ${next.order.tag.slot} is up`)
}

/** By the truth: it came up, whatever became of it in the last seconds. */
function wasUp({ phase, order }: Placement, { startedBy, witness }: Evidence): boolean {
  const instance = startedBy(order.tag.attempt)
  return phase === 'running' && instance !== undefined && instance.upMs <= witness.nowMs()
}

/** At most one attempt of a slot gets requests, and none that is being stopped. */
function checkRoutes(at: string, now: ReadonlyMap<string, Placement>, { mirror, broke }: Evidence): void {
  const workload = mirror.workloads.get(at)
  if (workload?.manifest.kind !== 'service' || workload.want !== 'running') return
  const rows = new Map([...mirror.placements].filter(([key]) => key.startsWith(`${at}/`)))
  for (const [key, placement] of now) if (key.startsWith(`${at}/`)) rows.set(key, placement)
  // The simulated clouds tell no addresses.
  const placements = [...rows.values()].map((one) => ({ ...one, ports: { http: '10.0.0.1:80' } }))
  const served = new Set<string>()
  for (const { id, state } of routeOf(workload, placements)?.replicas ?? []) {
    if (state === 'leaving') continue
    const seat = id.slice(0, id.lastIndexOf('.'))
    if (rows.get(`${at}/${seat}`)?.phase === 'stopping')
      broke('I1', `${at}: ${seat} is being stopped and gets requests`)
    if (served.has(slotOfSeat(seat))) broke('I1', `${at}: two attempts of ${slotOfSeat(seat)} get requests`)
    served.add(slotOfSeat(seat))
  }
}

/** What a silent provider has of a service is placed elsewhere after the grace, or waits for a reason. */
function checkOutages({ mirror, witness, broke }: Evidence, waitedMs: Map<string, number>): void {
  const nowMs = witness.nowMs()
  const isHeard = [...witness.clouds.keys()].some((name) => {
    const readyMs = witness.readySinceMs(name)
    return readyMs !== undefined && readyMs < nowMs - REPLACED_WITHIN_MS
  })
  if (!isHeard) return
  for (const [key, placement] of mirror.placements) {
    const workload = mirror.ownerOf(placement)
    const status = mirror.statuses.get(keyOf(placement))
    if (workload === undefined || status === undefined || !mayHaveTwo(workload.manifest)) continue
    if (workload.want !== 'running' || !workload.manifest.migration.on.includes('outage')) continue
    if (!hasSlot(workload, placement.order.tag.slot)) continue
    if (!isBilled(placement) || nowMs < Math.max(placement.reservedMs, placement.sinceMs) + REPLACED_WITHIN_MS) continue
    const { provider } = placement.order.place
    // What is not configured is not asked, so nobody can tell that it is silent.
    const silentMs = Math.max(witness.silentSinceMs(provider) ?? Infinity, witness.thereSinceMs(provider) ?? Infinity)
    if (nowMs < silentMs + REPLACED_WITHIN_MS) continue
    const { waiting, end, stalled, failures, setAside } = status
    if (waiting !== undefined) waitedMs.set(keyOf(placement), nowMs)
    if (nowMs < (waitedMs.get(keyOf(placement)) ?? 0) + MINUTE_MS) continue
    const isExcused = waiting ?? end ?? stalled ?? setAside
    const beside = seatsOf(placement.order.tag.slot).flatMap(
      (seat) => mirror.placements.get(`${keyOf(placement)}/${seat}`) ?? [],
    )
    if (isExcused !== undefined || failures > 0 || beside.some((one) => one !== placement && isBilled(one))) continue
    broke('I7', `${key}: ${provider} is silent, and nothing takes over`)
  }
}
