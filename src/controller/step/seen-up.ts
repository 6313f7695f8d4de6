import { placementKey, type Placement } from '../../core/life/placement.ts'
import { STEADY_MS } from '../../core/life/call/pace.ts'
import { steadyAtMs } from '../../core/life/succession.ts'

/** When each slot was last shown as up, as this leader itself has seen it; nothing that was written down before counts. */
export class SeenUp {
  readonly #atMs = new Map<string, number>()

  /** By the key of the placement's row. */
  of(key: string): number | undefined {
    return this.#atMs.get(key)
  }

  /** A list requested at that time shows it as up. True: this is the first proof that it is well, or that it works. */
  take(placement: Placement, issuedMs: number): boolean {
    const key = placementKey(placement)
    const beforeMs = this.#atMs.get(key) ?? 0
    this.#atMs.set(key, issuedMs)
    const steadyMs = steadyAtMs(placement)
    const isFirst = (ms: number): boolean => beforeMs < ms && issuedMs >= ms
    return placement.phase === 'running' && (isFirst(steadyMs) || isFirst(steadyMs - STEADY_MS))
  }
}
