import { leftOf, NO_ASKS, type Accelerators, type Asks, type Supply } from '../accelerators.ts'
import { dividedCard } from './identity.ts'
import { profileOf, type NvidiaLabels } from './labels.ts'
import type { NvidiaNode } from './nvidia-node.ts'
import { cardsBehind, fewestCards } from './slices.ts'
import type { GpuModel } from '../../../../../core/hardware/gpu.ts'
import { vramFits } from '../../../../../core/hardware/vram.ts'

/** Cards that are cut by MIG, in the single strategy (every slice is `nvidia.com/gpu`) or in the mixed one. */
export function cutCards(seen: NvidiaNode): Accelerators {
  const { facts, isPart: _, why: named, ...identity } = dividedCard(seen)
  const { slices, asks, why } = seen.slices.length > 0 ? mixedSlices(seen) : singleSlices(seen, facts)
  const counted = countOf(seen, slices, facts)
  const { driver, cuda } = seen.labels
  const all = [...asks.slices.values(), ...(asks.whole === undefined ? [] : [asks.whole])]
  return {
    ...identity,
    vendor: 'nvidia',
    cards: counted.cards,
    free: all.length > 0 && all.every((supply) => leftOf(supply) === 0) ? 0 : undefined,
    driver,
    cuda,
    sharing: 'mig',
    mig: slices,
    barred: undefined,
    asks: counted.hasWhole ? asks : { ...asks, whole: undefined },
    why: [...named, ...why, ...counted.why],
  }
}

interface Cut {
  readonly slices: ReadonlyMap<string, number>
  readonly asks: Asks
  readonly why: readonly string[]
}

function mixedSlices({ slices, labels, whole }: NvidiaNode): Cut {
  const found = new Map<string, number>()
  const asks = new Map<string, Supply>()
  for (const supply of slices) {
    const [, name = '', shared] = /^nvidia\.com\/mig-(.+?)(\.shared)?$/.exec(supply.resource) ?? []
    const profile = profileOf(name)
    const label = labels.slices.get(profile)
    const replicas = label?.replicas ?? 1
    const isShared = shared !== undefined || replicas > 1
    const count = isShared ? (label?.count ?? wholeShare(supply.total, replicas)) : supply.total
    if (count !== undefined) found.set(profile, (found.get(profile) ?? 0) + count)
    if (!isShared) asks.set(profile, supply)
  }
  const why = slices.map(({ resource, total }) => `status.capacity has ${total} ${resource}.`)
  return { slices: found, asks: { ...NO_ASKS, slices: asks, whole }, why }
}

function singleSlices({ labels, whole, shared }: NvidiaNode, facts: GpuModel | undefined): Cut {
  const supply = shared ?? whole
  const profile = labels.profile ?? profileByMemory(labels, facts)
  if (supply === undefined || profile === undefined) {
    const why = labels.product?.profile === 'INVALID' ? ['MIG is on, but its slices do not suit the strategy.'] : []
    return { slices: new Map(), asks: NO_ASKS, why }
  }
  const replicas = Math.max(1, labels.replicas ?? 1)
  const isShared = shared !== undefined || replicas > 1
  const count = isShared ? wholeShare(supply.total, replicas) : supply.total
  const why = [`Each of the ${supply.total} ${supply.resource} is ${isShared ? 'a share of ' : ''}a ${profile} slice.`]
  return {
    slices: count === undefined ? new Map() : new Map([[profile, count]]),
    asks: isShared ? NO_ASKS : { ...NO_ASKS, slices: new Map([[profile, supply]]) },
    why,
  }
}

/** Shares of slices become slices only where they come out even, and where the number of shares is known. */
function wholeShare(total: number, replicas: number): number | undefined {
  return replicas > 1 && total % replicas === 0 ? total / replicas : undefined
}

/** The profile whose memory a slice has, where the product no longer names it. */
function profileByMemory({ memoryMib, product }: NvidiaLabels, facts: GpuModel | undefined): string | undefined {
  if (memoryMib === undefined || product?.profile !== undefined) return undefined
  const near = facts?.mig.filter(({ gib }) => Math.abs(memoryMib / 1024 - gib) <= gib * 0.06) ?? []
  return near.length === 1 ? near[0]?.name : undefined
}

interface Counted {
  readonly cards: number | undefined
  readonly hasWhole: boolean
  readonly why: readonly string[]
}

/** A memory that is less than the card's was written when every slice counted as a card, and so was the count. */
function isOfSlice({ memoryMib }: NvidiaLabels, facts: GpuModel | undefined): boolean {
  return (
    memoryMib !== undefined && facts !== undefined && memoryMib < facts.vramGib * 1024 && !vramFits(facts, memoryMib)
  )
}

/** Cards of a node with slices. In the mixed strategy `gpu.count` counts cards; in the single one it counts slices. */
function countOf(seen: NvidiaNode, slices: ReadonlyMap<string, number>, facts: GpuModel | undefined): Counted {
  const { labels, machine, whole } = seen
  const fewest = fewestCards(slices, facts)
  const isMixed = seen.slices.length > 0
  const countsCards = labels.profile === undefined && !isOfSlice(labels, facts)
  if (isMixed && countsCards && fewest !== undefined && (labels.count ?? 0) >= fewest) {
    const count = labels.count ?? 0
    const uncut = count - fewest
    const why = [`nvidia.com/gpu.count says ${count === 1 ? 'one card' : `${count} cards`}.`]
    if (whole === undefined || whole.total <= uncut) return { cards: count, hasWhole: true, why }
    const stale = `${whole.total} ${whole.resource} cannot be whole cards next to these slices.`
    return { cards: count, hasWhole: false, why: [...why, stale] }
  }
  const behind =
    isMixed && whole !== undefined && machine?.count === undefined ? undefined : cardsBehind(slices, facts, machine)
  if (behind !== undefined) return { cards: behind.cards, hasWhole: false, why: [`Cards: ${behind.by}.`] }
  const least = fewest === undefined || fewest === 0 ? '' : ` (at least ${fewest})`
  return { cards: undefined, hasWhole: false, why: [`How many cards were cut is not known${least}.`] }
}
