import { join } from 'node:path'
import { ensureBuilt } from '../suite/build.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The Node that `npm ci` brings along. */
export const NODE = join(ROOT, 'node_modules', '.bin', 'node')

export type Program = 'up' | 'berth' | 'gateway'

/** What Node is to run: a program as it is built, of the sources as they are now. */
export function programOf(name: Program): readonly string[] {
  ensured ??= ensureBuilt()
  if (name === 'berth') {
    // As bin/berth starts it, a third of the time of the bundle.
    process.env['BERTH_ROOT'] = ROOT
    return ['--snapshot-blob', join(ROOT, 'dist', 'berth.blob'), '--']
  }
  return ['--disable-warning=ExperimentalWarning', join(ROOT, 'dist', `${name}.mjs`)]
}

let ensured: ReturnType<typeof ensureBuilt> | undefined
