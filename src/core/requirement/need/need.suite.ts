import { ANYTHING, chooses, type OneOf } from './choice.ts'
import { ANY_NUMBER, type Range } from './range.ts'
import { closer, type GpuNeed, type Need } from './need.ts'

/** Admits every machine that has a GPU. */
export const ANY_GPU: GpuNeed = {
  vendor: ANYTHING,
  target: ANYTHING,
  arch: [],
  capability: ANY_NUMBER,
  count: ANY_NUMBER,
  vramGib: ANY_NUMBER,
  usableGib: ANY_NUMBER,
  sharing: ANYTHING,
  link: ANY_NUMBER,
  driver: ANY_NUMBER,
  cuda: ANY_NUMBER,
}

/** Whether `wide` admits whatever `narrow` admits. */
export function covers(wide: Need, narrow: Need): boolean {
  return (
    gpuCovers(wide.gpu, narrow.gpu) &&
    rangeCovers(wide.cpu, narrow.cpu) &&
    rangeCovers(wide.memoryGib, narrow.memoryGib) &&
    rangeCovers(wide.diskGib, narrow.diskGib) &&
    rangeCovers(wide.volumeGib, narrow.volumeGib) &&
    choiceCovers(wide.hostArch, narrow.hostArch) &&
    (narrow.inbound || !wide.inbound) &&
    wide.nodes <= narrow.nodes &&
    closer(wide.within, narrow.within) === narrow.within &&
    wide.uses.every((ability) => narrow.uses.includes(ability)) &&
    wide.wrongAt.every((place) => narrow.wrongAt.includes(place)) &&
    choiceCovers(wide.market, narrow.market) &&
    rangeCovers(wide.usdPerHour, narrow.usdPerHour) &&
    choiceCovers(wide.provider, narrow.provider) &&
    choiceCovers(wide.projectProvider, narrow.projectProvider) &&
    choiceCovers(wide.walled, narrow.walled) &&
    choiceCovers(wide.residency, narrow.residency) &&
    choiceCovers(wide.trust, narrow.trust) &&
    choiceCovers(wide.unknownAccepted, narrow.unknownAccepted)
  )
}

function gpuCovers(wide: GpuNeed | undefined, narrow: GpuNeed | undefined): boolean {
  if (wide === undefined) return true
  if (narrow === undefined) return false
  return (
    choiceCovers(wide.vendor, narrow.vendor) &&
    choiceCovers(wide.target, narrow.target) &&
    rangeCovers(wide.capability, narrow.capability) &&
    rangeCovers(wide.count, narrow.count) &&
    rangeCovers(wide.vramGib, narrow.vramGib) &&
    rangeCovers(wide.usableGib, narrow.usableGib) &&
    choiceCovers(wide.sharing, narrow.sharing) &&
    rangeCovers(wide.link, narrow.link) &&
    rangeCovers(wide.driver, narrow.driver) &&
    rangeCovers(wide.cuda, narrow.cuda)
  )
}

/** Whether everything `narrow` admits is admitted by `wide` too. */
export function rangeCovers(wide: Range, narrow: Range): boolean {
  const low = wide.min === undefined || (narrow.min !== undefined && narrow.min >= wide.min)
  const high = wide.max === undefined || (narrow.max !== undefined && narrow.max <= wide.max)
  return low && high
}

/** Whether everything `narrow` admits is admitted by `wide` too. */
export function choiceCovers(wide: OneOf, narrow: OneOf): boolean {
  if (!narrow.not) return narrow.values.every((value) => chooses(wide, value))
  return wide.not && wide.values.every((value) => narrow.values.includes(value))
}
