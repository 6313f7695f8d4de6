import { COMMAND_ERRORS } from './command-errors.ts'
import { CONFIG_ERRORS } from './config/errors.ts'
import { MANIFEST_ERRORS } from './manifest/errors.ts'
import { OFFER_ERRORS } from './offer/errors.ts'

/** What `berth explain CODE` and docs/errors.md say about one error. */
export interface ErrorDoc {
  /** A few words: the heading. */
  readonly title: string
  /** Why Berth refuses this. */
  readonly why: string
  /** What to do about it. */
  readonly fix: string
}

/** Every error a user can meet. One entry in an area's table gives the type, the CLI text and the documentation. */
export const ERRORS = { ...MANIFEST_ERRORS, ...CONFIG_ERRORS, ...OFFER_ERRORS, ...COMMAND_ERRORS }

export type ErrorCode = keyof typeof ERRORS
