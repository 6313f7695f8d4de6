import { GPU, MACHINE, type GpuNeed } from '../table.ts'
import { CHOICES, RANGES } from './algebra.ts'
import { closer, type Need } from './need.ts'

/** Admits every machine that has a GPU. */
export const ANY_GPU: GpuNeed = GPU.any

/** Whether `wide` admits whatever `narrow` admits. */
export function covers(wide: Need, narrow: Need): boolean {
  return (
    gpuCovers(wide.gpu, narrow.gpu) &&
    MACHINE.covers(wide, narrow) &&
    RANGES.covers(wide.volumeGib, narrow.volumeGib) &&
    (narrow.inbound || !wide.inbound) &&
    wide.nodes <= narrow.nodes &&
    closer(wide.within, narrow.within) === narrow.within &&
    wide.uses.every((ability) => narrow.uses.includes(ability)) &&
    wide.wrongAt.every((place) => narrow.wrongAt.includes(place)) &&
    CHOICES.covers(wide.market, narrow.market) &&
    RANGES.covers(wide.usdPerHour, narrow.usdPerHour) &&
    CHOICES.covers(wide.provider, narrow.provider) &&
    CHOICES.covers(wide.projectProvider, narrow.projectProvider) &&
    CHOICES.covers(wide.walled, narrow.walled) &&
    CHOICES.covers(wide.residency, narrow.residency) &&
    CHOICES.covers(wide.trust, narrow.trust) &&
    CHOICES.covers(wide.unknownAccepted, narrow.unknownAccepted)
  )
}

function gpuCovers(wide: GpuNeed | undefined, narrow: GpuNeed | undefined): boolean {
  if (wide === undefined) return true
  return narrow !== undefined && GPU.covers(wide, narrow)
}
