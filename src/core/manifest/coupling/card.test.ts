import { describe, expect, test } from 'vitest'
import { cardNamed, countIn, readAlternatives, readCards, saidOfCards, sizeIn, weakest } from './card.ts'
import type { ForeignGpu } from './rule.ts'

describe('readCards', () => {
  test.each([
    ['L4', { cards: ['l4'] }],
    ['L4:2', { cards: ['l4'], count: 2 }],
    ['L4:24GB:2', { cards: ['l4'], count: 2, minVramGib: 24 }],
    ['T4,L4:2', { cards: ['t4', 'l4'], count: 2 }],
    ['T4 | L4', { cards: ['t4', 'l4'] }],
    ['T4:L4', { cards: ['t4', 'l4'] }],
    ['nvidia:80GB+:4', { vendor: 'nvidia', count: 4, minVramGib: 80 }],
    ['AMD', { vendor: 'amd' }],
    ['intel', { vendor: 'intel' }],
    ['habana:8', { vendor: 'intel', count: 8 }],
    ['google', { vendor: 'google' }],
    ['24GB..', { minVramGib: 24 }],
    ['2..4', { count: 2 }],
    ['4', { count: 4 }],
    ['0.5', { count: 1, sharing: 'any' }],
    ['.25', { count: 1, sharing: 'any' }],
    ['L4:0.5', { cards: ['l4'], count: 1, sharing: 'any' }],
    ['any', { count: 1 }],
    ['ALL', { count: 1 }],
    ['true', { count: 1 }],
    ['L4:', { cards: ['l4'] }],
    ['tpu-v5litepod-8', { cards: ['tpu-v5e'], count: 8 }],
    ['tpu:v5litepod-8', { cards: ['tpu-v5e'], count: 8 }],
    ['NVIDIA-A10G-SHARED', { cards: ['a10g'], sharing: 'any' }],
    ['nobodys-card', { cards: ['?'] }],
    ['', {}],
  ])('%s', (text, request) => expect(shown(readCards(text))).toEqual(request))
})

describe('sizeIn and countIn', () => {
  test.each([
    ['80GB', 80],
    ['80 GiB', 80],
    ['80Gi', 80],
    ['80g', 80],
    ['80GB..', 80],
    ['80GB+', 80],
    ['40GB..80GB', 40],
    ['40960MiB', 40],
    ['1.5TB', 1536],
    [' 24GB ', 24],
  ])('%s is %d GiB', (text, gib) => expect(sizeIn(text)).toBe(gib))

  test.each(['80', 'GB', '..80GB', '80GBx', 'x80GB', '80KB', ''])('%s is no size', (text) =>
    expect(sizeIn(text)).toBeUndefined(),
  )

  test.each([
    ['4', 4],
    ['4+', 4],
    ['4..', 4],
    ['4..16', 4],
    [' 12 ', 12],
  ])('%s is at least %d', (text, count) => expect(countIn(text)).toBe(count))

  test.each(['..4', '4.5', 'x4', '4x', '-4', '4..x', ''])('%s is no count', (text) =>
    expect(countIn(text)).toBeUndefined(),
  )
})

describe('alternatives need the least of each', () => {
  test.each([
    [['L4:4', 'T4:2'], { cards: ['l4', 't4'], count: 2 }],
    [['L4:2', 'T4:4'], { cards: ['l4', 't4'], count: 2 }],
    [['L4', 'T4:4'], { cards: ['l4', 't4'], count: 4 }],
    [['80GB', '40GB'], { minVramGib: 40 }],
    [['24GB', 'L40S'], { minVramGib: 24 }],
    [['L4', '48GB'], { minVramGib: 24 }],
    [['L4:48GB', '80GB'], { minVramGib: 48 }],
    [['L4', '2'], { count: 2 }],
    [['L4:24GB', 'T4'], { cards: ['l4', 't4'] }],
    [['L4:24GB', 'T4:16GB'], { cards: ['l4', 't4'], minVramGib: 16 }],
    [['nvidia:2', 'nvidia:1'], { vendor: 'nvidia', count: 1 }],
    [['nvidia', 'amd'], {}],
    [['amd', '2'], { count: 2 }],
    [['A10G-SHARED', 'L4-SHARED'], { cards: ['a10g', 'l4'], sharing: 'any' }],
    [['A10G-SHARED', 'L4'], { cards: ['a10g', 'l4'] }],
  ])('%j', (texts, request) => expect(shown(readAlternatives(texts))).toEqual(request))

  test('one request is its own least', () => {
    const request = { count: 2, minVramGib: 24 }
    expect(weakest([request])).toEqual(request)
  })
})

describe('cardNamed', () => {
  test('keeps the slice and the bridge that a name speaks of', () => {
    expect(cardNamed('A100-SXM4-40GB-MIG-1g.5gb').slice).toEqual({ kind: 'mig', profile: '1g.5gb', gib: 5 })
    expect(cardNamed('A100-80G-PCIe-NVLink').linked).toBe(true)
    expect(cardNamed('A100-80G-PCIe').linked).toBe(false)
  })

  test('does without the marks some tools put behind a name', () => {
    expect(cardNamed('L4!').text).toBe('L4')
    expect(cardNamed(' B200+ ').text).toBe('B200+')
    expect(cardNamed('B200+').candidates.map(({ id }) => id)).toEqual(['b200-sxm'])
  })

  test('an unknown name has no candidates', () => {
    expect(cardNamed('nobody')).toEqual({ text: 'nobody', candidates: [], slice: undefined, linked: false })
  })
})

describe('saidOfCards', () => {
  test.each([
    ['4', "asks for cards in another tool's words", 'in a manifest, write'],
    ['nobody', 'names a card that Berth does not know', undefined],
    ['nobody,noone', 'names 2 cards that Berth does not know', 'state what you need from them'],
    ['L4,nobody', 'names 2 cards', 'what they have in common is'],
    ['A100', 'names a card that exists in 2 kinds', 'state which one you need'],
    ['L4', 'names one card, L4', undefined],
    ['H100', 'names one card, H100 80 GB (SXM or PCIe) or H100 NVL 94 GB', undefined],
    ['A100:80GB', 'names one card, A100 80 GB (SXM or PCIe)', undefined],
  ])('%s', (text, does, lead) => {
    const said = saidOfCards(readCards(text))
    expect([said.does, said.lead]).toEqual([does, lead])
  })
})

/** Cards by the ids of what they can be, `?` when that is nothing. */
function shown({ cards, ...rest }: ForeignGpu): object {
  if (cards === undefined) return rest
  return {
    ...rest,
    cards: cards.flatMap(({ candidates }) => (candidates.length === 0 ? '?' : candidates.map(({ id }) => id))),
  }
}
