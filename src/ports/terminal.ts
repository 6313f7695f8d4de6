/** Where a command prints. */
export interface Terminal {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Undefined if the output is not a terminal. */
  readonly columns: number | undefined
  /** Colour only repeats what a word already says. */
  readonly color: boolean
  /** The same for errors and progress. */
  readonly errColumns?: number | undefined
  readonly errColor?: boolean
}
