import { dirname, delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ENGINES, type Engine } from './build/recipes.ts'
import { whatIsMissing } from './needs.ts'
import { bringUp, execInside, rigNames, takeDown, tellStatus } from './outside.ts'
import { programOf, rigsFolder } from './rig/place.ts'

const USAGE = `npm run engines -- up [kube|kai|volcano|kueue|kuberay|kubelet|all]...   builds what is missing, starts it, prints a kubeconfig
npm run engines -- down [--all]                                 ends it and deletes what it left
npm run engines -- status                                       every rig of this machine
npm run engines -- exec COMMAND...                              runs a command in its network, with KUBECONFIG set
  --name NAME   one rig of several (default: engines)`

/** A real node is asked for by its name: it needs more of the machine than the others do. */
const ALL = ENGINES.filter((engine) => engine !== 'kubelet')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: true,
  args: ownArguments(process.argv.slice(2)),
  options: { name: { type: 'string', default: 'engines' }, all: { type: 'boolean', default: false } },
})

try {
  process.exitCode = await act(positionals[0], positionals.slice(1))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function act(verb: string | undefined, rest: readonly string[]): Promise<number> {
  if (!/^[a-z0-9][a-z0-9-]{0,40}$/.test(values.name))
    throw new Error('a rig is named with small letters, digits and dashes')
  if (verb === 'up') return up(enginesOf(rest))
  if (verb === 'down') return down(values.all ? rigNames() : [values.name])
  if (verb === 'status') return status()
  if (verb === 'exec') return execInside(values.name, process.argv.slice(process.argv.indexOf('exec') + 1), insideEnv())
  console.error(USAGE)
  return 2
}

async function up(engines: readonly Engine[]): Promise<number> {
  const missing = whatIsMissing(engines)
  if (missing !== undefined) throw new Error(missing)
  const kubeconfig = await bringUp(values.name, engines, (line) => console.error(line))
  console.log(kubeconfig)
  return 0
}

async function down(names: readonly string[]): Promise<number> {
  for (const name of names) await takeDown(name)
  return 0
}

function status(): number {
  const lines = rigNames().flatMap(tellStatus)
  console.log(lines.length === 0 ? 'nothing is up' : lines.join('\n'))
  return 0
}

function enginesOf(names: readonly string[]): readonly Engine[] {
  const known = new Map<string, readonly Engine[]>([...ENGINES.map((name) => [name, [name]] as const), ['all', ALL]])
  return (names.length === 0 ? ['kube'] : names).flatMap((name) => {
    const engines = known.get(name)
    if (engines === undefined) throw new Error(`no engine is called ${name}; there are ${[...known.keys()].join(', ')}`)
    return engines
  })
}

/** What follows `exec` belongs to the command. */
function ownArguments(argv: readonly string[]): string[] {
  const at = argv.indexOf('exec')
  return at === -1 ? [...argv] : argv.slice(0, at + 1)
}

function insideEnv(): NodeJS.ProcessEnv {
  const path = [dirname(programOf('kubectl')), process.env['PATH'] ?? ''].join(delimiter)
  return { ...process.env, PATH: path, KUBECONFIG: join(rigsFolder(), values.name, 'kubeconfig.yaml') }
}
