import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { missingOf } from './build/build.ts'
import { isInstalled, type PythonServer } from './build/python.ts'
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

/** So is Python for what is not installed yet. */
const PYTHON = { program: 'python3', from: 'apt-get install python3-venv' } as const

/** One line that says what is missing for these engines and servers; undefined: nothing is. */
export function whatIsMissing(engines: readonly Engine[], servers: readonly PythonServer[] = []): string | undefined {
  if (process.platform !== 'linux') return 'engines run on Linux alone'
  if (process.getuid?.() !== 0) return 'engines need root, for a network namespace of their own'
  const needsGo = engines.length > 0 && missingOf(engines).length > 0
  const needsPython = servers.some((server) => !isInstalled(server))
  const wanted = [...NEEDS, ...(needsGo ? [GO] : []), ...(needsPython ? [PYTHON] : [])]
  const missing = wanted.filter(({ program }) => !isInPath(program))
  if (missing.length === 0) return undefined
  return `engines need ${missing.map(({ program, from }) => `${program} (${from})`).join(', ')}`
}

function isInPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}
