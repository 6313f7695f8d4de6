import { printable } from '../../document/look-up.ts'
import type { Layout } from '../layout.ts'
import { CARDS_MAX } from './card-mask.ts'
import { nvlinkGbps, pcieGbps, type PciePath, type RateFacts } from './rates.ts'
import { pcieSwitches, type Relation } from './pcie-switches.ts'
import { wire } from './wire.ts'

/** The outcome of reading a matrix. */
export type MatrixAnswer =
  | { readonly kind: 'layout'; readonly layout: Layout }
  | {
      readonly kind: 'problem'
      /** Counted from 1. */
      readonly line: number
      /** One sentence that says what is wrong. */
      readonly message: string
    }

/**
 * Reads the output of `nvidia-smi topo -m`, with its tabs or with spaces after copying. `facts` tells how fast the cards'
 * links are. The output does not show the PCIe path between cards with NVLink; only NICs reveal a switch that they
 * share.
 */
export function readMatrix(text: string, facts: RateFacts | undefined): MatrixAnswer {
  if (text.length > TEXT_MAX) return problem(1, `this is longer than ${TEXT_MAX} characters`)
  const lines = text.split('\n').map((line) => line.replaceAll(STYLING, '').trimEnd())
  const head = readHead(lines)
  if (head.kind === 'problem') return head
  const body = readRows(lines, head)
  if (body.kind === 'problem') return body
  const skewed = findSkewed(head, body.rows)
  return skewed ?? { kind: 'layout', layout: layoutFrom({ head, rows: body.rows, nics: nicNames(lines), facts }) }
}

interface MatrixProblem {
  readonly kind: 'problem'
  readonly line: number
  readonly message: string
}

/** The line that names the devices. */
interface Head {
  readonly kind: 'head'
  readonly line: number
  /** Cards first, in the order of the text. */
  readonly devices: readonly string[]
  readonly cards: number
  /** How many columns follow the devices: CPU affinity, NUMA affinity, NUMA id. */
  readonly tail: number
}

interface Row {
  readonly line: number
  readonly relations: readonly Relation[]
  readonly numa: number | undefined
}

const TEXT_MAX = 1_000_000
const DEVICES_MAX = 256
const NUMA_COLUMN = 1

/** Terminal codes for underlines and colours. */
const STYLING = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

const CARD = /^GPU(\d{1,3})$/
const DEVICE = /^[\w.:@-]{1,64}$/
const TAIL = /\s*\bCPU Affinity\b.*$/
const PATHS: ReadonlyMap<string, PciePath> = new Map([
  ['PSB', 'PSB'],
  ['PIX', 'PIX'],
  ['PXB', 'PXB'],
  ['PHB', 'PHB'],
  ['NODE', 'NODE'],
  ['SYS', 'SYS'],
  // The name of the path to the other socket in older drivers.
  ['SOC', 'SYS'],
])

function problem(line: number, message: string): MatrixProblem {
  return { kind: 'problem', line, message }
}

function readHead(lines: readonly string[]): Head | MatrixProblem {
  const at = lines.findIndex((line) => CARD.test(wordsOf(line)[0] ?? ''))
  const line = at + 1
  const text = lines[at]
  if (text === undefined) return problem(1, 'no line names the cards (GPU0, GPU1, ...)')
  const devices = wordsOf(text.replace(TAIL, ''))
  if (devices[1] !== undefined && readRelation(devices[1]) !== undefined) {
    return problem(line, `the header line that names the cards is missing above the row of ${quoted(devices[0])}`)
  }
  const cards = devices.filter((device) => CARD.test(device)).length
  if (cards > CARDS_MAX) return problem(line, `there are ${cards} cards; at most ${CARDS_MAX} are supported`)
  if (devices.length > DEVICES_MAX)
    return problem(line, `there are ${devices.length} devices; at most ${DEVICES_MAX} are supported`)
  const wrong = devices.findIndex((device, index) => index < cards && device !== `GPU${index}`)
  if (wrong >= 0) return problem(line, `expected GPU${wrong}, found ${quoted(devices[wrong])}`)
  const strange = devices.find((device) => !DEVICE.test(device))
  if (strange !== undefined) return problem(line, `${quoted(strange)} is not the name of a device`)
  const twice = devices.find((device, index) => devices.indexOf(device) < index)
  if (twice !== undefined) return problem(line, `${quoted(twice)} is named twice`)
  const tail = TAIL.exec(text)?.[0].match(/CPU Affinity|NUMA Affinity|GPU NUMA ID|NUMA/g)?.length ?? 0
  return { kind: 'head', line, devices, cards, tail }
}

function readRows(lines: readonly string[], head: Head): MatrixProblem | { kind: 'rows'; rows: readonly Row[] } {
  const rows: Row[] = []
  for (let at = head.line; at < lines.length && rows.length < head.devices.length; at++) {
    const text = lines[at] ?? ''
    if (text.trim() === '') continue
    const row = readRow(text, { head, index: rows.length, line: at + 1 })
    if ('kind' in row) return row
    rows.push(row)
  }
  const missing = head.devices[rows.length]
  if (missing !== undefined) return problem(lines.length, `the text ends before the row of ${missing}`)
  return { kind: 'rows', rows }
}

