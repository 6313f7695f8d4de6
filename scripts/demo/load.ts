import { Agent, get } from 'node:http'

/** What callers have seen since they began, or since some moment. */
export interface Seen {
  readonly sent: number
  readonly failed: number
  readonly longestMs: number
  readonly whyFailed: readonly string[]
}

const CALLERS = 12
/** Each caller rests so long between two requests: a demo leaves room for other programs of the machine. */
const REST_MS = 20
const PATIENCE_MS = 20_000
const WHYS_MAX = 5

/** Callers of some addresses, each of which asks again and again, and never asks twice for the same answer. */
export class Load {
  readonly #agent = new Agent({ keepAlive: true })
  #isOver = false
  #callers: Promise<unknown> = Promise.resolve()
  #sent = 0
  #failed = 0
  #longestMs = 0
  /** Longest since it was last asked for. */
  #recentMs = 0
  readonly #whys: string[] = []

  begin(addresses: readonly string[]): void {
    const callers = Array.from({ length: CALLERS }, (_, index) => this.#call(addresses[index % addresses.length] ?? ''))
    this.#callers = Promise.all(callers)
  }

  get seen(): Seen {
    return { sent: this.#sent, failed: this.#failed, longestMs: this.#longestMs, whyFailed: this.#whys }
  }

  /** The longest request since this was last asked. */
  takeLongestMs(): number {
    const longestMs = this.#recentMs
    this.#recentMs = 0
    return longestMs
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#callers
    this.#agent.destroy()
  }

  async #call(address: string): Promise<void> {
    while (!this.#isOver) {
      const beganMs = performance.now()
      const why = await this.#ask(address)
      const tookMs = performance.now() - beganMs
      this.#sent++
      this.#longestMs = Math.max(this.#longestMs, tookMs)
      this.#recentMs = Math.max(this.#recentMs, tookMs)
      if (why !== undefined) {
        this.#failed++
        if (this.#whys.length < WHYS_MAX) this.#whys.push(`${address}: ${why}`)
      }
      await new Promise((resolve) => setTimeout(resolve, REST_MS))
    }
  }

  /** Undefined: it was answered with 200, to its end. */
  #ask(address: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      const request = get(address, { agent: this.#agent, timeout: PATIENCE_MS }, (reply) => {
        reply.on('error', (error) => resolve(error.message))
        reply.on('end', () => resolve(reply.statusCode === 200 ? undefined : `status ${reply.statusCode}`))
        reply.resume()
      })
      request.on('timeout', () => request.destroy(new Error(`no answer within ${PATIENCE_MS / 1000} s`)))
      request.on('error', (error) => resolve(error.message))
    })
  }
}
