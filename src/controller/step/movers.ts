import type { Change } from '../../core/life/change.ts'
import { isMakingWay } from '../../core/life/move.ts'

/**
 * Workloads of which something has just ended to make way for its own successor. The room, quota and budget that it leaves
 * are theirs first: other workloads look for room after them, and that may be when its provider has been read again.
 */
export class Movers {
  readonly #keys = new Set<string>()
  readonly #others = new Set<string>()
  /** Those that have not found their new place yet. */
  readonly #owed = new Set<string>()

  /** Something was written for a workload. */
  wrote(key: string, { placements }: Change): void {
    if (!placements.some(isMakingWay)) return
    this.#keys.add(key)
    this.#owed.add(key)
  }

  /** Whether a workload has left its room for a new place, and has none yet. */
  isOwed(key: string): boolean {
    return this.#owed.has(key)
  }

  /** It has all the places that it wants, or wants none. */
  settled(key: string): void {
    this.#owed.delete(key)
  }

  /** Whether a workload may look for room now; if not, `looked` names it later. */
  mayLook(key: string): boolean {
    if (this.#keys.size === 0 || this.#keys.has(key)) return true
    this.#others.add(key)
    return false
  }

  /** A workload has had its turn. Returns the workloads that may look now. */
  looked(key: string): readonly string[] {
    if (!this.#keys.delete(key) || this.#keys.size > 0) return []
    const others = [...this.#others]
    this.#others.clear()
    return others
  }
}
