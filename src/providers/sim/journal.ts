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

/** The billing truth of a simulated cloud in a file: a line for each change; the last line of an instance counts. */
export class Journal {
  readonly path: string
  #readTo = 0
  #lastMs = Number.NEGATIVE_INFINITY

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.path = join(folder, 'billing.jsonl')
    // A line that a crash cut off must not swallow the next one.
    const size = existsSync(this.path) ? statSync(this.path).size : 0
    if (size > 0 && readFrom(this.path, size - 1, size)[0] !== 0x0a) appendFileSync(this.path, '\n')
  }

  /** The latest time that was written down, by the clock of the cloud. */
  get lastMs(): number {
    return this.#lastMs
  }

  append(instance: CloudInstance, atMs: number): void {
    this.#lastMs = Math.max(this.#lastMs, atMs)
    const line = Buffer.from(`${JSON.stringify(written(instance, atMs))}\n`)
    appendFileSync(this.path, line)
    // Lines that another process has added in between are read again; applying them twice changes nothing.
    if (statSync(this.path).size === this.#readTo + line.length) this.#readTo += line.length
  }

  /** What was added since the last call, by this or another process. Lines cut off by a crash are skipped. */
  news(): readonly CloudInstance[] {
    if (!existsSync(this.path)) return []
    const { size } = statSync(this.path)
    if (size < this.#readTo) this.#readTo = 0
    if (size === this.#readTo) return []
    const text = readFrom(this.path, this.#readTo, size)
    const end = text.lastIndexOf(0x0a) + 1
    this.#readTo += end
    const lines = text.subarray(0, end).toString('utf8').split('\n')
    return lines.flatMap((line) => {
      const read = readLine(line)
      if (read === undefined) return []
      this.#lastMs = Math.max(this.#lastMs, read.atMs)
      return [read.instance]
    })
  }

  /** Rewrites the file with only the lines that count. */
  compact(instances: Iterable<CloudInstance>): void {
    const text = [...instances].map((instance) => `${JSON.stringify(written(instance, this.#lastMs))}\n`).join('')
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

/** JSON has no infinity: an unknown end is null. */
function written(instance: CloudInstance, atMs: number): object {
  return { ...instance, atMs }
}

function readLine(line: string): { readonly instance: CloudInstance; readonly atMs: number } | undefined {
  if (line === '') return undefined
  try {
    const { atMs, ...read } = JSON.parse(line)
    if (typeof read.id !== 'string' || typeof read.tag?.attempt !== 'string') return undefined
    const noted = read.notedForMs === null ? { notedForMs: Infinity } : {}
    const instance = { ...read, ...noted, upMs: read.upMs ?? Infinity, endsMs: read.endsMs ?? Infinity }
    // Earlier versions did not store the time.
    return { instance, atMs: atMs ?? read.createdMs }
  } catch {
    return undefined
  }
}
