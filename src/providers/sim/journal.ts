import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  closeSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { CloudInstance } from './cloud.ts'

/** The billing truth of a simulated cloud in a file: a line for each change, the last one of an instance counts. */
export class Journal {
  readonly path: string
  #readTo = 0

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.path = join(folder, 'billing.jsonl')
    // A line that a crash cut off must not swallow the next one.
    const size = existsSync(this.path) ? statSync(this.path).size : 0
    if (size > 0 && readFrom(this.path, size - 1, size)[0] !== 0x0a) appendFileSync(this.path, '\n')
  }

  append(instance: CloudInstance): void {
    const line = Buffer.from(`${JSON.stringify(written(instance))}\n`)
    appendFileSync(this.path, line)
    // What somebody else has added in between is read again, and changes nothing twice.
    if (statSync(this.path).size === this.#readTo + line.length) this.#readTo += line.length
  }

  /** What was added since the last time, by this process or by another one. Lines that were cut off by a crash are passed over. */
  news(): readonly CloudInstance[] {
    if (!existsSync(this.path)) return []
    const { size } = statSync(this.path)
    if (size < this.#readTo) this.#readTo = 0
    if (size === this.#readTo) return []
    const text = readFrom(this.path, this.#readTo, size)
    const end = text.lastIndexOf(0x0a) + 1
    this.#readTo += end
    return text
      .subarray(0, end)
      .toString('utf8')
      .split('\n')
      .flatMap((line) => readLine(line) ?? [])
  }

  /** Writes the file anew with nothing but what counts. */
  compact(instances: Iterable<CloudInstance>): void {
    const text = [...instances].map((instance) => `${JSON.stringify(written(instance))}\n`).join('')
    writeFileSync(`${this.path}.new`, text)
    renameSync(`${this.path}.new`, this.path)
    this.#readTo = Buffer.byteLength(text)
  }
}

function readFrom(path: string, from: number, to: number): Buffer {
  const buffer = Buffer.alloc(to - from)
  const file = openSync(path, 'r')
  try {
    const read = readSync(file, buffer, 0, buffer.length, from)
    return buffer.subarray(0, read)
  } finally {
    closeSync(file)
  }
}

/** JSON knows no infinity: an end that is not in sight is null. */
function written(instance: CloudInstance): object {
  return { ...instance, endsMs: Number.isFinite(instance.endsMs) ? instance.endsMs : null }
}

function readLine(line: string): CloudInstance | undefined {
  if (line === '') return undefined
  try {
    const read = JSON.parse(line)
    if (typeof read?.id !== 'string' || typeof read?.tag?.attempt !== 'string') return undefined
    return { ...read, endsMs: read.endsMs ?? Infinity }
  } catch {
    return undefined
  }
}
