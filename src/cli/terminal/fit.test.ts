import { describe, expect, test } from 'vitest'
import { isColorWanted } from './color.ts'
import { fit, fitProblems } from './fit.ts'
import { furnishedPlane } from '../planes.suite.ts'
import { berth, INVENTORY, MANIFEST, words } from '../harness.suite.ts'
import { table } from './table.ts'

const WORLD = { files: { 'w.yaml': MANIFEST, 'inventory.yaml': INVENTORY }, control: furnishedPlane }

const LINES = [
  'plan w.yaml --offers inventory.yaml --all',
  'ps -A',
  'get llama-70b',
  'explain llama-70b',
  'provider ls',
  'offers list --offers inventory.yaml',
]

describe.each([80, 120])('at %i columns', (columns) => {
  test.each(LINES)('berth %s', async (line) => {
    const { out } = await berth(words(line), { ...WORLD, columns })
    expect(out).toMatchSnapshot()
    expect(Math.max(...out.split('\n').map((text) => text.length))).toBeLessThanOrEqual(columns)
  })
})

const HARDWARE = [
  ['0', 'northwind/north-1', '4 × H100 SXM 80 GB, NVLink', '9.40', 'the cheapest of all 63 offers that fit'],
  ['1', 'tidewater/a', '4 × H100 SXM 80 GB', '10.60', 'next domain'],
]
const COLUMNS = [
  { head: 'REPLICA' },
  { head: 'WHERE' },
  { head: 'HARDWARE' },
  { head: '$/h', align: 'right' as const },
  { head: 'WHY' },
]
const PAGE = table(COLUMNS, HARDWARE).join('\n')

function at(columns: number | undefined, page = PAGE): readonly string[] {
  return fit(page, { columns, color: false }).split('\n')
}

describe('a table', () => {
  test('in a pipe is as wide as it is', () => {
    expect(at(undefined)[1]).toBe(
      '  0        northwind/north-1  4 × H100 SXM 80 GB, NVLink   9.40  the cheapest of all 63 offers that fit',
    )
  })

  test('wraps its text at words, and never inside a figure', () => {
    expect(at(80)).toEqual([
      '  REPLICA  WHERE              HARDWARE                $/h  WHY',
      '  0        northwind/north-1  4 × H100 SXM 80 GB,    9.40  the cheapest of all',
      '                              NVLink                       63 offers that fit',
      '  1        tidewater/a        4 × H100 SXM 80 GB    10.60  next domain',
    ])
  })

  test('that is still too wide gives its last column lines of its own', () => {
    expect(at(50)).toEqual([
      '  REPLICA  WHERE              HARDWARE         $/h',
      '      WHY',
      '  0        northwind/north-1  4 × H100 SXM    9.40',
      '                              80 GB, NVLink',
      '      the cheapest of all 63 offers that fit',
      '  1        tidewater/a        4 × H100 SXM   10.60',
      '                              80 GB',
      '      next domain',
    ])
  })

  test('shortens identifiers in the middle, but no name, address or figure', () => {
    const columns = [{ head: 'NAME' }, { head: 'INSTANCE' }, { head: 'ADDRESS' }]
    const row = ['a-very-long-name-of-a-workload', '0mwivyhyb0000af382dd9bfad', 'http://127.0.0.1:31230']
    expect(at(76, table(columns, [row]).join('\n'))[1]).toBe(
      '  a-very-long-name-of-a-workload  0mwivyhyb…2dd9bfad  http://127.0.0.1:31230',
    )
  })
})

describe('a line', () => {
  test('wraps at words, under where its text begins', () => {
    expect(at(44, '  Nearest   rack r1: 1 of 2 nodes free (dgx-02); on dgx-01')).toEqual([
      '  Nearest   rack r1: 1 of 2 nodes free',
      '            (dgx-02); on dgx-01',
    ])
  })

  test('of next steps gets one line for each', () => {
    expect(at(44, 'Next:  berth events llama-70b      berth explain llama-70b')).toEqual([
      'Next:  berth events llama-70b',
      '       berth explain llama-70b',
    ])
  })

  test('that is a command stays whole, to be pasted', () => {
    const line = '  berth plan examples/llama-70b.yaml --config examples/platform/berth.config.yaml'
    expect(at(44, line)).toEqual([line])
  })
})

describe('colour', () => {
  test('repeats what a word says', () => {
    const page = table(
      [{ head: 'NAME' }, { head: 'STATE' }],
      [
        ['failed', 'serving'],
        ['x', 'failed: exit code 1'],
      ],
    )
    expect(fit(page.join('\n'), { columns: 80, color: true }).split('\n')).toEqual([
      '\u001b[1m  NAME\u001b[0m  \u001b[1m  STATE\u001b[0m',
      '  failed  \u001b[32mserving\u001b[0m',
      '  x       \u001b[31mfailed\u001b[0m: exit code 1',
    ])
  })

  test('marks a code and the place of it, and leaves the line of the file as it is', () => {
    const text = ['  KEY_UNKNOWN at a.yaml:1:1', '        1 | failed', '          | ^^^^^^', '    No such key.'].join(
      '\n',
    )
    expect(fitProblems(text, { columns: 80, color: true }).split('\n')).toEqual([
      '  \u001b[31mKEY_UNKNOWN\u001b[0m at a.yaml:1:1',
      '        1 | failed',
      '          | \u001b[31m^^^^^^\u001b[0m',
      '    No such key.',
    ])
  })

  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { CLICOLOR_FORCE: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { CLICOLOR: '0' }, false],
    [true, { TERM: 'dumb' }, false],
    [true, { CI: 'true' }, false],
    [true, { CI: 'false' }, true],
  ])('on a terminal: %s, with %o: %s', (isTerminal, env: Readonly<Record<string, string>>, wanted) => {
    expect(isColorWanted((name) => env[name], isTerminal)).toBe(wanted)
  })
})
