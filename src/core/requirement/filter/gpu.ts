import type { Filter } from './filter.ts'
import { no } from '../reason.ts'

/** Turns down machines without a GPU. All other GPU requirements ignore such machines. */
export const gpu: Filter<'machine'> = {
  name: 'gpu',
  rank: 10,
  about: 'machine',
  final: true,
  reasons: {
    NO_GPU: {
      summary: () => 'has no GPU',
      clears: 'never',
      why: 'The workload asks for a GPU, and this machine has none.',
      fix: 'Nothing, if other offers fit. If none does, add a provider that has GPUs (`berth provider add`), or give a provider that has no `kind` one, so that Berth can use it; `berth provider ls` lists the providers.',
    },
  },
  check(machine, need) {
    return need.gpu === undefined || machine.gpu !== undefined ? undefined : no('NO_GPU', 'a GPU', 'none')
  },
}
