import { cudaForDriver, driverForCuda } from '../../hardware/cuda.ts'
import type { GpuFacts } from '../../offer/machine.ts'
import { atLeast } from '../need/range.ts'
import { printVersion, versionNumber } from '../../base/version.ts'
import type { Filter, Loosening } from '../filter/filter.ts'
import { no, unknown } from '../reason.ts'
import { withGpu } from '../filter/gpu-need.ts'

/** Turns down hosts that cannot run the requested CUDA: the driver is too old, or that CUDA no longer supports the card. */
export const cuda: Filter<'machine'> = {
  name: 'cuda',
  rank: 110,
  about: 'machine',
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
  check(machine, need) {
    const min = need.gpu?.cuda.min
    if (min === undefined || machine.gpu === undefined || machine.gpu.vendor !== 'nvidia') return undefined
    return checkCuda(machine.gpu, min)
  },
  loosen(need, refused) {
    const min = need.gpu?.cuda.min
    if (min === undefined) return []
    const found = new Set(refused.flatMap(({ gpu }) => (gpu === undefined ? [] : (reachable(gpu) ?? []))))
    const lower = [...found].filter((version) => version < min).sort((one, two) => two - one)
    return lower.map((version): Loosening => {
      const to = printVersion(version)
      return {
        key: 'resources.gpu.min_cuda',
        from: printVersion(min),
        to,
        need: withGpu(need, { cuda: atLeast(version) }),
      }
    })
  },
}

function checkCuda(facts: GpuFacts, min: number): ReturnType<typeof no> | undefined {
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
