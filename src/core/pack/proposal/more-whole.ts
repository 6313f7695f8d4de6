import type { CardPart } from '../../fleet/fleet.ts'
import { without, type FreeState } from './free-state.ts'
import { roomsIn, type Clearing, type MovableUnits } from './make-room.ts'
import { hostsIn, relocate, type Draft } from './relocate.ts'
import type { RoomPlan } from './rooms.ts'
import { islandsFor, wholeIn } from './whole.ts'
import type { Unit } from './world.ts'

/** Room for more jobs of `size` whole cards, each inside one island; 1: more whole cards. */
export interface Whole {
  readonly size: number
  /** How many more such jobs should fit. */
  readonly more: number
}

/** Clearings, one after the other. */
const ROUNDS_MAX = 64

/** How many ways to clear cards are tried in each round, cheapest first. */
const TRIES_MAX = 100

/** Ways requested at each spot of a node; all spots are tried. */
const ALTERNATIVES = 2

/**
 * Moves after which more whole jobs fit. Each round takes the clearing that gains the most for its price, as long as one gains
 * anything and more is wanted. At most `ROUNDS_MAX` rounds of `TRIES_MAX` tries.
 */
export function makeWhole(state: FreeState, movers: MovableUnits, { size, more }: Whole): Draft {
  const wanted = wholeIn(state, size) + more
  let draft: Draft = { live: state, later: state, steps: [], price: 0 }
  const clearing: Clearing = {
    nodes: [...state.nodes.keys()],
    movers,
    request: { ...NOTHING, count: size },
    hosts: hostsIn(state),
    inside: (node) => islandsFor(node, size),
    known: new WeakMap(),
  }
  for (let round = 0; round < ROUNDS_MAX && wholeIn(draft.live, size) < wanted; round++) {
    const next = bestClearing(draft, clearing)
    if (next === undefined) break
    draft = next
  }
  return draft
}

function bestClearing(draft: Draft, clearing: Clearing): Draft | undefined {
  const { request, hosts } = clearing
  const size = request.count
  const before = wholeIn(draft.live, size)
  const rooms = roomsIn(draft, clearing, ALTERNATIVES).filter((room) => canGain(room, size))
  let best: { readonly draft: Draft; readonly worth: number } | undefined
  for (const { spot, leave, price } of rooms.slice(0, TRIES_MAX)) {
    // Even with all the cards that they leave, it would not be worth more.
    if (best !== undefined && cardsHeld(leave) / price <= best.worth) continue
    for (const idle of ['may-open', 'keep', 'fewest'] as const) {
      const hold = { request, spot }
      const cleared = relocate(draft, { leave, hold, size, idle, hosts })
      const gain = cleared === undefined ? 0 : wholeIn(cleared.live, size) - before
      if (cleared === undefined || gain <= 0) continue
      const worth = gain / (cleared.price - draft.price)
      if (best === undefined || worth > best.worth) {
        best = { draft: { ...cleared, later: without(cleared.later, hold) }, worth }
      }
      break
    }
  }
  return best?.draft
}

function cardsHeld(leave: readonly Unit[]): number {
  return leave.flatMap(({ members }) => members).reduce((sum, { spot }) => sum + spot.cards.length, 0)
}

/** Whether units leave, and none of them would take as much elsewhere as is gained here. */
function canGain({ leave }: RoomPlan, size: number): boolean {
  const leavers = leave.flatMap(({ members }) => members)
  return leavers.length > 0 && leavers.every(({ request }) => !isWhole(request.part) || request.count < size)
}

function isWhole(part: CardPart): boolean {
  return part.kind === 'whole' || (part.kind === 'share' && part.milli >= 1000)
}

/** Cards and nothing else. */
const NOTHING = { cpuMilli: 0, memoryMib: 0, diskMib: 0, part: { kind: 'whole' }, models: undefined } as const
