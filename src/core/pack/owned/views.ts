import type { Fleet, FleetCard, FleetNode, Request, Spot } from '../../fleet/fleet.ts'
import { must } from '../../base/assert.ts'

/**
 * The nodes of a fleet as the engine sees them. The engine divides cards only on nodes whose cards are all divided in the same
 * way. A mixed node is shown once with all its cards undivided, and once for each kind of division with those cards alone.
 * Whatever is placed is taken out of all views of the node.
 */
export interface Views {
  readonly fleet: Fleet
  /** Of each node, by index: its views, the one with all cards first. */
  readonly of: readonly (readonly View[])[]
}

export interface View {
  /** Index into the fleet of views. */
  readonly index: number
  /** Which cards of the node it shows. */
  readonly cards: readonly number[]
  readonly parts: FleetCard['parts']
}

/** The first view of a node has its index. */
export function viewsOf({ nodes }: Fleet): Views {
  const shown: FleetNode[] = []
  const of = nodes.map((node, index): View[] => {
    const parts = partsOf(node)
    const [only = 'none'] = parts
    shown.push(parts.length > 1 ? undivided(node) : node)
    return [{ index, cards: [...node.cards.keys()], parts: parts.length > 1 ? 'none' : only }]
  })
  for (const [index, node] of nodes.entries()) {
    const parts = partsOf(node)
    for (const part of parts.length > 1 ? parts : []) {
      if (part === 'none') continue
      const cards = [...node.cards.keys()].filter((card) => node.cards[card]?.parts === part)
      of[index]?.push({ index: shown.length, cards, parts: part })
      shown.push({ ...node, cards: cards.map((card) => must(node.cards[card], 'a card')), layout: undefined })
    }
  }
  return { fleet: { nodes: shown }, of }
}

/** The view in which a request for a node is judged; undefined: no card of the node is divided that way. */
export function viewFor(views: readonly View[], { count, part }: Request): View | undefined {
  const [all] = views
  if (count === 0 || part.kind === 'whole') return all
  return views.find(({ parts }) => parts === (part.kind === 'slice' ? 'mig' : 'share'))
}

/** What a spot takes of a view: in a view without divisions, a partly used card is gone. */
export function spotIn({ index, cards: shown, parts }: View, { cards, taken }: Spot): Spot {
  const own = cards.map((card) => shown.indexOf(card)).filter((card) => card >= 0)
  return { node: index, cards: own, taken: parts === 'none' ? undefined : taken }
}

function partsOf({ cards }: FleetNode): readonly FleetCard['parts'][] {
  return [...new Set(cards.map(({ parts }) => parts))]
}

function undivided(node: FleetNode): FleetNode {
  return { ...node, cards: node.cards.map(({ health }) => ({ health, parts: 'none' })) }
}
