import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../house/files.ts'
import { ENGINES_PROJECT, EVERYTHING, PROJECTS } from './projects.ts'

const FILES = globSync(EVERYTHING, { cwd: ROOT, exclude: ['**/node_modules/**'] })

/** Names of the projects that would run a file. */
function projectsOf(file: string): readonly unknown[] {
  return [...PROJECTS, ENGINES_PROJECT]
    .filter(({ test: { include = [], exclude = [] } = {} }) => {
      const matches = (glob: string) => matchesGlob(file, glob)
      return include.some(matches) && !exclude.some(matches)
    })
    .map((project) => project.test?.name)
}

test('every test file is run by exactly one project', () => {
  expect(FILES.length).toBeGreaterThan(400)
  expect(FILES.filter((file) => projectsOf(file).length !== 1)).toEqual([])
})

test('tests on real clusters are run by npm run test:engines alone', () => {
  const engines = FILES.filter((file) => projectsOf(file)[0] === 'engines')
  expect(engines.length).toBeGreaterThan(0)
  expect(engines.filter((file) => !file.endsWith('.engines.test.ts'))).toEqual([])
  expect(PROJECTS).not.toContain(ENGINES_PROJECT)
})

test('only tests at the edge and of real programs are tried a second time', () => {
  const again = PROJECTS.filter((project) => project.test?.retry !== undefined).map((project) => project.test?.name)
  expect(again).toEqual(['edge', 'live'])
})

test('a file of core starts no program and no server, and leaves its process as it found it', () => {
  const touches =
    /from 'node:(?:child_process|net|http|https|cluster)'|process\.(?:chdir|umask)\(|process\.env\[[^\]]+\] = |vi\.(?:mock|stub|useFake)/
  const core = FILES.filter((file) => projectsOf(file)[0] === 'core')
  expect(core.filter((file) => touches.test(readFileSync(`${ROOT}/${file}`, 'utf8')))).toEqual([])
})

test('tests that start the control plane or PostgreSQL are live', () => {
  const starts = /\/plane\/plane\.ts'|startPostgres\b/
  const others = FILES.filter(
    (file) => !['live', 'engines'].includes(String(projectsOf(file)[0])) && !file.startsWith('testing/suite/'),
  )
  expect(others.filter((file) => starts.test(readFileSync(`${ROOT}/${file}`, 'utf8')))).toEqual([])
})
