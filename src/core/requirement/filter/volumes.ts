import { abilityFilter } from './ability.ts'

/** Turns down providers that cannot attach volumes, for workloads that use one. */
export const volumes = abilityFilter({
  name: 'volumes',
  rank: 182,
  ability: 'volumes',
  code: 'NO_VOLUMES',
  wanted: 'a volume',
  found: 'its provider attaches no volumes',
  doc: {
    why: 'The manifest has a volume under `storage`, and this provider cannot attach any.',
    fix: 'Remove the volume and use the local disk (`resources.disk`), or use a provider that attaches volumes. On a host of your own, containers (`runtime: podman`) have volumes; plain processes have them where Berth runs as root.',
  },
})
