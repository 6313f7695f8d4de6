// Cuts a version: npm run release -- 0.2.0 [--dry-run]
// Moves what CHANGELOG.md has under Unreleased below the version, and sets the version everywhere. It commits and tags
// nothing: the commands for that are printed.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cut, VERSIONED, type Versioned } from './cut.ts'

const USAGE = `npm run release -- VERSION [--dry-run]

Cuts a version in a clean tree whose checks pass. --dry-run changes nothing and says what would be changed.

Example:
  npm run release -- 0.2.0 --dry-run`

process.exitCode = main(process.argv.slice(2))

function main(argv: readonly string[]): number {
  const [version, ...others] = argv.filter((word) => word !== '--dry-run')
  if (version === undefined || version.startsWith('-') || others.length > 0) {
    console.log(USAGE)
    return argv.includes('--help') ? 0 : 64
  }
  const isDry = argv.includes('--dry-run')
  const files = readAll()
  const made = cut(files, { version, date: new Date().toISOString().slice(0, 10) })
  if ('problem' in made) return refuse(made.problem, made.hint)
  if (isDry) {
    for (const line of VERSIONED.flatMap((path) => changed(path, files[path], made.files[path]))) console.log(line)
    console.log('\nNothing was changed.')
    return 0
  }
  const unclean = run('git', ['status', '--porcelain'])
  if (unclean === undefined) return refuse('Git does not answer here.', 'Run it in a checkout, with git installed.')
  if (unclean !== '') return refuse(`There are changes that are not committed:\n${unclean}`, 'Commit them first.')
  const { status } = spawnSync('npm', ['run', '--silent', 'check'], { stdio: 'inherit' })
  if (status !== 0) return refuse('The checks do not pass.', 'Mend what npm run check says.')
  for (const path of VERSIONED) writeFileSync(path, made.files[path])
  console.log(next(version))
  return 0
}

function next(version: string): string {
  return `${version} is cut in ${VERSIONED.join(', ')}. Next:
  git diff
  git commit --all --message 'release: ${version}'
  git tag --annotate v${version} --message 'Berth ${version}'
  npm pack`
}

function readAll(): Versioned {
  const [changelog, manifest, lock, version] = VERSIONED.map((path) => readFileSync(path, 'utf8'))
  return {
    'CHANGELOG.md': changelog ?? '',
    'package.json': manifest ?? '',
    'package-lock.json': lock ?? '',
    'src/api/version.ts': version ?? '',
  }
}

/** What a line is now and what it becomes. New lines are all that a changelog gets. */
function changed(path: string, before: string, after: string): readonly string[] {
  const [old, made] = [before.split('\n'), after.split('\n')]
  const start = old.findIndex((line, at) => line !== made[at])
  const added = made.length - old.length
  const isSame = (at: number): boolean => old[at] === made[at + added]
  const lines = old.flatMap((line, at) => (added > 0 || isSame(at) ? [] : [`- ${line}`, `+ ${made[at]}`]))
  const grown = added > 0 ? made.slice(start, start + added).map((line) => `+ ${line}`) : []
  return [path, ...[...lines, ...grown].map((line) => `  ${line}`)]
}

function run(command: string, argv: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(command, argv, { encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}

function refuse(problem: string, hint: string): number {
  console.error(`release: ${problem}\n  hint  ${hint}`)
  return 1
}
