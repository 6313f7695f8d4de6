import { spawn } from 'node:child_process'

/** How many paths one child removes: its arguments must fit. */
const BATCH = 200

/** Removes trees of any size in another process, so that this one is not blocked. Leftovers are requested again later. */
export class Remover {
  readonly #waiting = new Set<string>()
  #isBusy = false

  remove(path: string): void {
    this.#waiting.add(path)
    if (!this.#isBusy) this.#next()
  }

  #next(): void {
    const paths = [...this.#waiting].slice(0, BATCH)
    this.#isBusy = paths.length > 0
    if (!this.#isBusy) return
    for (const path of paths) this.#waiting.delete(path)
    try {
      // A link is removed, never its target.
      const child = spawn('rm', ['-rf', '--', ...paths], { stdio: 'ignore', detached: true })
      child.once('error', () => this.#next())
      child.once('exit', () => this.#next())
      child.unref()
    } catch {
      this.#isBusy = false
    }
  }
}
