import type { Filter } from './filter.ts'
import { no } from '../reason.ts'

/** Turns down rows that contradict the hardware table. Nothing else in such a row is trusted. */
export const quarantine: Filter<'machine'> = {
  name: 'quarantine',
  rank: 0,
  about: 'machine',
  final: true,
  reasons: {
    QUARANTINED: {
      summary: () => 'its row cannot be believed (berth offers check)',
      clears: 'never',
      why: 'What the source says about this machine cannot be true, or an essential fact is missing (an H200 with 80 GB, a price of one cent, no price at all), and Berth cannot repair it with certainty.',
      fix: 'Run `berth offers check --rows` to see the row and what is wrong with it. Then correct the source, or describe the machine in an inventory file.',
    },
  },
  check(machine) {
    return machine.quarantine === undefined
      ? undefined
      : no('QUARANTINED', 'a row that can be believed', machine.quarantine)
  },
}
