import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardTables } from './card-tables.ts'
import { nvlinkGbps, pcieGbps } from './rates.ts'
import { readMatrix } from './smi-matrix.ts'
import { cases } from '../../base/laws.suite.ts'

const WORDS = ['NV1', 'NV12', 'PIX', 'PXB', 'PHB', 'NODE', 'SYS', 'N/A'] as const
const SPEEDS: Readonly<Record<string, number>> = {
  NV1: nvlinkGbps(undefined),
  NV12: 12 * nvlinkGbps(undefined),
  PIX: pcieGbps('PIX', undefined),
  PXB: pcieGbps('PXB', undefined),
  PHB: pcieGbps('PHB', undefined),
  NODE: pcieGbps('NODE', undefined),
  SYS: pcieGbps('SYS', undefined),
  'N/A': 0,
}

interface Sample {
  readonly cards: number
  readonly nics: number
  /** The word of a pair at `larger * 20 + smaller`. */
  readonly words: readonly string[]
  readonly numa: readonly number[]
  readonly gap: string
}

const sample: fc.Arbitrary<Sample> = fc.record({
  cards: fc.integer({ min: 1, max: 16 }),
  nics: fc.integer({ min: 0, max: 4 }),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 400, maxLength: 400 }),
  numa: fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 16, maxLength: 16 }),
  gap: fc.constantFrom('\t', '   '),
})

describe('any matrix', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(sample, (written) => {
        const answer = readMatrix(print(written), undefined)
        if (answer.kind === 'problem') throw new Error(answer.message)
        const { layout } = answer
        expect(layout.cards).toBe(written.cards)
        expect(layout.numa).toEqual(written.numa.slice(0, written.cards))
        expect(layout.nics.map(({ name }) => name)).toEqual(namesOf(written).slice(written.cards))
        for (let one = 0; one < layout.cards; one++) {
          for (let two = 0; two < layout.cards; two++) {
            expect(layout.gbps[one * layout.cards + two]).toBe(SPEEDS[wordOf(written, one, two)] ?? 0)
          }
        }
      }),
    )
  })

  test('with anything broken in it is a layout that can be used, or a problem on one of its lines', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.constantFrom(
        '\t',
        '\n',
        ' ',
        'X',
        'GPU0',
        'GPU1',
        'NV99',
        'SYS',
        'CPU Affinity',
        'Legend:',
        '\u001b[4m',
        '-1',
      ),
    )
    const cut = fc.record({ at: fc.nat(4000), length: fc.nat(30), piece })
    fc.assert(
      fc.property(sample, fc.array(cut, { minLength: 1, maxLength: 4 }), (written, cuts) => {
        const text = cuts.reduce((now, { at, length, piece: put }) => {
          const from = at % (now.length + 1)
          return now.slice(0, from) + put + now.slice(from + length)
        }, print(written))
        check(text)
      }),
      cases(2000),
    )
  })

  test('of any text at all does not crash', () => {
    const word = fc.constantFrom(
      'GPU0',
      'GPU1',
      'X',
      'SYS',
      'NV4',
      '\n',
      '\t',
      'NIC0',
      'CPU Affinity',
      '0',
      'N/A',
      'NIC0: a',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 30 }), (words) => check(words.join(' '))),
      cases(2000),
    )
  })
})

function check(text: string): void {
  const answer = readMatrix(text, undefined)
  if (answer.kind === 'problem') {
    expect(answer.line).toBeGreaterThanOrEqual(1)
    expect(answer.line).toBeLessThanOrEqual(text.split('\n').length)
    expect(answer.message).toMatch(/^.{10,200}$/)
    return
  }
  const { layout } = answer
  expect(layout.gbps).toHaveLength(layout.cards ** 2)
  expect(layout.cards).toBeGreaterThanOrEqual(1)
  if (layout.cards <= 8) expect(cardTables(layout).cards).toBe(layout.cards)
}

function print(written: Sample): string {
  const names = namesOf(written)
  const rows = names.map((name, one) => {
    const cells = names.map((_, two) => wordOf(written, one, two).padStart(3))
    return [name, ...cells, ...(one < written.cards ? ['0-7', written.numa[one], 'N/A'] : [])].join(written.gap)
  })
  const head = ['', ...names, 'CPU Affinity', 'NUMA Affinity', 'GPU NUMA ID'].join(written.gap)
  return [head, ...rows, '', 'Legend:', '', '  X    = Self', ''].join('\n')
}

function namesOf({ cards, nics }: Sample): readonly string[] {
  return [
    ...Array.from({ length: cards }, (_, card) => `GPU${card}`),
    ...Array.from({ length: nics }, (_, nic) => `NIC${nic}`),
  ]
}

function wordOf({ words }: Sample, one: number, two: number): string {
  return one === two ? 'X' : (words[Math.max(one, two) * 20 + Math.min(one, two)] ?? '')
}
