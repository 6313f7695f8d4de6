import * as z from 'zod'
import { archVendor } from '../../hardware/arch.ts'
import type { Vendor } from '../../hardware/gpu.ts'
import { gpuKey } from '../key.ts'
import { CHOICES } from '../need/algebra.ts'
import { admitting, ANYTHING, chooses, listChoice, oneOf, printChoice } from '../need/choice.ts'
import { no } from '../reason.ts'

const VENDORS = ['nvidia', 'amd', 'intel', 'google', 'aws', 'qualcomm'] as const

/** Turns down accelerators of other makers: an image for one maker's software does not run on another's. */
export const vendor = gpuKey({
  key: 'vendor',
  place: 20,
  schema: z.union([
    z.enum([...VENDORS, 'any']).transform((name) => (name === 'any' ? name : [name])),
    z.array(z.enum(VENDORS)).min(1).max(VENDORS.length),
  ]),
  notes: {
    description:
      'Maker of the GPU: one, a list, or any. Left out: the maker of `arch` where that is given, otherwise nvidia.',
    examples: ['nvidia'],
  },
  also: ['manufacturer', 'brand', 'make'],
  held: 'vendors',
  row: z.union([z.array(z.enum(VENDORS)), z.literal('any')]),
  read(value, { arch }) {
    if (value === undefined) return [...vendorsOf(arch ?? [])]
    return value === 'any' ? value : [...new Set(value)]
  },
  slot: 'vendor',
  set: CHOICES,
  want: (vendors) => (vendors === 'any' ? ANYTHING : oneOf(vendors)),
  flag: { value: 'names', says: 'GPU vendors, or any (default: nvidia)', type: 'list' },
  name: 'vendor',
  rank: 20,
  reasons: {
    WRONG_VENDOR: {
      summary: (reason) => `not made by ${reason.wanted}`,
      clears: 'never',
      why: 'An image built for one maker (CUDA, ROCm, XLA, Neuron) does not run on the accelerators of another. Without `vendor` in the manifest, only NVIDIA fits.',
      fix: 'If the image runs on other makers’ accelerators too, state it: `vendor: [nvidia, amd]` or `vendor: any` under `resources.gpu`.',
    },
  },
  check: (wanted, { vendor: found }) =>
    chooses(wanted, found) ? undefined : no('WRONG_VENDOR', printChoice(wanted), found),
  loosen(wanted, refused) {
    const others = new Set(refused.map((gpu) => gpu.vendor))
    return [...others].sort().map((other) => {
      const wider = admitting(wanted, other)
      return { from: listChoice(wanted), to: listChoice(wider), wanted: wider }
    })
  },
})

/** The makers of the requested architectures. Without any it is NVIDIA, because most images use CUDA. */
export function vendorsOf(arches: readonly string[]): readonly Vendor[] {
  const vendors = arches.map(archVendor).filter((maker) => maker !== undefined)
  return vendors.length === 0 ? ['nvidia'] : [...new Set(vendors)]
}
