/** Fields of a message: numbers and short texts; never a secret, never a whole object. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** The log for operators. Known secret values are scrubbed before a line is written. */
export interface Log {
  readonly info: (message: string, fields?: LogFields) => void
  readonly warn: (message: string, fields?: LogFields) => void
  readonly error: (message: string, fields?: LogFields) => void
}
