import { Agent, get } from 'node:http'
import { sleep } from '../plane/plane.ts'

const CLIENTS = 10
/** What each client rests between two requests. */
const REST_MS = 100
const FAILURES_TOLD = 20

/** Callers of many services in turn. What they see before `begin` does not count. */
export class Callers {
  readonly #url: string
  readonly #names: readonly string[]
  readonly #stop = new AbortController()
  readonly #calling: readonly Promise<void>[]
  readonly answered = new Set<string>()
  #failures: string[] = []
  #next = 0
  requests = 0
  failed = 0

  constructor(url: string, names: readonly string[]) {
    this.#url = url
    this.#names = names
    this.#calling = Array.from({ length: CLIENTS }, () => this.#call())
  }

  /** The first failures in words. */
  get failures(): readonly string[] {
    return this.#failures
  }

  begin(): void {
    this.requests = 0
    this.failed = 0
    this.#failures = []
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#calling)
  }

  async #call(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!this.#stop.signal.aborted) {
      const name = this.#names[this.#next++ % this.#names.length] ?? ''
      this.requests++
      const why = await answerOf(`${this.#url}/default/${name}/`, agent)
      if (why === '') this.answered.add(name)
      else {
        this.failed++
        if (this.#failures.length < FAILURES_TOLD) this.#failures.push(`${new Date().toISOString()} ${name} ${why}`)
      }
      await sleep(REST_MS)
    }
    agent.destroy()
  }
}

/** What went wrong; empty: nothing. */
function answerOf(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const asked = get(url, { agent, timeout: 30_000 }, (response) => {
      let text = ''
      response.on('data', (piece: Buffer) => (text += piece.toString('latin1')))
      response.on('close', () =>
        resolve(response.complete && response.statusCode === 200 ? '' : `${response.statusCode} ${text.slice(0, 200)}`),
      )
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer in time')))
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
}
