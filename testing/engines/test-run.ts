import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt, missingOf } from './build/build.ts'
import { ensureInstalled, PYTHON_SERVERS, type PythonServer } from './build/python.ts'
import { ENGINES, type Engine } from './build/recipes.ts'
import { countIn, failedFiles, passedIn, type Counts } from './counts.ts'
import { filesWithout, PYTHON, type NeedyFile } from './left-out.ts'
import { whatIsMissing } from './needs.ts'
import { ensureNetwork, execInside, takeDown } from './outside.ts'
import { rigsFolder } from './rig/place.ts'

// npm run test:engines [-- NAME...]: builds what is missing, opens a network, runs the tests on real clusters in it and leaves
// nothing behind. The names are parts of paths, or options of vitest. The last line: N passed, N failed. With BERTH_BUILD_SECONDS,
// what takes longer to build is left out with a line, and the next run goes on building where this one ended.

const NAME = `tests-${process.pid}`
const ROOT = join(import.meta.dirname, '../..')
const FILES = 'testing/**/*.engines.test.ts'
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')

process.exitCode = await test(process.argv.slice(2))

async function test(argv: readonly string[]): Promise<number> {
  const files = filesOf(argv)
  const texts = files.map(({ text }) => text)
  const [engines, servers] = [enginesFor(texts), serversFor(texts)]
  const missing = whatIsMissing(engines, servers)
  if (missing !== undefined) return told({ passed: 0, failed: 0 }, `Skipped: ${missing}.`)
  try {
    if (engines.length > 0) await built(engines)
  } catch (error) {
    return told({ passed: 0, failed: 1 }, String(error))
  }
  const unbuilt = engines.filter((engine) => missingOf([engine]).length > 0)
  if (unbuilt.includes('kube')) return told({ passed: 0, failed: 0 }, 'Skipped: Kubernetes is not built yet.')
  if (unbuilt.length > 0) console.log(`Left out: what needs ${unbuilt.join(', ')}, not built yet for want of time.`)
  const out = filesWithout(files, { engines: unbuilt, servers: await uninstalled(servers) })
  // What is left out is skipped: vitest calls it a failure if nothing remains.
  if (files.length > 0 && out.length === files.length) return told({ passed: 0, failed: 0 }, 'Skipped: all of it.')
  const asked = [...argv, ...out.map(({ path }) => `--exclude=${path}`)]
  const scratch = mkdtempSync(join(tmpdir(), 'berth-tests-'))
  try {
    const first = await counted(asked, join(scratch, 'report.json'))
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

/** Builds for as long as there is time. */
async function built(engines: readonly Engine[]): Promise<void> {
  const seconds = Number(process.env['BERTH_BUILD_SECONDS'] ?? Number.NaN)
  const signal = Number.isFinite(seconds) ? AbortSignal.timeout(Math.max(1, seconds) * 1000) : undefined
  try {
    await ensureBuilt(engines, (line) => console.error(line), signal)
  } catch (error) {
    if (signal?.aborted !== true) throw error
  }
}

/** A machine may have no way to packages of Python, or a slow one: what needs them is left out, and a line says so. */
async function uninstalled(servers: readonly PythonServer[]): Promise<readonly PythonServer[]> {
  const missing: PythonServer[] = []
  for (const server of servers) {
    try {
      await ensureInstalled(server, (line) => console.error(line))
    } catch (error) {
      missing.push(server)
      console.log(`Left out: what needs ${server}, which could not be installed. ${String(error).split('\n')[0] ?? ''}`)
    }
  }
  return missing
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

/** What the files that are run ask for: `engines: ['kai']`. Those that ask for a package of Python alone need no cluster. */
function enginesFor(files: readonly string[]): readonly Engine[] {
  const asked = files.join('\n').match(/engines: \[[^\]]*\]/g) ?? []
  const base: readonly Engine[] = files.every((text) => PYTHON.test(text)) ? [] : ['kube']
  return ENGINES.filter((engine) => base.includes(engine) || asked.join(' ').includes(`'${engine}'`))
}

/** `python: ['moto']` */
function serversFor(files: readonly string[]): readonly PythonServer[] {
  const asked = files.map((text) => PYTHON.exec(text)?.[1] ?? '').join(' ')
  return PYTHON_SERVERS.filter((server) => asked.includes(`'${server}'`))
}

/** The files that are run. */
function filesOf(names: readonly string[]): readonly NeedyFile[] {
  const files = globSync(FILES, { cwd: ROOT })
  const filters = names.map(filterOf).filter((name) => !name.startsWith('-'))
  const run = files.filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  return run.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
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
