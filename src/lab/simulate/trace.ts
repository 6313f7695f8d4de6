import type { Checked } from '../../core/document/check.ts'
import { inOrder } from '../../core/document/in-order.ts'
import { printable } from '../../core/document/look-up.ts'
import type { CardPart, Request } from '../../core/fleet/fleet.ts'
import type { ErrorCode } from '../../codes/errors.ts'
import type { Problem } from '../../core/base/problem.ts'
import { acceptedModels } from './trace-models.ts'
import { COLUMNS, headerProblems, parseCell, WITHIN, type TraceColumn, type TraceWithin } from './trace-columns.ts'

/** Work that arrives, needs a place and leaves again. */
export interface Arrival {
  readonly name: string
  readonly arrivalS: number
  /** Undefined: it never leaves. */
  readonly durationS: number | undefined
  /** What it requests of each of its nodes. Arrivals with the same request share one object. */
  readonly request: Request
  /** Nodes that it needs together; 1: no gang. */
  readonly nodes: number
  /** How close together they must be. */
  readonly within: TraceWithin | undefined
  readonly priority: number
}

/** A table that is already split into fields. */
export interface TraceTable {
  readonly header: readonly string[]
  rows(): Iterable<TraceRow>
}

interface TraceRow {
  readonly line: number
  readonly fields: readonly string[]
  readonly fault: 'width' | 'quote' | undefined
}

/** Reads a trace: arrivals by time, or everything that is wrong with it, by line. docs/fleet.md describes the columns. */
export function readTrace(table: TraceTable, file: string): Checked<readonly Arrival[]> {
  const header = table.header.map((column) => column.trim())
  const wrong = headerProblems(header, file)
  if (wrong.length > 0) return { problems: inOrder(wrong) }

  const places = new Map(COLUMNS.map((column) => [column, header.indexOf(column)]))
  const read: Reading = { file, places, width: header.length, problems: [], ...emptyMemory() }
  const arrivals = Array.from(table.rows(), (row) => readRow(row, read))
  if (read.problems.length > 0) return { problems: inOrder(read.problems) }
  // Arrivals at the same second keep the order of the file: sorting is stable.
  return { value: arrivals.flatMap((arrival) => arrival ?? []).sort((one, two) => one.arrivalS - two.arrivalS) }
}

interface Reading {
  readonly file: string
  readonly places: ReadonlyMap<TraceColumn, number>
  readonly width: number
  readonly problems: Problem[]
  /** Line numbers by name. */
  readonly names: Map<string, number>
  /** A trace has thousands of lines, but few distinct requests and card names. */
  readonly models: Map<string, readonly string[] | undefined>
  readonly requests: Map<string, Request>
}

function emptyMemory(): Pick<Reading, 'names' | 'models' | 'requests'> {
  return { names: new Map(), models: new Map(), requests: new Map() }
}

interface Line {
  readonly row: TraceRow
  readonly read: Reading
}

function readRow(row: TraceRow, read: Reading): Arrival | undefined {
  const line = { row, read }
  if (row.fault !== undefined) {
    complain(line, undefined, faultWords(row, read.width))
    return undefined
  }
  const name = readName(line)
  const arrivalS = amountOf(line, 'arrival_s')
  if (textOf(line, 'arrival_s') === '') complain(line, 'arrival_s', missing('arrival_s', '3600'))
  const nodes = amountOf(line, 'nodes') ?? 1
  const within = readWithin(line)
  const request = readRequest(line)
  const durationS = amountOf(line, 'duration_s')
  return { name, arrivalS: arrivalS ?? 0, durationS, request, nodes, within, priority: amountOf(line, 'priority') ?? 0 }
}

type Words = Pick<Problem, 'message' | 'hint'> & { readonly code: ErrorCode }

function faultWords({ fields, fault }: TraceRow, width: number): Words {
  return fault === 'quote'
    ? { code: 'VALUE_INVALID', message: 'A quoted field is not closed.', hint: 'Close it, or remove the quote.' }
    : {
        code: 'VALUE_INVALID',
        message: `The line has ${fields.length} fields, but there are ${width} columns.`,
        hint: 'An empty field still needs its comma.',
      }
}

