import { abilityFilter } from './ability.ts'

/** Turns down providers that run no images, for workloads that name an image and no command. */
export const images = abilityFilter({
  name: 'images',
  rank: 181,
  ability: 'images',
  code: 'NO_IMAGES',
  wanted: 'an image without `command`',
  found: 'its provider runs programs of the host, not images',
  doc: {
    why: 'The manifest names an image and no command, and this provider runs programs of the host: it would not know what to start.',
    fix: 'Name the program in `command`. On a host of your own, `runtime: podman` or `runtime: docker` runs images.',
  },
})
