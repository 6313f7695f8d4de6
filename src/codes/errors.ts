import { API_ERRORS } from './api-errors.ts'
import { COMMAND_ERRORS } from './command-errors.ts'
import { CONFIG_ERRORS } from '../core/policy/errors.ts'
import { PLATFORM_ERRORS } from './platform-errors.ts'
import { STORE_ERRORS } from './store-errors.ts'
import { WAITING_ERRORS } from './waiting-errors.ts'
import { MANIFEST_ERRORS } from '../core/manifest/errors.ts'
import { OFFER_ERRORS } from '../core/offer/errors.ts'
import { TEMPLATE_ERRORS } from '../core/template/errors.ts'

/** Every error a user can meet. One entry in a table defines the type, the CLI text and the documentation. */
export const ERRORS = {
  ...MANIFEST_ERRORS,
  ...CONFIG_ERRORS,
  ...OFFER_ERRORS,
  ...COMMAND_ERRORS,
  ...API_ERRORS,
  ...TEMPLATE_ERRORS,
  ...PLATFORM_ERRORS,
  ...STORE_ERRORS,
  ...WAITING_ERRORS,
}

export type ErrorCode = keyof typeof ERRORS
