import { printVersion } from '../../base/version.ts'
import { withGpu } from '../filter/gpu-need.ts'
import { quantityFilter } from '../filter/quantity.ts'

/** Turns down NVIDIA cards below the requested compute capability. */
export const computeCapability = quantityFilter({
  name: 'compute-capability',
  rank: 60,
  key: 'resources.gpu.min_compute_capability',
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
  wanted: (need, machine) => (machine.gpu === undefined ? undefined : need.gpu?.capability),
  found: (machine) => machine.gpu?.capability,
  print: (value) => (value % 1_000_000 === 0 ? `${printVersion(value)}.0` : printVersion(value)),
  withRange: (need, capability) => withGpu(need, { capability }),
})
