import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { readManifest } from '../cli/inputs.ts'
import type { ReadManifest } from '../core/manifest/parse.ts'
import { UserError, type SourcedProblem } from '../core/base/problem.ts'

export interface ParseAsk {
  readonly id: number
  readonly text: string
  readonly file: string
}

export type ParseAnswer =
  | ({ readonly id: number } & ReadManifest)
  | { readonly id: number; readonly problems: readonly SourcedProblem[] }
  | { readonly id: number; readonly failure: string }

/** Up to this a manifest is read in a few milliseconds, where it is asked for. Nearly all are. */
const SMALL_CHARS = 8 * 1024

/** Nobody's manifest takes longer than this, on a machine however busy; one that does is refused, and the others go on. */
const LONGEST_MS = 15_000

interface Waiting {
  readonly ask: ParseAsk
  readonly resolve: (read: ReadManifest) => void
  readonly reject: (error: unknown) => void
}

/**
 * Reads manifests; large ones in a thread of their own, one after the other, so that reading one of 256 KB holds up nobody
 * but those who send such. The thread starts with the first that is large.
 */
export class ManifestReader {
  readonly #file: string
  readonly #waiting = new Map<number, Waiting>()
  readonly #longestMs: number
  #worker: Worker | undefined
  #clock: NodeJS.Timeout | undefined
  #asked = 0
  /** Threads that ended by themselves, in a row: where none can be had, manifests are read here. */
  #losses = 0

  constructor({ file = WORKER, longestMs = LONGEST_MS }: { readonly file?: string; readonly longestMs?: number } = {}) {
    this.#file = file
    this.#longestMs = longestMs
  }

  /** Throws or rejects with a UserError that has every problem in it. */
  read(text: string, file: string): ReadManifest | Promise<ReadManifest> {
    if (text.length <= SMALL_CHARS) return readManifest({ text, file })
    return new Promise((resolve, reject) => {
      const ask = { id: ++this.#asked, text, file }
      this.#waiting.set(ask.id, { ask, resolve, reject })
      this.#send(ask)
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#clock)
    await this.#worker?.terminate()
  }

  #send(ask: ParseAsk): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#thread().postMessage(ask)
    if (this.#waiting.size === 1) this.#wind()
  }

  /** The time of the one that is being read begins: they are read in the order in which they came. */
  #wind(): void {
    clearTimeout(this.#clock)
    if (this.#waiting.size === 0) return
    this.#clock = setTimeout(() => this.#giveUp(), this.#longestMs)
    this.#clock.unref()
  }

  #giveUp(): void {
    this.#refuseFirst()
    // Its end sends the others to another thread.
    void this.#worker?.terminate()
  }

  #refuseFirst(): void {
    const [first] = this.#waiting.values()
    if (first === undefined) return
    this.#waiting.delete(first.ask.id)
    const { file, text } = first.ask
    const message = `${file} (${text.length} characters) could not be read in ${this.#longestMs / 1000} s.`
    const hint = 'Make it smaller: shorter lines, fewer keys, or several workloads.'
    first.reject(new UserError([{ code: 'MANIFEST_TOO_SLOW', message, hint }]))
  }

  #thread(): Worker {
    if (this.#worker !== undefined) return this.#worker
    const worker = new Worker(this.#file, { execArgv: ['--disable-warning=ExperimentalWarning'] })
    worker.on('message', (answer: ParseAnswer) => this.#settle(answer))
    worker.on('error', () => undefined)
    worker.on('exit', () => this.#lost())
    worker.unref()
    this.#worker = worker
    return worker
  }

  #settle(answer: ParseAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    this.#losses = 0
    this.#wind()
    if (waiting === undefined) return
    if ('manifest' in answer) waiting.resolve({ manifest: answer.manifest, warnings: answer.warnings })
    else waiting.reject('problems' in answer ? new UserError(answer.problems) : new Error(answer.failure))
  }

  /** A thread that ends takes nobody's manifest along but the one that it could not read; where none can be had, they are read here. */
  #lost(): void {
    this.#worker = undefined
    const others = [...this.#waiting.values()]
    if (++this.#losses < LOSSES_MAX) {
      for (const { ask } of others) this.#send(ask)
      return this.#wind()
    }
    for (const { ask, resolve, reject } of others) {
      this.#waiting.delete(ask.id)
      try {
        resolve(readManifest(ask))
      } catch (error) {
        reject(error)
      }
    }
  }
}

const LOSSES_MAX = 3
/** Beside this file, or beside the bundle that this file is part of. */
const WORKER = join(import.meta.dirname, `parse-worker${extname(import.meta.filename)}`)
