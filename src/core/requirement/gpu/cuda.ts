import * as z from 'zod'
import { cudaForDriver, driverForCuda } from '../../hardware/cuda.ts'
import type { GpuFacts } from '../../offer/machine.ts'
import { printVersion, versionNumber } from '../../base/version.ts'
import { version } from '../fields.ts'
import { gpuKey } from '../key.ts'
import { RANGES } from '../need/algebra.ts'
import { atLeast, atLeastVersion } from '../need/range.ts'
import { no, unknown, type Reason } from '../reason.ts'

/** Turns down hosts that cannot run the requested CUDA: the driver is too old, or that CUDA no longer supports the card. */
export const cuda = gpuKey({
  key: 'min_cuda',
  place: 80,
  schema: version,
  notes: { description: 'CUDA version that the driver must support.', examples: ['12.4'] },
  also: ['cuda', 'cuda_version'],
  held: 'cudaMin',
  row: z.string().optional(),
  read: (value) => value,
  slot: 'cuda',
  set: RANGES,
  want: atLeastVersion,
  flag: { value: 'version', says: 'oldest CUDA version, for example 12.4' },
  nvidiaOnly: () => true,
  name: 'cuda',
  rank: 110,
  reasons: {
    CUDA_TOO_OLD: {
      summary: (reason) => `cannot run CUDA ${reason.wanted}`,
      clears: 'never',
      why: 'The host’s driver supports only an older CUDA, or this CUDA no longer supports the card (CUDA 12 is the last for Volta and Pascal).',
      fix: 'Use an image built for an older CUDA and lower `min_cuda`, or ask for a newer architecture.',
    },
    CUDA_UNKNOWN: {
      summary: (reason) => `does not say whether it can run CUDA ${reason.wanted}`,
      clears: 'never',
      why: 'The provider publishes neither its driver nor the CUDA versions it supports.',
      fix: 'Accept it in the policy (`unknown: { accept: [cuda] }`); the version is then checked once the machine is up.',
    },
  },
  check: ({ min }, gpu) => (min === undefined || gpu.vendor !== 'nvidia' ? undefined : checkCuda(gpu, min)),
  loosen({ min }, refused) {
    if (min === undefined) return []
    const found = new Set(refused.flatMap((gpu) => reachable(gpu) ?? []))
    const lower = [...found].filter((newest) => newest < min).sort((one, two) => two - one)
    return lower.map((newest) => ({ from: printVersion(min), to: printVersion(newest), wanted: atLeast(newest) }))
  },
})

function checkCuda(facts: GpuFacts, min: number): Reason | undefined {
  const wanted = printVersion(min)
  const newest = newestCuda(facts)
  if (facts.cudaMax !== undefined && facts.cudaMax < min)
    return no('CUDA_TOO_OLD', wanted, `at most ${printVersion(major(facts.cudaMax))}`)
  if (newest !== undefined) return newest >= min ? undefined : no('CUDA_TOO_OLD', wanted, printVersion(newest))
  const driverWanted = driverForCuda(wanted)
  const floor = driverWanted === undefined ? undefined : versionNumber(driverWanted)
  if (facts.driverMin !== undefined && floor !== undefined && facts.driverMin >= floor) return undefined
  return unknown('CUDA_UNKNOWN', wanted)
}

/** The newest CUDA that the host is known to run: as stated or as its driver implies, and never beyond what the card supports. */
function newestCuda(facts: GpuFacts): number | undefined {
  const implied = facts.driver === undefined ? undefined : cudaForDriver(printVersion(facts.driver))
  const newest = facts.cuda ?? (implied === undefined ? undefined : versionNumber(implied))
  return newest === undefined ? undefined : Math.min(newest, facts.cudaMax ?? newest)
}

/** The newest CUDA that a manifest could ask for and get here; where the card sets the limit, its last major version. */
function reachable(facts: GpuFacts): number | undefined {
  const newest = newestCuda(facts)
  if (facts.cudaMax === undefined || (newest !== undefined && newest < facts.cudaMax)) return newest
  return major(facts.cudaMax)
}

function major(version: number): number {
  return Math.floor(version / 1_000_000) * 1_000_000
}
