import * as z from 'zod'
import type { GpuFacts } from '../../offer/machine.ts'
import { gpuKey } from '../key.ts'
import { RANGES } from '../need/algebra.ts'
import { trim } from '../need/print.ts'
import { atLeast } from '../need/range.ts'
import { quantity } from '../quantity.ts'

/** Cards of a machine: a larger number is a typing mistake. */
const CARDS_MAX = 1024

/** Turns down machines with fewer cards than one replica needs. More cards are fine: the whole machine is rented. */
export const count = gpuKey({
  key: 'count',
  place: 10,
  schema: z.int().min(1).max(CARDS_MAX),
  notes: { description: 'GPUs in one machine.', examples: [4], default: 1 },
  also: ['number', 'num', 'amount', 'quantity', 'size', 'gpus', 'num_gpus', 'gpu_count'],
  held: 'count',
  row: z.number(),
  read: (value) => value ?? 1,
  slot: 'count',
  set: RANGES,
  want: atLeast,
  flag: { name: 'gpu-count', value: 'n', says: 'number of cards in one machine', type: 'number' },
  name: 'count',
  rank: 70,
  ...quantity<GpuFacts>({
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
    found: (gpu) => gpu.count,
    print: trim,
  }),
})
