import type { Request } from '../../core/fleet/fleet.ts'

/** The size of a request, in words that group similar requests. */
export interface Size {
  /** `no card`, `part of a card`, `1`, `2`, `4`, `8`, ...; a gang is `2 × 8`. */
  readonly name: string
  /** Sizes are listed by it, small to large. */
  readonly order: number
}

/** How long work of one size had to wait. */
export interface WaitTimes {
  readonly size: string
  readonly count: number
  readonly meanS: number
  readonly p99S: number
  readonly longestS: number
  /** Still waiting at the end; their waits so far are counted. */
  readonly waiting: number
}

/** Groups waits by size. */
export class WaitBook {
  readonly #sizes = new Map<string, { readonly waits: number[]; readonly order: number; waiting: number }>()

  /** Lists a size even if no work of it waits. */
  open(size: Size): void {
    this.#entry(size)
  }

  /** Records a wait; `isOver`: it has ended. */
  add(size: Size, { waitS, isOver }: { readonly waitS: number; readonly isOver: boolean }): void {
    const entry = this.#entry(size)
    entry.waits.push(waitS)
    if (!isOver) entry.waiting++
  }

  bySize(): readonly WaitTimes[] {
    const sizes = [...this.#sizes].sort(([, one], [, two]) => one.order - two.order)
    return sizes.map(([size, { waits, waiting }]) => summary(size, waits, waiting))
  }

  #entry({ name, order }: Size): { readonly waits: number[]; waiting: number } {
    const entry = this.#sizes.get(name) ?? { waits: [], order, waiting: 0 }
    this.#sizes.set(name, entry)
    return entry
  }
}

/** The size of a request for one node, or for each of several. */
export function sizeOf({ count, part }: Request, nodes = 1): Size {
  const name = count === 0 ? 'no card' : part.kind === 'whole' ? String(count) : 'part of a card'
  const order = count === 0 ? 0 : part.kind === 'whole' ? count * 1000 : 1
  return nodes === 1 ? { name, order } : { name: `${nodes} × ${name}`, order: order * nodes + nodes }
}

function summary(size: string, waits: readonly number[], waiting: number): WaitTimes {
  const sorted = Float64Array.from(waits).sort()
  const sum = sorted.reduce((total, wait) => total + wait, 0)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return {
    size,
    count: sorted.length,
    meanS: sorted.length === 0 ? 0 : sum / sorted.length,
    p99S: at(0.99),
    longestS: at(1),
    waiting,
  }
}