function readRow(
  text: string,
  { head, index, line }: { readonly head: Head; readonly index: number; readonly line: number },
): Row | MatrixProblem {
  const { devices, cards } = head
  const [name, ...words] = wordsOf(text)
  if (name !== devices[index]) return problem(line, `expected the row of ${devices[index]}, found ${quoted(name)}`)
  const relations: Relation[] = []
  for (const [column, device] of devices.entries()) {
    const word = words[column]
    if (word === undefined) return problem(line, `there is no value in column ${device}`)
    const relation = readRelation(word)
    if (relation === undefined) return problem(line, `${quoted(word)} in column ${device} is not a kind of link`)
    if ((relation.kind === 'self') !== (column === index)) {
      return problem(line, `${quoted(word)} in column ${device}: X belongs on the diagonal, and only there`)
    }
    relations.push(relation)
  }
  const numa = index < cards ? readNuma(tailOf(text, head)) : undefined
  if (typeof numa === 'string') return problem(line, `${quoted(numa)} is not a NUMA node`)
  return { line, relations, numa }
}

function readRelation(word: string): Relation | undefined {
  if (word === 'X') return { kind: 'self' }
  if (word === 'N/A') return { kind: 'unknown' }
  const path = PATHS.get(word)
  if (path !== undefined) return { kind: 'pcie', path }
  const links = /^NV([1-9]\d?)$/.exec(word)?.[1]
  return links === undefined ? undefined : { kind: 'nvlink', links: Number(links) }
}

/** The fields after the devices. Tabs keep empty fields in place; with spaces, only a full row can be read. */
function tailOf(text: string, { devices, tail }: Head): readonly string[] {
  const fields = text.trimStart().split('\t')
  if (fields.length > devices.length) return fields.slice(devices.length + 1).map((field) => field.trim())
  const rest = wordsOf(text).slice(devices.length + 1)
  return rest.length === tail ? rest : []
}

/** A number; undefined if there is none or several; the text itself if it is neither. */
function readNuma(tail: readonly string[]): number | string | undefined {
  const text = tail[NUMA_COLUMN] ?? ''
  if (text === '' || text === 'N/A' || /^\d{1,4}([-,]\d{1,4})+$/.test(text)) return undefined
  return /^\d{1,4}$/.test(text) ? Number(text) : text
}

/** A path is the same in both directions. */
function findSkewed({ devices }: Head, rows: readonly Row[]): MatrixProblem | undefined {
  for (const [one, row] of rows.entries()) {
    for (const [two, relation] of row.relations.slice(0, one).entries()) {
      const back = rows[two]?.relations[one]
      if (JSON.stringify(back) === JSON.stringify(relation)) continue
      return problem(
        row.line,
        `${devices[one]} to ${devices[two]} is not the same as ${devices[two]} to ${devices[one]}`,
      )
    }
  }
  return undefined
}

/** `NIC0: mlx5_0` below the matrix. */
function nicNames(lines: readonly string[]): ReadonlyMap<string, string> {
  const found = lines.flatMap((line): readonly (readonly [string, string])[] => {
    const [, nic, name] = /^\s*(NIC\d{1,3}):\s*([\w.:@-]{1,64})$/.exec(line) ?? []
    return nic === undefined || name === undefined ? [] : [[nic, name]]
  })
  return new Map(found)
}

function layoutFrom(matrix: {
  readonly head: Head
  readonly rows: readonly Row[]
  readonly nics: ReadonlyMap<string, string>
  readonly facts: RateFacts | undefined
}): Layout {
  const { head, rows, nics, facts } = matrix
  const switches = pcieSwitches(
    rows.map(({ relations }) => relations),
    head.cards,
  )
  return wire({
    kind: 'matrix',
    cards: head.cards,
    gbps: (one, two) => speedOf(rows[one]?.relations[two], facts),
    numa: (card) => rows[card]?.numa,
    pcieSwitch: (card) => switches[card],
    nics: head.devices.slice(head.cards).map((device, at) => ({
      name: nics.get(device) ?? device,
      numa: numaBeside(rows[head.cards + at], rows.slice(0, head.cards)),
      pcieSwitch: switches[head.cards + at],
    })),
  })
}

function speedOf(relation: Relation | undefined, facts: RateFacts | undefined): number {
  if (relation?.kind === 'nvlink') return relation.links * nvlinkGbps(facts)
  return relation?.kind === 'pcie' ? pcieGbps(relation.path, facts) : 0
}

/** A NIC is in the NUMA node of the cards that it reaches without crossing to another socket. */
function numaBeside(nic: Row | undefined, cards: readonly Row[]): number | undefined {
  return cards.find((_, card) => {
    const relation = nic?.relations[card]
    return relation?.kind === 'pcie' && relation.path !== 'SYS'
  })?.numa
}

function wordsOf(line: string): readonly string[] {
  const trimmed = line.trim()
  return trimmed === '' ? [] : trimmed.split(/\s+/)
}

/** A word of the input in a form that is safe in a message. */
function quoted(word: string | undefined): string {
  return `"${printable(word ?? '')}"`
}
