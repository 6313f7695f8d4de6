import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CODES } from '../../src/codes/codes.ts'
import { filesUnder, ROOT } from './files.ts'
import { issuesNamed, lookedAt, noDeadCode } from './rules/comments.ts'
import { knownCodes, usedCodes } from './rules/codes.ts'
import { folderPrefixes, folderSize } from './rules/folders.ts'
import {
  coreAlone,
  edgesAlone,
  existingFiles,
  noTestingInSrc,
  noTestsShipped,
  shippedDependencies,
} from './rules/imports.ts'
import { kebabCase, noDrawers } from './rules/names.ts'
import { noProviderInCore, pureCore, pureStep } from './rules/purity.ts'
import { knownRooms, noCycles, roomOrder, ROOMS } from './rules/rooms.ts'
import { fileLength, functionLength, parameterCount } from './rules/sizes.ts'
import {
  noAny,
  noBang,
  noDefault,
  noEnum,
  noNamespace,
  noPrefixedInterface,
  provedCasts,
  uniqueTypeNames,
} from './rules/types.ts'
import { noRaces } from './rules/waits.ts'
import { goneWords, noGoneWords, noGoneWordsOn } from './rules/words.ts'
import { readSource, type Rule } from './source.ts'

// The house rules, held against the syntax tree of every file. A rule that fails names the file and the line; the fix is never
// a longer list of exceptions. Beside each rule stands a test that sees it fail.

const SOURCES = ['src', 'scripts', 'testing', 'bench'].flatMap((folder) => filesUnder(folder, '.ts')).map(readSource)
const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const INDEX = new Set(CODES.map(({ code }) => code))
const GLOSSARY = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8')
const GONE = goneWords(GLOSSARY)

const RULES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  rooms: {
    'import rooms above them only': roomOrder(ROOMS),
    'have their place in the order': knownRooms(ROOMS),
    'lead nowhere round, and neither do files': noCycles,
  },
  imports: {
    'name files that exist': existingFiles((path) => existsSync(join(ROOT, path))),
    'of shipped code lead to no tests': noTestsShipped,
    'of src, its tests included, stay in src': noTestingInSrc,
    'of core lead to zod at most, where documents become types': coreAlone,
    'of shipped code lead to dependencies that are shipped': shippedDependencies(Object.keys(PACKAGE.dependencies)),
    'of Node’s modules stand at the edges': edgesAlone,
  },
  core: {
    'depends on its input alone': pureCore,
    'names no provider outside its tables': noProviderInCore,
  },
  'the step of the controller': {
    'depends on its input alone': pureStep,
  },
  folders: {
    'have 30 files at most': folderSize,
    'are made of what four files begin with': folderPrefixes,
  },
  sizes: {
    'of files: 400 lines': fileLength,
    'of functions: 60 lines': functionLength,
    'of lists of parameters: three': parameterCount,
  },
  types: {
    'are never any': noAny,
    'are no enums': noEnum,
    'are not claimed with !': noBang,
    'stand in no namespace': noNamespace,
    'do not begin with I': noPrefixedInterface,
    'are switched over without a default': noDefault,
    'are claimed with `as` where a comment proves it': provedCasts,
    'have names of their own': uniqueTypeNames,
  },
  comments: {
    'name the issue of what is left to do': issuesNamed,
    'hold no code': noDeadCode,
    'tell no tool to look away without a reason': lookedAt,
  },
  codes: {
    'are in the index': knownCodes(INDEX),
    'are used': usedCodes(INDEX),
  },
  waits: {
    'end by a deadline, not in a race': noRaces,
  },
  words: {
    'that are gone stay gone': noGoneWords(GONE),
  },
}

describe.each(Object.entries(RULES))('%s', (_, rules) => {
  test.each(Object.entries(rules))('%s', (_, rule) => {
    expect(rule(SOURCES)).toEqual([])
  })
})

describe('names of files', () => {
  const paths = [...SOURCES.map(({ path }) => path), ...filesUnder('docs', '.md'), ...filesUnder('examples', '')]

  test('are in kebab-case', () => expect(kebabCase(paths)).toEqual([]))
  test('say what is inside', () => expect(noDrawers(paths)).toEqual([]))
})

describe('pages', () => {
  // Decisions keep the words of their day, and the glossary says which they were.
  const paths = ['CONTRIBUTING.md', ...filesUnder('docs', '.md'), ...filesUnder('examples', '')]
  const pages = paths
    .filter((path) => !path.startsWith('docs/decisions/') && path !== 'docs/glossary.md')
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

  test('use no words that are gone', () => {
    expect(GONE.length).toBeGreaterThan(10)
    expect(noGoneWordsOn(pages, GONE)).toEqual([])
  })

  test('of words name files that exist', () => {
    const paths = [...GLOSSARY.matchAll(/`([a-z-]+\/[\w./-]*)`/g)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(40)
    expect(paths.filter((path) => !existsSync(join(ROOT, 'src', path)) && !existsSync(join(ROOT, path)))).toEqual([])
  })
})

describe('one file, one test, one line in a registry', () => {
  test.each([
    ['key of a GPU', 'src/core/requirement/gpu'],
    ['key of a machine', 'src/core/requirement/machine'],
    ['filter', 'src/core/requirement/filter'],
    ['score', 'src/core/requirement/score'],
    ['command', 'src/cli'],
  ])('every %s has a test beside it', (_, folder) => {
    const files = readSource(`${folder}/registry.ts`).imports.map(({ written }) => posix.join(folder, written))
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter((path) => !existsSync(join(ROOT, path.replace(/\.ts$/, '.test.ts'))))).toEqual([])
  })

  test.each(['gpu', 'machine', 'filter', 'score'].map((name) => `src/core/requirement/${name}`).concat('src/cli'))(
    'the registry of %s is in order',
    (folder) => {
      const lines = readSource(`${folder}/registry.ts`).lines.filter((line) => line.startsWith('export'))
      expect(lines).toEqual(lines.toSorted())
    },
  )
})

describe('dependencies', () => {
  test('are pinned to one version each', () => {
    const { dependencies, devDependencies, optionalDependencies } = PACKAGE
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual([])
  })

  test('are locked without the host they came from', () => {
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toContain('"resolved": "http')
  })
})
