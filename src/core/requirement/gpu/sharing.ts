import * as z from 'zod'
import { gpuKey, type KeyStep } from '../key.ts'
import { CHOICES } from '../need/algebra.ts'
import { chooses, oneOf, type OneOf } from '../need/choice.ts'
import { no } from '../reason.ts'

const WORDS = ['never', 'mig', 'any'] as const

/** What each value of the manifest's `sharing` admits. */
export const SHARING = {
  never: oneOf(['whole']),
  mig: oneOf(['whole', 'mig']),
  any: oneOf(['whole', 'mig', 'share']),
} as const

/** Turns down slices of cards where the manifest wants whole ones. */
export const sharing = gpuKey({
  key: 'sharing',
  place: 100,
  schema: z.enum(WORDS),
  notes: {
    description: 'Whether a slice of a card is acceptable: never, a MIG slice, or any slice.',
    examples: ['never'],
    default: 'never',
  },
  also: ['shared', 'mig', 'share', 'fractional'],
  held: 'sharing',
  row: z.enum(WORDS),
  read: (value) => value ?? 'never',
  slot: 'sharing',
  set: CHOICES,
  want: (word) => SHARING[word],
  flag: { value: 'kind', says: 'whether slices of cards will do: never, mig or any' },
  name: 'sharing',
  rank: 80,
  reasons: {
    SLICE_NOT_WANTED: {
      summary: (reason) => `only part of a card (sharing: ${reason.wanted})`,
      clears: 'never',
      why: 'The offer is a MIG slice or another fraction of a card, and the manifest does not allow that.',
      fix: 'Set `sharing: mig` to accept MIG slices, or `sharing: any` to accept fractions that are not isolated in hardware.',
    },
  },
  check: (wanted, { sharing: found }) =>
    chooses(wanted, found) ? undefined : no('SLICE_NOT_WANTED', wordFor(wanted), found),
  loosen(wanted, refused) {
    const found = new Set(refused.map((gpu) => gpu.sharing))
    const from = wordFor(wanted)
    const steps: KeyStep<OneOf>[] = []
    if (found.has('mig')) steps.push({ from, to: 'mig', wanted: SHARING.mig })
    if (found.has('share')) steps.push({ from, to: 'any', wanted: SHARING.any })
    return steps
  },
})

function wordFor({ values }: OneOf): string {
  if (values.includes('share')) return 'any'
  return values.includes('mig') ? 'mig' : 'never'
}
