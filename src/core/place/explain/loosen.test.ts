import { describe, expect, test } from 'vitest'
import { archSet } from '../../requirement/gpu/arch.ts'
import { ANYTHING, noneOf, oneOf } from '../../requirement/need/choice.ts'
import type { GpuNeed } from '../../requirement/table.ts'
import { ANY_GPU } from '../../requirement/need/need.suite.ts'
import { atLeast, atMost } from '../../requirement/need/range.ts'
import type { Offer } from '../../offer/offer.ts'
import { cards } from '../../offer/offer.suite.ts'
import { askPlanFor, idAt, sold, type Scene } from '../capacity.suite.ts'

/** `key: from -> to, +offers from price (cheapest)`. */
function relaxed(capacity: readonly Offer[], need: NonNullable<Scene['need']>): readonly string[] {
  const { relaxations, snapshot } = askPlanFor(capacity, { need })
  return relaxations.map(
    ({ key, from, to, offers, usdPerHour, row }) =>
      `${key}: ${from} -> ${to}, +${offers} from ${usdPerHour} (${idAt(snapshot, row)})`,
  )
}

function gpuWith(change: Partial<GpuNeed>): { readonly gpu: GpuNeed } {
  return { gpu: { ...ANY_GPU, ...change } }
}

function card(model: string, count = 2): Partial<Offer> {
  return { gpu: cards({ model, count }) }
}

describe('relaxations', () => {
  const need = gpuWith({ vramGib: atLeast(80) })
  const capacity = [
    sold('l4', 1, card('l4')),
    sold('l4 too', 1.5, card('l4')),
    sold('l40s', 3, card('l40s')),
    sold('h100', 9),
  ]

  test('name the nearest step that helps and the step that reaches the cheapest', () => {
    expect(relaxed(capacity, need)).toEqual([
      'resources.gpu.min_vram: 80Gi -> 48Gi, +1 from 3 (l40s)',
      'resources.gpu.min_vram: 80Gi -> 24Gi, +3 from 1 (l4)',
    ])
  })

  test('name one step where the nearest reaches the cheapest', () => {
    const dear = capacity.map((one) => (one.id.startsWith('l4 ') || one.id === 'l4' ? { ...one, usdPerHour: 5 } : one))
    expect(relaxed(dear, need)).toEqual(['resources.gpu.min_vram: 80Gi -> 48Gi, +1 from 3 (l40s)'])
  })

  test('reach the cheapest however many steps away it is', () => {
    const sizes = ['b200-sxm', 'h100-sxm', 'l40s', 'l4', 'v100-16'].map((model, index) =>
      sold(model, 10 - index, card(model)),
    )
    expect(relaxed(sizes, gpuWith({ vramGib: atLeast(192) }))).toEqual([
      'resources.gpu.min_vram: 192Gi -> 180Gi, +1 from 10 (b200-sxm)',
      'resources.gpu.min_vram: 192Gi -> 16Gi, +5 from 6 (v100-16)',
    ])
  })

  test('name cards of the same name before cheaper ones of another, and what to know about them', () => {
    const blackwell = gpuWith({ arch: archSet(['blackwell']) })
    const sorts = [sold('ada', 1, card('l4')), sold('rtx', 2, card('rtx-5090')), sold('b200', 9, card('b200-sxm'))]
    expect(relaxed(sorts, blackwell)).toEqual([
      'resources.gpu.arch: [blackwell] -> [blackwell, blackwell-rtx], +1 from 2 (rtx)',
      'resources.gpu.arch: [blackwell] -> [blackwell, ada], +1 from 1 (ada)',
    ])
    expect(askPlanFor(sorts, { need: blackwell }).relaxations.map(({ note }) => note)).toEqual([
      'RTX PRO and RTX 50 cards are blackwell-rtx: code built for blackwell does not run on them.',
      undefined,
    ])
  })

  test('count only offers that nothing else keeps out, unless the same change lets them in', () => {
    const mixed = [sold('small', 1, { ...card('l4'), cpu: 8 }), sold('large', 2, card('l4'))]
    expect(relaxed(mixed, { ...need, cpu: atLeast(16) })).toEqual([
      'resources.gpu.min_vram: 80Gi -> 24Gi, +1 from 2 (large)',
    ])
    // Asking for one card also settles how cards are joined.
    const joined = gpuWith({ count: atLeast(2), link: atLeast(2) })
    const single = [sold('one', 1, { gpu: cards({ count: 1, link: 'pcie' }) }), sold('two', 2, card('l4', 1))]
    expect(relaxed(single, joined)).toEqual(['resources.gpu.count: 2 -> 1, +2 from 1 (one)'])
  })

  test('reach the cheapest wherever it lies, and of equally cheap ones name the first', () => {
    const prices = { 'b200-sxm': 9, 'h100-sxm': 8, 'h200-sxm': 8.5, l4: 1, l40s: 3, 'rtx-4090': 1, 'v100-16': 5 }
    const sizes = Object.entries(prices).map(([model, usdPerHour]) => sold(model, usdPerHour, card(model)))
    expect(relaxed(sizes, gpuWith({ vramGib: atLeast(192) }))).toEqual([
      'resources.gpu.min_vram: 192Gi -> 180Gi, +1 from 9 (b200-sxm)',
      'resources.gpu.min_vram: 192Gi -> 24Gi, +6 from 1 (l4)',
    ])
  })

  test('are looked for among offers that a single requirement keeps out', () => {
    const twoFaults = ['b200-sxm', 'h200-sxm', 'h100-sxm', 'l40s'].map((model) =>
      sold(model, 1, { ...card(model), cpu: 8 }),
    )
    const capacity = [...twoFaults, sold('z', 5, card('l4'))]
    expect(relaxed(capacity, { ...gpuWith({ vramGib: atLeast(192) }), cpu: atLeast(16) })).toEqual([
      'resources.gpu.min_vram: 192Gi -> 24Gi, +1 from 5 (z)',
    ])
  })

  test('leave out what only helps together with another change', () => {
    expect(relaxed([sold('a', 1, { ...card('l4'), cpu: 8 })], { ...need, cpu: atLeast(16) })).toEqual([])
    expect(relaxed([sold('a', 1, { gpu: undefined })], need)).toEqual([])
    expect(relaxed([sold('a', 1, { quarantine: 'NAME_UNKNOWN' })], need)).toEqual([])
    expect(relaxed([], need)).toEqual([])
    expect(relaxed([sold('a', 1, { inbound: false })], { inbound: true })).toEqual([])
  })

  test('are sorted by the size of the change, then by the price they reach, then by their text', () => {
    const four = [
      sold('a', 2, { memoryGib: 1 }),
      sold('b', 2, { cpu: 8 }),
      sold('c', 1, { diskGib: 1 }),
      sold('d', 2, { hostArch: 'arm64' }),
    ]
    const hostArch = oneOf(['amd64'])
    const asked = { cpu: atLeast(16), memoryGib: atLeast(8), diskGib: atLeast(8), hostArch }
    expect(relaxed(four, asked).map((text) => text.split(':')[0])).toEqual([
      'resources.cpu',
      'resources.disk',
      'resources.memory',
      'resources.host_arch',
    ])
  })
})

