import type { VramScope } from './vram.ts'

/** What a source claims about the cards of one machine, as written. */
export interface SourceClaim {
  readonly provider: string
  /** The provider's name of the machine; empty: none. */
  readonly instance: string
  /** The name of the card; empty: none. */
  readonly named: string
  /** A second place in the row that names the card; empty: none. */
  readonly describedAs: string
  /** A resold machine: who runs it, where known, and what it is called there. */
  readonly upstream: { readonly provider: string | undefined; readonly instance: string } | undefined
  /** The family that this source means by `named` when nothing else is said, where its vocabulary is clear about it. */
  readonly plainFamily: string | undefined
  /** Cards in the machine; a share of one card where below 1. */
  readonly count: number | undefined
  /** The same again from a second place in the row; zero and undefined: not stated. */
  readonly countAgain: number | undefined
  /** Meant to be MiB of one card; zero and undefined: not stated. */
  readonly cardMib: number | undefined
  /** Meant to be MiB of all cards. */
  readonly totalMib: number | undefined
  /** What this source's other rows mean by the memory of a card, see `vramHabit`. */
  readonly habit: VramScope | undefined
}
