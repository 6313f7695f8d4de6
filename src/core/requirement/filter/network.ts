import type { Filter } from './filter.ts'
import { no, unknown } from '../reason.ts'

/** Turns down machines that cannot be reached from outside, for workloads that publish a port. */
export const network: Filter<'machine'> = {
  name: 'network',
  rank: 170,
  about: 'machine',
  reasons: {
    NOT_REACHABLE: {
      summary: () => 'cannot be reached from outside',
      clears: 'never',
      why: 'The workload publishes a port, and machines here accept no connections from outside.',
      fix: 'Set `expose: private` on the port if only other workloads call it.',
    },
    REACHABILITY_UNKNOWN: {
      summary: () => 'does not say whether it can be reached from outside',
      clears: 'never',
      why: 'The source does not say whether machines here accept connections from outside.',
      fix: 'State `inbound` in the inventory, or accept it in the policy (`unknown: { accept: [network] }`).',
    },
  },
  check(machine, need) {
    if (!need.inbound || machine.inbound === true) return undefined
    if (machine.inbound === undefined) return unknown('REACHABILITY_UNKNOWN', 'reachable from outside')
    return no('NOT_REACHABLE', 'reachable from outside', 'not reachable')
  },
}
