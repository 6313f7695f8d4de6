import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { VERSION } from '../../src/api/version.ts'
import { cut, VERSIONED, type Versioned } from '../../scripts/cut.ts'
import { ROOT } from '../house/files.ts'

const FILES: Versioned = {
  'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- New: a thing.\n\n## 0.1.0, the first days\n\n- All of it.\n',
  'package.json': '{\n  "name": "berth",\n  "version": "0.1.0"\n}\n',
  'package-lock.json':
    '{\n  "version": "0.1.0",\n  "packages": {\n    "": { "version": "0.1.0" },\n    "node_modules/other": { "version": "0.1.0" }\n  }\n}\n',
  'src/api/version.ts': "export const VERSION = '0.1.0'\n",
}
const RELEASE = { version: '0.2.0', date: '2026-11-16' }

describe('cutting a version', () => {
  test('moves what is unreleased below it and sets it everywhere', () => {
    const made = cut(FILES, RELEASE)
    expect(made).toEqual({
      files: {
        'CHANGELOG.md':
          '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-16)\n\n- New: a thing.\n\n## 0.1.0, the first days\n\n- All of it.\n',
        'package.json': '{\n  "name": "berth",\n  "version": "0.2.0"\n}\n',
        'package-lock.json':
          '{\n  "version": "0.2.0",\n  "packages": {\n    "": { "version": "0.2.0" },\n    "node_modules/other": { "version": "0.1.0" }\n  }\n}\n',
        'src/api/version.ts': "export const VERSION = '0.2.0'\n",
      },
    })
    // A second time there is nothing to cut.
    expect('files' in made && cut(made.files, { ...RELEASE, version: '0.3.0' })).toHaveProperty('problem')
  })

  test.each([
    ['no version', FILES, 'v0.2.0', 'v0.2.0 is no version.'],
    ['the version there is', FILES, '0.1.0', '0.1.0 does not come after 0.1.0.'],
    ['an earlier one', FILES, '0.0.9', '0.0.9 does not come after 0.1.0.'],
    [
      'nothing to tell',
      { ...FILES, 'CHANGELOG.md': '## Unreleased\n\n## 0.1.0, the first days\n' },
      '0.2.0',
      'There is nothing under Unreleased in CHANGELOG.md.',
    ],
    ['no place to tell it', { ...FILES, 'CHANGELOG.md': '' }, '0.2.0', 'CHANGELOG.md has no Unreleased section.'],
    [
      'a version that was told already',
      { ...FILES, 'CHANGELOG.md': `${FILES['CHANGELOG.md']}\n## 0.2.0, another\n` },
      '0.2.0',
      'CHANGELOG.md has 0.2.0 already.',
    ],
    [
      'a file that says another version',
      { ...FILES, 'src/api/version.ts': "export const VERSION = '0.0.1'\n" },
      '0.2.0',
      'src/api/version.ts does not say 0.1.0.',
    ],
  ])('is refused with %s', (_, files, version, problem) => {
    expect(cut(files, { ...RELEASE, version })).toMatchObject({ problem })
  })
})

test('the version is the same wherever it is said', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
  const { version, packages } = read('package-lock.json')
  expect([version, packages[''].version, VERSION]).toEqual(Array(3).fill(read('package.json').version))
})

const isGitThere = spawnSync('git', ['--version']).status === 0
if (!isGitThere) test.skip('needs git: install it to try a release in a copy of the repository')

describe.skipIf(!isGitThere)('npm run release in a copy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-release-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  const git = (...argv: readonly string[]) => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main']
    expect(spawnSync('git', [...who, ...argv], { cwd: folder, env }).status).toBe(0)
  }
  const release = (...argv: readonly string[]) => {
    const script = join(ROOT, 'scripts/release.ts')
    const ran = spawnSync(process.execPath, ['--no-warnings', script, ...argv], { cwd: folder, encoding: 'utf8', env })
    return { code: ran.status, said: ran.stdout + ran.stderr }
  }

  for (const path of VERSIONED) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(join(ROOT, path), join(folder, path))
  }
  // Whatever is unreleased at the moment; and checks that stand for the real ones.
  writeFileSync(join(folder, 'CHANGELOG.md'), read('CHANGELOG.md').replace(/^## Unreleased\n/m, '$&\n- A line.\n'))
  const check = (script: string): void =>
    writeFileSync(join(folder, 'package.json'), read('package.json').replace(/"check": ".*"/, `"check": "${script}"`))
  const [major = 0] = VERSION.split('.').map(Number)
  const version = `${major + 1}.0.0`

  test('a dry run says what would change, and changes nothing', () => {
    const before = VERSIONED.map(read)
    const { code, said } = release(version, '--dry-run')
    expect(code).toBe(0)
    expect(said).toMatch(new RegExp(String.raw`CHANGELOG.md\n {2}\+ ## ${version} \(\d{4}-\d\d-\d\d\)`))
    expect(said).toContain(`package.json\n  -   "version": "${VERSION}",\n  +   "version": "${version}",`)
    expect(VERSIONED.map(read)).toEqual(before)
  })

  test('a tree that is not clean and checks that fail are refused', () => {
    check('exit 1')
    git('init', '--quiet')
    expect(release(version)).toMatchObject({ code: 1, said: expect.stringContaining('not committed') })
    git('add', '.')
    git('commit', '--quiet', '--message', 'one')
    expect(release(version)).toMatchObject({ code: 1, said: expect.stringContaining('The checks do not pass.') })
    expect(read('src/api/version.ts')).toContain(VERSION)
  })

  test('otherwise the version is cut, and tagging it is left to the reader', () => {
    check('exit 0')
    git('commit', '--quiet', '--all', '--message', 'two')
    const { code, said } = release(version)
    expect(said).toContain(`git tag --annotate v${version}`)
    expect(code).toBe(0)
    expect(read('src/api/version.ts')).toContain(`'${version}'`)
    for (const path of ['package.json', 'package-lock.json']) expect(JSON.parse(read(path)).version).toBe(version)
    expect(JSON.parse(read('package-lock.json')).packages[''].version).toBe(version)
    expect(read('CHANGELOG.md')).toMatch(new RegExp(String.raw`## Unreleased\n\n## ${version} \(.*\)\n\n- A line\.`))
  })
})
