import { nearest } from '../../core/document/nearest.ts'
import type { Problem } from '../../core/base/problem.ts'
import { parseCpu, parseMemoryGib, parseShare, parseVramGib, type Amount } from '../../core/base/units.ts'

/** How close together the nodes of a gang must be, as users write it. */
export type TraceWithin = (typeof WITHIN)[number]

export const WITHIN = ['zone', 'fabric', 'rack', 'nvlink_domain'] as const

export type TraceColumn = (typeof COLUMNS)[number]

/** Every column; only the first two are required. */
export const COLUMNS = [
  'name',
  'arrival_s',
  'duration_s',
  'cpu',
  'memory',
  'disk',
  'gpus',
  'share',
  'vram',
  'models',
  'nodes',
  'within',
  'priority',
] as const

const REQUIRED: readonly TraceColumn[] = ['name', 'arrival_s']

/** What is wrong with the first line of a trace. */
export function headerProblems(header: readonly string[], file: string): readonly Problem[] {
  const problems: Problem[] = []
  let column = 1
  for (const [index, name] of header.entries()) {
    const place = { file, line: 1, column, length: Math.max(1, name.length) }
    const isKnown = COLUMNS.some((known) => known === name)
    if (!isKnown)
      problems.push({ code: 'KEY_UNKNOWN', message: 'No such column.', found: name, hint: columnHint(name), place })
    else if (header.indexOf(name) !== index) {
      const message = 'This column appears twice.'
      problems.push({ code: 'KEY_DUPLICATE', message, found: name, hint: 'Keep one of the two.', place })
    }
    column += name.length + 1
  }
  const place = { file, line: 1, column: 1, length: 1 }
  for (const name of REQUIRED.filter((required) => !header.includes(required))) {
    const hint = `A trace begins with a header line such as: ${COLUMNS.join(',')}`
    problems.push({ code: 'KEY_MISSING', message: `The column \`${name}\` is missing.`, hint, place })
  }
  return problems
}

function columnHint(name: string): string {
  const meant = nearest(name, COLUMNS)
  return meant === undefined ? `Columns: ${COLUMNS.join(', ')}.` : `Did you mean ${meant}?`
}

/** The number in a cell of this column: seconds, cores, GiB, a share of one, or a count. */
export function parseCell(column: TraceColumn, text: string): Amount {
  switch (column) {
    case 'arrival_s':
    case 'duration_s':
      return parsePlain(text, { form: /^\d{1,15}(?:\.\d{1,6})?$/, most: SECONDS_MAX, example: '3600' })
    case 'cpu':
      return text === '0' ? NOTHING : parseCpu(text)
    case 'memory':
    case 'disk':
      return text === '0' ? NOTHING : parseMemoryGib(text)
    case 'vram':
      return parseVramGib(text)
    case 'share':
      return moreThanNothing(parseShare(text))
    case 'gpus':
      return parsePlain(text, { form: /^\d{1,9}$/, most: CARDS_MAX, example: '8' })
    case 'nodes':
      return moreThanNothing(parsePlain(text, { form: /^\d{1,9}$/, most: NODES_MAX, example: '2' }))
    case 'priority':
      return parsePlain(text, { form: /^-?\d{1,9}$/, most: PRIORITY_MAX, example: '10' })
    case 'name':
    case 'models':
    case 'within':
      return { kind: 'wrong', why: 'form', message: 'This is text.', hint: '' }
  }
}

const NOTHING: Amount = { kind: 'amount', value: 0 }

/** Thirty years. */
const SECONDS_MAX = 1e9
const CARDS_MAX = 1024
const NODES_MAX = 100_000
const PRIORITY_MAX = 1e9

interface Plain {
  readonly form: RegExp
  readonly most: number
  readonly example: string
}

function parsePlain(text: string, { form, most, example }: Plain): Amount {
  const hint = `For example: ${example}`
  if (!form.test(text))
    return { kind: 'wrong', why: 'form', message: 'This is not a valid number for this column.', hint }
  const value = Number(text)
  return value > most
    ? { kind: 'wrong', why: 'range', message: `The number must be at most ${most}.`, hint }
    : { kind: 'amount', value }
}

function moreThanNothing(amount: Amount): Amount {
  if (amount.kind === 'wrong' || amount.value > 0) return amount
  return {
    kind: 'wrong',
    why: 'range',
    message: 'This must be more than 0.',
    hint: 'Leave it empty if it does not matter.',
  }
}
