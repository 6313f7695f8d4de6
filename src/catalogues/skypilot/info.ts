import type { Literal } from '../../formats/python-literal.ts'
import { parseLiteral } from '../../formats/python-literal.ts'

/** What a catalogue's GpuInfo column says about the cards of one machine. */
export type GpuInfo =
  /** `name` is empty when the column does not name the card. Numbers are as written; undefined means not stated. */
  | {
      readonly kind: 'info'
      readonly name: string
      readonly count: number | undefined
      readonly cardMib: number | undefined
      readonly totalMib: number | undefined
    }
  /** More than one kind of card in one machine. */
  | { readonly kind: 'mixed' }
  | { readonly kind: 'unreadable' }

const NOTHING = { kind: 'info', name: '', count: undefined, cardMib: undefined, totalMib: undefined } as const

/** Reads a GpuInfo field: a Python or JSON dict, the plain name of the card, or nothing. */
export function readGpuInfo(text: string): GpuInfo {
  const trimmed = text.trim()
  if (trimmed === '') return NOTHING
  if (!trimmed.startsWith('{')) return { ...NOTHING, name: trimmed }

  const info = parseLiteral(trimmed)
  const cards = entry(info, 'Gpus')
  if (!Array.isArray(cards)) return { kind: 'unreadable' }
  if (cards.length > 1) return { kind: 'mixed' }
  const card: Literal | undefined = cards[0]
  const name = entry(card, 'Name')
  return {
    kind: 'info',
    name: typeof name === 'string' ? name : '',
    count: numberIn(entry(card, 'Count')),
    cardMib: numberIn(entry(entry(card, 'MemoryInfo'), 'SizeInMiB')),
    // Most clouds put the total next to the list of cards; one puts it inside.
    totalMib: numberIn(entry(info, 'TotalGpuMemoryInMiB') ?? entry(card, 'TotalGpuMemoryInMiB')),
  }
}

function entry(value: Literal | undefined, key: string): Literal | undefined {
  return isDict(value) ? value.get(key) : undefined
}

function isDict(value: Literal | undefined): value is ReadonlyMap<string, Literal> {
  return value instanceof Map
}

/** Some clouds write their numbers as text. */
function numberIn(value: Literal | undefined): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const parsed = Number(value)
  return Number.isFinite(parsed) ? parsed : undefined
}
