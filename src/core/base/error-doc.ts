/** What `berth explain CODE` and docs/errors.md say about one error. */
export interface ErrorDoc {
  /** A few words: the heading. */
  readonly title: string
  /** Why Berth refuses this. */
  readonly why: string
  /** What to do about it. */
  readonly fix: string
}
