import type { Chosen, BindInput } from './chosen.ts'
import { must } from '../../base/assert.ts'
import { termsOf } from '../../requirement/need/price.ts'
import { listingAt } from '../../offer/snapshot.ts'
import type { Choice } from '../../place/choose.ts'
import { heldText } from '../../place/explain/held.ts'
import { isImageless } from '../../place/explain/report.ts'
import { machinesOf, NOTHING_USED, overLimit, sum, type ChosenMachine } from '../../place/limits.ts'
import type { AskPlan, Plan } from '../../place/plan.ts'
import type { Happening } from '../../event/event.ts'
import type { Change, WorkloadRecord } from '../change.ts'
import { decisionOf } from './decision.ts'
import type { Order, Place, Meeting } from '../call/order.ts'
import { lookAgainMs } from '../call/pace.ts'
import { isBilled, type Placement } from '../placement.ts'
import { planFor, whyWaiting } from './has-place.ts'
import { missingPin, pinnedPlaces } from './pin.ts'
import { gangVariables, meetingOf } from '../call/rendezvous.ts'
import { identityOf } from '../identity.ts'
import { placementsOf } from '../seats.ts'
import { groupOf, partOf, type DesiredSlot } from '../slots.ts'
import type { Waiting } from '../status.ts'

/** Chooses places for groups of slots and writes them down as intents. A group without a place waits, with its reason. */
export function bind(
  record: WorkloadRecord,
  groups: readonly (readonly DesiredSlot[])[],
  bindInput: BindInput,
): Change {
  const { workload } = record
  const plan = planFor(record, groups, bindInput)
  const chosen = plan.asks.flatMap((ask) => chosenBy(ask, groups, plan))
  const isPinned = workload.pinned !== undefined && isUnbound(record)
  if (isPinned && !isAsPinned(record, groups, chosen)) return bindPinned(record, groups.flat(), bindInput)
  const reserved = reserveAll(record, chosen, bindInput)
  const waiting =
    chosen.length === groups.length ? undefined : waitFor(record, whyWaiting(plan, chosen.length, workload), bindInput)
  return intent(record, reserved, waiting)
}

/** Whether today's decision is the one that the saved plan made. */
function isAsPinned(
  { workload }: WorkloadRecord,
  groups: readonly (readonly DesiredSlot[])[],
  chosen: readonly (readonly Chosen[])[],
): boolean {
  const isPinned = ({ desired, place, usdPerHour }: Chosen): boolean =>
    workload.pinned?.some(
      (pin) => pin.slot === desired.slot && pin.offer === place.offer && usdPerHour <= pin.usdPerHour,
    ) === true
  return chosen.length === groups.length && chosen.flat().every(isPinned)
}

/** Whether nothing of the workload has ever come up. Until then, only the saved plan counts. */
function isUnbound({ placements }: WorkloadRecord): boolean {
  return [...placements.values()].every(({ phase, upMs }) => phase === 'gone' && upMs === undefined)
}

/** Binds exactly the places of the saved plan, or none at all. */
function bindPinned(record: WorkloadRecord, desiredSlots: readonly DesiredSlot[], bindInput: BindInput): Change {
  const found = pinnedPlaces(record.workload, desiredSlots, bindInput)
  if (found.kind === 'stale') {
    const end = { state: 'failed' as const, why: missingPin(found), atMs: bindInput.nowMs }
    const event: Happening = { kind: 'failed', facts: { why: end.why, code: 'PLAN_STALE' } }
    return { placements: [], status: { ...record.status, end }, events: [event] }
  }
  const { usage, limits } = bindInput
  const { project } = record.workload
  const cost = found.chosen.reduce(sum, NOTHING_USED)
  const held = overLimit(cost, usage, { project, limits })
  if (held !== undefined) {
    const why = { code: held.code, text: heldText(held) }
    return intent(record, [], waitFor(record, why, bindInput))
  }
  return intent(record, reserveAll(record, [found.chosen], bindInput), undefined)
}

