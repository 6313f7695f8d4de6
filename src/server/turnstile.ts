import type { Principal } from '../service/deps.ts'

/** Requests of one caller that are begun in one turn of the thread: about three milliseconds of work. */
export const PASS_MOST = 32

/**
 * What comes in at once is begun in several turns, so that hundreds of requests of one caller hold up nobody else. Each
 * caller has a queue, and administrators of the installation never wait.
 */
export class Turnstile {
  readonly #passed = new Map<string, number>()
  readonly #waiting = new Map<string, (() => void)[]>()
  #isTurning = false

  /** Ends when the request may go on; undefined: at once. */
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
      await new Promise((resolve) => setImmediate(resolve))
      this.#passed.clear()
      for (const [name, queue] of this.#waiting) {
        const next = queue.splice(0, PASS_MOST)
        for (const go of next) go()
        // Who comes now stands behind those who wait.
        this.#passed.set(name, queue.length > 0 ? PASS_MOST : next.length)
        if (queue.length === 0) this.#waiting.delete(name)
      }
    } while (this.#passed.size > 0)
    this.#isTurning = false
  }
}
