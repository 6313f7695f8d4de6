import * as z from 'zod'

/** What a schema tells the document checker about itself, beyond what zod knows. */
export interface Traits {
  /** Scalars reach the schema exactly as written (`12.10`, `0x1F`, `yes`), not as a number or boolean. */
  readonly asWritten?: true
  /** What to call the expected value in a message: `an amount such as 80Gi`. */
  readonly word?: string
  /** Other common names for this key; each gets a "did you mean" hint. */
  readonly also?: readonly string[]
}

export const traits = z.registry<Traits>()

/** Text that may be written without quotes even if it looks like a number or a boolean. */
export function textAsWritten(more: Traits = {}): z.ZodString {
  return z.string().register(traits, { ...more, asWritten: true })
}

/** `params` of a custom zod issue that should not become VALUE_INVALID at the value. */
export interface IssueParams {
  readonly code?: string
  readonly hint?: string
  readonly at?: 'key' | 'value'
}
