import type { QuarantineCode, RepairCode } from '../offer.ts'

/** What `berth explain CODE` and the documentation say about one verdict on a row. */
export interface AuditDoc {
  /** A few words: the heading. */
  readonly title: string
  /** What was found, and why it matters. */
  readonly why: string
  /** What to do about it, or what Berth did. */
  readonly fix: string
}

/** Why a row is kept out of every decision. */
export const QUARANTINES = {
  NAME_UNKNOWN: {
    title: 'the accelerator is not in the hardware table',
    why: 'No name in the row is that of a card in the hardware table, so no requirement can be checked.',
    fix: 'Add the card or the alias to the hardware table, or correct the name in the source.',
  },
  NAME_AMBIGUOUS: {
    title: 'the names fit several cards, or contradict each other',
    why: 'The row fits cards with different memory or speed, and nothing in it says which one is sold.',
    fix: 'Name the card in full in the source (`A100-80GB`, `L40S`), or state the memory of one card in MiB.',
  },
  VRAM_CONTRADICTS: {
    title: 'no card of that name has the stated memory',
    why: 'However the number is read (MiB, GB, sum of all cards), it is not within 5 % of a card that the name can mean.',
    fix: 'Correct the memory or the name in the source: one of the two is wrong.',
  },
  COUNT_CONTRADICTS: {
    title: 'the number of cards cannot be right',
    why: 'The count is zero, negative, a fraction without the matching share of memory, or the row states two different counts.',
    fix: 'Correct the count in the source.',
  },
  PRICE_MISSING: {
    title: 'no price',
    why: 'The row has neither an on-demand nor a spot price, so the machine cannot be rented and no budget can be checked.',
    fix: 'Nothing, if the source lists machines that it does not sell. Otherwise set a price in berth.config.yaml.',
  },
  PRICE_PLACEHOLDER: {
    title: 'the price is a placeholder',
    why: 'The price is below $0.02 or above $1,000 per card and hour, below zero, far higher for spot than on demand, or the same for three or more sizes of one machine.',
    fix: 'Correct the price in the source, or set it in berth.config.yaml.',
  },
  HOST_NOT_PRICED: {
    title: 'the machine around the cards has no price',
    why: 'The row prices only the cards, and the source does not sell the machine for them in this zone.',
    fix: 'Nothing, if the zone does not have that machine. Otherwise add its row to the source.',
  },
  NOT_SOLD_ALONE: {
    title: 'machine is never sold without its cards',
    why: 'The row prices only the host of an accelerator machine. Its cards are priced elsewhere or not at all.',
    fix: 'Nothing: where the source prices the cards, the whole machine is a separate offer.',
  },
  ROW_UNREADABLE: {
    title: 'the row cannot be read',
    why: 'The line has too many or too few fields, an invalid number, or a description that cannot be parsed.',
    fix: 'Correct the line in the source.',
  },
} as const satisfies Record<QuarantineCode, AuditDoc>

/** What was repaired, with certainty. */
export const REPAIRS = {
  VRAM_GB_AS_MIB: {
    title: 'memory in GB under a MiB heading',
    why: 'The number is too small for the named card by a factor of 1,024, and fits it exactly when read as GB.',
    fix: 'Berth reads the number as GB.',
  },
  VRAM_TOTAL_AS_CARD: {
    title: 'memory of all cards stated as that of one',
    why: 'The number fits the named card only when divided by the number of cards, or the source always states the sum.',
    fix: 'Berth divides by the number of cards.',
  },
  VRAM_MISSING: {
    title: 'memory not stated',
    why: 'The row states no memory, or zero, but its name means only one card.',
    fix: 'Berth takes the memory from the hardware table.',
  },
  NAME_CORRECTED: {
    title: 'the name means another card',
    why: 'The memory or the name of the machine shows that the row is about another card than it says.',
    fix: 'Berth trusts the machine and the memory.',
  },
  COUNT_CORRECTED: {
    title: 'the machine has another number of cards',
    why: 'The hardware table knows this machine, and it has another number of cards than the row says.',
    fix: 'Berth takes the number from the hardware table.',
  },
  HOST_JOINED: {
    title: 'host added to the cards',
    why: 'The source prices the cards and the machine around them in two rows.',
    fix: 'Berth adds the prices and takes CPU and memory from the host.',
  },
  GPU_JOINED: {
    title: 'card added to the host',
    why: 'The source prices only the host here, but it is sold only with a card, whose price is in another row.',
    fix: 'Berth adds the prices and offers the machine with its card.',
  },
} as const satisfies Record<RepairCode, AuditDoc>
