import { gib } from '../need/print.ts'
import { quantityFilter } from '../filter/quantity.ts'

/** Turns down machines with less disk than the manifest asks for. */
export const disk = quantityFilter({
  name: 'disk',
  rank: 150,
  key: 'resources.disk',
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
  wanted: (need) => need.diskGib,
  found: (machine) => machine.diskGib,
  print: gib,
  withRange: (need, range) => ({ ...need, diskGib: range }),
})
