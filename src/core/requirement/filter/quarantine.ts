import { no, type Filter } from './filter.ts'

/** Turns down rows that contradict the hardware table: nothing else they say is believed. */
export const quarantine: Filter<'machine'> = {
  name: 'quarantine',
  rank: 0,
  about: 'machine',
  final: true,
  reasons: {
    QUARANTINED: {
      summary: () => 'its row cannot be believed (berth offers check)',
      clears: 'never',
      why: 'The source says something about this machine that cannot be true or leaves out what matters (an H200 with 80 GB, a price of a cent, no price at all), and no repair is certain.',
      fix: 'Run `berth offers check --rows` to see the row and what is wrong with it; correct the source, or describe the machine in an inventory file.',
    },
  },
  check(machine) {
    return machine.quarantine === undefined
      ? undefined
      : no('QUARANTINED', 'a row that can be believed', machine.quarantine)
  },
}
