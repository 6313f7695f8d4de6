import { assert, must } from '../../base/assert.ts'
import type { Request, Spot } from '../../fleet/fleet.ts'
import { cutOf } from '../../fleet/mig/cut.ts'
import { cardsOf } from '../../fleet/topology/card-mask.ts'
import { chooseCards } from '../../fleet/topology/choose-cards.ts'
import { layOut } from './lay-out.ts'
import { pieceOf, type DividedCards } from './model-cards.ts'
import type { NodeModel } from './model.ts'
import { idleMask, type NodeRoom } from './room.ts'
import type { Placing } from './way.ts'

/** A piece of work that was placed on a node. */
export interface Job {
  /** Index of the pending work. */
  readonly pending: number
  readonly request: Request
  readonly placing: Placing
}

export interface PlacedJob {
  readonly pending: number
  readonly spot: Spot
}

/** Reads a variable of the answer. */
type ValueOf = (variable: number) => number

/**
 * Gives the jobs of a node their cards: whole cards first, and jobs with most cards first, so that those get the best links.
 */
export function placeOnCards({ room, cards }: NodeModel, jobs: readonly Job[], valueOf: ValueOf): readonly PlacedJob[] {
  const { node } = room
  const idle = new IdleCards(room)
  const whole = jobs
    .filter(({ placing }) => placing.way.kind === 'whole')
    .toSorted((one, two) => two.request.count - one.request.count || one.pending - two.pending)
    .map(({ pending, request }) => ({ pending, spot: { node, cards: idle.take(request.count), taken: undefined } }))
  const waiting = waitingFor(jobs)
  const parts = cards.divided.flatMap((group) =>
    cardsFilled(group, valueOf).flatMap(({ card, filling }) => {
      const laid = cards.pieces.flatMap((piece, at) => waiting.get(piece)?.splice(0, filling[at]) ?? [])
      // A filling may hold more than there is to place; a card that would stay empty is not touched.
      return laid.length === 0 ? [] : partsOf(laid, { room, state: group.state, card: card ?? idle.takeOne() })
    }),
  )
  const isDone = waiting.values().every((left) => left.length === 0)
  assert(isDone, `work that the solver placed on node ${node} has no card`)
  return [...whole, ...joined(node, parts)]
}

/** The cards of a node that are still unused. */
class IdleCards {
  readonly #layout: NodeRoom['layout']
  #mask: number

  constructor(room: NodeRoom) {
    this.#layout = room.layout
    this.#mask = idleMask(room)
  }

  /** The best of them for work that needs this many. */
  take(count: number): readonly number[] {
    const chosen = chooseCards(this.#layout, this.#mask, count)
    assert(chosen !== 0 || count === 0, `the solver uses ${count} idle cards that are not there`)
    this.#mask &= ~chosen
    return cardsOf(chosen)
  }

  takeOne(): number {
    return must(this.take(1)[0], 'one card was asked for')
  }
}

/** The jobs that wait for each sort of piece; a job that needs pieces of several cards is listed several times. */
function waitingFor(jobs: readonly Job[]): Map<string, Job[]> {
  const waiting = new Map<string, Job[]>()
  for (const job of jobs) {
    const piece = pieceOf(job.placing)
    if (piece === undefined) continue
    const times = Array.from({ length: job.request.count }, () => job)
    waiting.set(piece, [...(waiting.get(piece) ?? []), ...times])
  }
  return waiting
}

/** Each card of a group that is used, and with what. */
function cardsFilled({ cards, fillings }: DividedCards, valueOf: ValueOf) {
  const filled = fillings.flatMap(({ filling, variable }) => Array.from({ length: valueOf(variable) }, () => filling))
  return filled.map((filling, at) => ({
    card: cards === undefined ? undefined : must(cards[at], 'no more cards than there are'),
    filling,
  }))
}

interface PartOfCard {
  readonly pending: number
  readonly card: number
  readonly taken: Spot['taken']
}

interface DividedCard extends Pick<DividedCards, 'state'> {
  readonly room: NodeRoom
  readonly card: number
}

function partsOf(jobs: readonly Job[], { room, state, card }: DividedCard): readonly PartOfCard[] {
  const { rules } = room
  const profiles = jobs.flatMap(({ placing: { way } }) => (way.kind === 'slice' ? [way.profile] : []))
  const starts = rules === undefined ? [] : must(layOut(rules, state.taken, profiles), 'a filling fits on its card')
  return jobs.map(({ pending, placing: { way } }, at) => {
    if (way.kind !== 'slice') return { pending, card, taken: way.kind === 'share' ? way : undefined }
    const cut = cutOf(must(rules, 'slices have rules'), way.profile, must(starts[at], 'a start a slice'))
    return { pending, card, taken: cut }
  })
}

/** The parts that belong to one piece of work, as its spot. */
function joined(node: number, parts: readonly PartOfCard[]): readonly PlacedJob[] {
  return [...Map.groupBy(parts, ({ pending }) => pending)].map(([pending, own]) => ({
    pending,
    spot: {
      node,
      cards: own.map(({ card }) => card).toSorted((one, two) => one - two),
      taken: own[0]?.taken,
    },
  }))
}
