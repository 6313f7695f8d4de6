import { nextTurn } from '../ports/turn.ts'
import type { Principal } from '../service/deps.ts'

/** How many requests of one caller start in one turn of the thread: about three milliseconds of work. */
export const PASS_MOST = 32

/**
 * Starts requests that arrive together over several turns of the thread, so that hundreds of requests of one caller do
 * not delay others. Each caller has a queue; administrators of the installation never wait.
 */
export class Turnstile {
  readonly #passed = new Map<string, number>()
  readonly #waiting = new Map<string, (() => void)[]>()
  #isTurning = false

  /** Resolves when the request may start; undefined: at once. */
  pass({ name, role, projects }: Pick<Principal, 'name' | 'role' | 'projects'>): Promise<void> | undefined {
    if (role === 'admin' && projects.includes('*')) return undefined
    if (!this.#isTurning) void this.#turn()
    const passed = this.#passed.get(name) ?? 0
    this.#passed.set(name, passed + 1)
    if (passed < PASS_MOST) return undefined
    return new Promise((resolve) => {
      const queue = this.#waiting.get(name) ?? []
      this.#waiting.set(name, queue)
      queue.push(resolve)
    })
  }

  async #turn(): Promise<void> {
    this.#isTurning = true
    do {
      await nextTurn()
      this.#passed.clear()
      for (const [name, queue] of this.#waiting) {
        const next = queue.splice(0, PASS_MOST)
        for (const go of next) go()
        // New requests queue behind those that wait.
        this.#passed.set(name, queue.length > 0 ? PASS_MOST : next.length)
        if (queue.length === 0) this.#waiting.delete(name)
      }
    } while (this.#passed.size > 0)
    this.#isTurning = false
  }
}
