import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Commits whose rows are in users' hands, oldest first: their goldens lie beside this file. */
export const RELEASED = ['0e16500', '8c61227', 'a9a6873'] as const

/** The control plane of an earlier commit, checked out into a separate folder. Its packages are those of this checkout. */
export interface EarlierProgram {
  /** What Node runs. */
  readonly program: readonly string[]
  readonly remove: () => void
}

export function earlierProgram(commit: string): EarlierProgram {
  const folder = mkdtempSync(join(tmpdir(), `berth-${commit}-`))
  git(['worktree', 'add', '--detach', '--force', folder, commit])
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const program = ['src/entry/up-main.ts', 'src/up-main.ts']
    .map((path) => join(folder, path))
    .find((path) => existsSync(path))
  if (program === undefined) throw new Error(`commit ${commit} has no control plane`)
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true })
    git(['worktree', 'prune'])
  }
  return { program: ['--disable-warning=ExperimentalWarning', program], remove }
}

function git(argv: readonly string[]): void {
  try {
    execFileSync('git', argv, { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    throw new Error('this needs git and a checkout with its history: clone the repository without --depth', {
      cause: error,
    })
  }
}
