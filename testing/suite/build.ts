import { execFileSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** What a build is made of, and what it makes. */
const SOURCES = ['src/**/*.ts', 'rolldown.config.ts', 'package.json']
const BUILT = ['dist/up.mjs', 'dist/berth.mjs', 'dist/berth.blob']

/** Builds what tests start, unless it is there and no source is newer. */
export function ensureBuilt(root = ROOT): 'built' | 'fresh' {
  if (isFresh(root)) return 'fresh'
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  return 'built'
}

export function isFresh(root: string): boolean {
  const builtMs = BUILT.map((file) => changedMs(join(root, file)) ?? 0)
  const sources = globSync(SOURCES, { cwd: root, exclude: ['src/**/*.{test,suite}.ts'] })
  const newestMs = Math.max(...sources.map((file) => changedMs(join(root, file)) ?? 0))
  return Math.min(...builtMs) > newestMs
}

function changedMs(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs
}

/** Before the first test that starts a program. */
export default function setup(): void {
  ensureBuilt()
}
