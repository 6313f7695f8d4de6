import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder, folderOf, isBuilt } from './cache.ts'
import { RECIPES, withKube, type Engine, type Recipe } from './recipes.ts'
import { wrapperOf } from './wrapper.ts'

const run = promisify(execFile)

export type Say = (line: string) => void

/** Builds what is missing of these engines, one program after the other. What an aborted build has compiled is not compiled again. */
export async function ensureBuilt(engines: readonly Engine[], say: Say, signal?: AbortSignal): Promise<void> {
  const missing = missingOf(engines)
  sweep()
  const all = missing.flatMap(({ programs }) => Object.keys(programs)).length
  let count = 0
  for (const recipe of missing) {
    await build(recipe, (line) => say(`[${(count += 1)}/${all}] ${line}`), signal)
  }
}

/** Deletes what builds left behind that were killed. */
function sweep(): void {
  if (!existsSync(cacheFolder())) return
  for (const name of readdirSync(cacheFolder())) {
    const pid = /\.partial-(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(cacheFolder(), name), { recursive: true, force: true })
  }
}

/** What is not in the cache yet. */
export function missingOf(engines: readonly Engine[]): readonly Recipe[] {
  return withKube(engines)
    .flatMap((engine) => RECIPES[engine])
    .filter((recipe) => !isBuilt(recipe))
}

/** In a folder of its own that gets its name at the end, so that an interrupted build leaves nothing half. */
async function build(recipe: Recipe, say: Say, signal: AbortSignal | undefined): Promise<void> {
  const folder = folderOf(recipe)
  const scratch = `${folder}.partial-${process.pid}`
  const source = join(scratch, 'source')
  try {
    mkdirSync(source, { recursive: true })
    const { Dir, GoMod } = await download(recipe, source, signal)
    writeFileSync(join(source, 'go.mod'), wrapperOf(recipe, readFileSync(GoMod, 'utf8')))
    for (const [program, from] of Object.entries(recipe.programs)) {
      if (isBuilt(recipe)) return
      const startedMs = performance.now()
      await go(['build', '-ldflags', linked(recipe), '-o', join(scratch, program), from], source, signal)
      say(`${program} ${recipe.version}: built in ${Math.round((performance.now() - startedMs) / 1000)} s`)
    }
    for (const [name, from] of Object.entries(recipe.files ?? {})) copyOut(join(Dir, from), join(scratch, name))
    rmSync(source, { recursive: true })
    if (!isBuilt(recipe)) renameSync(scratch, folder)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

interface Downloaded {
  readonly Dir: string
  readonly GoMod: string
}

async function download({ module, version }: Recipe, folder: string, signal?: AbortSignal): Promise<Downloaded> {
  const found: Downloaded = JSON.parse(await go(['mod', 'download', '-json', `${module}@${version}`], folder, signal))
  return found
}

function linked({ variables = {} }: Recipe): string {
  return ['-s', '-w', ...Object.entries(variables).map(([name, value]) => `-X ${name}=${value}`)].join(' ')
}

/** Written anew, because files of the module cache are read-only. */
function copyOut(from: string, into: string): void {
  mkdirSync(into)
  for (const name of readdirSync(from).filter((name) => name.endsWith('.yaml'))) {
    writeFileSync(join(into, name), readFileSync(join(from, name)))
  }
}

async function go(argv: readonly string[], cwd: string, signal: AbortSignal | undefined): Promise<string> {
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod -buildvcs=false', GOWORK: 'off' }
  try {
    // One build at a time: a second one would only take the processors from the first, and finds everything done after it.
    const locked = ['--no-fork', join(cacheFolder(), 'lock'), 'go', ...argv]
    return (await run('flock', locked, { cwd, env, maxBuffer: 64 << 20, ...(signal && { signal }) })).stdout
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw new Error(`go ${argv[0]} of ${argv.at(-1)} failed:\n${said.trim().split('\n').slice(-15).join('\n')}`, {
      cause: error,
    })
  }
}
