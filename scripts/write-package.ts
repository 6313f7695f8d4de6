// Writes what the package holds beside its programs into dist: types, JSON Schemas, completions. `npm pack` runs it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { openApi } from '../src/api/openapi.ts'
import { VERSION } from '../src/api/version.ts'
import { OFFER_SOURCES } from '../src/catalogues/sources.ts'
import { run } from '../src/cli/main.ts'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')

/** `from '../core/base/problem.ts'` and `import("./x.ts"`. */
const OWN = /(?:from |import\()['"](\.[^'"]+)\.ts['"]/g

const SCHEMAS = ['manifest', 'template', 'config', 'inventory', 'fleet']
const COMPLETIONS = { bash: 'berth.bash', zsh: '_berth', fish: 'berth.fish' }

for (const kind of SCHEMAS) write(`schemas/${kind}.schema.json`, await said('schema', kind))
write('schemas/openapi.json', `${JSON.stringify(openApi(VERSION), undefined, 2)}\n`)
for (const [shell, name] of Object.entries(COMPLETIONS)) write(`completions/${name}`, await said('completion', shell))
writeTypes()

function write(path: string, text: string): void {
  const file = join(DIST, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function fail(why: string): never {
  throw new Error(why)
}

/** What a command prints. */
async function said(...argv: readonly string[]): Promise<string> {
  let text = ''
  const code = await run(argv, {
    files: { read: () => undefined, list: () => undefined, write: () => false },
    clock: { nowMs: () => 0, tickMs: () => 0, cpuMs: () => 0 },
    terminal: { out: (more) => (text += more), err: () => {}, columns: undefined, color: false },
    sources: OFFER_SOURCES,
    solver: () => fail('nothing is solved here'),
    examples: '.',
  })
  if (code !== 0) throw new Error(`berth ${argv.join(' ')} ended with ${code}`)
  return text
}

/** Declarations of everything that the library's own lead to, and of nothing else. */
function writeTypes(): void {
  const all = join(DIST, 'types-all')
  const types = join(DIST, 'types')
  for (const folder of [all, types]) rmSync(folder, { recursive: true, force: true })
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--project', join(ROOT, 'tsconfig.types.json'), '--outDir', all])
  const reached = new Set([join(all, 'entry/library.d.ts')])
  // A set hands out what is added on the way, too.
  for (const file of reached) {
    const text = readFileSync(file, 'utf8')
    for (const [, path = ''] of text.matchAll(OWN)) reached.add(join(dirname(file), `${path}.d.ts`))
    write(
      join('types', relative(all, file)),
      text.replaceAll(OWN, (found) => found.replace(/\.ts(.)$/, '.js$1')),
    )
  }
  rmSync(all, { recursive: true })
}
