import * as z from 'zod'
import type { Machine } from '../../offer/machine.ts'
import { memory as amount } from '../fields.ts'
import { machineKey } from '../key.ts'
import { RANGES } from '../need/algebra.ts'
import { gib } from '../need/print.ts'
import { atLeast } from '../need/range.ts'
import { quantity } from '../quantity.ts'

/** Turns down machines with less memory than the manifest asks for. */
export const memory = machineKey({
  key: 'memory',
  place: 20,
  schema: amount,
  notes: { description: 'Main memory.', examples: ['200Gi'] },
  also: ['mem', 'ram'],
  held: 'memoryGib',
  row: z.number().optional(),
  read: (value) => value,
  slot: 'memoryGib',
  set: RANGES,
  want: atLeast,
  flag: { value: 'amount', says: 'memory of the machine, for example 64Gi' },
  name: 'memory',
  rank: 140,
  ...quantity<Machine>({
    tooLittle: {
      code: 'TOO_LITTLE_MEMORY',
      doc: {
        summary: (reason) => `under ${reason.wanted} of memory`,
        clears: 'never',
        why: 'The machine has less main memory than the manifest asks for.',
        fix: 'Lower `resources.memory`; weights that load straight into the GPU need little main memory.',
      },
    },
    notKnown: {
      code: 'MEMORY_UNKNOWN',
      doc: {
        summary: () => 'does not say how much memory it has',
        clears: 'never',
        why: 'The source does not say how much memory the machine has.',
        fix: 'State it in the inventory, or accept it in the policy (`unknown: { accept: [memory] }`).',
      },
    },
    found: (machine) => machine.memoryGib,
    print: gib,
  }),
})
