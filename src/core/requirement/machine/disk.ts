import * as z from 'zod'
import type { Machine } from '../../offer/machine.ts'
import { memory } from '../fields.ts'
import { machineKey } from '../key.ts'
import { RANGES } from '../need/algebra.ts'
import { gib } from '../need/print.ts'
import { atLeast } from '../need/range.ts'
import { quantity } from '../quantity.ts'

/** Turns down machines with less disk than the manifest asks for. */
export const disk = machineKey({
  key: 'disk',
  place: 30,
  schema: memory,
  notes: { description: 'Local disk for the image and scratch files.', examples: ['100Gi'] },
  also: ['disk_size', 'ephemeral_storage', 'storage'],
  held: 'diskGib',
  row: z.number().optional(),
  read: (value) => value,
  slot: 'diskGib',
  set: RANGES,
  want: atLeast,
  flag: { value: 'amount', says: 'disk space, for example 500Gi' },
  name: 'disk',
  rank: 150,
  ...quantity<Machine>({
    tooLittle: {
      code: 'TOO_LITTLE_DISK',
      doc: {
        summary: (reason) => `under ${reason.wanted} of disk`,
        clears: 'never',
        why: 'The machine’s own disk is smaller than the manifest asks for.',
        fix: 'Lower `resources.disk`, or ask for an attached volume under `storage`.',
      },
    },
    notKnown: {
      code: 'DISK_UNKNOWN',
      doc: {
        summary: () => 'does not say how much disk it has',
        clears: 'never',
        why: 'The source does not say how much disk the machine has.',
        fix: 'State it in the inventory, or accept it in the policy (`unknown: { accept: [disk] }`).',
      },
    },
    found: (machine) => machine.diskGib,
    print: gib,
  }),
})
