import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { manifestFrom } from './cli/inputs.ts'
import type { Manifest } from './core/manifest/manifest.ts'
import { UserError, type SourcedProblem } from './core/problem.ts'

export interface ParseAsk {
  readonly id: number
  readonly text: string
  readonly file: string
}

export type ParseAnswer =
  | { readonly id: number; readonly manifest: Manifest }
  | { readonly id: number; readonly problems: readonly SourcedProblem[] }
  | { readonly id: number; readonly failure: string }

/** Up to this a manifest is read in a few milliseconds, where it is asked for. Nearly all are. */
const SMALL_CHARS = 8 * 1024

interface Waiting {
  readonly ask: ParseAsk
  readonly resolve: (manifest: Manifest) => void
  readonly reject: (error: unknown) => void
}

/**
 * Reads manifests; large ones in a thread of their own, one after the other, so that reading one of 256 KB holds up nobody
 * but those who send such. The thread starts from the sources, as the solver's does, with the first that is large.
 */
export class ManifestReader {
  readonly #file: string
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #asked = 0

  constructor(file = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'up-parse-worker.ts')) {
    this.#file = file
  }

  /** Throws or rejects with a UserError that has every problem in it. */
  read(text: string, file: string): Manifest | Promise<Manifest> {
    if (text.length <= SMALL_CHARS) return manifestFrom({ text, file })
    return new Promise((resolve, reject) => {
      const ask = { id: ++this.#asked, text, file }
      this.#waiting.set(ask.id, { ask, resolve, reject })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#thread().postMessage(ask)
    })
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
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
    if (waiting === undefined) return
    if ('manifest' in answer) waiting.resolve(answer.manifest)
    else waiting.reject('problems' in answer ? new UserError(answer.problems) : new Error(answer.failure))
  }

  /** A thread that ends by itself takes nobody's manifest along: those are read here, and the next large one starts another. */
  #lost(): void {
    this.#worker = undefined
    for (const [id, { ask, resolve, reject }] of this.#waiting) {
      this.#waiting.delete(id)
      try {
        resolve(manifestFrom(ask))
      } catch (error) {
        reject(error)
      }
    }
  }
}
