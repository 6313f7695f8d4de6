import type { FolderEntry } from '../../ports/here.ts'

const BLOCK = 512
const TYPES = { file: '0', folder: '5', link: '2', other: '0' } as const

/** A folder as a tar archive (ustar, with the names that do not fit there in pax records). */
export async function* tarOf(
  entries: Iterable<FolderEntry>,
  sent: (entry: FolderEntry) => void,
): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    yield headOf(entry)
    if (entry.kind === 'file') yield* contentsOf(entry)
    sent(entry)
  }
  yield new Uint8Array(2 * BLOCK)
}

/** Exactly as many bytes as the head says, whatever has become of the file. */
async function* contentsOf({ path, bytes, read }: FolderEntry): AsyncGenerator<Uint8Array> {
  let left = bytes
  for await (const piece of read()) {
    const part = piece.subarray(0, left)
    left -= part.length
    if (part.length > 0) yield part
    if (left === 0) break
  }
  if (left > 0) throw new Error(`${path} became shorter while it was read.`)
  yield new Uint8Array((BLOCK - (bytes % BLOCK)) % BLOCK)
}

/** The head of an entry; before it, what does not fit into it. */
function headOf(entry: FolderEntry): Uint8Array {
  const name = entry.kind === 'folder' ? `${entry.path}/` : entry.path
  const long = [
    ...(isLong(name) ? [record('path', name)] : []),
    ...(isLong(entry.target) ? [record('linkpath', entry.target)] : []),
  ].join('')
  const own = block({ ...entry, name, type: TYPES[entry.kind] })
  if (long === '') return own
  const extra = utf8(long)
  const head = block({ ...entry, name: 'pax', target: '', type: 'x', bytes: extra.length, mode: 0o644 })
  const padded = new Uint8Array(Math.ceil(extra.length / BLOCK) * BLOCK)
  padded.set(extra)
  return joined([head, padded, own])
}

function isLong(name: string): boolean {
  return utf8(name).length > 100
}

/** `length key=value`, where the length counts itself. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const size = utf8(rest).length
  const digits = String(size + String(size).length).length
  return `${size + digits}${rest}`
}

interface Head extends Pick<FolderEntry, 'bytes' | 'mode' | 'changedMs' | 'target'> {
  readonly name: string
  readonly type: string
}

function block({ name, type, bytes, mode, changedMs, target }: Head): Uint8Array {
  const head = new Uint8Array(BLOCK)
  const put = (at: number, text: string, most: number): void => head.set(utf8(text).subarray(0, most), at)
  put(0, name, 100)
  put(100, octal(mode, 7), 7)
  put(108, octal(0, 7), 7)
  put(116, octal(0, 7), 7)
  put(124, octal(bytes, 11), 11)
  put(136, octal(Math.max(0, Math.floor(changedMs / 1000)), 11), 11)
  put(148, ' '.repeat(8), 8)
  put(156, type, 1)
  put(157, target, 100)
  put(257, 'ustar\u000000', 8)
  put(
    148,
    `${octal(
      head.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\u0000 `,
    8,
  )
  return head
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
