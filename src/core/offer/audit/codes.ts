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
    why: 'None of the names in the row means a card that Berth has facts about, so no requirement can be checked against it.',
    fix: 'Add the card or the alias to the hardware table, or correct the name in the source.',
  },
  NAME_AMBIGUOUS: {
    title: 'the names fit several cards, or contradict each other',
    why: 'What the row says fits cards with different memory or speed, and nothing in it decides which one is sold.',
    fix: 'Have the source name the card in full (`A100-80GB`, `L40S`) or state the memory of one card in MiB.',
  },
  VRAM_CONTRADICTS: {
    title: 'the stated memory belongs to no card of that name',
    why: 'No reading of the number (MiB, GB, sum of all cards) comes within 5 % of a card that the name can mean.',
    fix: 'Correct the memory or the name in the source; one of the two is wrong.',
  },
  COUNT_CONTRADICTS: {
    title: 'the number of cards cannot be right',
    why: 'The count is zero, negative, a fraction without the matching share of memory, or differs within the row.',
    fix: 'Correct the count in the source.',
  },
  PRICE_MISSING: {
    title: 'no price on any terms',
    why: 'The row has neither an on-demand nor a spot price, so nobody can buy it and no budget can be checked.',
    fix: 'Nothing to do when the source lists what it does not sell; otherwise set a price in berth.config.yaml.',
  },
  PRICE_PLACEHOLDER: {
    title: 'the price is a placeholder',
    why: 'Less than $0.02 or more than $1,000 per card and hour, below zero, spot far above on-demand, or one price for three or more sizes of the same machine.',
    fix: 'Correct the price in the source, or set it in berth.config.yaml.',
  },
  HOST_NOT_PRICED: {
    title: 'the machine around the cards has no price',
    why: 'The row prices the cards alone, and the source does not sell the machine that carries them in this zone.',
    fix: 'Nothing to do when the zone does not have that machine; otherwise add its row to the source.',
  },
  NOT_SOLD_ALONE: {
    title: 'a machine that is never sold without its cards',
    why: 'The row prices the host of an accelerator machine alone; its cards are priced elsewhere or not at all.',
    fix: 'Nothing to do: where the source prices the cards, the whole machine is an offer of its own.',
  },
  ROW_UNREADABLE: {
    title: 'the row cannot be read',
    why: 'The line has too many or too few fields, a number that is none, or a description that cannot be parsed.',
    fix: 'Correct the line in the source.',
  },
} as const satisfies Record<QuarantineCode, AuditDoc>

/** What was mended, with certainty. */
export const REPAIRS = {
  VRAM_GB_AS_MIB: {
    title: 'memory in GB under a MiB heading',
    why: 'The number is off by a factor of 1,024 from the card that the row names, and fits it exactly when read as GB.',
    fix: 'Berth reads the number as GB.',
  },
  VRAM_TOTAL_AS_CARD: {
    title: 'memory of all cards given as that of one',
    why: 'Divided by the number of cards the number fits the card that the row names; as it stands it does not, or the source always writes sums.',
    fix: 'Berth divides by the number of cards.',
  },
  VRAM_MISSING: {
    title: 'memory not stated',
    why: 'The row states no memory, or zero, but its name means one card only.',
    fix: 'Berth takes the memory from the hardware table.',
  },
  NAME_CORRECTED: {
    title: 'the name means another card',
    why: 'The memory, or the name of the machine, shows that the row sells a different card than it says.',
    fix: 'Berth goes by the machine and the memory.',
  },
  COUNT_CORRECTED: {
    title: 'the machine has another number of cards',
    why: 'This machine is known, and it does not carry as many cards as the row says.',
    fix: 'Berth takes the number from the hardware table.',
  },
  HOST_JOINED: {
    title: 'host added to the cards',
    why: 'The source prices the cards and the machine around them in two rows.',
    fix: 'Berth adds the prices up and takes CPU and memory from the host.',
  },
  GPU_JOINED: {
    title: 'card added to the host',
    why: 'The source prices this host alone, but it is only sold with a card, whose price stands in another row.',
    fix: 'Berth adds the prices up and offers the machine with its card.',
  },
} as const satisfies Record<RepairCode, AuditDoc>
