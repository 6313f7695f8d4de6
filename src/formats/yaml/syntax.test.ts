import { describe, expect, test } from 'vitest'
import { problemsOf } from './yaml.suite.ts'
import { readYaml } from './yaml.ts'

describe('syntax errors', () => {
  const TAB = ['The line is indented with a tab.', 'Indent with spaces.']
  const UNCLOSED = ['This is opened and never closed.', 'Add the closing quote or bracket.']
  const INDENT = [
    'The indentation does not match the lines around it.',
    'Start all entries of a map or list in the same column.',
  ]
  const LONG_KEY = ['A key must be on one line, followed by a colon.', 'Write it as key: value']
  const UNEXPECTED = ['This was not expected here.', 'Check brackets, quotes and indentation just before it.']

  test.each([
    ['a tab', 'a:\n\tb: 1\n', TAB, '2:1+1'],
    ['a tab after spaces', 'a:\n  \tb: 1\n c: 1', TAB, '2:3+1'],
    ['an open double quote', 'a: 1\nb: "x\nc: 2\n', UNCLOSED, '2:4+1'],
    ['an open single quote', "a: 1\nb: 'x\nc: 2\n", UNCLOSED, '2:4+1'],
    ['an open bracket', 'a: [1, [2], "]"\nb: 3\n', UNCLOSED, '1:4+1'],
    ['an open brace at the end', 'a: 1\nb: { c: 1\n', UNCLOSED, '2:4+1'],
    ['an inner bracket left open', 'a: [1, {b: 2]\n', UNCLOSED, '1:8+1'],
    [
      'a key without a colon',
      'a: 1\nb\nc: 2\n',
      ['A key must be followed by a colon and a space.', 'Write it as key: value'],
      '2:1+1',
    ],
    ['a key over two lines', 'a\nb: 1\n', LONG_KEY, '1:1+1'],
    ['a lower indentation', 'a:\n    b: 1\n  c: 2\n', INDENT, '3:3+1'],
    [
      'two keys on a line',
      'a: b: c\n',
      [
        'There is a second key on this line.',
        'Put the value in quotes if it contains a colon, or move the inner key to its own line.',
      ],
      '1:4+1',
    ],
    [
      'a key that is indented below a value',
      'a: b\n\n  c: 1\n',
      [
        'This line is indented deeper than the key before it, and that key already has a value.',
        'Start both keys in the same column.',
      ],
      '3:3+4',
    ],
    [
      'a bad escape',
      'a: "\\d"\n',
      ['This escape is not valid in double quotes.', 'Write \\\\ for a backslash, or use single quotes.'],
      '1:5+1',
    ],
    ['an at sign', 'a: @b\n', ['Text cannot start with this character.', 'Put it in quotes.'], '1:4+1'],
    [
      'a list as a key',
      '[a]: b\n',
      ['A key must be text, not a list or a map.', 'Text that starts with [ or { needs quotes.'],
      '1:1+1',
    ],
    [
      'a block in brackets',
      'a: { b: "2" c: 3 }\n',
      [
        'A comma is missing, or there are indented entries inside brackets.',
        'Put a comma between entries. Inside brackets, use brackets for nested entries too.',
      ],
      '1:9+9',
    ],
    [
      'a missing comma',
      'a: ["b" "c"]\n',
      ['A comma, a colon or a space is missing here.', 'Put a comma between entries and a space after a colon.'],
      '1:9+1',
    ],
    ['a bracket too many', 'a: 1\n]\n', UNEXPECTED, '2:1+1'],
    ['two commas', 'a: [1,, 2]\n', UNEXPECTED, '1:7+1'],
  ])('%s', (_, text, [message, hint], where) => {
    const [problem, ...more] = problemsOf(text)
    const place = problem?.place
    expect(more).toEqual([])
    expect([problem?.code, problem?.message, problem?.hint]).toEqual(['YAML_SYNTAX', message, hint])
    expect(`${place?.line}:${place?.column}+${place?.length}`).toBe(where)
  })

  test('leave the stack traces of others alone', () => {
    const before = Error.stackTraceLimit
    readYaml('a: "', 'f')
    expect(Error.stackTraceLimit).toBe(before)
    expect(before).toBeGreaterThan(0)
  })
})
