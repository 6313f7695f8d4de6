import { abilityFilter } from './ability.ts'

/** Turns down providers that run no images, for workloads that say no more than their image. */
export const images = abilityFilter({
  name: 'images',
  rank: 181,
  ability: 'images',
  code: 'NO_IMAGES',
  wanted: 'an image without `command`',
  found: 'its provider runs programs of the host, not images',
  doc: {
    why: 'The manifest names an image and no program, and this provider runs no images: it would not know what to start.',
    fix: 'Write the program in `command`; on a host of your own, podman or docker (`runtime: podman`) run images.',
  },
})
