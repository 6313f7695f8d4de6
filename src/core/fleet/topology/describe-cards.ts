import type { Layout, Nic } from '../layout.ts'
import { cardsOf, countCards } from './card-mask.ts'
import { islands, pairGbps } from './islands.ts'

/** Why these cards: what they have in common, as far as it is known. */
export interface CardsFacts {
  readonly cards: readonly number[]
  /** The smallest island that holds all of them; undefined: none is known. */
  readonly island: { readonly cards: readonly number[]; readonly gbps: number } | undefined
  /** GB/s in one direction between the slowest pair; undefined: unknown, or a single card. */
  readonly gbps: number | undefined
  readonly numa: readonly number[] | undefined
  readonly nic: NearestNic | undefined
}

export interface NearestNic {
  readonly nic: Nic
  /** What the NIC shares with all of the cards. */
  readonly shares: 'switch' | 'numa' | 'machine'
}

/** The facts about a set of cards of a node. */
export function describeCards(layout: Layout, mask: number): CardsFacts {
  const cards = cardsOf(mask)
  const holders = islands(layout).filter((island) => (island.mask & mask) === mask)
  const home = holders.toSorted((one, two) => one.size - two.size || two.gbps - one.gbps)[0]
  const slowest = Math.min(
    ...cards.flatMap((one) => cards.filter((two) => two > one).map((two) => pairGbps(layout, one, two))),
  )
  return {
    cards,
    island: home === undefined ? undefined : { cards: cardsOf(home.mask), gbps: home.gbps },
    gbps: slowest > 0 && slowest < Infinity ? slowest : undefined,
    numa: numaOf(layout, mask),
    nic: nearestNic(layout, mask),
  }
}

/** The NUMA nodes of a set of cards, ascending: where its CPUs and memory should be. Undefined: not known for all of them. */
export function numaOf(layout: Layout, mask: number): readonly number[] | undefined {
  const nodes = cardsOf(mask).map((card) => layout.numa[card])
  const known = nodes.filter((node) => node !== undefined)
  if (known.length < nodes.length) return undefined
  return [...new Set(known)].sort((one, two) => one - two)
}

/** The NIC nearest to a set of cards, the first of equals; undefined: the node has none, or the set is empty. */
export function nearestNic(layout: Layout, mask: number): NearestNic | undefined {
  const cards = cardsOf(mask)
  if (countCards(mask) === 0) return undefined
  const ways = layout.nics.map((nic) => {
    const distances: readonly number[] = cards.map((card) => nicDistance(layout, card, nic))
    return { nic, furthest: Math.max(...distances), total: distances.reduce((sum, way) => sum + way, 0) }
  })
  const [nearest] = ways.sort((one, two) => one.total - two.total)
  if (nearest === undefined) return undefined
  return { nic: nearest.nic, shares: SHARED[nearest.furthest] ?? 'machine' }
}

const SHARED = ['switch', 'numa', 'machine'] as const

/** 0: on one switch; 1: in one NUMA node; 2: neither, as far as it is known. */
export function nicDistance({ numa, pcieSwitch }: Layout, card: number, nic: Nic): 0 | 1 | 2 {
  if (nic.pcieSwitch !== undefined && nic.pcieSwitch === pcieSwitch[card]) return 0
  return nic.numa !== undefined && nic.numa === numa[card] ? 1 : 2
}
