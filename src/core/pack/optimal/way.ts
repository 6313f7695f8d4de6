import { must } from '../../base/assert.ts'
import type { Request } from '../../fleet/fleet.ts'
import { smallestProfile, stillPossible } from '../../fleet/mig/rules.ts'
import { countCards } from '../../fleet/topology/card-mask.ts'
import { idleMask, type NodeRoom } from './room.ts'

/** What a request takes of each of its cards on a given node. */
export type Way =
  | { readonly kind: 'whole' }
  | { readonly kind: 'share'; readonly milli: number }
  /** Index into the profiles of the node's cards. */
  | { readonly kind: 'slice'; readonly profile: number }

/** How many pieces of a lot are on a node. */
export interface Placing {
  /** Index into the lots. */
  readonly lot: number
  /** Cards of each piece. */
  readonly count: number
  readonly way: Way
  readonly variable: number
}

/** How a node would meet a request; undefined: its cards never can. Without cards, the way is `whole` and has no meaning. */
export function wayOn({ model, parts, rules }: NodeRoom, { count, part, models }: Request): Way | undefined {
  if (models !== undefined && (model === undefined || !models.includes(model))) return undefined
  // Slices of two cards cannot communicate: a request for several slices gets whole cards.
  if (count === 0 || part.kind === 'whole' || (part.kind === 'slice' && count > 1)) return { kind: 'whole' }
  if (part.kind === 'share') {
    if (part.milli >= 1000) return { kind: 'whole' }
    return parts === 'share' ? part : undefined
  }
  if (rules === undefined) return { kind: 'whole' }
  const profile = smallestProfile(rules, part.vramGib)
  return profile === undefined ? undefined : { kind: 'slice', profile }
}

/** How often a request fits on a node with nothing else placed on it. */
export function mostOn(room: NodeRoom, request: Request, way: Way): number {
  const most = Math.min(
    times(room.cpuMilli, request.cpuMilli),
    times(room.memoryMib, request.memoryMib),
    times(room.diskMib, request.diskMib),
  )
  return most <= 0 || request.count === 0 ? most : Math.min(most, mostOnCards(room, request.count, way))
}

function times(have: number, want: number): number {
  return have < want ? 0 : want === 0 ? Number.POSITIVE_INFINITY : Math.floor(have / want)
}

function mostOnCards(room: NodeRoom, count: number, way: Way): number {
  switch (way.kind) {
    case 'whole':
      return Math.floor(countCards(idleMask(room)) / count)
    case 'share': {
      const pieces = room.cards.map((card) => (card.taken === 0 ? Math.floor(card.freeMilli / way.milli) : 0))
      const sum = pieces.reduce((total, each) => total + each, 0)
      return pieces.filter((each) => each > 0).length < count ? 0 : Math.floor(sum / count)
    }
    case 'slice': {
      const rules = must(room.rules, 'slices have rules')
      const open = room.cards.filter(({ freeMilli }) => freeMilli === 1000)
      return open.reduce((sum, { taken }) => sum + must(stillPossible(rules, taken)[way.profile], 'a profile'), 0)
    }
  }
}
