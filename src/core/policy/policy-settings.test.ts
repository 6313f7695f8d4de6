import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readYaml } from '../../formats/yaml/yaml.ts'
import type { DocNode } from '../document/document.ts'
import { DEFAULT_POLICY } from './policy.ts'
import type { Policy } from './policy.ts'
import { parsePolicy, policySettings } from './policy-settings.ts'
import { valueDocument } from './value-document.ts'

const NAMES = { scores: ['price', 'start', 'stock'], filters: [...DEFAULT_POLICY.unknownAccepted] }

function parsed(settings: Readonly<Record<string, unknown>>): Policy {
  const checked = parsePolicy('p', settings, NAMES)
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems))
  return checked.value
}

describe('settings of a policy', () => {
  test('may be left out', () => {
    expect(parsed({})).toEqual({ ...DEFAULT_POLICY, name: 'p' })
  })

  test.each([
    {},
    { objective: 'cheapest', spot: 'only', max_usd_per_hour: 3, residency: ['eu'], fallback: ['a', 'b'] },
    {
      weights: { price: 3, start: 1 },
      providers: { allow: ['a'], deny: ['b'] },
      trust: ['x'],
      unknown: { accept: [] },
    },
  ])('come back as the same policy: %j', (settings) => {
    const policy = parsed(settings)
    expect(parsed(policySettings(policy))).toEqual(policy)
    expect(JSON.parse(JSON.stringify(policySettings(policy)))).toEqual(policySettings(policy))
  })

  test('are refused with what is wrong, and the line', () => {
    const checked = parsePolicy('p', { spot: 'maybe', weights: { prise: 1 }, objectiv: 'cheapest' }, NAMES)
    expect(checked).toMatchObject({
      problems: [
        { code: 'VALUE_INVALID', place: { file: 'policy p', line: 2 }, sourceLine: '  "spot": "maybe",' },
        { code: 'KEY_UNKNOWN', found: 'prise', hint: 'Did you mean price?', sourceLine: '    "prise": 1' },
        { code: 'KEY_UNKNOWN', found: 'objectiv', hint: 'Did you mean objective?' },
      ],
    })
  })

  test('cannot be nested without end', () => {
    let deep: unknown = 1
    for (let level = 0; level < 10_000; level++) deep = [deep]
    expect(parsePolicy('p', { spot: deep }, NAMES)).toMatchObject({ problems: [{ code: 'YAML_TOO_DEEP' }] })
  })
})

describe('a value as a document', () => {
  function plain(node: DocNode): unknown {
    if (node.kind === 'scalar') return [node.value, node.at]
    if (node.kind === 'list') return node.items.map(plain)
    return node.entries.map(({ key, keyAt, value }) => [key, keyAt, plain(value)])
  }

  test('has the value of its text where JSON has no other: minus zero is 0', () => {
    const document = valueDocument({ a: -0 }, 'f')
    expect(document && plain(document.root)).toEqual([['a', expect.anything(), [0, expect.anything()]]])
  })

  test('has its marks where its text has the words', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue({ maxDepth: 3, noUnicodeString: true })),
        (value) => {
          const document = valueDocument(value, 'f')
          const yaml = readYaml(document?.lines.join('\n') ?? '', 'f')
          // Numbers that cannot be held exactly are read as text.
          fc.pre(!/e[+-]?\d|\d{16}/i.test(document?.lines.join('') ?? '') && 'document' in yaml)
          expect(document && plain(document.root)).toEqual('document' in yaml && plain(yaml.document.root))
        },
      ),
    )
  })
})
