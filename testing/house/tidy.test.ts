import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesUnder, functionsOf, importsOf, parametersOf, readSource, ROOT, type SourceFile } from './source.suite.ts'

// The house rules of STYLE.md. A rule that fails names the file and the line; the fix is never a longer list of exceptions.

const SOURCES = filesUnder('src', '.ts').map(readSource)
const EVERYTHING = [
  ...SOURCES,
  ...filesUnder('scripts', '.ts').map(readSource),
  ...filesUnder('testing', '.ts').map(readSource),
  ...filesUnder('bench', '.ts').map(readSource),
]
const SHIPPED = SOURCES.filter((file) => !file.isTest)
const CORE = SHIPPED.filter((file) => file.path.startsWith('src/core/'))
const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** The rooms of the house, each of which imports only rooms above it; types count as much as values. */
const ROOMS: readonly string[] = [
  'core/base',
  'core/document',
  'core/hardware',
  'core/manifest',
  'core/template',
  'core/fleet',
  'core/offer',
  'core/requirement',
  'core/policy',
  'core/pack',
  'core/place',
  'core/event',
  'core/life',
  'codes',
  'api',
  'ports',
  'lab',
  'formats',
  'catalogues',
  'vault',
  'solver',
  'store',
  'providers',
  'service',
  'controller',
  'client',
  'cli',
  'server',
  'up',
  'entry',
]

/** Where zod may turn documents into types. */
const ZOD = /^src\/core\/(manifest|policy|document|template)\//

/** Rooms that touch the world themselves. */
const EDGES = new Set(['providers', 'store', 'server', 'gateway', 'solver', 'vault', 'client', 'up', 'entry'])

