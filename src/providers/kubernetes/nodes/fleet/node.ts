import type { FleetCard, FleetNode } from '../../../../core/fleet/fleet.ts'
import { modelFacts } from '../../../../core/hardware/family.ts'
import { CARDS_MAX } from '../../../../core/pack/engine/states.ts'
import { layoutOf } from '../../../../core/fleet/topology/presets.ts'
import { placeOf } from '../domains.ts'
import type { DeviceCard } from '../dra/device-cards.ts'
import { canBeNamed, cardDevices } from '../dra/marks.ts'
import { devicesOf, isSick } from '../dra/read-devices.ts'
import { taintKind } from '../health/taints.ts'
import type { NodeObject, NodeTaint } from '../object/node-object.ts'
import type { ReadNode } from '../read-cluster.ts'
import type { NodeReading } from '../read-node.ts'
import { fewestCards } from '../vendor/nvidia/slices.ts'
import { tiesOf, wiredBy } from './wiring.ts'
import type { ClaimAsk, ClusterView, NodeAsk } from './view.ts'

/** A node of the fleet, and how pods ask for its cards. */
export interface FleetPlace {
  readonly read: ReadNode
  readonly node: FleetNode
  readonly ask: NodeAsk
  /** In which form its cards can be had. */
  readonly form: CardForm
  /** Cards that are cut into slices next to whole ones: they are not offered. */
  readonly closed: readonly number[]
  /** The device behind each card; empty: a plugin gives them out. */
  readonly devices: readonly DeviceCard[]
}

/** `whole`, slices that exist (`cut`), shares, whole and in any slice that can still be cut (`cuttable`), or whole and in parts (`divisible`). */
type CardForm = 'none' | 'whole' | 'cut' | 'share' | 'cuttable' | 'divisible'

/** A node as a part of the fleet; a text: why it takes no work. */
export function placeNode(read: ReadNode, view: Pick<ClusterView, 'tolerated' | 'isDivisible'>): FleetPlace | string {
  const { object, reading } = read
  const shut = whyShut(object, reading, view.tolerated ?? [])
  if (shut !== undefined) return shut
  const found = cardsOf(reading)
  const cards = view.isDivisible === true ? divided(found, reading) : found
  if (cards === undefined) return `How to ask for its accelerators is not known. ${reading.why.join(' ')}`
  const { form, closed, devices } = cards
  if (cards.list.length > CARDS_MAX) return `It has ${cards.list.length} cards; at most ${CARDS_MAX} can be told apart.`
  const model = cards.list.length === 0 ? undefined : (reading.model ?? reading.vendor ?? 'unknown')
  const { host: _, ...domains } = placeOf(object)
  const node: FleetNode = {
    id: object.name,
    model,
    cpuMilli: Math.floor((object.allocatable?.get('cpu') ?? 0) * 1000 + 1e-6),
    memoryMib: Math.floor((object.allocatable?.get('memory') ?? 0) / 1024 ** 2),
    diskMib: diskOf(object),
    cards: cards.list,
    layout: layoutFor(model, cards.list.length, devices),
    domains,
  }
  return {
    read,
    node,
    ask: { ...askOf(reading, form, devices), tolerations: tolerable(object, view.tolerated ?? []) },
    form,
    closed,
    devices,
  }
}

function whyShut(object: NodeObject, reading: NodeReading, tolerated: readonly string[]): string | undefined {
  if (reading.usable !== true) return reading.why.join(' ')
  const [taint] = object.taints.filter((each) => taintKind(each) === 'foreign' && !tolerated.includes(each.key))
  return taint === undefined
    ? undefined
    : `Pods there must tolerate taint ${taint.key}, which the settings do not name.`
}

function tolerable({ taints }: NodeObject, tolerated: readonly string[]): readonly NodeTaint[] {
  return taints.filter((taint) => taintKind(taint) === 'accelerator' || tolerated.includes(taint.key))
}

function diskOf({ allocatable }: NodeObject): number | undefined {
  const bytes = allocatable?.get('ephemeral-storage')
  return bytes === undefined ? undefined : Math.floor(bytes / 1024 ** 2)
}

interface Cards {
  readonly list: readonly FleetCard[]
  readonly form: CardForm
  readonly closed: readonly number[]
  readonly devices: readonly DeviceCard[]
}

