import type { GpuModel } from './gpu.ts'

const MIB_PER_GIB = 1024
const MIB_PER_GB = 1e9 / 1024 ** 2

/** How far a stated size may differ from the card's: drivers and clouds subtract different reserves. */
const TOLERANCE = 0.05

/** Names round to whole gigabytes, but 94 GB and 96 GB are two different cards. */
const NAME_TOLERANCE = 0.015

/** Whether a source that states this much memory for one card may mean this model. */
export function vramFits(gpu: GpuModel, mib: number): boolean {
  return sizesMib(gpu).some((size) => Math.abs(mib - size) <= size * TOLERANCE)
}

/** Whether a name with this size (`A100-80GB`) may mean this model. */
export function nominalFits(gpu: GpuModel, gib: number): boolean {
  const mib = gib * MIB_PER_GIB
  return sizesMib(gpu).some((size) => Math.abs(mib - size) <= size * NAME_TOLERANCE)
}

function sizesMib(gpu: GpuModel): readonly number[] {
  const reported = gpu.vramMib === undefined ? [] : [gpu.vramMib]
  return [gpu.vramGib * MIB_PER_GIB, gpu.vramGib * MIB_PER_GB, ...reported, ...gpu.vramMibSeen]
}
