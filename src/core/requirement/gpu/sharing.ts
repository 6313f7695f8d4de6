import { chooses, oneOf } from '../need/choice.ts'
import type { Filter, Loosening } from '../filter/filter.ts'
import { no } from '../reason.ts'
import { withGpu } from '../filter/gpu-need.ts'

/** Turns down slices of cards where the manifest wants whole ones. */
export const sharing: Filter<'machine'> = {
  name: 'sharing',
  rank: 80,
  about: 'machine',
  reasons: {
    SLICE_NOT_WANTED: {
      summary: (reason) => `only part of a card (sharing: ${reason.wanted})`,
      clears: 'never',
      why: 'The offer is a MIG slice or another fraction of a card, and the manifest does not allow that.',
      fix: 'Set `sharing: mig` to accept MIG slices, or `sharing: any` to accept fractions that are not isolated in hardware.',
    },
  },
  check(machine, need) {
    if (need.gpu === undefined || machine.gpu === undefined) return undefined
    const found = machine.gpu.sharing
    return chooses(need.gpu.sharing, found) ? undefined : no('SLICE_NOT_WANTED', word(need.gpu.sharing.values), found)
  },
  loosen(need, refused) {
    const found = new Set(refused.map((machine) => machine.gpu?.sharing))
    const steps: Loosening[] = []
    if (need.gpu === undefined) return steps
    const from = word(need.gpu.sharing.values)
    if (found.has('mig')) steps.push({ key: KEY, from, to: 'mig', need: withGpu(need, { sharing: SHARING.mig }) })
    if (found.has('share')) steps.push({ key: KEY, from, to: 'any', need: withGpu(need, { sharing: SHARING.any }) })
    return steps
  },
}

/** What each value of the manifest's `sharing` admits. */
export const SHARING = {
  never: oneOf(['whole']),
  mig: oneOf(['whole', 'mig']),
  any: oneOf(['whole', 'mig', 'share']),
} as const

const KEY = 'resources.gpu.sharing'

function word(values: readonly string[]): string {
  if (values.includes('share')) return 'any'
  return values.includes('mig') ? 'mig' : 'never'
}
