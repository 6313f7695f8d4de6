import { DOMAIN_RANK } from '../need/need.ts'
import type { Filter, Loosening } from './filter.ts'
import { no, unknown } from '../reason.ts'

/** Turns down providers that cannot place the machines of a gang as close together as requested. */
export const topology: Filter<'machine'> = {
  name: 'topology',
  rank: 180,
  about: 'machine',
  reasons: {
    NODES_TOO_FAR: {
      summary: (reason) => `cannot place several machines within one ${reason.wanted}`,
      clears: 'never',
      why: 'A gang that synchronises every step is only as fast as its slowest link, and here the machines would be further apart than the manifest allows.',
      fix: 'Loosen `topology.within`, or use fewer machines with more cards.',
    },
    TOPOLOGY_UNKNOWN: {
      summary: (reason) => `does not say whether several machines share one ${reason.wanted}`,
      clears: 'never',
      why: 'The provider does not say how close together it places several machines.',
      fix: 'State `domain` in the inventory, or accept it in the policy (`unknown: { accept: [topology] }`).',
    },
  },
  check(machine, need) {
    if (need.within === undefined || need.nodes <= 1) return undefined
    if (machine.domain === undefined) return unknown('TOPOLOGY_UNKNOWN', need.within)
    const near = DOMAIN_RANK[machine.domain] >= DOMAIN_RANK[need.within]
    return near ? undefined : no('NODES_TOO_FAR', need.within, machine.domain)
  },
  loosen(need, refused) {
    const { within } = need
    if (within === undefined) return []
    const found = new Set(refused.flatMap((machine) => machine.domain ?? []))
    return [...found]
      .sort((one, two) => DOMAIN_RANK[two] - DOMAIN_RANK[one])
      .map((to): Loosening => ({ key: 'topology.within', from: within, to, need: { ...need, within: to } }))
  },
}
