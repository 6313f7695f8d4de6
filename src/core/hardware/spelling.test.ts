import { describe, expect, test } from 'vitest'
import { must } from '../base/assert.ts'
import { editionOf, holds, isClaim, readSpelling, spell, wordsOf, type SpellingClaim } from './spelling.ts'
import { gpuById } from './table.ts'

describe('a text is cut into lower-case words', () => {
  test.each([
    ['NVIDIA H100 80GB HBM3', ['nvidia', 'h100', '80gb', 'hbm3']],
    ['A100_80GB+SXM4', ['a100', '80gb', 'sxm4']],
    ['a100-80gb.sxm.8x', ['a100', '80gb', 'sxm', '8x']],
    ['A100 MIG 1g.10gb', ['a100', 'mig', '1g.10gb']],
    ['Virtex UltraScale+ (VU47P)', ['virtex', 'ultrascale', 'vu47p']],
    ['  ', []],
    ['', []],
  ])('%s', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })
})

const SXM: SpellingClaim = { kind: 'form', forms: ['sxm'] }

describe('a name is a base and claims about it', () => {
  test.each<[string, string, readonly SpellingClaim[]]>([
    ['H100', 'h100', []],
    ['RTX 4060 Ti', 'rtx4060ti', []],
    ['H100-SXM', 'h100', [SXM]],
    ['H100-MEGA', 'h100', [SXM]],
    ['H100SXM', 'h100', [SXM]],
    ['H100 PCIe', 'h100', [{ kind: 'form', forms: ['pcie'] }]],
    ['L40SPCIe', 'l40s', [{ kind: 'form', forms: ['pcie'] }]],
    ['H100NVL', 'h100', [{ kind: 'form', forms: ['nvl', 'superchip'] }]],
    ['GB200NVL', 'gb200', [{ kind: 'form', forms: ['nvl', 'superchip'] }]],
    ['GB200 NVL72', 'gb200', [{ kind: 'form', forms: ['superchip'] }]],
    ['GH200 Superchip', 'gh200', [{ kind: 'form', forms: ['superchip'] }]],
    ['MI300X OAM', 'mi300x', [{ kind: 'form', forms: ['oam'] }]],
    ['H100 HBM3', 'h100', [{ kind: 'form', forms: ['sxm', 'nvl', 'oam', 'superchip'] }]],
    ['P100 SXM2', 'p100', [SXM, { kind: 'arch', arches: ['pascal', 'volta'] }]],
    ['V100 SXM3', 'v100', [SXM, { kind: 'arch', arches: ['volta'] }]],
    ['A100 SXM4', 'a100', [SXM, { kind: 'arch', arches: ['ampere'] }]],
    ['H100 SXM5', 'h100', [SXM, { kind: 'arch', arches: ['hopper'] }]],
    ['H100SXM5', 'h100', [SXM, { kind: 'arch', arches: ['hopper'] }]],
    ['B200 SXM6', 'b200', [SXM, { kind: 'arch', arches: ['blackwell'] }]],
    ['A100-40GB', 'a100', [{ kind: 'memory', gib: 40 }]],
    ['A100 40G', 'a100', [{ kind: 'memory', gib: 40 }]],
    ['A100 40 GiB', 'a100', [{ kind: 'memory', gib: 40 }]],
    ['A100 40 g', 'a100', [{ kind: 'memory', gib: 40 }]],
    [
      'A100 40GB 80GB',
      'a100',
      [
        { kind: 'memory', gib: 40 },
        { kind: 'memory', gib: 80 },
      ],
    ],
    ['Pascal P100', 'p100', [{ kind: 'arch', arches: ['pascal'] }]],
    ['Volta V100', 'v100', [{ kind: 'arch', arches: ['volta'] }]],
    ['Turing T4', 't4', [{ kind: 'arch', arches: ['turing'] }]],
    ['Ampere A10', 'a10', [{ kind: 'arch', arches: ['ampere'] }]],
    ['Ada Lovelace L4', 'adal4', [{ kind: 'arch', arches: ['ada'] }]],
    ['Hopper H100', 'h100', [{ kind: 'arch', arches: ['hopper'] }]],
    [
      'Grace Hopper GH200',
      'gh200',
      [
        { kind: 'form', forms: ['superchip'] },
        { kind: 'arch', arches: ['hopper'] },
      ],
    ],
    ['B200 Blackwell', 'b200', [{ kind: 'arch', arches: ['blackwell', 'blackwell-rtx'] }]],
    ['RTX PRO Server 6000', 'rtxpro6000', [{ kind: 'edition', edition: 'server' }]],
    ['RTX PRO 4500 SE', 'rtxpro4500', [{ kind: 'edition', edition: 'server' }]],
    ['RTX PRO 6000 Workstation', 'rtxpro6000', [{ kind: 'edition', edition: 'workstation' }]],
    ['RTX PRO 6000 WK', 'rtxpro6000', [{ kind: 'edition', edition: 'workstation' }]],
    ['RTX PRO 6000 WS', 'rtxpro6000', [{ kind: 'edition', edition: 'workstation' }]],
    ['RTX PRO 6000 Max-Q Workstation', 'rtxpro6000', [{ kind: 'edition', edition: 'max-q' }]],
    ['RTX PRO 6000 MaxQ', 'rtxpro6000', [{ kind: 'edition', edition: 'max-q' }]],
    // None of these words tells cards apart.
    ['A100 Tensor Core GPU', 'a100', []],
    ['GPUs A40 graphics card', 'a40', []],
    ['RTX 6000 Ada Generation Edition', 'rtx6000ada', []],
    ['B300 SXM6 AC', 'b300', [SXM, { kind: 'arch', arches: ['blackwell'] }]],
    ['A100 hbm2 hbm2e hbm3e cc', 'a100', []],
  ])('%s', (text, base, claims) => {
    expect(readSpelling(text)).toEqual({ base, claims, linked: false, slice: undefined })
  })

  test.each([
    ['nvidia', 'nvidia'],
    ['tesla', 'nvidia'],
    ['geforce', 'nvidia'],
    ['amd', 'amd'],
    ['radeon', 'amd'],
    ['instinct', 'amd'],
    ['intel', 'intel'],
    ['habana', 'intel'],
    ['google', 'google'],
    ['aws', 'aws'],
    ['amazon', 'aws'],
    ['qualcomm', 'qualcomm'],
  ])('%s is a claim about the vendor', (word, vendor) => {
    expect(readSpelling(`${word} X1`)?.claims).toEqual([{ kind: 'vendor', vendor }])
  })

  test('NVLink in a name says that the cards are joined', () => {
    expect(readSpelling('A100-80G-PCIe-NVLink')?.linked).toBe(true)
    expect(readSpelling('A100NVLink')).toEqual({ base: 'a100', claims: [], linked: true, slice: undefined })
  })

  test('words that happen to look like claims inside a word are left alone', () => {
    expect(readSpelling('sxm5000')?.base).toBe('sxm5000')
    expect(readSpelling('pcie100pciex')?.base).toBe('pcie100pciex')
    expect(readSpelling('x-a100sxm')?.base).toBe('xa100')
    expect(readSpelling('max a100')?.base).toBe('maxa100')
    expect(readSpelling('a100 q')?.base).toBe('a100q')
    expect(readSpelling('a100 gb')?.base).toBe('a100gb')
    expect(readSpelling('a100 1080gbs')?.base).toBe('a1001080gbs')
  })
})

