import * as z from 'zod'
import { printVersion } from '../../base/version.ts'
import type { GpuFacts } from '../../offer/machine.ts'
import { computeCapability as capability } from '../fields.ts'
import { gpuKey } from '../key.ts'
import { RANGES } from '../need/algebra.ts'
import { atLeastVersion } from '../need/range.ts'
import { quantity } from '../quantity.ts'

/** Turns down NVIDIA cards below the requested compute capability. */
export const computeCapability = gpuKey({
  key: 'min_compute_capability',
  place: 60,
  schema: capability,
  notes: { description: 'Lowest NVIDIA compute capability.', examples: ['9.0'] },
  also: ['compute_capability', 'capability', 'sm', 'cc'],
  held: 'computeCapabilityMin',
  row: z.string().optional(),
  read: (value) => value,
  slot: 'capability',
  set: RANGES,
  want: atLeastVersion,
  flag: { value: 'version', says: 'lowest compute capability, for example 9.0' },
  nvidiaOnly: () => true,
  name: 'compute-capability',
  rank: 60,
  ...quantity<GpuFacts>({
    tooLittle: {
      code: 'CAPABILITY_TOO_LOW',
      doc: {
        summary: (reason) => `compute capability under ${reason.wanted}`,
        clears: 'never',
        why: 'The card is of an older generation than the code needs (bf16 came with 8.0, fp8 with 8.9).',
        fix: 'Lower `min_compute_capability` if the code has a path for older cards.',
      },
    },
    notKnown: {
      code: 'CAPABILITY_UNKNOWN',
      doc: {
        summary: (reason) => `has no compute capability to compare with ${reason.wanted}`,
        clears: 'never',
        why: 'Compute capability is an NVIDIA measure. Accelerators of other makers have none, and the hardware table does not list it for some older cards.',
        fix: 'Ask for `arch` instead, which covers other makers too.',
      },
    },
    found: (gpu) => gpu.capability,
    print: (value) => (value % 1_000_000 === 0 ? `${printVersion(value)}.0` : printVersion(value)),
  }),
})
