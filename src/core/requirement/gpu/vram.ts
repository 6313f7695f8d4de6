import * as z from 'zod'
import type { GpuFacts } from '../../offer/machine.ts'
import { vram as vramAmount } from '../fields.ts'
import { gpuKey } from '../key.ts'
import { RANGES } from '../need/algebra.ts'
import { gib } from '../need/print.ts'
import { atLeast } from '../need/range.ts'
import { quantity } from '../quantity.ts'

/** Turns down cards, or slices of cards, sold with less memory than the manifest asks for. */
export const vram = gpuKey({
  key: 'min_vram',
  place: 30,
  schema: vramAmount,
  notes: { description: 'Advertised memory of each GPU: a card sold as 80 GB satisfies 80Gi.', examples: ['80Gi'] },
  also: ['vram', 'memory', 'gpu_memory', 'mem', 'min_memory', 'gpu_vram', 'vram_gb', 'memory_gb', 'total_memory'],
  held: 'vramGibMin',
  row: z.number().optional(),
  read: (value) => value,
  slot: 'vramGib',
  set: RANGES,
  want: atLeast,
  flag: { value: 'amount', says: 'memory of each card as advertised, for example 80Gi' },
  name: 'vram',
  rank: 30,
  ...quantity<GpuFacts>({
    tooLittle: {
      code: 'VRAM_TOO_SMALL',
      doc: {
        summary: (reason) => `under ${reason.wanted} of GPU memory`,
        clears: 'never',
        why: '`min_vram` is compared with the advertised size: a card sold as 80 GB satisfies 80Gi although its driver reports 79.6.',
        fix: 'Lower `min_vram`, spread the model over more cards with `count`, or quantise it.',
      },
    },
    notKnown: {
      code: 'VRAM_UNKNOWN',
      doc: {
        summary: () => 'does not say how much GPU memory it has',
        clears: 'never',
        why: 'The source names a GPU that exists in several sizes and does not say which one.',
        fix: 'State the memory in the source, or accept it in the policy (`unknown: { accept: [vram] }`).',
      },
    },
    found: (gpu) => gpu.vramGib,
    print: gib,
  }),
})
