/** Something that Berth must be allowed to do. */
export interface Permission {
  readonly group: string
  readonly resource: string
  readonly verbs: readonly string[]
  /** In the whole cluster, and not only in the namespace. */
  readonly isWide?: boolean
  /** What cannot be done without it. */
  readonly so: string
  /** Berth works without it, with less. */
  readonly isOptional?: boolean
  /** The group without which it means nothing; left out: its own. */
  readonly servedWith?: string
}
