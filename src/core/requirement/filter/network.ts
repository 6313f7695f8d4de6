import { no, unknown, type Filter } from './filter.ts'

/** Turns down machines that nobody outside can call, for workloads that publish a port. */
export const network: Filter<'machine'> = {
  name: 'network',
  rank: 170,
  about: 'machine',
  reasons: {
    NOT_REACHABLE: {
      summary: () => 'cannot be called from outside',
      clears: 'never',
      why: 'The workload publishes a port, and machines here take no connections from outside.',
      fix: 'Mark the port `expose: private` if only workloads beside it call it.',
    },
    REACHABILITY_UNKNOWN: {
      summary: () => 'does not say whether it can be called from outside',
      clears: 'never',
      why: 'The source does not say whether machines here take connections from outside.',
      fix: 'State `inbound` in the inventory, or accept it in the policy (`unknown: { accept: [network] }`).',
    },
  },
  check(machine, need) {
    if (!need.inbound || machine.inbound === true) return undefined
    if (machine.inbound === undefined) return unknown('REACHABILITY_UNKNOWN', 'reachable from outside')
    return no('NOT_REACHABLE', 'reachable from outside', 'not reachable')
  },
}
