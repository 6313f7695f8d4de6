import type { Fleet, FleetCard, FleetNode } from '../../core/fleet/fleet.ts'
import type { Problem } from '../../core/base/problem.ts'
import { readCsv, type CsvRow } from '../csv.ts'
import { NODES_MAX } from './names.ts'

/** Whether a text is a node list of the openb traces. */
export function isNodeList(text: string): boolean {
  return COLUMNS.every((column) => firstLine(text).split(',').includes(column))
}

/**
 * Reads a node list of the openb traces. Models are the owner's own names (`P100`, `G2`) and are kept. Every card can be
 * shared. The list does not say how cards are joined or what runs on them.
 */
export function readNodeList(
  text: string,
  file: string,
): { readonly fleet: Fleet } | { readonly problems: readonly Problem[] } {
  const table = readCsv(text)
  const header = table.header.map((column) => column.trim())
  const place = { file, line: 1, column: 1, length: 1 }
  const missing = COLUMNS.filter((column) => !header.includes(column))
  if (missing.length > 0) {
    const message = `A table of nodes has the columns ${COLUMNS.join(',')}; missing: ${missing.join(', ')}.`
    const hint = 'Write your own fleet in YAML, starting with: berth: v1'
    return { problems: [{ code: 'KEY_MISSING', message, hint, place }] }
  }
  const problems: Problem[] = []
  const nodes: FleetNode[] = []
  const seen = new Set<string>()
  const shared = new Map<string, readonly FleetCard[]>()
  for (const row of table.rows()) {
    const read = readRow(row, header, seen)
    if ('message' in read) problems.push({ ...read, place: { ...place, line: row.line, length: 1 } })
    else nodes.push(toNode(read, shared))
    if (nodes.length > NODES_MAX) return { problems: [{ ...TOO_MANY, place: { ...place, line: row.line, length: 1 } }] }
  }
  return problems.length > 0 ? { problems } : { fleet: { nodes } }
}

const COLUMNS = ['sn', 'cpu_milli', 'memory_mib', 'gpu', 'model'] as const

function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return (end === -1 ? text : text.slice(0, end)).replace(/^\uFEFF/, '').trimEnd()
}

interface Row {
  readonly id: string
  readonly cpuMilli: number
  readonly memoryMib: number
  readonly count: number
  readonly model: string
}

type Wrong = Omit<Problem, 'place'>

function readRow({ fields, fault }: CsvRow, header: readonly string[], seen: Set<string>): Row | Wrong {
  if (fault !== undefined) {
    const message =
      fault === 'quote' ? 'A quoted field is not closed.' : `${fields.length} fields under ${header.length} columns.`
    return { code: 'VALUE_INVALID', message, hint: 'An empty field still needs its comma.' }
  }
  const text = (column: (typeof COLUMNS)[number]): string => fields[header.indexOf(column)]?.trim() ?? ''
  const id = text('sn')
  if (id === '') return { code: 'KEY_MISSING', message: '`sn` is empty.', hint: 'Give the node a name.' }
  if (seen.has(id)) {
    return {
      code: 'KEY_REPEATED',
      message: `There is already a node ${id}.`,
      found: id,
      hint: 'Rename one of the two.',
    }
  }
  seen.add(id)
  const wrong = (['cpu_milli', 'memory_mib', 'gpu'] as const).find((column) => !/^\d{1,9}$/.test(text(column)))
  if (wrong !== undefined) {
    const found = text(wrong)
    return { code: 'VALUE_TYPE', message: `\`${wrong}\` is not a whole number.`, found, hint: 'For example: 64000' }
  }
  const count = Number(text('gpu'))
  if (count > CARDS_MAX)
    return { code: 'VALUE_RANGE', message: `The number must be at most ${CARDS_MAX}.`, found: text('gpu') }
  return { id, cpuMilli: Number(text('cpu_milli')), memoryMib: Number(text('memory_mib')), count, model: text('model') }
}

const CARDS_MAX = 1024

const TOO_MANY: Wrong = {
  code: 'VALUE_RANGE',
  message: `The file has more than ${NODES_MAX} nodes.`,
  hint: 'Split the file.',
}

/** Nodes with as many cards share one list of them. */
function toNode({ id, cpuMilli, memoryMib, count, model }: Row, shared: Map<string, readonly FleetCard[]>): FleetNode {
  const key = String(count)
  const cards =
    shared.get(key) ?? Array.from({ length: count }, (): FleetCard => ({ health: undefined, parts: 'share' }))
  shared.set(key, cards)
  return {
    id,
    model: model === '' || count === 0 ? undefined : model,
    cpuMilli,
    memoryMib,
    diskMib: undefined,
    cards,
    layout: undefined,
    domains: { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined },
  }
}