/** The cards as the engine sees them; undefined: there are some, but not in a form that a pod can ask for. */
function cardsOf(reading: NodeReading): Cards | undefined {
  const { asks, cards, devices } = reading
  if (cards === 0) return { list: [], form: 'none', closed: [], devices: [] }
  if (asks.whole === undefined && asks.slices.size === 0 && asks.share === undefined)
    return devices === undefined || devices.cards === undefined
      ? undefined
      : claimable(devices.deviceCards, devices.isCut)
  if (asks.slices.size > 0) return withSlices(reading)
  if (asks.share !== undefined && asks.whole === undefined && cards !== undefined)
    return { list: alike(cards, 'share'), form: 'share', closed: [], devices: [] }
  if (asks.whole === undefined) return undefined
  const sick = asks.whole.total - (asks.whole.ready ?? asks.whole.total)
  const well = alike(asks.whole.total - sick, 'none')
  return { list: [...well, ...alike(sick, 'none', 'failing')], form: 'whole', closed: [], devices: [] }
}

/** Whole cards that a scheduler also gives out in parts. */
function divided(cards: Cards | undefined, { vendor }: NodeReading): Cards | undefined {
  if (cards?.form !== 'whole' || vendor !== 'nvidia' || cards.devices.length > 0 || cards.closed.length > 0)
    return cards
  return { ...cards, form: 'divisible', list: cards.list.map((card) => ({ ...card, parts: 'share' })) }
}

/** Undefined: a claim cannot name them one by one, or others may have them at the same time. */
function claimable(devices: readonly DeviceCard[], isCut: boolean): Cards | undefined {
  const canCut = devices.some(({ parts }) => parts.length > 0)
  const parts = isCut || canCut ? 'mig' : 'none'
  const list = devices.map((card): FleetCard => ({ health: isSick(card) ? 'failing' : 'ok', parts }))
  const form = isCut ? 'cut' : canCut ? 'cuttable' : 'whole'
  if (devices.some((card) => devicesOf(card).some(({ isShared }) => isShared))) return undefined
  return canBeNamed({ cards: cardDevices(devices), form }) ? { list, form, closed: [], devices } : undefined
}

/** Slices that exist. Next to whole cards they are left to others: the engine would give out a cut card as a whole one. */
function withSlices({ asks, cards, mig, model }: NodeReading): Cards | undefined {
  const cut = fewestCards(mig, model === undefined ? undefined : modelFacts(model))
  const all = cards ?? cut
  if (all === undefined || all === 0) return undefined
  if (asks.whole === undefined) return { list: alike(all, 'mig'), form: 'cut', closed: [], devices: [] }
  const whole = Math.min(all, asks.whole.total)
  const closed = Array.from({ length: all - whole }, (_, at) => whole + at)
  return { list: alike(all, 'none'), form: 'whole', closed, devices: [] }
}

function alike(count: number, parts: FleetCard['parts'], health: FleetCard['health'] = 'ok'): readonly FleetCard[] {
  return Array.from({ length: Math.max(0, count) }, () => ({ health, parts }))
}

function layoutFor(model: string | undefined, count: number, devices: readonly DeviceCard[]): FleetNode['layout'] {
  const facts = model === undefined ? undefined : modelFacts(model)
  if (devices.length > 0) return wiredBy(devices, facts)
  return facts === undefined ? undefined : layoutOf(facts, count, undefined)
}

function askOf(reading: NodeReading, form: CardForm, devices: readonly DeviceCard[]): Omit<NodeAsk, 'tolerations'> {
  const { asks } = reading
  return {
    whole: form === 'whole' || form === 'divisible' ? asks.whole?.resource : undefined,
    ...(form === 'divisible' && { isDivisible: true }),
    slices:
      form === 'cut' ? new Map([...asks.slices].map(([profile, { resource }]) => [profile, resource])) : new Map(),
    share:
      form === 'share' && asks.share !== undefined
        ? { resource: asks.share.resource, ofCard: asks.share.ofCard }
        : undefined,
    claims: claimAskOf(reading, form, devices),
  }
}

function claimAskOf({ model }: NodeReading, form: CardForm, devices: readonly DeviceCard[]): ClaimAsk | undefined {
  if (devices.length === 0 || form === 'none' || form === 'share' || form === 'divisible') return undefined
  const facts = model === undefined ? undefined : modelFacts(model)
  return { cards: cardDevices(devices), form, ties: tiesOf(devices, facts) }
}
