/** What surrounds a workload: the time, chance, and what is known about providers without asking them. */
export interface Situation {
  readonly nowMs: number
  readonly chance: number
  /** Undefined: the provider no longer exists, or cannot be opened. */
  readonly provider: (name: string) => ProviderSituation | undefined
  /** Whether a call about the slot is under way: its answer decides what comes next. */
  readonly isBusy: (slot: string) => boolean
  /** When the provider was last asked about the slot; undefined: never. */
  readonly lookedMs: (slot: string) => number | undefined
  /** When the provider last said that it was queued or starting, and not up; undefined: never. */
  readonly startingMs: (slot: string) => number | undefined
  /** When a provider last showed it as up; undefined: not since this leader took over. */
  readonly upMs: (slot: string) => number | undefined
}

interface ProviderSituation {
  readonly isDraining: boolean
  readonly tokens: boolean
  /** How long a gang may take there; left out: the usual time. */
  readonly gangWithinMs?: number
  /** Since when it has answered nothing, as far as this leader has seen; left out: it answers. */
  readonly silentMs?: number | undefined
  /** It tells when something changes, and is listed then. */
  readonly watched?: boolean
  /** It starts a gang with one call. */
  readonly groups?: boolean
}
