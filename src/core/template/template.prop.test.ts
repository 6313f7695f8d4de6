import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readYaml } from '../../formats/yaml/yaml.ts'
import type { DocNode } from '../document/document.ts'
import { piecesOf } from './places.ts'
import { renderTemplate } from './render.ts'
import type { Given } from './values.ts'
import { yamlText } from './yaml-text.ts'
import { cases } from '../base/laws.suite.ts'

const AT = { line: 1, column: 1, length: 1 }
const NAMES = ['model', 'replicas', 'quiet'] as const

const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const hostile = fc.oneof(
  text,
  fc.string({ unit: 'binary', maxLength: 20 }).filter((one) => one.isWellFormed()),
  fc.constantFrom(
    'x\n  image: evil',
    '"',
    "'",
    '- a',
    '{a: b}',
    '[1]',
    '# x',
    ': ',
    '&a',
    '*a',
    '!!x',
    '~',
    'null',
    '1e3',
    '0x1F',
    '.inf',
    '---',
    '...',
    '${model}',
    '$$',
    '\u0085',
    '\ufeff',
    '<<',
    '__proto__',
    ' ',
    'a ',
    '\t',
  ),
)

const scalar: fc.Arbitrary<DocNode> = fc.oneof(
  hostile.map((value) => ({ kind: 'scalar' as const, at: AT, value, text: value })),
  fc
    .constantFrom(...NAMES)
    .map((name) => ({ kind: 'scalar' as const, at: AT, value: `\${${name}}`, text: `\${${name}}` })),
  fc
    .tuple(text, fc.constantFrom(...NAMES), text)
    .map(([before, name, after]) => `${escapePlaces(before)}\${${name}}${escapePlaces(after)}`)
    .map((value) => ({ kind: 'scalar' as const, at: AT, value, text: value })),
  fc
    .constantFrom(['1', 1], ['12.10', 12.1], ['0x1F', 31], ['true', true], ['null', null], ['~', null])
    .map(([written, value]) => ({ kind: 'scalar' as const, at: AT, value: value ?? null, text: String(written) })),
)

const { node } = fc.letrec<{ node: DocNode; map: DocNode; list: DocNode }>((tie) => ({
  node: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('map'), tie('list')),
  list: fc.array(tie('node'), { maxLength: 4 }).map((items) => ({ kind: 'list' as const, at: AT, items })),
  map: fc
    .uniqueArray(
      fc.tuple(
        hostile.filter((key) => key !== '<<' && key.length < 100),
        tie('node'),
      ),
      { maxLength: 4, selector: ([key]) => key },
    )
    .map((pairs) => ({
      kind: 'map' as const,
      at: AT,
      entries: pairs.map(([key, value]) => ({ key, keyAt: AT, value })),
    })),
}))

const document = fc.array(node, { minLength: 1, maxLength: 4 }).map((items): DocNode => {
  return { kind: 'map', at: AT, entries: items.map((value, index) => ({ key: `k${index}`, keyAt: AT, value })) }
})

const given: fc.Arbitrary<Given> = fc.oneof(
  hostile.map((value) => ({ value, text: value })),
  fc.integer().map((value) => ({ value, text: String(value) })),
  fc.boolean().map((value) => ({ value, text: String(value) })),
)
const values = fc
  .tuple(given, given, given)
  .map((list) => new Map(NAMES.map((name, at) => [name, list[at] ?? { value: '', text: '' }])))

/** The text that is read back as exactly this text. */
function escapePlaces(text: string): string {
  return text.replaceAll('$', '$$$$')
}

/** What it is, without where it stood; scalars by what `as` makes of them. */
function plain(from: DocNode, as: (scalar: Extract<DocNode, { kind: 'scalar' }>) => unknown): unknown {
  if (from.kind === 'scalar') return as(from)
  if (from.kind === 'list') return from.items.map((item) => plain(item, as))
  return from.entries.map(({ key, value }) => [key, plain(value, as)])
}

function reread(root: DocNode): DocNode {
  const yaml = readYaml(yamlText(root), 'f')
  if ('problems' in yaml) throw new Error(`${JSON.stringify(yaml.problems)}\n${yamlText(root)}`)
  return yaml.document.root
}

function rendered(root: DocNode, given: ReadonlyMap<string, Given>): DocNode {
  const result = renderTemplate({ parameters: [], body: { file: 'f', lines: [], root } }, given)
  if ('problem' in result) throw new Error(result.problem.message)
  return result.document.root
}

describe('yamlText', () => {
  test('is read back as the same document', () => {
    fc.assert(
      fc.property(document, (root) => {
        expect(plain(reread(root), ({ value, text }) => [value, text])).toEqual(
          plain(root, ({ value, text }) => [value, text]),
        )
      }),
      cases(500),
    )
  })
})

describe('rendering', () => {
  test('changes no key and no list, only scalars', () => {
    fc.assert(
      fc.property(document, values, (root, given) => {
        expect(plain(rendered(root, given), () => '*')).toEqual(plain(root, () => '*'))
      }),
    )
  })

  test('gives a text that parses to the same structure with only the scalars changed', () => {
    fc.assert(
      fc.property(document, values, (root, given) => {
        const result = rendered(root, given)
        const again = reread(result)
        expect(plain(again, () => '*')).toEqual(plain(root, () => '*'))
        expect(plain(again, ({ value }) => value)).toEqual(plain(result, ({ value }) => value))
      }),
      cases(300),
    )
  })

  test('leaves a scalar alone that has no dollar sign', () => {
    fc.assert(
      fc.property(document, values, (root, given) => {
        const before = plain(root, ({ value }) => value)
        if (JSON.stringify(before).includes('$')) return
        expect(plain(rendered(root, given), ({ value }) => value)).toEqual(before)
      }),
    )
  })

  test('puts a value in exactly as it is', () => {
    fc.assert(
      fc.property(values, text, (given, situation) => {
        const value = `${escapePlaces(situation)}\${model}|\${quiet}`
        const result = rendered({ kind: 'scalar', at: AT, value, text: value }, given)
        expect(result).toMatchObject({ value: `${situation}${given.get('model')?.text}|${given.get('quiet')?.text}` })
      }),
    )
  })
})

describe('places', () => {
  test('an escaped text is itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'a', '_') }), (one) => {
        const pieces = piecesOf(escapePlaces(one))
        expect(pieces.map((piece) => (piece.kind === 'text' ? piece.text : '?')).join('')).toBe(one)
      }),
    )
  })
})
