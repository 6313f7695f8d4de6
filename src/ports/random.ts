/** The only way to chance. */
export interface Random {
  /** At least 0 and less than 1. */
  readonly next: () => number
  /** A name that nobody else has or will have: lower-case letters and digits, at most 32, later ones sort later. */
  readonly id: () => string
}
