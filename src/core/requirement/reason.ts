/**
 * Why an offer was turned down, as data. `found` is undefined when the provider does not say and the policy does not
 * accept an unknown.
 */
export interface Reason {
  readonly code: string
  readonly wanted: string
  readonly found: string | undefined
}

/** What users read about one reason; the CLI's text and the documentation are generated from it. */
export interface ReasonDoc {
  /** Continues "112,207 offers looked at; 11,204 turned down because ...": `under 80Gi of GPU memory`. */
  readonly summary: (reason: Reason) => string
  /** Whether waiting helps: it does for `capacity` and `time`; `policy` is for the platform team to change. */
  readonly clears: 'never' | 'capacity' | 'time' | 'policy'
  readonly why: string
  readonly fix: string
}

/** A plain refusal: this was wanted, that was found. */
export function no(code: string, wanted: string, found: string): Reason {
  return { code, wanted, found }
}

/** The provider does not say. Whether that is good enough is the policy's decision. */
export function unknown(code: string, wanted: string): Reason {
  return { code, wanted, found: undefined }
}
