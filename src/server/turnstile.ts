import { nextTurn } from '../ports/turn.ts'
import type { Principal } from '../service/deps.ts'

/** How many requests start in one turn of the thread: a few milliseconds of work. */
export const PASS_MOST = 8

/** What decides when a request may start. */
export interface RequestInLine {
  readonly actor: Pick<Principal, 'name' | 'role' | 'projects'>
  /** Whether it changes nothing. */
  readonly isRead: boolean
}

/**
 * Starts requests that arrive together over several turns of the thread, so that the controller and everyone else get
 * theirs in between. Reads and changes start alternately, whatever there is more of. Among each of them administrators of the
 * installation come first, then one request of each caller in turn.
 */
export class Turnstile {
  readonly #reads = new FairQueue()
  readonly #changes = new FairQueue()
  #passed = 0
  #isTurning = false

  /** Resolves when the request may start; undefined: at once. */
  pass({ actor, isRead }: RequestInLine): Promise<void> | undefined {
    if (!this.#isTurning) void this.#turn()
    const queue = isRead ? this.#reads : this.#changes
    if (queue.isEmpty && this.#passed < PASS_MOST) {
      this.#passed++
      return undefined
    }
    return new Promise((resolve) => queue.add(actor, resolve))
  }

  async #turn(): Promise<void> {
    this.#isTurning = true
    do {
      await nextTurn()
      this.#passed = 0
      while (this.#passed < PASS_MOST && !(this.#reads.isEmpty && this.#changes.isEmpty)) {
        for (const queue of [this.#reads, this.#changes]) {
          const start = queue.next()
          if (start === undefined) continue
          this.#passed++
          start()
        }
      }
    } while (this.#passed > 0)
    this.#isTurning = false
  }
}

type Start = () => void

/** Those who wait: administrators first, then one of each caller in turn. */
class FairQueue {
  readonly #first: Start[] = []
  /** By caller, in the order of their turns; none is empty. */
  readonly #others = new Map<string, Start[]>()

  get isEmpty(): boolean {
    return this.#first.length + this.#others.size === 0
  }

  add({ name, role, projects }: RequestInLine['actor'], start: Start): void {
    if (role === 'admin' && projects.includes('*')) {
      this.#first.push(start)
      return
    }
    const mine = this.#others.get(name)
    if (mine === undefined) this.#others.set(name, [start])
    else mine.push(start)
  }

  next(): Start | undefined {
    const first = this.#first.shift()
    if (first !== undefined) return first
    for (const [name, mine] of this.#others) {
      const start = mine.shift()
      // Its next turn comes after all others.
      this.#others.delete(name)
      if (mine.length > 0) this.#others.set(name, mine)
      return start
    }
    return undefined
  }
}
