import { assert } from '../../base/assert.ts'
import type { Spot, Tenant } from '../../fleet/fleet.ts'
import { addCosts, costOf, type Cost } from './cost.ts'
import { isRoomFor, type Fit } from './fit.ts'
import { fitsInSum } from './fits-in-sum.ts'
import { fitsAt, freeStateOf, nodeAt, withLodger, type FreeState } from './free-state.ts'
import { makeRoom, type MovableUnits } from './make-room.ts'
import { makeWhole, type Whole } from './more-whole.ts'
import type { MoveStep } from './relocate.ts'
import { replay } from './replay.ts'
import { wholeIn } from './whole.ts'
import { unitsByNode, unitsOf, type World } from './world.ts'

/** What the moves should achieve. */
export type Goal =
  /** Room for a request or a gang that fits nowhere. */
  | (Fit & { readonly kind: 'fit' })
  /** Room for more jobs of whole cards. */
  | (Whole & { readonly kind: 'whole' })

/** Which tenants could move where, in this order. A proposal changes nothing. */
export interface Moves {
  readonly kind: 'moves'
  readonly goal: Goal
  readonly moves: readonly Move[]
  readonly cost: Cost
  /** Where the request or gang would fit afterwards, one spot per node; empty for the goal of whole cards. */
  readonly spots: readonly Spot[]
  /** Idle cards in the fleet, before and after. */
  readonly idleCards: { readonly before: number; readonly after: number }
  /** For the goal of whole cards: how many more jobs fit. */
  readonly gained: number
}

interface Move {
  readonly name: string
  readonly from: Spot
  readonly to: Spot
  /** If there is room for both copies at that moment, the new one starts before the old one stops. */
  readonly how: 'start-first' | 'stop-first'
  /** The room that it makes at its old place. */
  readonly room: Spot
  readonly restart: Tenant['restart']
  readonly cost: Cost
}

/** No moves, and why. */
export interface NoMoves {
  readonly kind: 'no-moves'
  readonly why: NoMovesReason
}

export type NoMovesReason =
  /** There is nothing to make room for. */
  | 'fits-already'
  /** Even all free room together would not be enough. */
  | 'too-little-free'
  /** None was found within the limits of the search. */
  | 'none-found'

/**
 * Moves that make room: inference freely, training only with a checkpoint, members of a gang never. Each move fits at its
 * moment, no tenant moves twice, and after the last move the goal is reached (for whole cards: as far as possible). The
 * search is greedy and bounded, see make-room.ts and more-whole.ts. Its result is replayed before it is proposed.
 */
export function proposeMoves(world: World, goal: Goal): Moves | NoMoves {
  const state = freeStateOf(world.fleet, world.tenants, world.rules)
  switch (goal.kind) {
    case 'fit': {
      if (isRoomFor(state, goal)) return { kind: 'no-moves', why: 'fits-already' }
      if (!fitsInSum(state, world.tenants, { request: goal.request, count: goal.nodes }))
        return { kind: 'no-moves', why: 'too-little-free' }
      const made = makeRoom(state, moversOf(world), goal)
      return movesOf(world, goal, { steps: made?.draft.steps ?? [], spots: made?.spots ?? [] })
    }
    case 'whole':
      return movesOf(world, goal, { steps: makeWhole(state, moversOf(world), goal).steps, spots: [] })
  }
}

function moversOf(world: World): MovableUnits {
  return unitsByNode(unitsOf(world).filter(({ members }) => members.length === 1))
}

interface Found {
  readonly steps: readonly MoveStep[]
  readonly spots: readonly Spot[]
}

function movesOf(world: World, goal: Goal, { steps, spots }: Found): Moves | NoMoves {
  if (steps.length === 0) return { kind: 'no-moves', why: 'none-found' }
  const moves = steps.map((step) => moveOf(world, step))
  const before = freeStateOf(world.fleet, world.tenants, world.rules)
  const after = replay(world, moves)
  assert(after !== undefined, 'every move fits at its moment')
  const size = goal.kind === 'whole' ? goal.size : 1
  const gained = goal.kind === 'whole' ? wholeIn(after, size) - wholeIn(before, size) : 0
  assert(goal.kind === 'whole' ? gained > 0 : isFreeFor(after, goal, spots), 'the moves reach their goal')
  const cost = addCosts(moves.map((move) => move.cost))
  const idleCards = { before: wholeIn(before, 1), after: wholeIn(after, 1) }
  return { kind: 'moves', goal, moves, cost, spots, idleCards, gained }
}

function moveOf({ fleet, rules }: World, { tenant, to, how, room }: MoveStep): Move {
  const { model } = nodeAt(fleet, tenant.spot.node)
  const cost = costOf(tenant, (slice) => rules.shareOf(model, slice))
  return { name: tenant.name, from: tenant.spot, to, how, room, restart: tenant.restart, cost }
}

/** Whether all spots are free at once. */
function isFreeFor(state: FreeState, { request, nodes }: Fit, spots: readonly Spot[]): boolean {
  let left = state
  for (const spot of spots) {
    if (!fitsAt(left, request, spot)) return false
    left = withLodger(left, { request, spot })
  }
  return spots.length === nodes
}
