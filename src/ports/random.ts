/** The only access to chance. */
export interface Random {
  /** At least 0 and less than 1. */
  readonly next: () => number
  /** A globally unique name: lower-case letters and digits, at most 32; later names sort later. */
  readonly id: () => string
}
