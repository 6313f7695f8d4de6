import { abilityFilter } from './ability.ts'

/** Turns down providers without volumes, for workloads that want one. */
export const volumes = abilityFilter({
  name: 'volumes',
  rank: 182,
  ability: 'volumes',
  code: 'NO_VOLUMES',
  wanted: 'a volume',
  found: 'its provider attaches no volumes',
  doc: {
    why: 'The manifest has a volume under `storage`, and this provider cannot attach any.',
    fix: 'Remove the volume and use the local disk (`resources.disk`), or add a provider that has volumes; processes of a host have none, containers (`runtime: podman`) do.',
  },
})
