import { many } from '../../../../core/base/words.ts'
import type { Request, Spot, Tenant } from '../../../../core/fleet/fleet.ts'
import { deviceKey, type Claimed } from '../dra/claimed.ts'
import { devicesOf } from '../dra/read-devices.ts'
import type { SliceDevice } from '../dra/slice-devices.ts'
import type { PodObject } from '../object/pod-object.ts'
import { CardsLeft, type Holding } from './cards-left.ts'
import { fractionsOf, isReservation } from './fractions.ts'
import type { FleetPlace } from './node.ts'
import type { ClusterView } from './view.ts'

/** What is known about who is who. */
export interface TenantsAround {
  /** The node's place in the fleet. */
  readonly index: number
  readonly claimed: Claimed
  readonly ours: ClusterView['ours']
}

/**
 * What runs on a node. A plugin does not tell which cards a pod has, only how many: pods of ours have those that the
 * engine chose, others the first that are left. Pods that have no cards and are not ours count together.
 */
export function tenantsOf(place: FleetPlace, around: TenantsAround): readonly Tenant[] {
  const pods = place.read.pods.map((pod) => ({
    pod,
    our: around.ours?.(pod.object),
    holds: holdingOf(pod, place, around),
  }))
  const known = pods.toSorted((one, two) => (idOf(one.pod) < idOf(two.pod) ? -1 : 1))
  const cards = new CardsLeft(place.node, place.closed)
  const room = new Room(place)
  const named = known.filter(({ our, holds }) => our !== undefined || holds.length > 0)
  const claims = withoutPod(place, around)
    .toSorted()
    .map((claim) => claimTenants(claim, { place, around, cards }))
  // Who is known to have these cards comes first, then who was to get them, so that others get what is left.
  const rank = ({ our, holds }: (typeof named)[number]): number =>
    holds.some((holding) => holding.cards !== undefined) ? 0 : our?.cards === undefined ? 2 : 1
  const order = named.toSorted((one, two) => rank(one) - rank(two))
  const tenants = order.flatMap(({ pod, our, holds }): readonly Tenant[] => {
    const name = our?.attempt ?? idOf(pod)
    const parts = holds.length === 0 ? [NO_CARDS] : holds
    return parts.map((part, at) => {
      const spot = cards.take(part, our?.cards, around.index)
      const request = {
        ...room.take(at === 0 ? pod : undefined),
        count: spot.cards.length,
        part: part.part,
        models: undefined,
      }
      return tenant(at === 0 ? name : `${name}#${at + 1}`, { request, spot, priority: pod.priority })
    })
  })
  const rest = known.filter(({ our, holds }) => our === undefined && holds.length === 0).map(({ pod }) => pod)
  const holders = [...tenants, ...claims.flat()].toSorted(byName)
  return [...closedCards(place, around.index), ...holders, ...together(rest, room, around.index)]
}

const NO_CARDS: Holding = { count: 0, part: { kind: 'whole' } }

function holdingOf(pod: PodObject, place: FleetPlace, { claimed }: TenantsAround): readonly Holding[] {
  if (place.form === 'divisible') {
    if (isReservation(pod, place.read.pods)) return []
    return [...byResource(pod, place), ...fractionsOf(pod)]
  }
  return [...byResource(pod, place), ...byClaim(pod, place, claimed)]
}

function byResource({ requests }: PodObject, { read: { reading }, closed }: FleetPlace): readonly Holding[] {
  const { whole, share } = reading.asks
  // Slices of cards that are closed to us are not drawn.
  const slices = closed.length > 0 ? [] : reading.asks.slices
  const amount = (resource: string | undefined): number => Math.ceil(requests.get(resource ?? '') ?? 0)
  const found: Holding[] = []
  if (amount(whole?.resource) > 0) found.push({ count: amount(whole?.resource), part: { kind: 'whole' } })
  for (const [profile, { resource }] of slices) {
    const vramGib = Number(/(\d+)gb/.exec(profile)?.[1] ?? 0)
    for (let at = 0; at < amount(resource); at++) found.push({ count: 1, part: { kind: 'slice', vramGib }, profile })
  }
  const milli = share === undefined ? 0 : Math.ceil(1000 / share.ofCard)
  for (let at = 0; at < amount(share?.resource); at++) found.push({ count: 1, part: { kind: 'share', milli } })
  return found
}

function byClaim({ claims, namespace }: PodObject, place: FleetPlace, claimed: Claimed): readonly Holding[] {
  return heldBy(new Set((claims ?? []).map((name) => `${namespace}/${name}`)), place, claimed)
}

/** What claims have of a node. */
function heldBy(own: ReadonlySet<string>, { devices }: FleetPlace, claimed: Claimed): readonly Holding[] {
  const found: Holding[] = []
  const whole: number[] = []
  for (const [index, card] of devices.entries()) {
    for (const device of devicesOf(card)) {
      if (!own.has(claimed.get(deviceKey(device)) ?? '')) continue
      const profile = device.attributes.get('profile')
      if (device === card.whole || profile === undefined) whole.push(index)
      else found.push(sliceHeld(device, profile, index))
    }
  }
  const cards = [...new Set(whole)]
  return cards.length === 0 ? found : [{ count: cards.length, part: { kind: 'whole' }, cards }, ...found]
}

