/** Where a command speaks to. */
export interface Terminal {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Undefined when the output is not a terminal. */
  readonly columns: number | undefined
  /** Colour only ever repeats what a word already says. */
  readonly color: boolean
  /** The same of where errors and progress go. */
  readonly errColumns?: number | undefined
  readonly errColor?: boolean
}
