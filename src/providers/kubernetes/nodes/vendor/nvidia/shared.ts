import {
  freeOf,
  freeOfParts,
  leftOf,
  NO_ASKS,
  type Accelerators,
  type CardSharing,
  type Supply,
} from '../accelerators.ts'
import { dividedCard, wholeCard } from './identity.ts'
import type { NvidiaNode } from './nvidia-node.ts'

/** Cards that the device plugin divides into turns or by MPS. */
export function sharedCards(seen: NvidiaNode): Accelerators {
  const { labels, shared, whole } = seen
  const { facts: _, isPart: _part, why, ...identity } = wholeCard(seen)
  const parts = [shared ?? whole].filter((supply) => supply !== undefined)
  const apart = shared === undefined ? undefined : whole
  const counted = countShared(seen, parts[0]?.total ?? 0, apart?.total ?? 0)
  const beside = counted.cards === undefined ? undefined : apart
  const sharing = labels.sharing === 'mps' ? 'mps' : 'time-slicing'
  const [share] = parts
  return {
    ...identity,
    vendor: 'nvidia',
    cards: counted.cards,
    free: beside === undefined ? freeOfParts(counted.cards, parts) : freeBeside(beside, parts),
    driver: labels.driver,
    cuda: labels.cuda,
    sharing,
    mig: new Map(),
    barred: undefined,
    asks: {
      ...NO_ASKS,
      whole: beside,
      share: share && counted.ofCard ? { ...share, ofCard: counted.ofCard } : undefined,
    },
    why: [...why, ...counted.why],
  }
}

interface Counted {
  readonly cards: number | undefined
  readonly ofCard: number | undefined
  readonly why: readonly string[]
}

/** Cards behind shares, and next to them. */
function countShared({ labels, machine, most }: NvidiaNode, shares: number, beside: number): Counted {
  const { count } = labels
  const replicas = (labels.replicas ?? 1) > 1 ? labels.replicas : undefined
  const says = `${shares} shares`
  if (count !== undefined && count > beside && shares >= count - beside) {
    const among = count - beside
    if (replicas !== undefined && shares % replicas === 0 && shares / replicas < among)
      return {
        cards: undefined,
        ofCard: undefined,
        why: [`${says}, ${replicas} of each card: fewer cards than ${count}.`],
      }
    const ofCard = replicas ?? (shares % among === 0 ? shares / among : undefined)
    return { cards: count, ofCard, why: [`${says} of nvidia.com/gpu.count ${count}.`] }
  }
  if (count !== undefined && count > 0 && beside > 0) {
    const why = `${says} beside ${beside} whole cards, but nvidia.com/gpu.count is ${count}: the cards are counted twice.`
    return { cards: undefined, ofCard: undefined, why: [why] }
  }
  if (replicas !== undefined && shares % replicas === 0)
    return { cards: shares / replicas + beside, ofCard: replicas, why: [`${says}, ${replicas} of each card by label.`] }
  if (most !== undefined && most > beside && shares % (most - beside) === 0) {
    const ofCard = shares / (most - beside)
    const by = machine === undefined ? 'the machine' : `a ${machine.named}`
    return { cards: most, ofCard: undefined, why: [`${says}; ${by} has ${most}, so ${ofCard} of each.`] }
  }
  return { cards: undefined, ofCard: undefined, why: [`${says}: of how many cards is not known.`] }
}

/** Whole cards next to shared ones: certain only where all of the shared ones are in use. */
function freeBeside(whole: Supply, parts: readonly Supply[]): number | undefined {
  return freeOfParts(undefined, parts) === 0 ? freeOf(whole.total, whole) : undefined
}

/** Virtual cards of a hypervisor: how many cards are behind them cannot be seen, nor is their memory that of a card. */
export function virtualCards(seen: NvidiaNode, served: readonly Supply[]): Accelerators {
  const { facts: _, isPart: _part, why, ...identity } = dividedCard(seen)
  const { driver, cuda, product } = seen.labels
  const by = product?.isVirtual === true ? `${product.text} is a virtual card` : 'The node has virtual cards (vGPU)'
  return {
    ...identity,
    vramGib: undefined,
    vendor: 'nvidia',
    cards: undefined,
    free: served.every((supply) => leftOf(supply) === 0) ? 0 : undefined,
    driver,
    cuda,
    sharing: 'vgpu',
    mig: new Map(),
    barred: undefined,
    asks: NO_ASKS,
    why: [...why, `${by}; the cards behind are not known.`],
  }
}

/** Cards that a scheduler divides by software (HAMi, Volcano and others); undefined: no sign of one. */
export function fractionOf(seen: NvidiaNode, served: readonly Supply[]): Accelerators | undefined {
  const { labels, registered, whole } = seen
  const fractions = served.filter(({ resource }) => !PLUGIN.test(resource))
  if (fractions.length === 0 && registered === undefined) return undefined
  const { facts: _, isPart: _part, why, ...identity } = wholeCard(seen)
  const counted = fractionCards(seen, served)
  const units = served.filter(({ resource }) => !/mem(ory)?$|cores$/.test(resource))
  // A sick card is not free, and which shares are its own is not known.
  const idle = registered?.hasSick === true ? undefined : counted.cards
  return {
    ...identity,
    vendor: 'nvidia',
    cards: counted.cards,
    free: freeOfParts(idle, units.length > 0 ? units : served, served),
    driver: labels.driver,
    cuda: labels.cuda,
    sharing: 'vgpu' satisfies CardSharing,
    mig: new Map(),
    barred: registered?.isSick === true ? `every card in ${registered.annotation} is out of order` : undefined,
    asks: NO_ASKS,
    why: [...why, counted.by, ...(whole === undefined ? [] : [`${whole.total} ${whole.resource} are shares.`])],
  }
}

function fractionCards(
  { labels, machine, registered, whole }: NvidiaNode,
  served: readonly Supply[],
): { readonly cards: number | undefined; readonly by: string } {
  if (registered?.cards !== undefined)
    return { cards: registered.cards, by: `${registered.annotation} lists ${registered.cards}.` }
  for (const { resource, total } of served) {
    const units = CARD_UNITS.get(resource)
    if (units !== undefined && total > 0 && total % units === 0)
      return { cards: total / units, by: `status.capacity has ${total} ${resource}.` }
  }
  const { count } = labels
  if (count !== undefined && count > 0 && (whole === undefined || whole.total % count === 0))
    return { cards: count, by: `nvidia.com/gpu.count is ${count}.` }
  if (machine?.gpu.vendor === 'nvidia' && machine.count !== undefined)
    return { cards: machine.count, by: `A ${machine.named} has ${machine.count}.` }
  return { cards: undefined, by: 'How many cards are behind the shares is not known.' }
}

/** What the device plugin itself offers. */
const PLUGIN = /^nvidia\.com\/gpu(\.shared)?$|^alpha\.kubernetes\.io\//

/** Resources of which each card has a fixed number. */
const CARD_UNITS: ReadonlyMap<string, number> = new Map([
  ['nvidia.com/gpucores', 100],
  ['volcano.sh/gpu-number', 1],
  ['volcano.sh/vgpu-cores', 100],
  ['aliyun.com/gpu-count', 1],
  ['tencent.com/vcuda-core', 100],
  ['tke.cloud.tencent.com/qgpu-core', 100],
])
