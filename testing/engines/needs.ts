import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { missingOf } from './build/build.ts'
import type { Engine } from './build/recipes.ts'

/** What a rig needs of the machine, and where it comes from on Debian. */
const NEEDS = [
  { program: 'unshare', from: 'apt-get install util-linux' },
  { program: 'nsenter', from: 'apt-get install util-linux' },
  { program: 'ip', from: 'apt-get install iproute2' },
  { program: 'openssl', from: 'apt-get install openssl' },
] as const

/** Go is needed only for what is not built yet. */
const GO = { program: 'go', from: 'Go 1.26 or newer, from go.dev/dl' } as const

/** One line that says what is missing for these engines; undefined: nothing is. */
export function whatIsMissing(engines: readonly Engine[]): string | undefined {
  if (process.platform !== 'linux') return 'engines run on Linux alone'
  if (process.getuid?.() !== 0) return 'engines need root, for a network namespace of their own'
  const wanted = missingOf(engines).length === 0 ? NEEDS : [...NEEDS, GO]
  const missing = wanted.filter(({ program }) => !isInPath(program))
  if (missing.length === 0) return undefined
  return `engines need ${missing.map(({ program, from }) => `${program} (${from})`).join(', ')}`
}

function isInPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}
