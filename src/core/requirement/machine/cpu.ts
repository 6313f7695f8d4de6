import { trim } from '../need/print.ts'
import { quantityFilter } from '../filter/quantity.ts'

/** Turns down machines with less CPU than the manifest asks for. */
export const cpu = quantityFilter({
  name: 'cpu',
  rank: 130,
  key: 'resources.cpu',
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
  wanted: (need) => need.cpu,
  found: (machine) => machine.cpu,
  print: trim,
  withRange: (need, range) => ({ ...need, cpu: range }),
})
