import type { Request } from '../../fleet/fleet.ts'

/** Thousandths of cards that a request takes; a slice counts as its share of the memory of an 80 GB card. */
export function milliOf({ count, part }: Request): number {
  switch (part.kind) {
    case 'whole':
      return count * 1000
    case 'share':
      return count * part.milli
    case 'slice':
      return count * Math.min(1000, Math.round((1000 * part.vramGib) / 80))
  }
}
