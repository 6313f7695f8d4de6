import type { DocEntry, DocMap, DocNode, DocScalar, Mark } from '../../core/document/document.ts'
import { nearest } from '../../core/document/nearest.ts'
import type { Problem } from '../../core/base/problem.ts'
import { readCsv } from '../../formats/csv.ts'
import type { CsvRow } from '../../formats/csv.ts'

/** A line of a table as the equivalent offer in YAML, or what is wrong with the line. */
export type CsvOffer =
  | { readonly kind: 'offer'; readonly node: DocMap }
  | { readonly kind: 'broken'; readonly line: number; readonly why: string }

/** Reads a table of offers. The caller checks the offers themselves. */
export function readOfferTable(
  text: string,
  file: string,
): { readonly offers: readonly CsvOffer[] } | { readonly problems: readonly Problem[] } {
  const table = readCsv(text)
  const header = table.header.map((column) => column.trim())
  const problems = headerProblems(header, file)
  if (problems.length > 0) return { problems }
  return { offers: Array.from(table.rows(), (row) => toOffer(row, header)) }
}

const REQUIRED = ['provider', 'region', 'instance']

/** Every column: the keys of an offer, with the parts of `gpu` and `stock` as separate columns. */
const COLUMNS: readonly string[] = [
  ...REQUIRED,
  'zone',
  'capacity',
  'gpu_model',
  'gpu_count',
  'gpu_slice',
  'gpu_link',
  'cpu',
  'memory',
  'disk',
  'volume',
  'host_arch',
  'driver',
  'cuda',
  'inbound',
  'domain',
  'usd_per_hour',
  'spot_usd_per_hour',
  'stock',
  'stock_units',
  'stock_seen',
  'quota_left',
  'health',
  'start',
  'reliability',
  'egress_usd_per_gib',
  'residency',
  'trust',
]

function headerProblems(header: readonly string[], file: string): readonly Problem[] {
  const place = { file, line: 1, column: 1, length: 1 }
  const problems: Problem[] = []
  for (const [index, column] of header.entries()) {
    const found = { found: column, place: { ...place, ...columnAt(header, index) } }
    if (!COLUMNS.includes(column)) {
      problems.push({ code: 'KEY_UNKNOWN', message: 'No such column.', hint: columnHint(column), ...found })
    } else if (header.indexOf(column) !== index) {
      problems.push({
        code: 'KEY_DUPLICATE',
        message: 'This column appears twice.',
        hint: 'Keep one of the two.',
        ...found,
      })
    }
  }
  for (const column of REQUIRED.filter((required) => !header.includes(required))) {
    problems.push({ code: 'KEY_MISSING', message: `The column \`${column}\` is missing.`, place })
  }
  return problems
}

function columnAt(header: readonly string[], index: number): { readonly column: number; readonly length: number } {
  const before = header.slice(0, index).reduce((width, column) => width + column.length + 1, 0)
  return { column: before + 1, length: Math.max(1, header[index]?.length ?? 1) }
}

function columnHint(column: string): string {
  const meant = nearest(column, COLUMNS)
  return meant === undefined ? `Columns: ${COLUMNS.join(', ')}.` : `Did you mean ${meant}?`
}

function toOffer({ line, fields, fault }: CsvRow, header: readonly string[]): CsvOffer {
  if (fault === 'quote') return { kind: 'broken', line, why: 'a quoted field is not closed' }
  if (fault === 'width') return { kind: 'broken', line, why: `${fields.length} fields under ${header.length} columns` }
  const at: Mark = { line, column: 1, length: 1 }
  const cells = new Map<string, DocScalar>()
  for (const [index, column] of header.entries()) {
    const text = fields[index]?.trim() ?? ''
    if (text !== '') cells.set(column, { kind: 'scalar', at, value: valueOf(text), text })
  }
  const plain = [...cells].filter(([column]) => !/^(?:gpu|stock)(?:_|$)/.test(column))
  const entries = [...plain, ...gathered('gpu', gpuParts(cells), at), ...gathered('stock', stockParts(cells), at)]
  return { kind: 'offer', node: mapOf(entries, at) }
}

/** Numbers and booleans as YAML would read them; anything else is text. */
function valueOf(text: string): string | number | boolean {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  return text === 'true' || text === 'false' ? text === 'true' : text
}

type Cells = ReadonlyMap<string, DocScalar>
type Parts = readonly (readonly [key: string, value: DocScalar])[]

function gpuParts(cells: Cells): Parts {
  return partsOf(cells, { gpu_model: 'model', gpu_count: 'count', gpu_slice: 'slice', gpu_link: 'link' })
}

/** A number under `stock` means units, unless units have their own column; anything else is a level. */
function stockParts(cells: Cells): Parts {
  const isUnits = typeof cells.get('stock')?.value === 'number' && !cells.has('stock_units')
  const stock = isUnits ? 'units' : 'level'
  return partsOf(cells, { stock, stock_units: 'units', stock_seen: 'seen' })
}

function partsOf(cells: Cells, keys: Readonly<Record<string, string>>): Parts {
  return Object.entries(keys).flatMap(([column, key]) => {
    const cell = cells.get(column)
    return cell === undefined ? [] : [[key, cell] as const]
  })
}

function gathered(key: string, parts: Parts, at: Mark): readonly (readonly [string, DocNode])[] {
  return parts.length === 0 ? [] : [[key, mapOf(parts, at)]]
}

function mapOf(parts: readonly (readonly [key: string, value: DocNode])[], at: Mark): DocMap {
  const entries = parts.map(([key, value]): DocEntry => ({ key, keyAt: at, value }))
  return { kind: 'map', at, entries }
}
