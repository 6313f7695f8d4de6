import { placementKey, type Placement } from '../core/life/placement.ts'
import { steadyAtMs } from '../core/life/reconcile.ts'

/** When each slot was last shown as up: what a leader was told itself, and nothing that somebody wrote down before. */
export class SeenUp {
  readonly #atMs = new Map<string, number>()

  /** By the key of the placement's row. */
  of(key: string): number | undefined {
    return this.#atMs.get(key)
  }

  /** A list that was asked for then shows it as up. True: only now can it be told that it works. */
  take(placement: Placement, issuedMs: number): boolean {
    const key = placementKey(placement)
    const beforeMs = this.#atMs.get(key) ?? 0
    this.#atMs.set(key, issuedMs)
    const steadyMs = steadyAtMs(placement)
    return placement.phase === 'running' && beforeMs < steadyMs && issuedMs >= steadyMs
  }
}
