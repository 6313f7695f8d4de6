import type { Request } from '../core/fleet/fleet.ts'
import type { Problem } from '../core/base/problem.ts'
import { readCsv, type CsvRow } from './csv.ts'

/** The pods of an openb trace, by name, with what each asks for; equal ones share one request. */
export interface OpenbPods {
  readonly requests: readonly Request[]
  /** Request of each pod, pods sorted by name. */
  readonly of: Int32Array
  /** How many seconds each pod lived, where the trace says. */
  readonly lifetimeS: Float64Array | undefined
}

/** The published order of one seed. */
export interface OpenbOrder {
  /** Indices into the pods sorted by name, in order of arrival. */
  readonly pods: readonly number[]
  /** Rank of each node, nodes sorted by `sn`; lower wins ties. */
  readonly nodeRank: readonly number[]
}

/** Reads a pod list; every row that cannot be understood is a problem with its line. */
export function readPods(text: string, file: string): OpenbPods | { readonly problems: readonly Problem[] } {
  const table = readCsv(text)
  const header = table.header.map((column) => column.trim())
  const missing = NEEDED.filter((column) => !header.includes(column))
  if (missing.length > 0) return { problems: [noColumn(missing, file)] }
  const problems: Problem[] = []
  const pods: Pod[] = []
  for (const row of table.rows()) {
    const pod = readPod(row, header)
    if (typeof pod === 'string') {
      const place = { file, line: row.line, column: 1, length: 1 }
      problems.push({ code: 'VALUE_INVALID', message: pod, hint: 'Correct or remove this line.', place })
    } else pods.push(pod)
  }
  if (problems.length > 0) return { problems }
  return gathered(pods.sort((one, two) => (one.name < two.name ? -1 : one.name > two.name ? 1 : 0)))
}

/** Reads a file of orders, by seed. */
export function readOrders(
  text: string,
  file: string,
): { readonly seeds: ReadonlyMap<string, OpenbOrder> } | { readonly problems: readonly Problem[] } {
  const wrong = (message: string): { readonly problems: readonly Problem[] } => {
    const hint = 'Orders are JSON: { "seeds": { "42": { "pods": [...], "nodeRank": [...] } } }, packed with gzip.'
    return { problems: [{ code: 'VALUE_INVALID', message, hint, place: { file, line: 1, column: 1, length: 1 } }] }
  }
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    return wrong(`${file} is not JSON.`)
  }
  const seeds = field(data, 'seeds')
  if (typeof seeds !== 'object' || seeds === null) return wrong(`${file} has no seeds.`)
  const orders = new Map<string, OpenbOrder>()
  for (const [seed, order] of Object.entries(seeds)) {
    const pods = wholeNumbers(field(order, 'pods'))
    const nodeRank = wholeNumbers(field(order, 'nodeRank'))
    if (pods === undefined || nodeRank === undefined)
      return wrong(`Seed ${seed} of ${file} needs whole numbers under pods and nodeRank.`)
    orders.set(seed, { pods, nodeRank })
  }
  return { seeds: orders }
}

/** More cards than any machine has. */
const COUNT_MAX = 1024

const NEEDED = ['name', 'cpu_milli', 'memory_mib', 'num_gpu', 'gpu_milli'] as const

interface Pod {
  readonly name: string
  readonly key: string
  readonly request: Request
  readonly lifetimeS: number | undefined
}

function readPod({ fields, fault }: CsvRow, header: readonly string[]): Pod | string {
  if (fault !== undefined)
    return fault === 'quote' ? 'A quoted field is not closed.' : 'This line has too few or too many fields.'
  const text = (column: string): string => fields[header.indexOf(column)]?.trim() ?? ''
  const amounts = NEEDED.slice(1).map((column) => ({ column, value: wholeNumber(text(column)) }))
  const wrong = amounts.find(({ value }) => value === undefined)
  if (wrong !== undefined) return `\`${wrong.column}\` is not a whole number: ${text(wrong.column)}`
  const [cpuMilli = 0, memoryMib = 0, count = 0, milli = 0] = amounts.map(({ value }) => value ?? 0)
  if (milli > 1000) return `\`gpu_milli\` is more than a card: ${milli}`
  if (count > COUNT_MAX) return `\`num_gpu\` is more than ${COUNT_MAX}: ${count}`
  const models = text('gpu_spec')
    .split('|')
    .filter((model) => model !== '')
  const request: Request = {
    cpuMilli,
    memoryMib,
    diskMib: 0,
    count: milli === 0 ? 0 : count,
    part: count === 0 || milli === 0 || milli === 1000 ? { kind: 'whole' } : { kind: 'share', milli },
    models: models.length === 0 ? undefined : models,
  }
  const [born, gone] = [wholeNumber(text('creation_time')), wholeNumber(text('deletion_time'))]
  const lifetimeS = born === undefined || gone === undefined ? undefined : Math.max(0, gone - born)
  return {
    name: text('name'),
    key: `${cpuMilli} ${memoryMib} ${count} ${milli} ${models.join('|')}`,
    request,
    lifetimeS,
  }
}

function gathered(pods: readonly Pod[]): OpenbPods {
  const requests: Request[] = []
  const indices = new Map<string, number>()
  const of = Int32Array.from(pods, ({ key, request }) => {
    const known = indices.get(key)
    if (known !== undefined) return known
    indices.set(key, requests.length)
    return requests.push(request) - 1
  })
  const hasTimes = pods.every(({ lifetimeS }) => lifetimeS !== undefined)
  return { requests, of, lifetimeS: hasTimes ? Float64Array.from(pods, ({ lifetimeS }) => lifetimeS ?? 0) : undefined }
}

function noColumn(missing: readonly string[], file: string): Problem {
  const message = `A pod list has the columns ${NEEDED.join(',')}; ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing.`
  const hint = 'Optional columns: gpu_spec, creation_time, deletion_time.'
  return { code: 'KEY_MISSING', message, hint, place: { file, line: 1, column: 1, length: 1 } }
}

/** Tables that went through a spreadsheet write `8000.0`. */
function wholeNumber(text: string): number | undefined {
  return /^\d{1,12}(?:\.0*)?$/.test(text) ? Number(text) : undefined
}

function wholeNumbers(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.every((one) => Number.isInteger(one) && one >= 0) ? value : undefined
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
