import { many } from '../../core/base/words.ts'
import type { NodeRow } from '../../providers/kubernetes/nodes/node-rows.ts'
import type { CheckedNodes } from '../offers/check-nodes.ts'
import { table, width } from '../terminal/table.ts'
import { wrap } from '../terminal/wrap.ts'

/** The width of the page, in a pipe too: reasons are sentences, and a table is easier to read beside them. */
const COLUMNS = 80

/** Nodes as text: what there is in all, a table, and below it why each node is taken for what it is. */
export function printNodes({ rows, fleet }: CheckedNodes): string {
  const lines = [headline(rows), '', ...nodeTable(rows), '', ...rows.flatMap(reasons), '', ...asFleet(fleet)]
  return lines.join('\n')
}

/** What Berth would place work on. Nodes that are usable may still be closed to it. */
function asFleet({ fleet, offers, left }: CheckedNodes['fleet']): readonly string[] {
  const taken = fleet.fleet.nodes.length
  const placed = `Berth would place work on ${many(taken, 'node')}, in ${many(offers.length, 'offer')}`
  const names = left.map(({ name }) => name).join(', ')
  return wrap(left.length === 0 ? `${placed}.` : `${placed}, and leave alone: ${names}.`, COLUMNS)
}

function headline(rows: readonly NodeRow[]): string {
  const usable = rows.filter((row) => row.usable === true)
  const cards = usable.reduce((sum, row) => sum + (row.cards ?? 0), 0)
  const uncounted = usable.filter((row) => row.cards === null).length
  const rest = uncounted === 0 ? '' : ` (not counting ${many(uncounted, 'node')} where it is unknown)`
  return `${many(rows.length, 'node')}, ${usable.length} usable: ${many(cards, 'card')}${rest}`
}

function nodeTable(rows: readonly NodeRow[]): readonly string[] {
  const right = 'right' as const
  const columns = [
    { head: 'NODE' },
    { head: 'CARDS', align: right },
    { head: 'FREE', align: right },
    { head: 'OF' },
    { head: 'GIB', align: right },
    { head: 'SHARING' },
    { head: 'USABLE' },
  ]
  const cells = rows.map(cellsOf)
  const others = columns
    .slice(1)
    .map(({ head }, at) => Math.max(...[head, ...cells.map((row) => row[at + 1] ?? '')].map(width)))
  const room = COLUMNS - others.reduce((sum, each) => sum + each + 2, 2)
  return table(
    columns,
    cells.map(([name = '', ...rest]) => [shortened(name, Math.max(NAME_MIN, room)), ...rest]),
  )
}

const NAME_MIN = 8

/** `?` means unknown, `-` that there is none. */
function cellsOf(row: NodeRow): readonly string[] {
  const none = row.cards === 0
  return [
    row.name ?? '(no name)',
    told(row.cards),
    told(row.free_cards),
    none ? '-' : (row.model ?? row.vendor ?? '?'),
    none ? '-' : told(row.vram_gib),
    none ? '-' : (row.sharing ?? '?'),
    row.usable === null ? '?' : row.usable ? 'yes' : 'no',
  ]
}

function told(value: number | null): string {
  return value === null ? '?' : String(value)
}

/** The start and the end of a name tell nodes of a pool apart. */
function shortened(name: string, most: number): string {
  if (width(name) <= most) return name
  const half = Math.floor((most - 1) / 2)
  return `${name.slice(0, most - 1 - half)}…${name.slice(-half)}`
}

function reasons({ name, why, mig }: NodeRow): readonly string[] {
  const slices = Object.entries(mig).map(([profile, count]) => `${count} × ${profile}`)
  const text = slices.length === 0 ? why : `Slices: ${slices.join(', ')}. ${why}`
  return [`${name ?? '(no name)'}`, ...wrap(text, COLUMNS - 2).map((line) => `  ${line}`)]
}
