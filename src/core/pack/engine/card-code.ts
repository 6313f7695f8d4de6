import type { FleetCard, CardPart } from '../../fleet/fleet.ts'
import { chooseStart, migRules, runOf, smallestProfile, type MigRules } from '../../fleet/mig/rules.ts'

/**
 * The state of one card as a small number. 0 to 1000: the free thousandths of the card. Above 1000: the card is cut into MIG
 * slices, and the rest of the number is the mask of its taken memory slices.
 */
export const IDLE = 1000
export const CODES = IDLE + 256

/** How the cards of a node can be divided, and by which rules they are cut. */
export interface CardKind {
  readonly parts: FleetCard['parts']
  readonly rules: MigRules | undefined
  /** Free thousandths in each state, cut or not. */
  readonly free: Int16Array
}

export function cardKind(model: string | undefined, parts: FleetCard['parts']): CardKind {
  const rules = parts === 'mig' && model !== undefined ? migRules(model) : undefined
  if (rules === undefined) return { parts: parts === 'mig' ? 'none' : parts, rules, free: UNCUT }
  const free = UNCUT.slice()
  for (let taken = 1; taken < CODES - IDLE; taken++)
    free[IDLE + taken] = Math.max(0, IDLE - Math.round((IDLE * bits(taken)) / rules.slices))
  return { parts, rules, free }
}

/** The state of an uncut card is its free part. */
const UNCUT = new Int16Array(CODES)
for (let milli = 0; milli <= IDLE; milli++) UNCUT[milli] = milli

/** How a kind of card meets a demand: the next state for each state of the card, -1 if it does not fit. */
export interface Demand {
  readonly whole: boolean
  readonly next: Int16Array
  /** The MIG profile that it takes; undefined: a share, or the whole card. */
  readonly profile: number | undefined
}

/** Undefined: this kind of card can never meet it. */
export function demandOn({ parts, rules }: CardKind, part: CardPart): Demand | undefined {
  switch (part.kind) {
    case 'whole':
      return WHOLE
    case 'share':
      if (part.milli >= IDLE) return WHOLE
      return parts === 'share' ? share(part.milli) : undefined
    case 'slice':
      return rules === undefined ? WHOLE : slice(rules, part.vramGib)
  }
}

const WHOLE: Demand = { whole: true, next: table((from) => (from === IDLE ? 0 : -1)), profile: undefined }

function share(milli: number): Demand {
  const next = new Int16Array(CODES).fill(-1)
  for (let from = milli; from <= IDLE; from++) next[from] = from - milli
  return { whole: false, next, profile: undefined }
}

function slice(rules: MigRules, vramGib: number): Demand | undefined {
  const profile = smallestProfile(rules, vramGib)
  if (profile === undefined) return undefined
  const next = table((from) => {
    const taken = from - IDLE
    const start = taken < 0 ? -1 : chooseStart(rules, taken, profile)
    return start < 0 ? -1 : from + runOf(rules, profile, start)
  })
  return { whole: false, next, profile }
}

function table(next: (from: number) => number): Int16Array {
  return Int16Array.from({ length: CODES }, (_, from) => next(from))
}

function bits(mask: number): number {
  let count = 0
  for (let rest = mask; rest > 0; rest >>= 1) count += rest & 1
  return count
}
