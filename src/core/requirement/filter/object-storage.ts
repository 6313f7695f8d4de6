import { abilityFilter } from './ability.ts'

/** Turns down providers that cannot mount an object store, for workloads that mount one. */
export const objectStorage = abilityFilter({
  name: 'object-storage',
  rank: 183,
  ability: 'object-storage',
  code: 'NO_OBJECT_STORAGE',
  wanted: 'data from an object store',
  found: 'its provider mounts no object stores',
  doc: {
    why: 'The manifest mounts data from an address (`storage` with `from`), and this provider cannot mount it.',
    fix: 'Download the data in the workload itself, or add a provider that mounts object stores.',
  },
})
