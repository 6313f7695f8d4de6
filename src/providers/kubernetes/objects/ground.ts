import type { Fault } from '../../../core/life/call/fault.ts'
import type { Order } from '../../../core/life/call/order.ts'

/** A node, as far as it matters to what a pod says to run there. */
export interface GroundNode {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly ask: CardAsk
}

/** How a pod asks for cards of one node. */
interface CardAsk {
  readonly whole: string | undefined
  /** By MIG profile. */
  readonly slices: ReadonlyMap<string, string>
  readonly share: { readonly resource: string; readonly ofCard: number } | undefined
  readonly tolerations: readonly GroundTaint[]
}

interface GroundTaint {
  readonly key: string
  readonly value: string | undefined
  readonly effect: string
}

/** Where a pod is to run, in the words of that cluster. */
export interface Ground {
  readonly node: string
  /** The resource that stands for one card, slice or share there, and how many; undefined: no card is needed. */
  readonly cards: CardLimit | undefined
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
  const cards = order.gpus === 0 ? undefined : cardsFor(order, node.ask)
  if (order.gpus > 0 && cards === undefined) return noSuchCard(order, node)
  return { node: node.name, cards, taints: node.ask.tolerations, alike: alikeTo(node, cards !== undefined) }
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

function noSuchCard({ place }: Pick<Order, 'place'>, { name, ask }: GroundNode): Fault {
  const taken = place.node?.spot.taken
  const what =
    taken?.kind === 'slice' ? `slice ${taken.profile}` : taken?.kind === 'share' ? 'share of a card' : 'whole card'
  const has = [ask.whole, ask.share?.resource, ...ask.slices.values()].filter((one) => one !== undefined)
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
