import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Paths of the files that Berth needs in addition to the program itself. */
export interface Installed {
  readonly examples: string
  /** The entry point of `berth gateway`. */
  readonly gateway: string
  /** The entry point of the solver's thread. */
  readonly solver: string
}

/** The files that belong to a program, which is one of src/entry or one of the bundles in dist. */
export function installedWith(url: string): Installed {
  const folder = dirname(fileURLToPath(url))
  return url.endsWith('.ts')
    ? {
        examples: join(folder, '../../examples'),
        gateway: join(folder, 'gateway-main.ts'),
        solver: join(folder, '../solver/worker.ts'),
      }
    : {
        examples: join(folder, '../examples'),
        gateway: join(folder, 'gateway.mjs'),
        solver: join(folder, 'solver-worker.mjs'),
      }
}
