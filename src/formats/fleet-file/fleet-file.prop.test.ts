import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { readFleetFile } from './fleet-file.ts'
import { cases, enough } from '../../core/base/laws.suite.ts'

/** Cards 0 and 1 are cut, 2 and 3 shared, 4 is neither. */
const NODE = {
  name: 'n',
  cpu: 1000,
  memory: '1Ti',
  gpu: { model: 'a100-80-sxm', count: 5, sharing: { mig: [0, 1], share: [2, 3] } },
}

/** Positions as NVIDIA's guide prints them for an A100 80 GB: profile, start, memory slices. */
const PLACES = [
  ...[0, 1, 2, 3, 4, 5, 6].map((start) => ['1g.10gb', start, 1] as const),
  ...[0, 2, 4, 6].map((start) => ['1g.20gb', start, 2] as const),
  ...[0, 2, 4].map((start) => ['2g.20gb', start, 2] as const),
  ...[0, 4].map((start) => ['3g.40gb', start, 4] as const),
  ['4g.40gb', 0, 4] as const,
  ['7g.80gb', 0, 8] as const,
]

interface Claim {
  readonly written: Readonly<Record<string, unknown>>
  readonly card: number
  /** Eighths of a card it keeps from others, and percents it shares. */
  readonly eighths: readonly number[]
  readonly percent: number
}

const ALL = [0, 1, 2, 3, 4, 5, 6, 7]

const whole = fc.integer({ min: 0, max: 4 }).map((card): Claim => ({ written: {}, card, eighths: ALL, percent: 100 }))

const slice = fc
  .record({ card: fc.integer({ min: 0, max: 1 }), place: fc.constantFrom(...PLACES) })
  .map(({ card, place: [profile, start, size] }): Claim => ({
    written: { slice: { profile, start } },
    card,
    eighths: ALL.slice(start, start + size),
    percent: 0,
  }))

const share = fc
  .record({ card: fc.integer({ min: 2, max: 3 }), percent: fc.integer({ min: 1, max: 60 }) })
  .map(({ card, percent }): Claim => ({ written: { share: `${percent}%` }, card, eighths: [], percent }))

const claims = fc.array(fc.oneof(whole, { weight: 3, arbitrary: slice }, { weight: 3, arbitrary: share }), {
  maxLength: 6,
})

/** Whether all of them can be true at once, found out the long way. */
function areAtPeace(claims: readonly Claim[]): boolean {
  const eighths = claims.flatMap((claim) => claim.eighths.map((eighth) => `${claim.card}/${eighth}`))
  const percents = Map.groupBy(claims, (claim) => claim.card).values()
  const isShared = [...percents].every((inside) => inside.reduce((sum, claim) => sum + claim.percent, 0) <= 100)
  return isShared && new Set(eighths).size === eighths.length
}

describe('a fleet file', () => {
  test('is taken exactly if everything in it can be true at once', () => {
    const seen = { taken: 0, refused: 0 }
    fc.assert(
      fc.property(claims, (claims) => {
        const running = claims.map(({ written, card }, index) => {
          return { name: `t-${index}`, node: 'n', cpu: 1, memory: '1Gi', cards: [card], ...written }
        })
        const read = readFleetFile(stringify({ berth: 'v1', kind: 'fleet', nodes: [NODE], running }), 'fleet.yaml')
        expect('problems' in read ? read.problems.map((problem) => problem.code) : []).toSatisfy(
          (codes: readonly string[]) => codes.every((code) => code === 'VALUE_CONFLICT'),
        )
        expect('fleet' in read).toBe(areAtPeace(claims))
        seen[areAtPeace(claims) ? 'taken' : 'refused']++
      }),
      cases(200),
    )
    expect(seen.taken).toBeGreaterThan(enough(20))
    expect(seen.refused).toBeGreaterThan(enough(20))
  })

  const word = fc.constantFrom('nodes', 'running', 'health', 'name', 'node', 'gpu', 'model', 'count', 'cards', 'slice')
  const value = fc.oneof(
    fc.constantFrom<unknown>('v1', 'fleet', 'h100-sxm', 'n-{1..9}', 'n-{9..1}', 'nvswitch', '1g.10gb', '25%', '64Gi'),
    fc.integer({ min: -1, max: 100_001 }),
    fc.constant(null),
  )
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      value,
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(word, tie('tree'), { maxKeys: 5 }),
    ),
  }))

  test('gets an answer with places, whatever is in it', () => {
    fc.assert(
      fc.property(tree, fc.array(tree, { maxLength: 3 }), (one, two) => {
        const read = readFleetFile(
          stringify({ berth: 'v1', kind: 'fleet', nodes: two, running: [one], health: one }),
          'f',
        )
        if ('problems' in read) expect(read.problems.every(({ place }) => (place?.line ?? 0) > 0)).toBe(true)
      }),
      cases(200),
    )
  })
})
