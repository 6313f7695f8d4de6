import { gangs } from './gangs.ts'
import { images } from './images.ts'
import { objectStorage } from './object-storage.ts'
import { ray } from './ray.ts'
import { secrets } from './secrets.ts'
import { volumes } from './volumes.ts'

/** Names of the requirements that are about what a provider can do: they have no value that an offer could meet. */
export const ABILITIES: ReadonlySet<string> = new Set(
  [gangs, images, objectStorage, ray, secrets, volumes].map(({ name }) => name),
)
