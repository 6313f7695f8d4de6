import * as z from 'zod'
import type { Facts } from '../../event/event.ts'
import { formatOf } from './format.ts'
import { flag, number, text } from './parts.ts'

/** The facts of events and of audit entries. Their other fields are separate columns. */
export const factsFormat = formatOf<Facts>()(z.record(text, z.union([text, number, flag, z.null()])))