function sliceHeld({ start }: SliceDevice, profile: string, card: number): Holding {
  const part = { kind: 'slice', vramGib: Number(/(\d+)gb/.exec(profile)?.[1] ?? 0) } as const
  return { count: 1, part, profile, cards: [card], ...(start !== undefined && { start }) }
}

/** Claims that have something of the node while no pod there names them: it is not free either. */
function withoutPod({ devices, read }: FleetPlace, { claimed }: TenantsAround): readonly string[] {
  const named = new Set(
    read.pods.flatMap(({ claims, namespace }) => (claims ?? []).map((name) => `${namespace}/${name}`)),
  )
  const holding = devices.flatMap((card) => devicesOf(card).flatMap((device) => claimed.get(deviceKey(device)) ?? []))
  return [...new Set(holding)].filter((claim) => !named.has(claim))
}

interface ClaimsOn {
  readonly place: FleetPlace
  readonly around: TenantsAround
  readonly cards: CardsLeft
}

function claimTenants(claim: string, { place, around, cards }: ClaimsOn): readonly Tenant[] {
  return heldBy(new Set([claim]), place, around.claimed).map((holding, at) => {
    const spot = cards.take(holding, undefined, around.index)
    const request = { ...NOTHING, count: spot.cards.length, part: holding.part, models: undefined }
    return tenant(at === 0 ? `claim ${claim}` : `claim ${claim}#${at + 1}`, { request, spot, priority: 0 })
  })
}

type Amounts = Pick<Request, 'cpuMilli' | 'memoryMib' | 'diskMib'>

/** Processors, memory and disk of a node, of which no more is given out than there is. */
class Room {
  #left: Amounts

  constructor({ node: { cpuMilli, memoryMib, diskMib } }: FleetPlace) {
    this.#left = { cpuMilli, memoryMib, diskMib: diskMib ?? 0 }
  }

  take(pod: PodObject | undefined): Amounts {
    const wants = pod === undefined ? NOTHING : amountsOf(pod)
    const taken = {
      cpuMilli: Math.min(this.#left.cpuMilli, wants.cpuMilli),
      memoryMib: Math.min(this.#left.memoryMib, wants.memoryMib),
      diskMib: Math.min(this.#left.diskMib, wants.diskMib),
    }
    this.#left = {
      cpuMilli: this.#left.cpuMilli - taken.cpuMilli,
      memoryMib: this.#left.memoryMib - taken.memoryMib,
      diskMib: this.#left.diskMib - taken.diskMib,
    }
    return taken
  }
}

const NOTHING: Amounts = { cpuMilli: 0, memoryMib: 0, diskMib: 0 }

function amountsOf({ requests }: PodObject): Amounts {
  return {
    cpuMilli: Math.ceil((requests.get('cpu') ?? 0) * 1000 - 1e-6),
    memoryMib: Math.ceil((requests.get('memory') ?? 0) / 1024 ** 2),
    diskMib: Math.ceil((requests.get('ephemeral-storage') ?? 0) / 1024 ** 2),
  }
}

/** Cards that are cut, next to whole ones. */
function closedCards({ closed }: FleetPlace, node: number): readonly Tenant[] {
  if (closed.length === 0) return []
  const request = { ...NOTHING, count: closed.length, part: { kind: 'whole' }, models: undefined } as const
  return [tenant('cut into slices', { request, spot: { node, cards: closed, taken: undefined }, priority: 0 })]
}

function together(pods: readonly PodObject[], room: Room, node: number): readonly Tenant[] {
  const all = pods.map((pod) => room.take(pod))
  const sum = (key: keyof Amounts): number => all.reduce((total, each) => total + each[key], 0)
  const [cpuMilli, memoryMib, diskMib] = [sum('cpuMilli'), sum('memoryMib'), sum('diskMib')]
  if (cpuMilli + memoryMib + diskMib === 0) return []
  const request = { cpuMilli, memoryMib, diskMib, count: 0, part: { kind: 'whole' }, models: undefined } as const
  const spot: Spot = { node, cards: [], taken: undefined }
  return [tenant(many(pods.length, 'other pod'), { request, spot, priority: 0 })]
}

/** Nobody said what a restart costs, so it counts as dear. */
function tenant(name: string, facts: Pick<Tenant, 'request' | 'spot' | 'priority'>): Tenant {
  return { name, ...facts, restart: 'training', checkpointAgeS: undefined }
}

function idOf({ namespace, name }: PodObject): string {
  return `${namespace}/${name}`
}

function byName(one: Tenant, two: Tenant): number {
  return one.name < two.name ? -1 : 1
}
