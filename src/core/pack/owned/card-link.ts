import type { FleetNode } from '../../fleet/fleet.ts'
import type { Layout } from '../../fleet/layout.ts'
import { modelFacts } from '../../hardware/family.ts'
import { defaultLink } from '../../offer/link.ts'
import type { Link } from '../../hardware/link.ts'
import { CARDS_MAX, cardsOf, maskOf } from '../../fleet/topology/card-mask.ts'
import { chooseCards } from '../../fleet/topology/choose-cards.ts'
import { pairGbps } from '../../fleet/topology/islands.ts'
import { pcieGbps } from '../../fleet/topology/rates.ts'

/** How many cards of a node are available with such a link between any two of them. Undefined: not known. */
export interface LinkedCards {
  readonly count: number
  readonly link: Link | undefined
}

/** For each kind of link, the most of the given cards that are joined by it. */
export function linkedCards(node: FleetNode, among: readonly number[]): readonly LinkedCards[] {
  const all = among.length
  if (all === 0) return []
  const found: LinkedCards[] = [{ count: all, link: bestLink(node, among, all) }]
  // Fewer cards are never joined worse: if not even two are joined better than all, no number in between is.
  if (all < 3 || bestLink(node, among, 2) === found[0]?.link) return found
  for (let count = all - 1; count >= 2; count--) {
    const link = bestLink(node, among, count)
    if (link !== found.at(-1)?.link) found.push({ count, link })
  }
  return found
}

/** How the best `count` of the given cards are joined. There are at least that many. */
export function bestLink(node: FleetNode, among: readonly number[], count: number): Link | undefined {
  const { layout, model } = node
  if (count < 2) return 'pcie'
  const facts = model === undefined ? undefined : modelFacts(model)
  // Without a layout, two cards are joined in the way that is certain for their model, if there is one.
  if (layout === undefined || layout.cards > CARDS_MAX) return facts && defaultLink(facts, node.cards.length)
  const gbps = slowestPair(layout, cardsOf(chooseCards(layout, maskOf(among), count)))
  if (gbps === 0) return undefined
  if (gbps <= pcieGbps('PSB', facts)) return 'pcie'
  // Only a switch gives every pair of more than two cards the full bandwidth of a card.
  const isSwitched = layout.cards > 2 && gbps * 2 === facts?.linkGbps && isEven(layout)
  return isSwitched ? 'nvswitch' : 'nvlink'
}

/** GB/s between the slowest pair; 0: not known for all. */
function slowestPair(layout: Layout, cards: readonly number[]): number {
  let slowest = Number.POSITIVE_INFINITY
  for (const one of cards)
    for (const two of cards) if (one < two) slowest = Math.min(slowest, pairGbps(layout, one, two))
  return slowest
}

/** Whether all pairs of cards have the same speed. */
function isEven({ cards, gbps }: Layout): boolean {
  return gbps.every((speed, at) => at % (cards + 1) === 0 || speed === gbps[1])
}
