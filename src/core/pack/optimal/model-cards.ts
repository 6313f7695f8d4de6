import { must } from '../../base/assert.ts'
import { countCards } from '../../fleet/topology/card-mask.ts'
import { shareFillings, sliceFillings, type Filling } from './fillings.ts'
import type { Program, Term } from './program.ts'
import { idleMask, isIdle, type CardRoom, type NodeRoom } from './room.ts'
import type { Placing } from './way.ts'

/** How the cards of a node may be used. */
export interface CardModel {
  /** The sorts of pieces that a filling counts. */
  readonly pieces: readonly string[]
  /** Cards that may be divided, idle ones last. */
  readonly divided: readonly DividedCards[]
  /** The idle cards that are used. */
  readonly used: readonly Term[]
  /** How many blocks of each number of idle cards are left. */
  readonly blocks: readonly { readonly size: number; readonly variable: number }[]
}

/** Cards in the same state, and how many of them are filled in which way. */
export interface DividedCards {
  readonly state: CardRoom
  /** Undefined: idle cards, which are interchangeable. */
  readonly cards: readonly number[] | undefined
  readonly fillings: readonly { readonly filling: Filling; readonly variable: number }[]
}

/**
 * Adds what the cards of a node allow. Cards in the same state are alike for what fits, so they are only counted. Which idle
 * cards are used is decided when the answer is read, by their wiring.
 */
export function addCards(program: Program, room: NodeRoom, placings: readonly Placing[]): CardModel {
  const onCards = placings.filter(({ count }) => count > 0)
  const idle = countCards(idleMask(room))
  const pieces = piecesOf(program, onCards)
  const divided = pieces.length === 0 ? [] : addDivided(program, room, pieces)
  for (const [index, piece] of pieces.entries()) addPiece(program, piece, { index, divided })
  const whole = onCards.filter(({ way }) => way.kind === 'whole')
  const opened = divided.filter(({ cards }) => cards === undefined).flatMap(({ fillings }) => fillings)
  const used: readonly Term[] = [
    ...whole.map(({ count, variable }) => ({ times: count, of: variable })),
    ...opened.map(({ variable }) => ({ times: 1, of: variable })),
  ]
  program.atMost(used, idle)
  const blocks = used.length === 0 ? [] : addBlocks(program, idle, used)
  return { pieces: pieces.map(({ key }) => key), divided, used, blocks }
}

/**
 * Which sort of pieces some work puts on cards: shares of a size, slices of a profile; undefined: it takes whole cards. A
 * share of several cards is its own sort, of which no card has two.
 */
export function pieceOf({ lot, count, way }: Placing): string | undefined {
  if (way.kind === 'whole') return undefined
  if (way.kind === 'slice') return `profile ${way.profile}`
  return count === 1 ? `share ${way.milli}` : `share ${way.milli} of lot ${lot}`
}

interface Piece {
  readonly key: string
  readonly size: number
  /** On one card. */
  readonly most: number
  readonly placings: readonly Placing[]
}

function piecesOf(program: Program, placings: readonly Placing[]): readonly Piece[] {
  const byKey = Map.groupBy(placings, pieceOf)
  return [...byKey].flatMap(([key, own]) => {
    const way = own[0]?.way
    if (key === undefined || way === undefined || way.kind === 'whole') return []
    const most = program.mostOf(own.map(({ variable }) => ({ times: 1, of: variable })))
    return [{ key, size: way.kind === 'share' ? way.milli : way.profile, most, placings: own }]
  })
}

function addDivided(program: Program, room: NodeRoom, pieces: readonly Piece[]): readonly DividedCards[] {
  const states = Map.groupBy(room.cards.entries(), ([, { freeMilli, taken }]) => `${freeMilli} ${taken}`)
  const divided = [...states.values()].map((cards): DividedCards => {
    const [, state] = must(cards[0], 'a group has a card')
    const fillings = fillingsOf(program, room, { state, pieces })
      .filter((filling) => filling.some((count) => count > 0))
      .map((filling) => ({ filling, variable: program.variable(cards.length) }))
    if (isIdle(state)) return { state, cards: undefined, fillings }
    program.atMost(
      fillings.map(({ variable }) => ({ times: 1, of: variable })),
      cards.length,
    )
    return { state, cards: cards.map(([index]) => index), fillings }
  })
  return divided.toSorted((one, two) => Number(isIdle(one.state)) - Number(isIdle(two.state)))
}

function fillingsOf(
  program: Program,
  { rules }: NodeRoom,
  { state, pieces }: { readonly state: CardRoom; readonly pieces: readonly Piece[] },
): readonly Filling[] {
  const { freeMilli, taken } = state
  if (rules !== undefined) return freeMilli === 1000 ? sliceFillings(rules, taken, pieces) : []
  const found = taken === 0 ? shareFillings(freeMilli, pieces, program.variablesLeft) : []
  if (found === undefined) program.giveUp()
  return found ?? []
}

/** The cards are filled with at least as many pieces as were placed. */
function addPiece(
  program: Program,
  { placings }: Piece,
  { index, divided }: { readonly index: number; readonly divided: readonly DividedCards[] },
): void {
  const given = divided.flatMap(({ fillings }) =>
    fillings.map(({ filling, variable }) => ({ times: -must(filling[index], 'one count a piece'), of: variable })),
  )
  const asked = placings.map(({ count, variable }) => ({ times: count, of: variable }))
  program.atMost([...asked, ...given.filter(({ times }) => times !== 0)], 0)
}

/** For work of several cards it matters that idle cards stay together: blocks of 2, 4, 8 and 16 on one node. */
function addBlocks(program: Program, idle: number, used: readonly Term[]): CardModel['blocks'] {
  const sizes = [2, 4, 8, 16].filter((size) => size <= idle)
  return sizes.map((size) => {
    const variable = program.variable(Math.floor(idle / size))
    program.atMost([...used, { times: size, of: variable }], idle)
    return { size, variable }
  })
}
