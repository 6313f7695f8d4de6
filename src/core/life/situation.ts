/** What surrounds a workload: the time, chance, and what can be said of providers without asking them. */
export interface Situation {
  readonly nowMs: number
  readonly chance: number
  /** Undefined: there is no such provider any more, or it cannot be opened. */
  readonly provider: (name: string) => { readonly isDraining: boolean; readonly tokens: boolean } | undefined
  /** Whether a call about the slot is under way: its answer decides what comes next. */
  readonly isBusy: (slot: string) => boolean
  /** When the slot was last asked about; undefined: never. */
  readonly lookedMs: (slot: string) => number | undefined
  /** When the provider last said that it is on its way and not up; undefined: it never did. */
  readonly startingMs: (slot: string) => number | undefined
  /** When a provider was last asked and showed it as up; undefined: not since this leader began. */
  readonly upMs: (slot: string) => number | undefined
}
