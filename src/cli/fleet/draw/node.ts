import { printable } from '../../../core/document/look-up.ts'
import { cardBox, BOX_WIDTH } from './card.ts'
import type { NodeUse } from '../../../core/fleet/use.ts'
import type { Layout, Nic } from '../../../core/fleet/layout.ts'

/**
 * A node in plain text: its cards as boxes, four to a row, framed by NUMA node and bracketed below by the PCIe switch
 * they share. Never wider than 96 columns.
 */
export function drawNode({ node, cards }: NodeUse): readonly string[] {
  const { layout } = node
  const boxes = cards.map((card, index) => cardBox(card, index, node.model))
  const groups = groupsOf(cards.length, layout)
  const rows = groups.map(({ clusters }) => rowsOf(clusters).map((row) => drawRow(row, boxes)))
  const titles = groups.map(({ numa }) => titleOf(numa, layout))
  const width = Math.max(
    ...titles.map((title) => title.length + 2),
    ...rows.flat(2).map((line) => line.length),
    FRAME_WIDTH_MIN,
  )
  const frames = groups.flatMap((_, index) => framed(titles[index] ?? '', (rows[index] ?? []).flat(), width))
  return [...frames, ...strayNics(layout, groups)]
}

/** Cards side by side. */
const ACROSS = 4
const FRAME_WIDTH_MIN = 40
const TITLE_MAX = ACROSS * BOX_WIDTH + ACROSS - 3

interface Group {
  /** Undefined: unknown. */
  readonly numa: number | undefined
  readonly clusters: readonly Cluster[]
}

/** Cards on one PCIe switch, with its NICs; without a switch, each card is a cluster of its own. */
interface Cluster {
  readonly cards: readonly number[]
  readonly label: string | undefined
}

function groupsOf(count: number, layout: Layout | undefined): readonly Group[] {
  const cards = Array.from({ length: count }, (_, card) => card)
  const byNuma = [...Map.groupBy(cards, (card) => layout?.numa[card])]
  return byNuma
    .sort(([one], [two]) => (one ?? Infinity) - (two ?? Infinity))
    .map(([numa, inside]) => ({ numa, clusters: clustersOf(inside, layout) }))
}

function clustersOf(cards: readonly number[], layout: Layout | undefined): readonly Cluster[] {
  const bySwitch = [...Map.groupBy(cards, (card) => layout?.pcieSwitch[card])]
  return bySwitch.flatMap(([at, inside]): readonly Cluster[] => {
    if (at === undefined) return inside.map((card) => ({ cards: [card], label: undefined }))
    const nics = (layout?.nics ?? []).filter((nic) => nic.pcieSwitch === at)
    const label = [`switch ${at}`, ...namesOf(nics)].join(' · ')
    // A switch with more cards than fit side by side continues in the next row.
    return chunks(inside, ACROSS).map((part) => ({ cards: part, label }))
  })
}

function namesOf(nics: readonly Nic[]): readonly string[] {
  return nics.length === 0 ? [] : [nics.map((nic) => printable(nic.name)).join(' ')]
}

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}

/** As many clusters to a row as fit. */
function rowsOf(clusters: readonly Cluster[]): readonly (readonly Cluster[])[] {
  const rows: Cluster[][] = []
  for (const cluster of clusters) {
    const last = rows.at(-1)
    const filled = (last ?? []).reduce((sum, { cards }) => sum + cards.length, 0)
    if (last === undefined || filled + cluster.cards.length > ACROSS) rows.push([cluster])
    else last.push(cluster)
  }
  return rows
}

function drawRow(row: readonly Cluster[], boxes: readonly (readonly string[])[]): readonly string[] {
  const drawn = row.flatMap(({ cards }) => cards.map((card) => boxes[card] ?? []))
  const height = drawn[0]?.length ?? 0
  const lines = Array.from({ length: height }, (_, line) => drawn.map((box) => box[line] ?? '').join(' '))
  if (row.every(({ label }) => label === undefined)) return lines
  const below = row.map(({ cards, label }) => bracket(label, cards.length * (BOX_WIDTH + 1) - 1)).join(' ')
  return [...lines, below.trimEnd()]
}

/** A bracket below cards, labelled with what they share. */
function bracket(label: string | undefined, width: number): string {
  if (label === undefined) return ' '.repeat(width)
  const text = cut(label, width - 4)
  return `╰ ${text} ${'─'.repeat(width - 4 - text.length)}╯`
}

/** A NUMA node with its NICs that are on none of its switches. */
function titleOf(numa: number | undefined, layout: Layout | undefined): string {
  if (layout === undefined) return 'wiring unknown'
  const loose = layout.nics.filter((nic) => nic.numa === numa && !hasCards(nic, layout))
  const name = numa === undefined ? 'NUMA node unknown' : `NUMA node ${numa}`
  return cut([name, ...namesOf(loose)].join(' · '), TITLE_MAX)
}

function hasCards({ pcieSwitch }: Nic, layout: Layout): boolean {
  return pcieSwitch !== undefined && layout.pcieSwitch.includes(pcieSwitch)
}

/** NICs that are near none of the cards, or whose location is unknown. */
function strayNics(layout: Layout | undefined, groups: readonly Group[]): readonly string[] {
  const nics = layout?.nics ?? []
  const stray = nics.filter(
    (nic) => layout !== undefined && !hasCards(nic, layout) && !groups.some(({ numa }) => numa === nic.numa),
  )
  return stray.length === 0 ? [] : [cut(`  elsewhere · ${namesOf(stray).join('')}`, TITLE_MAX)]
}

function framed(title: string, lines: readonly string[], width: number): readonly string[] {
  return [
    `  ┌─ ${title} ${'─'.repeat(Math.max(0, width - title.length - 1))}┐`,
    ...lines.map((line) => `  │ ${line.padEnd(width)} │`),
    `  └${'─'.repeat(width + 2)}┘`,
  ]
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}
