import { fingerprint } from '../core/offer/hash.ts'
import type { Groups, Rows, Snapshot } from '../core/offer/snapshot.ts'
import { packFleets, unpackFleets, type PackedFleets } from './snapshot-fleets.ts'

/**
 * A snapshot as bytes: a header in JSON with everything that is shared, then the columns as they are in memory. Opening
 * one copies no rows, so it takes milliseconds whatever its size.
 *
 *     magic (8) · header length (4) · row count (4) · group count (4) · zero (4) · digest of the rest (16) · header · columns
 */
export function encodeSnapshot(snapshot: Snapshot): Uint8Array {
  const { version, machines, sites, states, strings, fleets } = snapshot
  const packed = fleets.length === 0 ? undefined : packFleets(fleets)
  const content = JSON.stringify({ version, machines, sites, states, strings, fleets: packed })
  const header = padded(new TextEncoder().encode(content))
  const columns = columnsOf(snapshot).map((column) => padded(bytesOf(column)))
  const bytes = new Uint8Array(PREAMBLE + header.length + columns.reduce((sum, column) => sum + column.length, 0))
  bytes.set(new TextEncoder().encode(MAGIC), 0)
  const view = new DataView(bytes.buffer)
  view.setUint32(8, header.length, true)
  view.setUint32(12, snapshot.rows.instance.length, true)
  view.setUint32(16, snapshot.groups.machine.length, true)
  let at = PREAMBLE
  for (const part of [header, ...columns]) {
    bytes.set(part, at)
    at += part.length
  }
  bytes.set(new TextEncoder().encode(digest(bytes)), 24)
  return bytes
}

/** Whether the bytes start like a snapshot. */
export function isSnapshot(bytes: Uint8Array): boolean {
  return MAGIC.split('').every((letter, index) => bytes[index] === letter.charCodeAt(0))
}

/** The snapshot; undefined when the bytes are truncated or changed. */
export function decodeSnapshot(file: Uint8Array): Snapshot | undefined {
  if (!isSnapshot(file) || file.length < PREAMBLE) return undefined
  // Columns are read in place, which needs an aligned start.
  const bytes = file.byteOffset % 8 === 0 ? file : new Uint8Array(file)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const headerLength = view.getUint32(8, true)
  const sizes = { rows: view.getUint32(12, true), groups: view.getUint32(16, true) }
  if (bytes.length !== PREAMBLE + headerLength + columnBytes(sizes)) return undefined
  if (new TextDecoder().decode(bytes.subarray(24, 40)) !== digest(bytes)) return undefined
  const text = new TextDecoder().decode(bytes.subarray(PREAMBLE, PREAMBLE + headerLength)).trimEnd()
  // The digest proves that this is the header that was written.
  const header = JSON.parse(text) as Header
  const fleets = header.fleets === undefined ? [] : unpackFleets(header.fleets)
  return { ...header, fleets, ...readColumns(bytes, PREAMBLE + headerLength, sizes) }
}

const MAGIC = 'BERTHSN1'
const PREAMBLE = 40

interface Header extends Omit<Snapshot, 'groups' | 'rows' | 'fleets'> {
  /** Left out where there are none. */
  readonly fleets?: PackedFleets
}

interface Sizes {
  readonly rows: number
  readonly groups: number
}

function columnsOf({ groups, rows }: Snapshot): readonly (Uint32Array | Float64Array)[] {
  return [
    groups.machine,
    groups.site,
    groups.state,
    groups.start,
    rows.instance,
    rows.zone,
    rows.id,
    rows.usdPerHour,
    rows.spotUsdPerHour,
  ]
}

function readColumns(bytes: Uint8Array, from: number, sizes: Sizes): { groups: Groups; rows: Rows } {
  let at = bytes.byteOffset + from
  const words = (count: number): Uint32Array => {
    const column = new Uint32Array(bytes.buffer, at, count)
    at += roundUp(count * 4)
    return column
  }
  const numbers = (count: number): Float64Array => {
    const column = new Float64Array(bytes.buffer, at, count)
    at += count * 8
    return column
  }
  const groups = {
    machine: words(sizes.groups),
    site: words(sizes.groups),
    state: words(sizes.groups),
    start: words(sizes.groups + 1),
  }
  const rows = {
    instance: words(sizes.rows),
    zone: words(sizes.rows),
    id: words(sizes.rows),
    usdPerHour: numbers(sizes.rows),
    spotUsdPerHour: numbers(sizes.rows),
  }
  return { groups, rows }
}

function columnBytes({ rows, groups }: Sizes): number {
  return 3 * roundUp(groups * 4) + roundUp((groups + 1) * 4) + 3 * roundUp(rows * 4) + 2 * rows * 8
}

function digest(bytes: Uint8Array): string {
  const print = fingerprint()
  print.words(new Uint32Array(bytes.buffer, bytes.byteOffset + 8, 4))
  print.words(new Uint32Array(bytes.buffer, bytes.byteOffset + PREAMBLE, (bytes.length - PREAMBLE) / 4))
  return print.digest()
}

function bytesOf(column: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
}

/** Spaces at the end of JSON and zeros at the end of a column change nothing. */
function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(roundUp(bytes.length)).fill(32)
  whole.set(bytes)
  return whole
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / 8) * 8
}
