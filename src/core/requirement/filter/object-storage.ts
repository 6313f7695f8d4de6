import { abilityFilter } from './ability.ts'

/** Turns down providers that cannot mount an object store, for workloads that mount one. */
export const objectStorage = abilityFilter({
  name: 'object-storage',
  rank: 183,
  ability: 'object-storage',
  code: 'NO_OBJECT_STORAGE',
  wanted: 'data from an object store',
  found: 'its provider fetches nothing from object stores',
  doc: {
    why: 'The manifest has data from an address (`storage` with `from`), and this provider cannot fetch it.',
    fix: 'Use a host of your own, where Berth runs as root and rclone is installed (apt-get install rclone), rented virtual machines, or Kubernetes. Elsewhere, download the data in the workload itself.',
  },
})
