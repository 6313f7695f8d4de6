import { printable } from '../../core/document/look-up.ts'
import type { DomainSummary, FleetSummary, KindSummary, RoomSummary } from './draw/summary.ts'
import { modelFacts } from '../../core/hardware/family.ts'
import { trim } from '../../core/requirement/need/print.ts'
import type { SourcedProblem } from '../../core/base/problem.ts'
import { table, width, type Column } from '../terminal/table.ts'
import { quoted } from '../words/words.ts'
import { many, number } from '../../core/base/words.ts'

export interface ShownFleet {
  readonly file: string
  readonly summary: FleetSummary
  readonly warnings: readonly SourcedProblem[]
  /** A node worth drawing, for the suggested next command. */
  readonly example: string
  readonly isAll: boolean
}

/** A fleet on one screen: what is free, what kind it is, and where. */
export function printFleet({ file, summary, warnings, example, isAll }: ShownFleet): string {
  const name = file === '-' ? 'stdin' : file
  const command = `berth fleet show ${quoted(file)}`
  return [
    `${name}: ${cardsText(summary, ` on ${many(summary.nodes, 'node')}`)}`,
    `${many(summary.tenants, 'tenant')}; ${roomText(summary)}`,
    '',
    ...kindTable(summary.kinds),
    ...slicesText(summary),
    ...domainTable(summary.domains, isAll),
    ...warningsText(warnings),
    '',
    ...nextText([`${command} ${quoted(example)}`, `${command} -o json`]),
  ].join('\n')
}

/** The commands to try next, on one line where they fit. Commands are never cut, so that they can be pasted. */
export function nextText(commands: readonly string[]): readonly string[] {
  const line = `Next:  ${commands.join('      ')}`
  if (width(line) <= COLUMNS_MAX) return [line]
  return commands.map((command, index) => `${index === 0 ? 'Next:' : '     '}  ${command}`)
}

/** `3 of 8 cards free on 2 nodes, 1 partly used, 1 failing`. */
export function cardsText({ cards, states }: Pick<RoomSummary, 'cards' | 'states'>, where = ''): string {
  if (cards === 0) return `no cards${where}`
  const partly = states.partly === 0 ? [] : [`${number(states.partly)} partly used`]
  const failing = states.failing === 0 ? [] : [`${number(states.failing)} failing`]
  return [`${number(states.free)} of ${many(cards, 'card')} free${where}`, ...partly, ...failing].join(', ')
}

/** `84 of 224 CPUs and 1,392Gi of 2,048Gi free`. */
export function roomText({ cpuMilli, cpuFreeMilli, memoryMib, memoryFreeMib }: RoomAmounts): string {
  const cpus = `${cpuText(cpuFreeMilli)} of ${cpuText(cpuMilli)} CPUs`
  return `${cpus} and ${memoryText(memoryFreeMib)} of ${memoryText(memoryMib)} of memory free`
}

export type RoomAmounts = Pick<RoomSummary, 'cpuMilli' | 'cpuFreeMilli' | 'memoryMib' | 'memoryFreeMib'>

/** Whole cores where there are many. */
function cpuText(milli: number): string {
  return milli < 10_000 ? trim(milli / 1000) : number(Math.floor(milli / 1000))
}

/** Rounded down, so that the figure never promises more than there is. */
function memoryText(mib: number): string {
  if (mib < 1024) return `${mib}Mi`
  const gib = Math.floor(mib / 1024)
  return gib < 10_000 ? `${number(gib)}Gi` : `${(Math.floor((gib * 10) / 1024) / 10).toFixed(1)}Ti`
}

/** `8 × H100 SXM 80 GB`, or the owner's name for the card. */
export function kindText({ model, cardsPerNode }: Pick<KindSummary, 'model' | 'cardsPerNode'>): string {
  if (cardsPerNode === 0) return 'no cards'
  return `${cardsPerNode} × ${model === undefined ? '?' : printable(modelFacts(model)?.name ?? model)}`
}

/** `450 GB/s`; computed speeds are rounded. */
export function speedText(gbps: number): string {
  return `${gbps < 10 ? trim(gbps) : Math.round(gbps)} GB/s`
}

const COLUMNS_MAX = 100

const RIGHT = { align: 'right' } as const

const ROOM_COLUMNS: readonly Column[] = [
  { head: 'CARDS', ...RIGHT },
  { head: 'FREE', ...RIGHT },
  { head: 'PART', ...RIGHT },
  { head: 'FULL', ...RIGHT },
  { head: 'FAIL', ...RIGHT },
]

const LEFT_OVER: readonly Column[] = [
  { head: 'CPU FREE', ...RIGHT },
  { head: 'MEM FREE', ...RIGHT },
]

function kindTable(kinds: readonly KindSummary[]): readonly string[] {
  const columns = [
    { head: 'KIND' },
    { head: 'NODES', ...RIGHT },
    ...ROOM_COLUMNS,
    { head: 'FREE ISLAND', ...RIGHT },
    ...LEFT_OVER,
  ]
  const rows = kinds.map((kind) => [
    kindText(kind),
    number(kind.nodes),
    ...roomCells(kind),
    islandText(kind),
    ...leftCells(kind),
  ])
  return fitted(columns, rows)
}

