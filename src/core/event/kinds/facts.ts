import * as z from 'zod'
import { FAULT_WORDS, LEAVING_WORDS } from '../words.ts'

// Facts that several kinds share: each is spelt and explained once.

const text = z.string()
const count = z.int().min(0)

export const slot = text.describe('the slot, as `berth get` shows it')
export const epoch = count.describe('the number of the attempt within its slot, from 1')
export const attempt = text.describe('the id of the attempt')
export const provider = text.describe('the provider')
export const region = text.describe('the region')
export const instance = text.describe('the provider’s name for the instance')
export const machine = text.describe('the type of the machine')
export const usdPerHour = z.number().min(0).describe('the price in dollars per hour')
export const generation = count.describe('the generation of the workload that this made')
export const by = text.describe('the name of the token that asked for it')
export const faultClass = z.enum(namesIn(FAULT_WORDS)).describe('the class of the fault')
export const faultMessage = text.describe('the fault, in the provider’s words')
export const exitCode = z.int().describe('the exit code; left out: it did not end with one')
export const version = count.describe('the version')

/** Why a placement leaves. */
const leaving = z.enum(namesIn(LEAVING_WORDS)).describe('why it leaves')

/** What almost every event about an attempt says. */
export const PLACED_AT = { slot, epoch, provider }

/** What is said of an attempt that leaves. */
export const LEAVES = {
  ...PLACED_AT,
  why: leaving,
  exit: text.describe('how it ended, in a few words; empty: it was running, or that is not known'),
  exit_code: exitCode.exactOptional(),
}

function namesIn<W extends object>(words: W): readonly (keyof W & string)[] {
  // A literal object has exactly the keys of its type.
  return Object.keys(words) as (keyof W & string)[]
}