describe('a name of a slice', () => {
  test.each([
    ['A100 MIG 1g.10gb', { profile: '1g.10gb', gib: 10 }, []],
    ['A100 3g.40gb', { profile: '3g.40gb', gib: 40 }, []],
    ['A100-80GB-MIG-1g.10gb', { profile: '1g.10gb', gib: 10 }, [{ kind: 'memory', gib: 80 }]],
    ['PRO 6000 MIG 24GB', { profile: undefined, gib: 24 }, []],
    ['A100 80GB MIG 20 GB', { profile: undefined, gib: 20 }, [{ kind: 'memory', gib: 80 }]],
  ])('%s', (text, slice, claims) => {
    expect(readSpelling(text)).toMatchObject({ slice, claims })
  })

  test('must say how large it is', () => {
    expect(readSpelling('A100 80GB MIG')).toBeUndefined()
  })

  test('keeps what is said behind the word MIG', () => {
    expect(readSpelling('MIG A100 10GB PCIe')).toEqual({
      base: 'a100',
      claims: [{ kind: 'form', forms: ['pcie'] }],
      linked: false,
      slice: { profile: undefined, gib: 10 },
    })
  })
})

describe('what cannot be a name', () => {
  test.each(['', '   ', 'NVIDIA', '80GB', 'sxm pcie', 'gpu', '!?'])('"%s" has no base', (text) => {
    expect(readSpelling(text)).toBeUndefined()
  })

  test.each(['a 40gb 100', 'A gpu 100', 'gb nvl 200', 'L40 GPU S'])('"%s" is torn apart by what it claims', (text) => {
    expect(readSpelling(text)).toBeUndefined()
  })

  test('a text longer than 120 characters is none', () => {
    expect(readSpelling('A100'.padStart(120))?.base).toBe('a100')
    expect(readSpelling('A100'.padStart(121))).toBeUndefined()
  })

  test('words of the language itself are ordinary words', () => {
    expect(spell(['constructor'])).toEqual({ base: 'constructor', claims: [], linked: false, slice: undefined })
  })
})

test.each([
  ['80gb', true],
  ['sxm', true],
  ['sxm4', true],
  ['nvidia', true],
  ['blackwell', true],
  ['server', true],
  ['gpu', true],
  ['nvlink', true],
  ['mig', true],
  ['1g.5gb', true],
  ['a100', false],
  ['1gpu', false],
  ['x1g.5gb', false],
])('"%s" is a claim: %s', (word, is) => {
  expect(isClaim(word)).toBe(is)
})

describe('a claim holds of a model or not', () => {
  const h100 = must(gpuById('h100-sxm'), 'h100-sxm')

  test.each<[SpellingClaim, boolean]>([
    [{ kind: 'memory', gib: 80 }, true],
    [{ kind: 'memory', gib: 94 }, false],
    [{ kind: 'form', forms: ['pcie', 'sxm'] }, true],
    [{ kind: 'form', forms: ['pcie'] }, false],
    [{ kind: 'vendor', vendor: 'nvidia' }, true],
    [{ kind: 'vendor', vendor: 'amd' }, false],
    [{ kind: 'arch', arches: ['ampere', 'hopper'] }, true],
    [{ kind: 'arch', arches: ['ampere'] }, false],
    [{ kind: 'edition', edition: 'server' }, true],
    [{ kind: 'edition', edition: 'workstation' }, false],
  ])('%o: %s', (claim, does) => {
    expect(holds(claim, h100, 'server')).toBe(does)
  })

  test('a model of unknown form is of no particular one', () => {
    expect(holds(SXM, { ...h100, form: undefined }, undefined)).toBe(false)
  })
})

test.each([
  ['RTX PRO 6000', undefined],
  ['RTX PRO 6000 Server 96GB', 'server'],
  ['RTX PRO 6000 Workstation Max-Q', 'max-q'],
  ['RTX PRO 6000 WS MaxQ', 'max-q'],
])('%s is of the edition %s', (text, edition) => {
  expect(editionOf(must(readSpelling(text), text))).toBe(edition)
})
