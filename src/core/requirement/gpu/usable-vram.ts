import * as z from 'zod'
import type { GpuFacts } from '../../offer/machine.ts'
import { memory } from '../fields.ts'
import { gpuKey } from '../key.ts'
import { RANGES } from '../need/algebra.ts'
import { gib } from '../need/print.ts'
import { atLeast } from '../need/range.ts'
import { quantity } from '../quantity.ts'

/** Turns down cards whose driver reports less memory than the manifest asks for. */
export const usableVram = gpuKey({
  key: 'min_usable_vram',
  place: 40,
  schema: memory,
  notes: {
    description: 'Memory of each GPU that the driver reports, a few percent below the advertised size.',
    examples: ['79Gi'],
  },
  also: ['usable_vram', 'usable_memory'],
  held: 'usableGibMin',
  row: z.number().optional(),
  read: (value) => value,
  slot: 'usableGib',
  set: RANGES,
  want: atLeast,
  flag: { value: 'amount', says: 'memory of each card as its driver reports it, for example 79Gi' },
  name: 'usable-vram',
  rank: 40,
  ...quantity<GpuFacts>({
    tooLittle: {
      code: 'USABLE_VRAM_TOO_SMALL',
      doc: {
        summary: (reason) => `under ${reason.wanted} of usable GPU memory`,
        clears: 'never',
        why: '`min_usable_vram` is compared with what the driver reports, which is less than the advertised size (an H200 of 141 GB reports 140.4Gi).',
        fix: 'Lower `min_usable_vram`, or use `min_vram` if you mean the advertised size.',
      },
    },
    notKnown: {
      code: 'USABLE_VRAM_UNKNOWN',
      doc: {
        summary: (reason) => `does not say whether it has ${reason.wanted} of usable GPU memory`,
        clears: 'never',
        why: 'The hardware table does not list what the driver reports for this card.',
        fix: 'Use `min_vram`, or accept it in the policy (`unknown: { accept: [usable-vram] }`).',
      },
    },
    found: ({ usableMib }) => (usableMib === undefined ? undefined : usableMib / 1024),
    print: gib,
  }),
})