/** One list of choices for each group that got its place, in the order of the groups. */
function chosenBy(
  ask: AskPlan,
  groups: readonly (readonly DesiredSlot[])[],
  plan: Plan,
): readonly (readonly Chosen[])[] {
  if (ask.choices.length === 0) return []
  const own = groups.filter((desiredSlots) => desiredSlots[0]?.role === ask.ask.role)
  return ask.choices.map((choice, index) => {
    const desiredSlots = must(own[index], 'as many choices as groups at most')
    const machines = machinesOf(choice, ask.ask.need.nodes, plan.snapshot)
    return desiredSlots.map((desired) => {
      const machine = must(machines[desired.rank], 'a machine for each member of a gang')
      return machineFor(desired, machine, { because: choice.because, ask, plan })
    })
  })
}

function machineFor(
  desired: DesiredSlot,
  machine: ChosenMachine,
  { because, ask, plan }: { readonly because: Choice['because']; readonly ask: AskPlan; readonly plan: Plan },
): Chosen {
  const { snapshot } = plan
  const { own, row, usdPerHour, gpus } = machine
  const listing = listingAt(snapshot, row)
  const { site, price } = listing
  const node = own && {
    id: must(snapshot.fleets[own.fleet]?.fleet.nodes[own.spot.node], 'a spot is on a node').id,
    spot: own.spot,
    request: own.request,
  }
  const place: Place = {
    offer: listing.id,
    provider: site.provider,
    region: site.region,
    zone: listing.zone,
    instance: listing.instance,
    market: termsOf(price, ask.ask.need.market),
    node,
  }
  return {
    desired,
    place,
    usdPerHour,
    gpus,
    because: BECAUSE[because],
    decision: { ...decisionOf(ask, plan), ...(isImageless(listing) && { imageUnused: true as const }) },
  }
}

const BECAUSE: Readonly<Record<Choice['because'], string>> = {
  best: 'the best that fits',
  spread: 'the best elsewhere, to spread replicas',
  full: 'the best that has room left',
}

/** Intents for what was chosen, group by group. All members of a gang get the same meeting point. */
function reserveAll(
  record: WorkloadRecord,
  groups: readonly (readonly Chosen[])[],
  bindInput: BindInput,
): readonly Placement[] {
  const taken = new Set<number>()
  return groups.flatMap((group) => {
    const meeting = meetingFor(record, group, { bindInput, taken })
    if (meeting !== undefined) taken.add(meeting.port)
    return group.map((chosen) => reserve(record, { ...chosen, meeting }, bindInput))
  })
}

/** Members that are still up keep their meeting point, and new members join them there. */
function meetingFor(
  { workload, placements }: WorkloadRecord,
  [first]: readonly Chosen[],
  { bindInput, taken }: { readonly bindInput: BindInput; readonly taken: ReadonlySet<number> },
): Meeting | undefined {
  const { nodes } = workload.manifest
  if (first === undefined || nodes === 1) return undefined
  const { provider } = first.place
  const { group } = first.desired
  const mate = [...placements.values()].find((one) => isBilled(one) && groupOf(one.order.tag.slot) === group)
  if (mate?.order.meeting !== undefined) return mate.order.meeting
  const rendezvous = bindInput.rendezvous?.(provider)
  if (rendezvous === undefined) return undefined
  const gathering = {
    owner: bindInput.owner,
    project: workload.project,
    workload: workload.name,
    group,
    provider,
    nodes,
  }
  const others = bindInput.gangPorts?.(provider) ?? []
  return meetingOf(rendezvous, gathering, { taken: new Set([...others, ...taken]), chance: bindInput.chance })
}

/** A machine that was chosen for a member of a gang, and where the gang meets. */
interface Member extends Chosen {
  readonly meeting: Meeting | undefined
}