/** Results name arrivals, so names must be unique. */
function readName(line: Line): string {
  const name = textOf(line, 'name')
  const { names } = line.read
  const before = names.get(name)
  if (name === '') complain(line, 'name', missing('name', 'train-1'))
  else if (before !== undefined) {
    const message = `${printable(name)} is already on line ${before}.`
    complain(line, 'name', { code: 'KEY_REPEATED', message, hint: 'Rename one of the two.' })
  } else names.set(name, line.row.line)
  return name
}

function missing(column: TraceColumn, example: string): Words {
  return { code: 'KEY_MISSING', message: `\`${column}\` is empty.`, hint: `For example: ${example}` }
}

function readWithin(line: Line): TraceWithin | undefined {
  const text = textOf(line, 'within')
  const within = WITHIN.find((level) => level === text)
  if (text !== '' && within === undefined) {
    const message = `\`${printable(text)}\` is not one of ${WITHIN.join(', ')}.`
    complain(line, 'within', { code: 'VALUE_INVALID', message, hint: 'Leave it empty if it does not matter.' })
  }
  return within
}

function readRequest(line: Line): Request {
  const share = amountOf(line, 'share')
  const vramGib = amountOf(line, 'vram')
  const gpus = amountOf(line, 'gpus')
  const isPart = share !== undefined || vramGib !== undefined
  if (share !== undefined && vramGib !== undefined) complain(line, 'vram', BOTH_PARTS)
  if (isPart && gpus === 0) complain(line, 'gpus', PART_OF_NOTHING)
  const request: Request = {
    cpuMilli: Math.round((amountOf(line, 'cpu') ?? 0) * 1000),
    memoryMib: Math.ceil((amountOf(line, 'memory') ?? 0) * 1024),
    diskMib: Math.ceil((amountOf(line, 'disk') ?? 0) * 1024),
    count: gpus ?? (isPart ? 1 : 0),
    part: partOf(share, vramGib),
    models: readModels(line),
  }
  const key = JSON.stringify(request)
  const same = line.read.requests.get(key) ?? request
  line.read.requests.set(key, same)
  return same
}

function readModels(line: Line): readonly string[] | undefined {
  const text = textOf(line, 'models')
  const { models } = line.read
  if (!models.has(text)) models.set(text, acceptedModels(text))
  return models.get(text)
}

const BOTH_PARTS: Words = {
  code: 'VALUE_CONFLICT',
  message: '`share` and `vram` are both set, but a card is divided in only one way.',
  hint: 'Keep `share` for a part of its time and memory, `vram` for the smallest slice with that much memory.',
}

const PART_OF_NOTHING: Words = {
  code: 'VALUE_CONFLICT',
  message: '`gpus` is 0, but a part of a card is requested.',
  hint: 'Write 1, or leave the part empty.',
}

function partOf(share: number | undefined, vramGib: number | undefined): CardPart {
  if (vramGib !== undefined) return { kind: 'slice', vramGib }
  const milli = Math.round((share ?? 1) * 1000)
  return milli === 1000 ? { kind: 'whole' } : { kind: 'share', milli }
}

/** The number in a cell; undefined: the cell is empty, or it is wrong and reported. */
function amountOf(line: Line, column: TraceColumn): number | undefined {
  const text = textOf(line, column)
  if (text === '') return undefined
  const parsed = parseCell(column, text)
  if (parsed.kind === 'amount') return parsed.value
  const code = parsed.why === 'form' ? 'QUANTITY_INVALID' : 'VALUE_RANGE'
  complain(line, column, { code, message: parsed.message, hint: parsed.hint })
  return undefined
}

function textOf({ row, read }: Line, column: TraceColumn): string {
  return row.fields[read.places.get(column) ?? -1]?.trim() ?? ''
}

/** Points at the cell, assuming that nothing before it is quoted. */
function complain({ row, read }: Line, column: TraceColumn | undefined, words: Words): void {
  const index = column === undefined ? 0 : (read.places.get(column) ?? 0)
  const field = column === undefined ? '' : (row.fields[index] ?? '')
  const before = row.fields.slice(0, index).reduce((width, text) => width + text.length + 1, 0)
  const lead = field.length - field.trimStart().length
  const place = { file: read.file, line: row.line, column: before + lead + 1, length: Math.max(1, field.trim().length) }
  const found = field.trim() === '' ? {} : { found: printable(field.trim()) }
  read.problems.push({ ...words, ...found, place })
}
