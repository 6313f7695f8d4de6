import { trim } from '../need/print.ts'
import { withGpu } from '../filter/gpu-need.ts'
import { quantityFilter } from '../filter/quantity.ts'

/** Turns down machines with fewer cards than one replica needs. More cards are fine: the whole machine is rented. */
export const count = quantityFilter({
  name: 'count',
  rank: 70,
  key: 'resources.gpu.count',
  tooLittle: {
    code: 'TOO_FEW_GPUS',
    doc: {
      summary: (reason) => `fewer than ${reason.wanted} GPUs in one machine`,
      clears: 'never',
      why: 'All cards of a replica must be in one machine. Work that spans machines is a job with `nodes`.',
      fix: 'Ask for fewer, larger cards, or make the workload a job with several `nodes`.',
    },
  },
  notKnown: {
    code: 'GPU_COUNT_UNKNOWN',
    doc: {
      summary: () => 'does not say how many GPUs it has',
      clears: 'never',
      why: 'The source names a GPU but not how many the machine has.',
      fix: 'State the number in the source.',
    },
  },
  wanted: (need, machine) => (machine.gpu === undefined ? undefined : need.gpu?.count),
  found: (machine) => machine.gpu?.count,
  print: trim,
  withRange: (need, range) => withGpu(need, { count: range }),
})
