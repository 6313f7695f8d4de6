import { describe, expect, test } from 'vitest'
import type { Fleet, Request } from '../../fleet/fleet.ts'
import { dualSocketPcie } from '../../fleet/topology/presets.ts'
import { IDLE } from './card-code.ts'
import { Evaluator } from './evaluate.ts'
import { asks, cards, fleet, groundOf, node, share, slice } from './fleet.suite.ts'
import { IDLE_AFTER, RATING, type CardChange, type PackingPolicy } from './policy.ts'

const NO = Number.NEGATIVE_INFINITY

describe('a request does not fit', () => {
  const tight = fleet(node('a', { cpuMilli: 10, memoryMib: 10, diskMib: 10 }))
  const all = { cpuMilli: 10, memoryMib: 10, diskMib: 10 }

  test.each([
    ['CPU', asks(1, share(500), { ...all, cpuMilli: 11 })],
    ['memory', asks(1, share(500), { ...all, memoryMib: 11 })],
    ['disk', asks(1, share(500), { ...all, diskMib: 11 })],
    ['the model', asks(1, share(500), { ...all, models: ['another'] })],
    ['cards', asks(3, { kind: 'whole' }, all)],
    ['cards to share', asks(3, share(10), all)],
    ['room on a card', asks(1, share(901), all)],
  ])('where %s will not do', (_, request) => {
    expect(tried(request, { nodes: tight, codes: [900, 900] }).score).toBe(NO)
  })

  test('but what takes the very last of everything does', () => {
    expect(tried(asks(1, share(900), all), { nodes: tight, codes: [900, 0] }).score).toBe(0)
  })

  test('where too few cards are idle, though all have room', () => {
    expect(tried(asks(2), { nodes: fleet(node('a')), codes: [IDLE, 999] }).score).toBe(NO)
    expect(tried(asks(1), { nodes: fleet(node('a')), codes: [IDLE, 999] }).score).not.toBe(NO)
  })
})

describe('what would change', () => {
  test('is nothing for work without cards', () => {
    expect(tried(asks(0), { nodes: fleet(node('a')) })).toMatchObject({ changes: [], idleAfter: 2 })
  })

  test('is as many idle cards as are asked for', () => {
    const four = fleet(node('a', { cards: cards(4) }))
    expect(tried(asks(3), { nodes: four })).toMatchObject({
      changes: [
        [IDLE, 0],
        [IDLE, 0],
        [IDLE, 0],
      ],
      idleAfter: 1,
    })
  })

  test('is the card that the policy rates best', () => {
    const three = fleet(node('a', { cards: cards(3) }))
    const rate = ({ from }: CardChange): number => (from[0] === 700 ? 2 : 1)
    expect(tried(asks(1, share(200)), { nodes: three, codes: [300, 700, 500], rate })).toMatchObject({
      changes: [[700, 500]],
      rating: 2,
      idleAfter: 0,
    })
  })

  test.each([
    ['the fuller of cards that are rated the same', [700, 300, 500], false, [300, 100]],
    ['a card in use before an idle one', [IDLE, 900, IDLE], false, [900, 700]],
    [
      'the first of cards that are rated the same, where the policy goes by their order',
      [700, 300, 500],
      true,
      [700, 500],
    ],
  ] as const)('is %s', (_, codes, goesByCardOrder, change) => {
    const three = fleet(node('a', { cards: cards(3) }))
    expect(tried(asks(1, share(200)), { nodes: three, codes, goesByCardOrder }).changes).toEqual([change])
  })

  test('is parts of the cards with the least to spare, where several are asked for', () => {
    const four = fleet(node('a', { cards: cards(4) }))
    expect(tried(asks(3, share(200)), { nodes: four, codes: [IDLE, 600, 100, 300] })).toMatchObject({
      changes: [
        [300, 100],
        [600, 400],
        [IDLE, 800],
      ],
      idleAfter: 0,
    })
  })

  test('is a slice of a card that is cut, and the whole of one that is not', () => {
    const cut = fleet(node('a', { model: 'h100-sxm', cards: cards(1, 'mig') }))
    const [[from, into] = []] = tried(asks(1, slice(40)), { nodes: cut }).changes
    expect([from, into]).toEqual([IDLE, IDLE + 0xf0])
    expect(tried(asks(1, slice(40)), { nodes: fleet(node('a')) }).changes).toEqual([[IDLE, 0]])
  })
})

