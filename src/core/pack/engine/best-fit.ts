import { must } from '../../base/assert.ts'
import type { Kind } from './kinds.ts'
import type { CardChange, PackingInput, MakePolicy, PackingPolicy } from './policy.ts'
import { code, int, real } from './read.ts'

/** The largest machine of the published comparison; its scores are relative to it. */
const CPU_MOST = 128_000
const GPU_MOST = 8000

/** The node with the least spare CPU and GPU, and on it the card with the least; as published. For comparison. */
export const bestFit: MakePolicy = (ground) => new BestFit(ground)

class BestFit implements PackingPolicy {
  readonly name = 'best-fit'
  readonly goesByCardOrder = false
  readonly #ground: PackingInput

  constructor(ground: PackingInput) {
    this.#ground = ground
  }

  settle(row: number): void {
    const { states } = this.#ground
    const of = this.#freeOf(row)
    const from = row * states.width
    let free = 0
    for (let card = 0; card < int(states.cards, row); card++) free += code(of, code(states.codes, from + card))
    states.value[row] = free
  }

  /** The tightest card: the less it has left, the better. */
  rate(row: number, _kind: Kind, change: CardChange): number {
    const of = this.#freeOf(row)
    let left = 0
    for (let card = 0; card < change.cards; card++) left += code(of, code(change.into, card))
    return -left
  }

  score(row: number, kind: Kind): number {
    const { states } = this.#ground
    const { part } = kind.request
    const asked = kind.count * (part.kind === 'share' ? part.milli : 1000)
    const cpu = (real(states.cpu, row) - kind.cpu) / CPU_MOST
    const gpu = (real(states.value, row) - asked) / GPU_MOST
    return Math.floor(100 * (1 - 0.5 * cpu - 0.5 * gpu))
  }

  price(): number {
    return 0
  }

  moved(): void {}

  left(): void {}

  arrived(): boolean {
    return false
  }

  #freeOf(row: number): Int16Array {
    const { pools, states } = this.#ground
    return must(pools[int(states.pool, row)], 'a row has a pool').cards.free
  }
}
