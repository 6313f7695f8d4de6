import { gib } from '../need/print.ts'
import { quantityFilter } from '../filter/quantity.ts'

/** Turns down machines with less memory than the manifest asks for. */
export const memory = quantityFilter({
  name: 'memory',
  rank: 140,
  key: 'resources.memory',
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
  wanted: (need) => need.memoryGib,
  found: (machine) => machine.memoryGib,
  print: gib,
  withRange: (need, range) => ({ ...need, memoryGib: range }),
})
