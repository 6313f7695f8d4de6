import type { Change } from '../../core/life/change.ts'
import { isMakingWay } from '../../core/life/move.ts'

/**
 * Workloads of which something has just ended to make way for its own successor. The room, quota and budget that it leaves
 * are theirs first: other workloads look for room after them.
 */
export class Movers {
  readonly #keys = new Set<string>()
  readonly #others = new Set<string>()

  /** Something was written for a workload. */
  wrote(key: string, { placements }: Change): void {
    if (placements.some(isMakingWay)) this.#keys.add(key)
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