describe('relaxations of the policy', () => {
  test('raise the ceiling to the next cent above the cheapest', () => {
    const capacity = [sold('a', 2.345), sold('b', 2.35), sold('c', 4), sold('d', 1.1, { cpu: 8 })]
    expect(relaxed(capacity, { usdPerHour: atMost(1) })).toEqual(['policy.max_usd_per_hour: 1 -> 1.1, +1 from 1.1 (d)'])
    expect(relaxed(capacity, { usdPerHour: atMost(2) })).toEqual([
      'policy.max_usd_per_hour: 2 -> 2.35, +2 from 2.345 (a)',
    ])
  })

  test('allow other terms, at their own price and under the same ceiling', () => {
    const capacity = [
      sold('a', undefined, { spotUsdPerHour: 3 }),
      sold('b', undefined, { spotUsdPerHour: 2 }),
      sold('ba', undefined, { spotUsdPerHour: 2 }),
      sold('c', undefined, { spotUsdPerHour: 9 }),
      sold('d', undefined),
    ]
    expect(relaxed(capacity, {})).toEqual(['policy.spot: never -> allowed, +4 from 2 (b)'])
    expect(relaxed(capacity, { usdPerHour: atMost(3) })).toEqual(['policy.spot: never -> allowed, +3 from 2 (b)'])
    expect(relaxed(capacity, { usdPerHour: atMost(1) })).toEqual([])
    expect(relaxed([sold('a', 1)], { market: oneOf(['spot']) })).toEqual([
      'policy.spot: only -> allowed, +1 from 1 (a)',
    ])
  })

  test('admit other providers and other places', () => {
    const capacity = [
      sold('a', 1, { provider: 'beta', region: 'us-1', residency: 'us' }),
      sold('b', 2, { provider: 'beta' }),
      sold('c', 3, { region: 'us-1', residency: 'us' }),
    ]
    expect(relaxed(capacity, { provider: noneOf(['beta']), residency: oneOf(['eu']) })).toEqual([
      'policy.providers: anything but beta -> anything, +1 from 2 (b)',
      'policy.residency: [eu] -> [eu, us], +1 from 3 (c)',
    ])
  })

  test('accept not knowing', () => {
    const capacity = [
      sold('a', 2, { memoryGib: undefined }),
      sold('b', 1, { memoryGib: 4 }),
      sold('c', 3, { memoryGib: undefined }),
    ]
    const asked = { memoryGib: atLeast(8), unknownAccepted: oneOf(['quota']) }
    expect(relaxed(capacity, asked)).toEqual(['resources.memory: 8Gi -> 4Gi, +1 from 1 (b)'])
    expect(
      relaxed(
        [capacity[0], capacity[2]].flatMap((one) => one ?? []),
        asked,
      ),
    ).toEqual(['policy.unknown.accept: [quota] -> [memory, quota], +2 from 2 (a)'])
    const dear = capacity.map((one) => (one.id === 'b' ? { ...one, usdPerHour: 5 } : one))
    expect(relaxed(dear, asked)).toEqual([
      'resources.memory: 8Gi -> 4Gi, +1 from 5 (b)',
      'policy.unknown.accept: [quota] -> [memory, quota], +2 from 2 (a)',
    ])
  })

  test('propose nothing that does not pass by itself: neither health nor stock can be loosened', () => {
    const capacity = [
      sold('a', 1, { health: 'failing' }),
      sold('b', 1, { stock: { level: 'sold_out', units: undefined, seenAtMs: undefined } }),
    ]
    expect(relaxed(capacity, {})).toEqual([])
  })

  test('of a state that is not known accept not knowing', () => {
    expect(relaxed([sold('a', 1, { stock: undefined })], { unknownAccepted: noneOf(['stock']) })).toEqual([
      'policy.unknown.accept: anything but stock -> anything, +1 from 1 (a)',
    ])
  })
})

test('a relaxation carries the need with the change made, and nothing else changed', () => {
  const { relaxations, ask } = askPlanFor([sold('a', 1, { cpu: 12 })], { need: { cpu: atLeast(16), market: ANYTHING } })
  expect(relaxations.map((relaxation) => relaxation.need)).toEqual([{ ...ask.need, cpu: atLeast(12) }])
})
