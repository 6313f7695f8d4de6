import type { Dice } from '../../core/base/dice.ts'

/** The calls of a provider. */
export type CloudCall = 'offers' | 'launch' | 'describe' | 'list' | 'stop'

/**
 * The fate of one call.
 *
 * - `answered`: as it should be.
 * - `unreachable`: nothing arrives, and the caller notices. `silent`: no answer ever; whether the call arrived is random.
 * - `lost`: carried out, but the answer is lost. `broken`: carried out, and answered with a server error.
 * - `late`: the caller is told that it failed, but it is carried out later.
 * - `throttled`, `revoked`, `failing`: refused without being carried out.
 * - `garbled`: carried out, but the answer is invalid.
 * - `partial`: a part is missing and the answer says so. `hollow`: a part is missing and the answer does not say so.
 * - `stale`: what was true a while ago.
 * - `leaving`: a launch is carried out, wholly or in part, and refused all the same.
 * - `noted`: a launch is noted but not started until it is repeated; without tokens it is lost.
 */
export type Fate =
  | 'answered'
  | 'unreachable'
  | 'silent'
  | 'lost'
  | 'broken'
  | 'late'
  | 'throttled'
  | 'revoked'
  | 'failing'
  | 'garbled'
  | 'partial'
  | 'hollow'
  | 'stale'
  | 'leaving'
  | 'noted'

/** The fates that settings may request. */
export const FATES: readonly Fate[] = [
  'answered',
  'unreachable',
  'silent',
  'lost',
  'broken',
  'late',
  'throttled',
  'revoked',
  'failing',
  'garbled',
  'partial',
  'hollow',
  'stale',
  'leaving',
]

/** The course of one call: latency there, latency back, and its fate. */
export interface Course {
  readonly fate: Fate
  readonly thereMs: number
  readonly backMs: number
  /** `late`: how long after the call was given up it is carried out. */
  readonly laterMs: number
}

/** Decides the course of each call. */
export interface Whims {
  readonly course: (ask: CloudCall) => Course
  /** For choices inside an answer: which entry is missing, how a price is garbled. */
  readonly dice: Dice
}

/** Which fates apply to which calls; any other counts as `answered`. */
const APPLIES: Readonly<Partial<Record<Fate, readonly CloudCall[]>>> = {
  partial: ['offers', 'list'],
  hollow: ['list'],
  stale: ['offers'],
  late: ['launch', 'stop'],
  noted: ['launch'],
  leaving: ['launch'],
}

export function applies(fate: Fate, ask: CloudCall): boolean {
  return APPLIES[fate]?.includes(ask) ?? true
}

/** Fates by rate alone, for demonstrations: `{ lost: 0.05 }` loses one answer in twenty. */
export function whimsByRate(rates: Readonly<Partial<Record<Fate, number>>>, dice: Dice, settleMs: number): Whims {
  const listed = FATES.flatMap((fate) => (rates[fate] === undefined ? [] : [{ fate, rate: rates[fate] }]))
  return {
    dice,
    course: (ask) => {
      let chance = dice.next()
      let fate: Fate = 'answered'
      for (const each of listed) {
        if (chance < each.rate && applies(each.fate, ask)) {
          fate = each.fate
          break
        }
        chance -= each.rate
      }
      const [thereMs, backMs] = [20 + dice.roll(100), 20 + dice.roll(100)]
      return { fate, thereMs, backMs, laterMs: dice.roll(Math.max(1, Math.floor(settleMs / 2))) }
    },
  }
}