function roomCells({ cards, states }: RoomSummary): readonly string[] {
  return [cards, states.free, states.partly, states.full, states.failing].map(number)
}

function leftCells({ cpuFreeMilli, memoryFreeMib }: RoomSummary): readonly string[] {
  return [cpuText(cpuFreeMilli), memoryText(memoryFreeMib)]
}

function islandText({ island, cardsPerNode }: KindSummary): string {
  if (cardsPerNode === 0) return '-'
  if (island === undefined) return '?'
  return island.cards > 1 && island.gbps !== undefined
    ? `${island.cards} at ${speedText(island.gbps)}`
    : String(island.cards)
}

/** A table no wider than the screen: the first column is cut to fit. */
function fitted(columns: readonly Column[], rows: readonly (readonly string[])[]): readonly string[] {
  const lines = table(columns, rows)
  const over = Math.max(...lines.map(width)) - COLUMNS_MAX
  if (over <= 0) return lines
  const room = Math.max(FIRST_MIN, Math.max(...rows.map(([first = '']) => width(first))) - over)
  return table(
    columns,
    rows.map(([first = '', ...rest]) => [cut(first, room), ...rest]),
  )
}

const FIRST_MIN = 8

/** Text cut to this width, with `…` where something is missing. */
export function cut(text: string, most: number): string {
  return width(text) <= most ? text : `${[...text].slice(0, most - 1).join('')}…`
}

function slicesText({ slices }: FleetSummary): readonly string[] {
  if (slices.length === 0) return []
  const byProfile = [...Map.groupBy(slices, ({ profile }) => profile)]
    .map(([profile, same]) => ({ profile, count: countOf(same) }))
    .sort((one, two) => two.count - one.count || (one.profile < two.profile ? -1 : 1))
  const parts = byProfile.slice(0, SLICES_SHOWN).map(({ profile, count }) => `${number(count)} × ${profile}`)
  const more = byProfile.length > SLICES_SHOWN ? ', …' : ''
  const count = countOf(slices)
  return ['', `${many(count, 'MIG slice')} in use: ${parts.join(', ')}${more}`]
}

const SLICES_SHOWN = 5

function countOf(slices: FleetSummary['slices']): number {
  return slices.reduce((sum, slice) => sum + slice.count, 0)
}

function domainTable(domains: readonly DomainSummary[], isAll: boolean): readonly string[] {
  if (domains.length === 0) return ['', 'No zones, fabrics, racks or NVLink domains are known.']
  const shown = isAll ? domains : domains.slice(0, DOMAINS_SHOWN)
  const columns = [
    { head: 'DOMAIN' },
    { head: 'NODES', ...RIGHT },
    { head: 'IDLE', ...RIGHT },
    ...ROOM_COLUMNS,
    ...LEFT_OVER,
  ]
  const rows = shown.map((domain) => [
    `${'  '.repeat(domain.depth)}${LEVEL_WORDS[domain.level]} ${printable(domain.name)}`,
    number(domain.nodes),
    number(domain.idleNodes),
    ...roomCells(domain),
    ...leftCells(domain),
  ])
  const more = domains.length - shown.length
  return ['', ...fitted(columns, rows), ...(more === 0 ? [] : [`  and ${number(more)} more (--all)`])]
}

const DOMAINS_SHOWN = 12

const LEVEL_WORDS: Readonly<Record<DomainSummary['level'], string>> = {
  zone: 'zone',
  fabric: 'fabric',
  rack: 'rack',
  nvlink_domain: 'NVLink domain',
}

function warningsText(warnings: readonly SourcedProblem[]): readonly string[] {
  if (warnings.length === 0) return []
  const shown = warnings.slice(0, WARNINGS_SHOWN).map(({ place, message }) => {
    return cut(`  line ${place?.line ?? '?'}: ${message}`, COLUMNS_MAX)
  })
  const more = warnings.length - shown.length
  return ['', 'Worth knowing:', ...shown, ...(more === 0 ? [] : [`  and ${number(more)} more (-o json)`])]
}

const WARNINGS_SHOWN = 5

/** The same for scripts. */
export function reportFleet(summary: FleetSummary, warnings: readonly SourcedProblem[]): unknown {
  return {
    ...reportRoom(summary),
    tenants: summary.tenants,
    kinds: summary.kinds.map(({ model, cardsPerNode, layout, island, ...room }) => ({
      model,
      cards_per_node: cardsPerNode,
      wiring: layout?.id,
      free_island: island,
      ...reportRoom(room),
    })),
    slices: summary.slices,
    domains: summary.domains.map(({ level, name, depth, ...room }) => ({ level, name, depth, ...reportRoom(room) })),
    warnings: warnings.map(({ message, hint, place }) => ({ message, hint, line: place?.line })),
  }
}

function reportRoom({ nodes, idleNodes, cards, states, ...room }: RoomSummary): Record<string, unknown> {
  return {
    nodes,
    idle_nodes: idleNodes,
    cards,
    states,
    cpu: room.cpuMilli / 1000,
    cpu_free: room.cpuFreeMilli / 1000,
    memory_gib: room.memoryMib / 1024,
    memory_free_gib: room.memoryFreeMib / 1024,
  }
}
