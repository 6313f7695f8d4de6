import type { Chosen, BindInput } from './chosen.ts'
import { must } from '../../base/assert.ts'
import { termsOf } from '../../requirement/need/price.ts'
import { listingAt } from '../../offer/snapshot.ts'
import { domainAt, type Choice } from '../../place/choose.ts'
import { derive } from '../../place/derive.ts'
import { decide, type Ask, type AskPlan, type Plan } from '../../place/plan.ts'
import { isImageless } from '../../place/explain/report.ts'
import type { Change, Happening, WorkloadRecord } from '../change.ts'
import { decisionOf } from './decision.ts'
import { decideElsewhere } from './elsewhere.ts'
import type { Order, Place, Meeting } from '../call/order.ts'
import { lookAgainMs } from '../call/pace.ts'
import { isBilled, type Placement } from '../placement.ts'
import { missingPin, pinnedPlaces } from './pin.ts'
import { gangVariables, meetingOf } from '../call/rendezvous.ts'
import { wrongPlaces } from './refused-by.ts'
import { identityOf } from '../identity.ts'
import { groupOf, partOf, type DesiredSlot } from '../slots.ts'
import type { Waiting } from '../status.ts'
import { roomLeft, usageOf } from './usage.ts'
import { whyNoPlace } from '../view/why-waiting.ts'

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
  const spread = spreadOut(record, plan, chosen)
  const { fitting, over } = roomLeft(spread, bindInput.usage, bindInput.limits)
  const reserved = reserveAll(record, fitting, bindInput)
  const missing = groups.length - fitting.length
  const waiting =
    missing === 0 ? undefined : waitFor(record, over ?? whyNoPlace(plan, spread.length, workload.project), bindInput)
  return intent(record, reserved, waiting)
}

/** Whether every one of these groups would find a place within the project's limits if the places they hold now were free. */
export function hasPlace(
  record: WorkloadRecord,
  groups: readonly (readonly DesiredSlot[])[],
  bindInput: BindInput,
): boolean {
  const plan = planFor(record, groups, bindInput)
  if (!plan.asks.every((ask) => ask.choices.length === ask.ask.replicas)) return false
  const chosen = plan.asks.flatMap((ask) => chosenBy(ask, groups, plan))
  const held = usageOf(groups.flat().flatMap(({ slot }) => record.placements.get(slot) ?? []))
  const { gpus, usdPerHour } = bindInput.usage
  const usage = { gpus: gpus - held.gpus, usdPerHour: usdPerHour - held.usdPerHour }
  return roomLeft(chosen, usage, bindInput.limits).over === undefined
}

/** The decision for some groups of a workload. The other groups stay where they are. */
function planFor(
  record: WorkloadRecord,
  groups: readonly (readonly DesiredSlot[])[],
  { snapshot, policy, nowMs }: Pick<BindInput, 'snapshot' | 'policy' | 'nowMs'>,
): Plan {
  const { workload, placements, status } = record
  const input = derive(workload.manifest, policy, nowMs)
  // A workload may have ten thousand slots and wait for a place, so this runs often: keep it cheap.
  const standing = [...placements.values()].filter(isBilled)
  const moving = new Set(standing.length === 0 ? [] : groups.flat().map(({ slot }) => slot))
  const counts = new Map<string | undefined, number>()
  for (const [first] of groups) counts.set(first?.role, (counts.get(first?.role) ?? 0) + 1)
  const asks = input.asks.flatMap((ask): readonly Ask[] => {
    const replicas = counts.get(ask.role) ?? 0
    const placed = standing
      .filter(({ order }) => !moving.has(order.tag.slot))
      .map(({ order }) => domainAt(order.place, ask.spread))
    return replicas === 0 ? [] : [{ ...ask, replicas, reserve: undefined, placed }]
  })
  const wrongAt = (role: string | undefined) => wrongPlaces(status, workload, role)
  return decideElsewhere(asks, wrongAt, (those) => decide(snapshot, { ...input, asks: those }))
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
  const { fitting, over } = roomLeft([found.chosen], bindInput.usage, bindInput.limits)
  if (over !== undefined) return intent(record, [], waitFor(record, over, bindInput))
  return intent(record, reserveAll(record, fitting, bindInput), undefined)
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
    return desiredSlots.map((desired) => machineFor(desired, choice, { ask, plan }))
  })
}

function machineFor(
  desired: DesiredSlot,
  choice: Choice,
  { ask, plan }: { readonly ask: AskPlan; readonly plan: Plan },
): Chosen {
  const { snapshot } = plan
  const own = choice.own?.places[desired.rank]
  const { row, usdPerHour } = own?.standing ?? choice.standing
  const listing = listingAt(snapshot, row)
  const { site, machine, price } = listing
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
    gpus: own?.spot.cards.length ?? machine.gpu?.count ?? 0,
    because: BECAUSE[choice.because],
    decision: { ...decisionOf(ask, plan), ...(isImageless(listing) && { imageUnused: true as const }) },
  }
}

const BECAUSE: Readonly<Record<Choice['because'], string>> = {
  best: 'the best that fits',
  spread: 'the best elsewhere, to spread replicas',
  full: 'the best that has room left',
}

/** Replicas that must be spread but have only one domain: one of them is placed, the others wait for a second domain. */
function spreadOut(
  record: WorkloadRecord,
  plan: Plan,
  chosen: readonly (readonly Chosen[])[],
): readonly (readonly Chosen[])[] {
  if (!plan.asks.some((ask) => ask.shortage === 'one-domain-only')) return chosen
  const isAlone = ![...record.placements.values()].some(isBilled)
  return isAlone ? chosen.slice(0, 1) : []
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
  const gathering = { project: workload.project, workload: workload.name, group, provider, nodes }
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
  const { workload, placements, status } = record
  const { manifest, project, name, uid } = workload
  const { slot, role, group, rank } = chosen.desired
  const { command, args, env, ports, resources } = partOf(manifest, role)
  const epoch = (placements.get(slot)?.order.tag.epoch ?? 0) + 1
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
    restart: manifest.restart.class,
    gpus: resources.gpu?.count ?? 0,
    // If the offer costs more by now, the slot is decided again: a plan is never bound above its own price.
    usdPerHourMax: chosen.usdPerHour,
    maxDurationSeconds: manifest.maxDurationSeconds,
    resumeFromMs: status.resumePoints[group],
  }
}

/** The intents, and why the rest waits, as one change. An unchanged wait is not written again. */
function intent(record: WorkloadRecord, reserved: readonly Placement[], waiting: Waiting | undefined): Change {
  const events = reserved.map(({ order: { tag, place }, reserved: { usdPerHour }, because }): Happening => {
    const { slot, epoch, attempt } = tag
    const { provider, region, instance } = place
    return {
      kind: 'placed',
      facts: { slot, epoch, attempt, provider, region, instance, usd_per_hour: usdPerHour, because },
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
