import type { RepairCode } from '../offer.ts'

const MIB_PER_GIB = 1024
const MIB_PER_GB = 1e9 / 1024 ** 2

/** The same tolerance as for the memory of a whole card. */
const SLICE_TOLERANCE = 0.05

/** What a row says about memory, as written, and how many cards it may cover. */
export interface StatedVram {
  /** Nominally MiB of one card; zero and undefined mean not stated. */
  readonly card: number | undefined
  /** Nominally MiB of all cards; used only where the memory of one card is not stated. */
  readonly total: number | undefined
  readonly count: number
}

/** Whether a number is about one card or about all cards of the machine. */
export type VramScope = 'card' | 'total'

/** One way to read the stated memory, and the repairs if it is the right one. */
export interface VramReading {
  /** MiB of one card. */
  readonly mib: number
  readonly spread: VramScope
  readonly repairs: readonly RepairCode[]
  /** How the number was read, in a few words. */
  readonly note: string | undefined
}

/** Every plausible way to read the stated memory, the plain one first. Empty when nothing is stated. */
export function vramReadings({ card, total, count }: StatedVram): readonly VramReading[] {
  if (card !== undefined && card > 0) {
    const plain = [inMib(card, 'card', []), inGb(card, 'card', [])]
    if (count <= 1) return plain
    const each = card / count
    return [...plain, inMib(each, 'total', ['VRAM_TOTAL_AS_CARD']), inGb(each, 'total', ['VRAM_TOTAL_AS_CARD'])]
  }
  if (total === undefined || total <= 0) return []
  const each = total / count
  return [inMib(each, 'total', ['VRAM_MISSING']), inGb(each, 'total', ['VRAM_MISSING'])]
}

function inMib(mib: number, spread: VramScope, repairs: readonly RepairCode[]): VramReading {
  const note = spread === 'total' ? `memory read as the sum of all cards: ${shorten(mib)} MiB each` : undefined
  return { mib, spread, repairs, note }
}

/** A number in GB is smaller than any card's MiB by a factor of 1,024, so the two readings never conflict. */
function inGb(gb: number, spread: VramScope, repairs: readonly RepairCode[]): VramReading {
  const note =
    spread === 'total'
      ? `memory read as the sum of all cards: ${shorten(gb)} GB each`
      : `memory read as ${shorten(gb)} GB`
  return { mib: gb * MIB_PER_GIB, spread, repairs: ['VRAM_GB_AS_MIB', ...repairs], note }
}

function shorten(value: number): string {
  return String(Number(value.toFixed(1)))
}

/** Whether a source that states this much memory may mean a slice of `gib` GB. */
export function sliceFits(gib: number, mib: number): boolean {
  return [gib * MIB_PER_GIB, gib * MIB_PER_GB].some((size) => Math.abs(mib - size) <= size * SLICE_TOLERANCE)
}
