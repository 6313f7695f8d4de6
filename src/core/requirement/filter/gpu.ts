import { no, type Filter } from './filter.ts'

/** Turns down machines without a GPU. All other GPU requirements say nothing about those. */
export const gpu: Filter<'machine'> = {
  name: 'gpu',
  rank: 10,
  about: 'machine',
  final: true,
  reasons: {
    NO_GPU: {
      summary: () => 'has no GPU',
      clears: 'never',
      why: 'The workload asks for a GPU and this machine has none.',
      fix: 'Nothing where other offers fit. Where none does, add a provider that has GPUs (`berth provider add`), or give one that is on paper only a `kind`; `berth provider ls` shows which there are.',
    },
  },
  check(machine, need) {
    return need.gpu === undefined || machine.gpu !== undefined ? undefined : no('NO_GPU', 'a GPU', 'none')
  },
}
