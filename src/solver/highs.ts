import type { Worker } from 'node:worker_threads'
import type { Solved, SolveOptions, Solver } from '../ports/solver.ts'
import type { Assignment, Report } from './messages.ts'

/** HiGHS checks its time limit only occasionally: a thread that exceeds it by this much is terminated. */
const GRACE_MS = 250

/**
 * HiGHS in worker threads that start from a file: worker.ts, or its bundle. Nothing is loaded before the first solve.
 * One thread is kept for the next solve and does not keep the process alive.
 */
export function highsSolver(file: string): Solver {
  const busy = new Set<Run>()
  let spare: Worker | undefined
  return {
    async solve(program, options) {
      if (options.signal?.aborted === true) return { kind: 'aborted' }
      const worker = spare ?? startThread(file)
      spare = undefined
      const run = new Run(worker)
      busy.add(run)
      try {
        return await run.solve(program, options)
      } finally {
        busy.delete(run)
        if (run.isReusable && spare === undefined) spare = worker
        else void worker.terminate()
      }
    },
    async close() {
      const idle = spare
      spare = undefined
      await Promise.all([idle?.terminate(), ...[...busy].map((run) => run.stop())])
    },
  }
}

function startThread(file: string): Worker {
  // The startup snapshot contains no threads, so the module is loaded when it is needed.
  const threads = process.getBuiltinModule('node:worker_threads')
  const worker = new threads.Worker(file, { execArgv: ['--disable-warning=ExperimentalWarning'] })
  // A caller that waits gets the error; an error that comes later must not end the process.
  return worker.on('error', () => {})
}

/** One solve in one thread. */
class Run {
  /** Whether the thread still exists and waits for work. */
  isReusable = false
  readonly #worker: Worker
  readonly #ended = Promise.withResolvers<Solved>()
  #best: Solved = { kind: 'out-of-time' }

  constructor(worker: Worker) {
    this.#worker = worker
  }

  async solve(program: string, { signal, ...options }: SolveOptions): Promise<Solved> {
    const assignment: Assignment = { ...options, program, askedMs: Date.now() }
    const onAbort = (): void => this.#end({ kind: 'aborted' })
    const timer = setTimeout(() => this.#end(this.#best), options.limitMs + GRACE_MS)
    this.#worker.on('message', this.#onReport)
    this.#worker.on('error', this.#onError)
    this.#worker.on('exit', this.#onExit)
    signal?.addEventListener('abort', onAbort)
    this.#worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(assignment)
    try {
      return await this.#ended.promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      this.#worker.off('message', this.#onReport)
      this.#worker.off('error', this.#onError)
      this.#worker.off('exit', this.#onExit)
      this.#worker.unref()
    }
  }

  async stop(): Promise<void> {
    this.#end({ kind: 'aborted' })
    await this.#worker.terminate()
  }

  #end(solved: Solved): void {
    this.#ended.resolve(solved)
  }

  readonly #onReport = ({ solved, isLast }: Report): void => {
    this.#best = solved
    if (!isLast) return
    this.isReusable = true
    this.#ended.resolve(solved)
  }

  readonly #onError = (error: unknown): void => this.#ended.reject(error)

  readonly #onExit = (): void => this.#ended.reject(new Error('the thread of the solver has ended'))
}
