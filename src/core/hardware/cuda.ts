/** CUDA releases, oldest first, with the driver branch each of them ships with. */
const BRANCHES: readonly (readonly [cuda: string, driver: string])[] = [
  ['11.0', '450'],
  ['11.1', '455'],
  ['11.2', '460'],
  ['11.3', '465'],
  ['11.4', '470'],
  ['11.5', '495'],
  ['11.6', '510'],
  ['11.7', '515'],
  ['11.8', '520'],
  ['12.0', '525'],
  ['12.1', '530'],
  ['12.2', '535'],
  ['12.3', '545'],
  ['12.4', '550'],
  ['12.5', '555'],
  ['12.6', '560'],
  ['12.8', '570'],
  ['12.9', '575'],
  ['13.0', '580'],
  ['13.1', '590'],
]

const NEWEST = '13.1'

/**
 * The driver branch that a CUDA version ships with. A version between two releases has the branch of the earlier one. A
 * version older or newer than the table has none, because a guess would place work where it cannot start.
 */
export function driverForCuda(cuda: string): string | undefined {
  const wanted = parts(cuda)
  if (wanted === undefined || compare(wanted.slice(0, 2), partsOf(NEWEST)) > 0) return undefined
  return BRANCHES.findLast(([release]) => compare(partsOf(release), wanted) <= 0)?.[1]
}

/** The newest CUDA that a driver supports. A driver newer than the table supports at least the last entry. */
export function cudaForDriver(driver: string): string | undefined {
  const have = parts(driver)
  if (have === undefined) return undefined
  return BRANCHES.findLast(([, branch]) => compare(partsOf(branch), have) <= 0)?.[0]
}

const VERSION = /^\d{1,4}(\.\d{1,4}){0,3}$/

function parts(version: string): readonly number[] | undefined {
  return VERSION.test(version) ? partsOf(version) : undefined
}

function partsOf(version: string): readonly number[] {
  return version.split('.').map(Number)
}

/** Negative when the left version is older. A missing part counts as zero. */
function compare(left: readonly number[], right: readonly number[]): number {
  const length = Math.max(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
