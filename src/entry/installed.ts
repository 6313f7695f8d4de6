import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What belongs to Berth and is no part of the program itself, as paths. */
export interface Installed {
  readonly examples: string
  /** Start of the thread that the solver runs in. */
  readonly solver: string
}

/** What lies beside a program: one of src/entry, or one of the bundles in dist. */
export function installedWith(url: string): Installed {
  const folder = dirname(fileURLToPath(url))
  return url.endsWith('.ts')
    ? { examples: join(folder, '../../examples'), solver: join(folder, '../solver/worker.ts') }
    : { examples: join(folder, '../examples'), solver: join(folder, 'solver-worker.mjs') }
}
