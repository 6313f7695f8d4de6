import { describe, expect, test } from 'vitest'
import { noneOf, oneOf } from './choice.ts'
import { wantedByExamples } from '../key.suite.ts'
import { archSet } from '../gpu/arch.ts'
import { GPU, type GpuNeed } from '../table.ts'
import { ANY_NEED, meet, type Need } from './need.ts'
import { ANY_GPU, covers } from './need.suite.ts'
import { atLeast, atMost } from './range.ts'

/** For requirements on GPUs: something wide and something narrower. */
const GPU_STEPS: { readonly [K in keyof GpuNeed]?: readonly [GpuNeed[K], GpuNeed[K]] } = {
  vendor: [oneOf(['amd', 'nvidia']), oneOf(['nvidia'])],
  arch: [
    { names: ['hopper'], targets: oneOf(['8.9', '9.0']) },
    { names: ['hopper'], targets: oneOf(['9.0']) },
  ],
  capability: [atLeast(8), atLeast(9)],
  count: [atLeast(1), atLeast(2)],
  vramGib: [atLeast(24), atLeast(80)],
  usableGib: [atLeast(23), atLeast(79)],
  sharing: [oneOf(['mig', 'whole']), oneOf(['whole'])],
  link: [atLeast(1), atLeast(2)],
  driver: [atLeast(535), atLeast(550)],
  cuda: [atLeast(12), atLeast(13)],
}

/** Of those that are not listed: anything, and what their examples ask for. */
const NEWER_STEPS = GPU.keys
  .filter(({ slot }) => !Object.hasOwn(GPU_STEPS, slot))
  .map((key) => [key.slot, [key.set.any, wantedByExamples(key)[0]]] as const)

/** The same for every other requirement. */
const STEPS: { readonly [K in Exclude<keyof Need, 'gpu'>]: readonly [Need[K], Need[K]] } = {
  cpu: [atLeast(4), atLeast(8)],
  memoryGib: [atLeast(16), atLeast(32)],
  diskGib: [atLeast(100), atLeast(200)],
  volumeGib: [atLeast(100), atLeast(200)],
  hostArch: [oneOf(['amd64', 'arm64']), oneOf(['amd64'])],
  inbound: [false, true],
  nodes: [2, 3],
  within: ['zone', 'rack'],
  uses: [['images'], ['images', 'secrets']],
  wrongAt: [['beta'], ['alpha', 'beta']],
  market: [oneOf(['on-demand', 'spot']), oneOf(['spot'])],
  usdPerHour: [atMost(4), atMost(2)],
  provider: [noneOf(['beta']), noneOf(['alpha', 'beta'])],
  projectProvider: [oneOf(['alpha', 'beta']), oneOf(['alpha'])],
  walled: [noneOf(['beta']), noneOf(['alpha', 'beta'])],
  residency: [oneOf(['eu', 'us']), oneOf(['eu'])],
  trust: [oneOf(['community', 'secure']), oneOf(['secure'])],
  unknownAccepted: [oneOf(['cuda', 'driver']), oneOf(['driver'])],
}

const PAIRS: readonly (readonly [string, Need, Need])[] = [
  ...Object.entries(STEPS).map(
    ([key, [wide, narrow]]) => [key, { ...ANY_NEED, [key]: wide }, { ...ANY_NEED, [key]: narrow }] as const,
  ),
  ...[...Object.entries(GPU_STEPS), ...NEWER_STEPS].map(
    ([key, [wide, narrow]]) =>
      [
        `gpu.${key}`,
        { ...ANY_NEED, gpu: { ...ANY_GPU, [key]: wide } },
        { ...ANY_NEED, gpu: { ...ANY_GPU, [key]: narrow } },
      ] as const,
  ),
]

describe.each(PAIRS)('a need by its %s', (_, wide, narrow) => {
  test('meets a narrower one in the narrower one', () => {
    expect(meet(wide, narrow)).toEqual(narrow)
    expect(meet(narrow, wide)).toEqual(narrow)
  })

  test('covers the narrower one and not the other way round', () => {
    expect(covers(wide, narrow)).toBe(true)
    expect(covers(narrow, wide)).toBe(false)
    expect(covers(narrow, narrow)).toBe(true)
  })
})

describe('a need', () => {
  test('for a GPU is narrower than one without', () => {
    const asksForOne = { ...ANY_NEED, gpu: ANY_GPU }
    expect(meet(ANY_NEED, asksForOne)).toEqual(asksForOne)
    expect(meet(asksForOne, ANY_NEED)).toEqual(asksForOne)
    expect(covers(ANY_NEED, asksForOne)).toBe(true)
    expect(covers(asksForOne, ANY_NEED)).toBe(false)
  })

  test('without a closeness accepts any closeness', () => {
    const close = { ...ANY_NEED, within: 'nvlink_domain' } as const
    expect(meet(ANY_NEED, close).within).toBe('nvlink_domain')
    expect(meet(close, ANY_NEED).within).toBe('nvlink_domain')
    expect(covers(ANY_NEED, close)).toBe(true)
    expect(covers(close, ANY_NEED)).toBe(false)
  })

  test('remembers every architecture it was asked for, sorted and once', () => {
    const one = { ...ANY_NEED, gpu: { ...ANY_GPU, arch: archSet(['hopper', 'ada']) } }
    const two = { ...ANY_NEED, gpu: { ...ANY_GPU, arch: archSet(['hopper', 'ampere']) } }
    expect(meet(one, two).gpu?.arch).toEqual({ names: ['ada', 'ampere', 'hopper'], targets: oneOf(['9.0']) })
  })
})