function reserve(record: WorkloadRecord, chosen: Member, bindInput: BindInput): Placement {
  const { nowMs } = bindInput
  const { gpus, usdPerHour, because, decision } = chosen
  return {
    order: orderFor(record, chosen, bindInput),
    shape: identityOf(record.workload.manifest, chosen.desired.role),
    generation: record.workload.generation,
    phase: 'reserved',
    sinceMs: nowMs,
    reservedMs: nowMs,
    instance: undefined,
    reserved: { gpus, usdPerHour },
    calledMs: nowMs,
    replayed: false,
    absentMs: undefined,
    upMs: undefined,
    healthy: undefined,
    ports: {},
    checkpointMs: undefined,
    why: undefined,
    exit: undefined,
    tries: 0,
    nextTryMs: 0,
    because,
    ...(decision !== undefined && { decision }),
  }
}

export function orderFor(record: WorkloadRecord, chosen: Member, { owner, newId }: BindInput): Order {
  const { workload, status } = record
  const { manifest, project, name, uid } = workload
  const { slot, role, group, rank } = chosen.desired
  const { command, args, env, ports, resources } = partOf(manifest, role)
  // Counted over all seats, so that no two attempts of a slot have the same.
  const epoch = 1 + Math.max(0, ...placementsOf(record, slot).map(({ order }) => order.tag.epoch))
  const { meeting } = chosen
  return {
    tag: { owner, project, workload: name, uid, slot, epoch, attempt: newId() },
    place: chosen.place,
    image: manifest.image,
    command,
    args,
    env: manifest.nodes === 1 ? env : { ...gangVariables(rank, manifest.nodes, meeting), ...env },
    secrets: manifest.secrets,
    ports,
    storage: manifest.storage,
    cpu: resources.cpu,
    memoryGib: resources.memoryGib,
    diskGib: resources.diskGib,
    ...(resources.shmGib !== undefined && { shmGib: resources.shmGib }),
    nodes: manifest.nodes,
    ...(meeting !== undefined && { meeting }),
    ...(manifest.nodes > 1 && manifest.topology !== undefined && { within: manifest.topology }),
    ...(manifest.framework !== undefined && { framework: manifest.kind === 'service' ? 'ray-serve' : 'ray' }),
    restart: manifest.restart.class,
    gpus: resources.gpu?.count ?? 0,
    // If the offer costs more by now, the slot is decided again: a plan is never bound above its own price.
    usdPerHourMax: chosen.usdPerHour,
    maxDurationSeconds: manifest.maxDurationSeconds,
    resumeFromMs: status.resumePoints[group],
    ...(manifest.checkpoint !== undefined && { checkpoint: manifest.checkpoint }),
  }
}

/** The intents, and why the rest waits, as one change. An unchanged wait is not written again. */
function intent(record: WorkloadRecord, reserved: readonly Placement[], waiting: Waiting | undefined): Change {
  const events = reserved.map(({ order: { tag, place }, reserved: { gpus, usdPerHour }, because }): Happening => {
    const { slot, epoch, attempt } = tag
    const { provider, region, instance } = place
    return {
      kind: 'placed',
      facts: { slot, epoch, attempt, provider, region, instance, gpus, usd_per_hour: usdPerHour, because },
    }
  })
  const before = record.status.waiting
  if (waiting?.code === before?.code && waiting?.text === before?.text) return { placements: reserved, events }
  const isNews = waiting !== undefined && waiting.code !== before?.code
  const wait: readonly Happening[] = isNews
    ? [{ kind: 'waiting', facts: { code: waiting.code, why: waiting.text } }]
    : []
  return { placements: reserved, status: { ...record.status, waiting }, events: [...events, ...wait] }
}

function waitFor(
  { status }: WorkloadRecord,
  { code, text }: { readonly code: string; readonly text: string },
  { nowMs, chance }: BindInput,
): Waiting {
  return { sinceMs: status.waiting?.sinceMs ?? nowMs, code, text, nextLookMs: nowMs + lookAgainMs(chance) }
}
