import * as z from 'zod'
import type { Machine } from '../../offer/machine.ts'
import { cpu as cores } from '../fields.ts'
import { machineKey } from '../key.ts'
import { RANGES } from '../need/algebra.ts'
import { trim } from '../need/print.ts'
import { atLeast } from '../need/range.ts'
import { quantity } from '../quantity.ts'

/** Turns down machines with less CPU than the manifest asks for. */
export const cpu = machineKey({
  key: 'cpu',
  place: 10,
  schema: cores,
  notes: { description: 'CPU cores.', examples: [16] },
  also: ['cpus', 'vcpu', 'vcpus', 'cores'],
  held: 'cpu',
  row: z.number().optional(),
  read: (value) => value,
  slot: 'cpu',
  set: RANGES,
  want: atLeast,
  flag: { value: 'cores', says: 'CPU cores, for example 16', type: 'number' },
  name: 'cpu',
  rank: 130,
  ...quantity<Machine>({
    tooLittle: {
      code: 'TOO_LITTLE_CPU',
      doc: {
        summary: (reason) => `under ${reason.wanted} CPUs`,
        clears: 'never',
        why: 'The machine has fewer virtual CPUs than the manifest asks for.',
        fix: 'Lower `resources.cpu`; data loading usually determines how much is really needed.',
      },
    },
    notKnown: {
      code: 'CPU_UNKNOWN',
      doc: {
        summary: () => 'does not say how much CPU it has',
        clears: 'never',
        why: 'The source does not say how many CPUs the machine has.',
        fix: 'State it in the inventory, or accept it in the policy (`unknown: { accept: [cpu] }`).',
      },
    },
    found: (machine) => machine.cpu,
    print: trim,
  }),
})
