import type { Fault } from '../../../core/life/call/fault.ts'
import type { Order } from '../../../core/life/call/order.ts'
import type { ClaimAsk } from '../nodes/fleet/view.ts'
import { devicesFor, type DeviceChoice } from './devices.ts'

/** A node, as far as it matters to what a pod says to run there. */
export interface GroundNode {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly ask: CardAsk
  /** The version of resource.k8s.io that claims are written in; undefined: none is served, or the node's cards need none. */
  readonly deviceApi: string | undefined
}

/** How a pod asks for cards of one node. */
interface CardAsk {
  readonly whole: string | undefined
  /** By MIG profile. */
  readonly slices: ReadonlyMap<string, string>
  readonly share: { readonly resource: string; readonly ofCard: number } | undefined
  readonly claims: ClaimAsk | undefined
  readonly tolerations: readonly GroundTaint[]
  /** The scheduler gives out parts of whole cards. */
  readonly isDivisible?: boolean
}

interface GroundTaint {
  readonly key: string
  readonly value: string | undefined
  readonly effect: string
}

/** Where a pod is to run, in the words of that cluster. */
export interface Ground {
  readonly node: string
  /** The resource that stands for one card, slice or share there, and how many; undefined: no card is needed, or a claim gets it. */
  readonly cards: CardLimit | undefined
  /** A part of each of so many cards, where a scheduler gives out parts of whole ones. */
  readonly fraction: { readonly milli: number; readonly count: number } | undefined
  readonly labels: Readonly<Record<string, string>>
  /** What a claim has to get; undefined: no claim is needed. */
  readonly devices: DeviceChoice | undefined
  /** Taints that would keep it away. */
  readonly taints: readonly GroundTaint[]
  /** What other nodes must be like to be as good, for a cluster that picks among them. */
  readonly alike: readonly NodeExpression[]
}

interface CardLimit {
  readonly resource: string
  readonly count: number
}

interface NodeExpression {
  readonly key: string
  readonly operator: 'In' | 'Gt'
  readonly values: readonly string[]
}

/** The ground for an order on its node, or why that node has none for it. */
export function groundOf(order: Pick<Order, 'gpus' | 'place'>, node: GroundNode): Ground | Fault {
  const { name, labels, ask } = node
  const cards = order.gpus === 0 ? undefined : cardsFor(order, ask)
  const fraction = cards === undefined ? fractionFor(order, ask) : undefined
  const byResource = cards !== undefined || fraction !== undefined
  const devices =
    order.gpus === 0 || byResource ? undefined : devicesFor(order, { claims: ask.claims, version: node.deviceApi })
  if (order.gpus > 0 && !byResource && devices === undefined) return noSuchCard(order, node)
  return { node: name, cards, fraction, devices, labels, taints: ask.tolerations, alike: alikeTo(node, byResource) }
}

function cardsFor({ gpus, place }: Pick<Order, 'gpus' | 'place'>, ask: CardAsk): CardLimit | undefined {
  const taken = place.node?.spot.taken
  switch (taken?.kind) {
    case undefined:
      return ask.whole === undefined ? undefined : { resource: ask.whole, count: gpus }
    case 'slice': {
      const resource = ask.slices.get(taken.profile)
      return resource === undefined ? undefined : { resource, count: gpus }
    }
    case 'share': {
      const { share } = ask
      if (share === undefined) return undefined
      return { resource: share.resource, count: gpus * Math.max(1, Math.ceil((taken.milli / 1000) * share.ofCard)) }
    }
  }
}

/** A share of cards that only whole ones can be asked for, where the scheduler divides them. */
function fractionFor({ gpus, place }: Pick<Order, 'gpus' | 'place'>, ask: CardAsk): Ground['fraction'] {
  const taken = place.node?.spot.taken
  if (taken?.kind !== 'share' || ask.isDivisible !== true || ask.whole === undefined) return undefined
  return { milli: taken.milli, count: gpus }
}

function noSuchCard({ place }: Pick<Order, 'place'>, { name, ask }: GroundNode): Fault {
  const taken = place.node?.spot.taken
  const what =
    taken?.kind === 'slice' ? `slice ${taken.profile}` : taken?.kind === 'share' ? 'share of a card' : 'whole card'
  const parts = ask.claims?.cards.flatMap((card) => card.parts.flatMap(({ profile: each }) => each ?? [])) ?? []
  const claimed = ask.claims === undefined ? [] : [...(ask.claims.form === 'cut' ? [] : ['whole cards']), ...parts]
  const has = [ask.whole, ask.share?.resource, ...ask.slices.values(), ...claimed].filter((one) => one !== undefined)
  const list = has.length === 0 ? 'no cards that a pod can ask for' : [...new Set(has)].join(', ')
  return { class: 'OFFER_GONE', message: `The node ${name} offers no ${what} now; it offers ${list}.`.slice(0, 500) }
}

/** `Gt` is strict and for whole numbers only, so that "at least" is one less. */
function alikeTo({ labels }: GroundNode, hasCards: boolean): readonly NodeExpression[] {
  const same = hasCards ? [...SAME_HOST, ...SAME_CARDS] : SAME_HOST
  return [
    ...same.flatMap((key): readonly NodeExpression[] => {
      const value = labels[key]
      return value === undefined || value === '' ? [] : [{ key, operator: 'In', values: [value] }]
    }),
    ...(hasCards ? AT_LEAST : []).flatMap((key): readonly NodeExpression[] => {
      const value = labels[key] ?? ''
      return /^[1-9]\d{0,14}$/.test(value) ? [{ key, operator: 'Gt', values: [`${Number(value) - 1}`] }] : []
    }),
  ]
}

const SAME_HOST = ['kubernetes.io/os', 'kubernetes.io/arch']
const SAME_CARDS = ['nvidia.com/gpu.product', 'nvidia.com/mig.strategy', 'amd.com/gpu.product-name']
const AT_LEAST = ['nvidia.com/gpu.memory', 'nvidia.com/cuda.driver.major']
