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

/** Manifests up to this size, nearly all, parse in a few milliseconds on the main thread. */
const SMALL_CHARS = 8 * 1024

/** A manifest that takes longer than this is refused. No reasonable one does, even on a busy machine. */
const LONGEST_MS = 15_000

interface Waiting {
  readonly ask: ParseAsk
  readonly resolve: (read: ReadManifest) => void
  readonly reject: (error: unknown) => void
}

/**
 * Parses manifests; large ones in a separate thread, one after the other, so that one of 256 KB delays only senders of
 * large manifests. The thread starts with the first large manifest.
 */
export class ManifestReader {
  readonly #file: string
  readonly #waiting = new Map<number, Waiting>()
  readonly #longestMs: number
  #worker: Worker | undefined
  #clock: NodeJS.Timeout | undefined
  #asked = 0
  /** Threads that ended by themselves, in a row. After too many, manifests are parsed on the main thread. */
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

  /** Starts the timer of the manifest being parsed: they are parsed in the order of arrival. */
  #wind(): void {
    clearTimeout(this.#clock)
    if (this.#waiting.size === 0) return
    this.#clock = setTimeout(() => this.#giveUp(), this.#longestMs)
    this.#clock.unref()
  }

  #giveUp(): void {
    this.#refuseFirst()
    // When the thread exits, the other manifests go to a new one.
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

  /** Sends the manifests of a lost thread to a new one. After too many losses they are parsed here. */
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
/** Next to this file, or next to the bundle that includes it. */
const WORKER = join(import.meta.dirname, `parse-worker${extname(import.meta.filename)}`)
