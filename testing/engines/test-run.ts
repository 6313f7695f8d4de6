import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './build/build.ts'
import { ENGINES, type Engine } from './build/recipes.ts'
import { countIn, failedFiles, passedIn, type Counts } from './counts.ts'
import { whatIsMissing } from './needs.ts'
import { ensureNetwork, execInside, takeDown } from './outside.ts'
import { rigsFolder } from './rig/place.ts'

// npm run test:engines [-- NAME...]: builds what is missing, opens a network, runs the tests on real clusters in it and leaves
// nothing behind. The names are parts of paths, or options of vitest. The last line: N passed, N failed.

const NAME = `tests-${process.pid}`
const ROOT = join(import.meta.dirname, '../..')
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')

process.exitCode = await test(process.argv.slice(2))

async function test(argv: readonly string[]): Promise<number> {
  const engines = enginesFor(argv)
  const missing = whatIsMissing(engines)
  if (missing !== undefined) return told({ passed: 0, failed: 0 }, `Skipped: ${missing}.`)
  try {
    await ensureBuilt(engines, (line) => console.error(line))
  } catch (error) {
    return told({ passed: 0, failed: 1 }, String(error))
  }
  const scratch = mkdtempSync(join(tmpdir(), 'berth-tests-'))
  try {
    const first = await counted(argv, join(scratch, 'report.json'))
    if (first.files.length === 0) return told(first.counts)
    // Engines of others start with races of their own: a file that fails has a second try, on fresh clusters.
    console.log(`Tried again: ${first.files.join(', ')}`)
    const { counts } = await counted(first.files, join(scratch, 'again.json'))
    const passed = first.counts.passed - passedIn(first.text, first.files) + counts.passed
    return told({ passed, failed: counts.failed })
  } catch (error) {
    return told({ passed: 0, failed: 1 }, String(error))
  } finally {
    await takeDown(NAME)
    rmSync(scratch, { recursive: true, force: true })
  }
}

interface Counted {
  readonly counts: Counts
  /** The report as vitest wrote it, and the files in it that failed. */
  readonly text: string
  readonly files: readonly string[]
}

async function counted(argv: readonly string[], report: string): Promise<Counted> {
  const code = await runVitest(argv, report)
  const text = readFileSync(report, 'utf8')
  return { counts: countIn(text, code), text, files: failedFiles(text, ROOT) }
}

/** What the files that are run ask for: `engines: ['kai']`. */
function enginesFor(names: readonly string[]): readonly Engine[] {
  const files = globSync('testing/**/*.engines.test.ts', { cwd: ROOT })
  const filters = names.map(filterOf).filter((name) => !name.startsWith('-'))
  const run = files.filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  const asked = run
    .flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(/engines: \[[^\]]*\]/g) ?? [])
    .join(' ')
  return ENGINES.filter((engine) => asked.includes(`'${engine}'`))
}

/** Whatever the tests leave running ends with the network they ran in. */
async function runVitest(argv: readonly string[], report: string): Promise<number> {
  await ensureNetwork(NAME)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const budget = ['--reporter=./testing/suite/budget-reporter.ts']
  const env = { ...process.env, BERTH_TESTS: 'engines', BERTH_RIGS: join(rigsFolder(), NAME) }
  return execInside(NAME, [process.execPath, VITEST, 'run', ...reporters, ...budget, ...argv.map(filterOf)], env)
}

/** The control plane's own tests; its name is part of other names. */
function filterOf(name: string): string {
  return name === 'kube' ? '/kube.engines.test.ts' : name
}

function told({ passed, failed }: Counts, line?: string): number {
  if (line !== undefined) console.log(line)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}
