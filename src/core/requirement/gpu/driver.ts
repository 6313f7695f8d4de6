import * as z from 'zod'
import type { GpuFacts } from '../../offer/machine.ts'
import { printDriver } from '../../base/version.ts'
import { version } from '../fields.ts'
import { gpuKey } from '../key.ts'
import { RANGES } from '../need/algebra.ts'
import { atLeast, atLeastVersion } from '../need/range.ts'
import { no, unknown, type Reason } from '../reason.ts'

/** Turns down hosts whose NVIDIA driver is too old. */
export const driver = gpuKey({
  key: 'min_driver',
  place: 70,
  schema: version,
  notes: { description: 'Oldest NVIDIA driver.', examples: ['550'] },
  also: ['driver', 'driver_version', 'nvidia_driver'],
  held: 'driverMin',
  row: z.string().optional(),
  read: (value) => value,
  slot: 'driver',
  set: RANGES,
  want: atLeastVersion,
  flag: { value: 'version', says: 'oldest driver, for example 550' },
  nvidiaOnly: () => true,
  name: 'driver',
  rank: 100,
  reasons: {
    DRIVER_TOO_OLD: {
      summary: (reason) => `driver older than ${reason.wanted}`,
      clears: 'never',
      why: 'The image needs a newer driver than the host has, or newer than any that still supports this card (branch 580 is the last for Volta and Pascal).',
      fix: 'Use an image for an older CUDA, or lower `min_driver` if the image runs on older drivers too.',
    },
    DRIVER_UNKNOWN: {
      summary: (reason) => `does not say whether its driver is at least ${reason.wanted}`,
      clears: 'never',
      why: 'The provider does not publish its driver, and the card alone does not determine it.',
      fix: 'Accept it in the policy (`unknown: { accept: [driver] }`): the driver is then checked once the machine is up.',
    },
  },
  check: ({ min }, gpu) => (min === undefined || gpu.vendor !== 'nvidia' ? undefined : checkDriver(gpu, min)),
  loosen({ min }, refused) {
    if (min === undefined) return []
    const older = newestFirst(refused).filter((found) => found < min)
    return older.map((found) => ({ from: printDriver(min), to: printDriver(found), wanted: atLeast(found) }))
  },
})

/** A known driver decides. Without one, the oldest and newest drivers for the card may decide. */
function checkDriver(facts: GpuFacts, min: number): Reason | undefined {
  const wanted = printDriver(min)
  if (facts.driver !== undefined) {
    return facts.driver >= min ? undefined : no('DRIVER_TOO_OLD', wanted, printDriver(facts.driver))
  }
  if (facts.driverMin !== undefined && facts.driverMin >= min) return undefined
  if (facts.driverMax !== undefined && facts.driverMax < min) {
    return no('DRIVER_TOO_OLD', wanted, `at most ${printDriver(Math.floor(facts.driverMax / 1_000_000) * 1_000_000)}`)
  }
  return unknown('DRIVER_UNKNOWN', wanted)
}

/** Drivers that the refused hosts have, or that their cards support. */
function newestFirst(refused: readonly GpuFacts[]): readonly number[] {
  const found = new Set(refused.flatMap((gpu) => gpu.driver ?? branchOf(gpu.driverMax) ?? []))
  return [...found].sort((one, two) => two - one)
}

function branchOf(driverMax: number | undefined): number | undefined {
  return driverMax === undefined ? undefined : Math.floor(driverMax / 1_000_000) * 1_000_000
}
