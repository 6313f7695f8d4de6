import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Writer } from './writer.ts'

/** A call of the writer, as it is sent to its thread. */
export interface WriterAsk {
  readonly id: number
  readonly call: WriterCall
  readonly values: readonly unknown[]
}

export type WriterAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: WriterFailure }

export interface WriterFailure {
  readonly message: string
  readonly codes: object
}

type WriterCall = keyof Writer

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * The writer of a store, in a thread of its own: commits wait for the disk there. Calls are carried out in the order in which
 * they were made. If the thread is lost, its calls reject, which means that their outcome is unknown, and the next call starts
 * another one.
 */
export class WriterThread {
  readonly #path: string
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #calls = 0

  constructor(path: string) {
    this.#path = path
    this.#worker = this.#start()
  }

  call<C extends WriterCall>(call: C, ...values: Parameters<Writer[C]>): Promise<ReturnType<Writer[C]>> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    const ask: WriterAsk = { id: ++this.#calls, call, values }
    return new Promise((resolve, reject) => {
      // Proven: the thread answers with what the same call of the writer returned.
      this.#waiting.set(ask.id, { resolve: (value) => resolve(value as ReturnType<Writer[C]>), reject })
      // While an answer is due, the process stays.
      if (this.#waiting.size === 1) worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(ask)
    })
  }

  /** After everything that was asked before is done. */
  async close(): Promise<void> {
    const worker = this.#worker
    await this.call('close')
    await worker?.terminate()
  }

  #start(): Worker {
    const execArgv = ['--disable-warning=ExperimentalWarning']
    const worker = new Worker(WORKER, { workerData: this.#path, execArgv })
    worker.on('message', (answer: WriterAnswer) => this.#settle(worker, answer))
    worker.on('error', (error) => this.#lost(worker, error))
    worker.on('exit', () => this.#lost(worker, new Error('the thread that writes the store has ended')))
    worker.unref()
    return worker
  }

  #settle(worker: Worker, answer: WriterAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if (this.#waiting.size === 0) worker.unref()
    if ('failure' in answer) waiting?.reject(Object.assign(new Error(answer.failure.message), answer.failure.codes))
    else waiting?.resolve(answer.value)
  }

  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(error)
  }
}

/** Next to this file, or next to the bundle that includes it. */
const WORKER = join(import.meta.dirname, `writer-worker${extname(import.meta.filename)}`)
