import type { VramScope } from './vram.ts'

/** What a source claims about the cards of one machine, as written. */
export interface SourceClaim {
  readonly provider: string
  /** The provider's name for the machine; may be empty. */
  readonly instance: string
  /** The name of the card; may be empty. */
  readonly named: string
  /** A second place in the row that names the card; may be empty. */
  readonly describedAs: string
  /** For a resold machine: the provider that runs it, where known, and its name there. */
  readonly upstream: { readonly provider: string | undefined; readonly instance: string } | undefined
  /** The family that this source means by `named` when the row says nothing else, where that is certain. */
  readonly plainFamily: string | undefined
  /** Cards in the machine; below 1, a share of one card. */
  readonly count: number | undefined
  /** The same from a second place in the row; zero and undefined mean not stated. */
  readonly countAgain: number | undefined
  /** Nominally MiB of one card; zero and undefined mean not stated. */
  readonly cardMib: number | undefined
  /** Nominally MiB of all cards. */
  readonly totalMib: number | undefined
  /** What this source's other rows mean by the memory of a card; see `vramHabit`. */
  readonly habit: VramScope | undefined
}
