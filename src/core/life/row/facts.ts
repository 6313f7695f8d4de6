import * as z from 'zod'
import type { Facts } from '../../event/event.ts'
import { formatOf } from './format.ts'
import { flag, number, text } from './parts.ts'

/** The facts of events and of entries of the audit. What else they have are columns of their own. */
export const factsFormat = formatOf<Facts>()(z.record(text, z.union([text, number, flag, z.null()])))