test('a card that is cut is fuller than one that is idle', () => {
  const cut = fleet(node('a', { model: 'h100-sxm', cards: cards(3, 'mig') }))
  const codes = [IDLE, IDLE + 0xf0, IDLE]
  expect(tried(asks(1, slice(40)), { nodes: cut, codes }).changes).toEqual([[IDLE + 0xf0, IDLE + 0xff]])
})

describe('cards that lie further apart than they must', () => {
  const layout = dualSocketPcie({ cards: 4, perSwitch: 2, facts: { target: '8.0', pcieGen: 4 } })
  const wired = fleet(node('a', { cards: cards(4), layout }))

  test('count for more than anything the policy says', () => {
    const near = tried(asks(2), { nodes: wired, codes: [0, 0, IDLE, IDLE], rate: () => -1_000_000 })
    const far = tried(asks(2), { nodes: wired, codes: [0, IDLE, IDLE, 0], rate: () => 1_000_000 })
    expect(near.score).toBe(-1_000_000)
    expect(far.score).toBeLessThan(near.score)
  })

  test('are as good as any where the wiring is not known, and for a single card', () => {
    const unknown = fleet(node('a', { cards: cards(4) }))
    expect(tried(asks(2), { nodes: unknown, codes: [0, IDLE, IDLE, 0] }).score).toBe(0)
    expect(tried(asks(1), { nodes: wired, codes: [0, IDLE, IDLE, 0] }).score).toBe(0)
  })
})

test('every row is judged by its own cards', () => {
  const { states, evaluator, kinds } = judging({ nodes: fleet(node('a'), node('b')) })
  states.codes.set([0, 0, IDLE, 0])
  for (const row of [0, 1]) states.countIdle(row)
  expect([0, 1].map((row) => evaluator.evaluate(row, kinds.of(asks(1))))).toEqual([NO, 0])
})

interface Setting {
  readonly nodes: Fleet
  /** Of the first node's cards; idle unless said otherwise. */
  readonly codes?: readonly number[]
  readonly rate?: (change: CardChange) => number
  readonly goesByCardOrder?: boolean
}

/** What comes of a request on the first node. */
function tried(
  request: Request,
  setting: Setting,
): {
  readonly score: number
  readonly rating: number | undefined
  readonly idleAfter: number | undefined
  readonly changes: readonly (readonly (number | undefined)[])[]
} {
  const { evaluator, kinds, rated } = judging(setting)
  const score = evaluator.evaluate(0, kinds.of(request))
  const { cards: count, from, into } = evaluator.change
  const changes = Array.from({ length: count }, (_, entry) => [from[entry], into[entry]])
  return { score, changes, rating: rated[RATING], idleAfter: rated[IDLE_AFTER] }
}

function judging({ nodes, codes, rate = () => 0, goesByCardOrder = false }: Setting) {
  const { states, kinds } = groundOf(nodes)
  if (codes !== undefined) states.codes.set(codes)
  states.countIdle(0)
  const rated: number[] = []
  const policy: PackingPolicy = {
    name: 'as it is told',
    goesByCardOrder,
    settle() {},
    rate: (_row, _kind, change) => rate(change),
    score(_row, _kind, found) {
      rated.splice(0, 2, ...found)
      return found[RATING] ?? Number.NaN
    },
    price: () => 0,
    moved() {},
    left() {},
    arrived: () => false,
  }
  return { states, kinds, rated, evaluator: new Evaluator(states, policy) }
}