describe('imports', () => {
  test('go up the order of the rooms', () => {
    const wrong = SHIPPED.flatMap((file) =>
      ownImports(file)
        .map(({ target }) => ({ from: ROOMS.indexOf(roomOf(file.path)), to: ROOMS.indexOf(roomOf(target)), target }))
        .filter(({ from, to }) => from < to)
        .map(({ target }) => `${file.path} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('every folder of src is a room with its place in the order', () => {
    const rooms = new Set(SOURCES.map((file) => roomOf(file.path)))
    expect([...rooms].filter((room) => !ROOMS.includes(room))).toEqual([])
  })

  test('name files that exist, with their ending', () => {
    const wrong = SOURCES.flatMap((file) =>
      ownImports(file)
        .filter(({ target }) => !existsSync(join(ROOT, target)))
        .map(({ written }) => `${file.path} imports ${written}`),
    )
    expect(wrong).toEqual([])
  })

  test('shipped code does not lean on tests', () => {
    const wrong = SHIPPED.flatMap((file) =>
      ownImports(file)
        .filter(({ target }) => /\.(test|suite|fixture)\.ts$/.test(target))
        .map(({ written }) => `${file.path} imports ${written}`),
    )
    expect(wrong).toEqual([])
  })

  test('core uses nothing from npm but zod, where documents become types', () => {
    const wrong = CORE.flatMap((file) =>
      foreignImports(file)
        .filter((name) => !(name === 'zod' && ZOD.test(file.path)))
        .map((name) => `${file.path} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  test('shipped code uses dependencies that are shipped with it', () => {
    const shipped = Object.keys(PACKAGE.dependencies)
    const wrong = SHIPPED.flatMap((file) =>
      foreignImports(file)
        .filter((name) => !name.startsWith('node:') && !shipped.includes(name))
        .map((name) => `${file.path} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  test('only the edges and the composition root open doors to the world', () => {
    const wrong = SHIPPED.filter((file) => !EDGES.has(roomOf(file.path)))
      .flatMap((file) => foreignImports(file).map((name) => `${file.path} imports ${name}`))
      .filter((text) => text.includes('imports node:'))
    expect(wrong).toEqual([])
  })
})

describe('core is pure', () => {
  // Date.parse(text) and new Date(ms) are functions of what they are given; only asking for the time is not.
  test.each([
    ['the time', /\bDate\.now\b|\bnew Date\(\)|\bperformance\b/],
    ['chance', /\bMath\.random\b|\bcrypto\b/],
    ['timers', /\b(setTimeout|setInterval|setImmediate|queueMicrotask)\b/],
    ['the process', /\bprocess\.|\bglobalThis\b|\brequire\(/],
    ['output', /\bconsole\b/],
    ['the network', /\bfetch\(/],
    ['waiting', /\basync\b|\bawait\b|\bPromise\b/],
    ['the language of the machine', /\.toLocale|\.localeCompare\(|\bIntl\./],
  ])('it does not use %s', (_, pattern) => {
    expect(CORE.flatMap((file) => linesWith(file, pattern))).toEqual([])
  })

  test('it names no provider outside the tables of hardware and of what couples a manifest to one', () => {
    const names =
      /\b(azure|gcp|runpod|nebius|coreweave|lambdalabs|paperspace|hyperstack|fluidstack|shadeform|vast\.ai|ovhcloud|scaleway|primeintellect)\b/i
    const tables = /^src\/core\/(hardware\/|manifest\/coupling)/
    const wrong = CORE.filter((file) => !tables.test(file.path)).flatMap((file) =>
      file.lines.flatMap((line, at) => (names.test(line) ? [`${file.path}:${at + 1} ${line.trim()}`] : [])),
    )
    expect(wrong).toEqual([])
  })
})

describe('sizes', () => {
  test('no file is longer than 400 lines', () => {
    expect(EVERYTHING.filter((file) => file.lines.length > 400).map((file) => file.path)).toEqual([])
  })

  test('no function is longer than 60 lines', () => {
    const wrong = EVERYTHING.filter((file) => !file.isTest).flatMap((file) =>
      functionsOf(file)
        .filter(({ lines }) => lines > 60)
        .map(({ line, lines }) => `${file.path}:${line} has ${lines} lines`),
    )
    expect(wrong).toEqual([])
  })

  // Tests are left out: what test.each and properties hand over comes one by one.
  test('no function takes more than three parameters', () => {
    const wrong = EVERYTHING.filter((file) => !file.isTest).flatMap((file) =>
      parametersOf(file)
        .filter(({ count }) => count > 3)
        .map(({ line, count }) => `${file.path}:${line} takes ${count}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('types', () => {
  test.each([
    ['any', /(?::|<|\bas|\|) any\b|\bany\[\]|<any\b/],
    ['enum', /^\s*(?:export )?(?:const )?enum\b/],
    ['! to wish undefined away', /[\w)\]]!(?:[.;,)\][]|$)/],
    ['namespaces', /^\s*(?:export )?namespace\b/],
  ])('there is no %s', (_, pattern) => {
    expect(EVERYTHING.flatMap((file) => linesWith(file, pattern))).toEqual([])
  })

  test('switch has no default, so that a new case does not compile until it is handled', () => {
    const wrong = SHIPPED.flatMap((file) =>
      linesWith(file, /^\s*default:\s*(?:return\b.*|throw\b.*|\{)?$/).filter((found) => !isAboutLetters(file, found)),
    )
    expect(wrong).toEqual([])
  })

  test('`as` is proved by a comment', () => {
    const wrong = SHIPPED.flatMap((file) =>
      linesWith(file, /(?<!^(?:import|export)\b.*) as (?!const\b)/).filter((found) => !isProved(file, found)),
    )
    expect(wrong).toEqual([])
  })

  test('compilers and linters are not told to look away without a reason', () => {
    const wrong = EVERYTHING.flatMap((file) =>
      file.lines.flatMap((line, at) =>
        /@ts-|oxlint-disable(?!.* -- \w)|eslint-disable/.test(line) && !file.path.endsWith('tidy.test.ts')
          ? [`${file.path}:${at + 1} ${line.trim()}`]
          : [],
      ),
    )
    expect(wrong).toEqual([])
  })
})

describe('names', () => {
  const paths = [...EVERYTHING.map((file) => file.path), ...filesUnder('docs', '.md'), ...filesUnder('examples', '')]

  test('of files are in kebab-case', () => {
    const special = /^(README|LICENSE)(\.md)?$/
    const wrong = paths.filter(
      (path) => !special.test(basename(path)) && !/^[a-z0-9]+([-.][a-z0-9]+)*$/.test(basename(path)),
    )
    expect(wrong).toEqual([])
  })

  test('say what is inside', () => {
    expect(paths.filter((path) => /\b(utils?|common|helpers?|managers?|misc)\b/.test(path))).toEqual([])
  })

  test('of types do not begin with I', () => {
    expect(EVERYTHING.flatMap((file) => linesWith(file, /\binterface I[A-Z]/))).toEqual([])
  })
})

describe('text', () => {
  test('a TODO names its issue', () => {
    const wrong = EVERYTHING.filter((file) => !file.path.endsWith('tidy.test.ts')).flatMap((file) =>
      file.lines.flatMap((line, at) => (/\b(TODO|FIXME|XXX)\b(?! #\d)/.test(line) ? [`${file.path}:${at + 1}`] : [])),
    )
    expect(wrong).toEqual([])
  })

  test('no code is commented out', () => {
    const pattern = /^\s*\/\/ (?:(?:const|let|return|import|export|if|for) .*[({;=]|\}|\w+\(.*\)$)/
    const wrong = EVERYTHING.flatMap((file) =>
      file.lines.flatMap((line, at) => (pattern.test(line) ? [`${file.path}:${at + 1} ${line.trim()}`] : [])),
    )
    expect(wrong).toEqual([])
  })
})

describe('one file, one test, one line in a registry', () => {
  test.each([
    ['filter', 'src/core/requirement/filter'],
    ['score', 'src/core/requirement/score'],
    ['command', 'src/cli'],
  ])('every %s has a test beside it', (_, folder) => {
    const registry = readSource(`${folder}/registry.ts`)
    const files = importsOf(registry).map((path) => posix.join(folder, path))
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter((path) => !existsSync(join(ROOT, path.replace(/\.ts$/, '.test.ts'))))).toEqual([])
  })

  test.each(['src/core/requirement/filter', 'src/core/requirement/score', 'src/cli'])(
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

/** `core/base` for src/core/base/…, `store` for src/store/…, and the name of the file for one directly in src. */
function roomOf(path: string): string {
  const [, first = '', second = ''] = path.split('/')
  return first === 'core' ? `core/${second}` : first
}

function ownImports(file: SourceFile): readonly { readonly written: string; readonly target: string }[] {
  return importsOf(file)
    .filter((written) => written.startsWith('.'))
    .map((written) => ({ written, target: posix.join(dirname(file.path), written) }))
}

/** Packages and Node's own modules: `zod`, `node:fs`. */
function foreignImports(file: SourceFile): readonly string[] {
  return importsOf(file)
    .filter((written) => !written.startsWith('.'))
    .map((written) =>
      written.startsWith('node:')
        ? written
        : written
            .split('/')
            .slice(0, written.startsWith('@') ? 2 : 1)
            .join('/'),
    )
}

/** `path:line text` for every line whose code, strings and comments aside, matches. */
function linesWith(file: SourceFile, pattern: RegExp): readonly string[] {
  return file.code
    .split('\n')
    .flatMap((line, at) => (pattern.test(line) ? [`${file.path}:${at + 1} ${file.lines[at]?.trim()}`] : []))
}

/** A switch over the letters of a text can never list them all. */
function isAboutLetters(file: SourceFile, found: string): boolean {
  const cases = file.lines.slice(0, lineOf(found)).filter((line) => /^\s*case /.test(line))
  return /case '\\?.':/.test(cases.at(-1) ?? '')
}

function lineOf(found: string): number {
  return Number(/:(\d+) /.exec(found)?.[1])
}

/** A comment stands on the line itself or right above it. */
function isProved(file: SourceFile, found: string): boolean {
  const at = lineOf(found) - 1
  return /\/\/ \w/.test(file.lines[at] ?? '') || /^\s*(?:\/\/|\*|\/\*\*) ?/.test(file.lines[at - 1] ?? '')
}
