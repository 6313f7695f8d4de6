import { printable } from '../../../core/document/look-up.ts'
import { placesOf } from '../../../core/fleet/slices.ts'
import type { CardUse } from '../../../core/fleet/use.ts'
import type { CutSlice } from '../../../core/fleet/fleet.ts'

/** The width of a card's box, frame included. */
export const BOX_WIDTH = 20

/** A card as a box of four lines: its number and mode, how much of it is in use, and by which tenants. */
export function cardBox(use: CardUse, index: number, model: string | undefined): readonly string[] {
  const title = cut([String(index), ...modeOf(use)].join(' '), INNER)
  return [
    `┌ ${title} ${'─'.repeat(INNER - title.length)}┐`,
    `│ ${barOf(use, model).padEnd(INNER)} │`,
    `│ ${cut(wordsOf(use), INNER).padEnd(INNER)} │`,
    `└${'─'.repeat(INNER + 2)}┘`,
  ]
}

/** Two characters for each of the eight positions at which most cards can be cut. */
const INNER = BOX_WIDTH - 4

/** What is wrong with a card matters more than how it is cut. */
function modeOf({ card }: CardUse): readonly string[] {
  if (card.health === 'degraded' || card.health === 'failing') return [card.health]
  return { none: [], share: ['shared'], mig: ['MIG'] }[card.parts]
}

function barOf({ holders, card, freeMilli }: CardUse, model: string | undefined): string {
  const slices = holders.flatMap(({ taken }) => (taken?.kind === 'slice' ? [taken] : []))
  const isWhole = holders.some(({ taken }) => taken === undefined)
  const places = card.parts === 'mig' && !isWhole ? placesOf(model, slices) : undefined
  if (places !== undefined) return slicesBar(places)
  const held = isWhole ? 1000 : 1000 - freeMilli
  // A small holder still shows, and so does a small remainder.
  const most = held === 1000 ? INNER : INNER - 1
  const filled = held === 0 ? 0 : Math.min(most, Math.max(1, Math.round((held * INNER) / 1000)))
  return '█'.repeat(filled) + FREE.repeat(INNER - filled)
}

const FREE = '·'

/** Each slice in its position, beginning with its compute units: `1g1g2g──········`. */
function slicesBar(places: readonly (CutSlice | undefined)[]): string {
  const each = Math.floor(INNER / places.length)
  return places
    .map((slice, place) => {
      if (slice === undefined) return FREE.repeat(each)
      const isFirst = places.indexOf(slice) === place
      return (isFirst ? slice.profile.replace(/\..*$/, '') : '').padEnd(each, '─')
    })
    .join('')
}

function wordsOf({ holders, state }: CardUse): string {
  if (holders.length === 0) return state
  return [...new Set(holders.map(({ name }) => printable(name)))].join(', ')
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}
