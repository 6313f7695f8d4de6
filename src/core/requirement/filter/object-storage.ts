import { abilityFilter } from './ability.ts'

/** Turns down providers that cannot bring data from an object store, for workloads that mount some. */
export const objectStorage = abilityFilter({
  name: 'object-storage',
  rank: 183,
  ability: 'object-storage',
  code: 'NO_OBJECT_STORAGE',
  wanted: 'data from an object store',
  found: 'its provider mounts no object stores',
  doc: {
    why: 'The manifest mounts data from an address (`storage` with `from`), and this provider cannot bring it.',
    fix: 'Fetch the data in the workload itself, or add a provider that mounts object stores.',
  },
})
