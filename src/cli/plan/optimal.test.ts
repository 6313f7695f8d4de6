import { describe, expect, test } from 'vitest'
import type { Solved, SolveOptions, Solver } from '../../ports/solver.ts'
import { sourceSolver } from '../../solver/highs.suite.ts'
import { berth, textAt, words, type Ran } from '../harness.suite.ts'

const FLEET = `berth: v1
kind: fleet
nodes:
  - { name: "n-{1..2}", gpu: { model: h100-sxm, count: 8 }, cpu: 100, memory: 1Ti, host_arch: amd64, zone: a, rack: r1 }
`

/** Two roles that fill two nodes, if the first does not lie on one of them alone. */
function pair(small: string, large: string, more = ''): string {
  return `berth: v1
kind: service
name: pair
image: a/b:1
${more}roles:
  small: { replicas: 2, resources: { cpu: 1, memory: 1Gi, gpu: { ${small} } } }
  large: { replicas: 2, resources: { cpu: 1, memory: 1Gi, gpu: { ${large} } } }
`
}

const PAIR = pair('count: 3', 'count: 5')

interface Chosen {
  readonly role: string
  readonly replica: number
  readonly own: { readonly together: { readonly name: string }; readonly domains: { readonly rack: string } }
}

interface Given {
  readonly solver?: Solver
  readonly manifest?: string
  readonly fleet?: string
  readonly more?: Readonly<Record<string, string>>
}

function planned(flags: string, { solver, manifest = PAIR, fleet = FLEET, more = {} }: Given): Promise<Ran> {
  const offers = ['fleet.yaml', ...Object.keys(more)].join(' ')
  return berth(words(`plan w.yaml --offers ${offers} ${flags}`), {
    files: { 'w.yaml': manifest, 'fleet.yaml': fleet, ...more },
    ...(solver && { solver }),
  })
}

/** Always answers the same, and counts how often it was let go. */
function stub(answer: (options: SolveOptions) => Solved): Solver & { closed: number } {
  return {
    closed: 0,
    solve: (_, options) => Promise.resolve(answer(options)),
    close() {
      this.closed++
      return Promise.resolve()
    },
  }
}

/** Finds nothing better than what it is given, and proves nothing. */
const TIRED = (bound: number) =>
  stub(({ start = new Map<string, number>() }) => ({
    kind: 'solved',
    values: start,
    objective: 0,
    bound,
    isProven: false,
    tookMs: 1,
  }))

function exactLineOf({ out }: Ran): string | undefined {
  return out.split('\n').find((line) => line.startsWith('Exact: '))
}

describe('berth plan --optimal with HiGHS', () => {
  test('finds room for what the order of the roles leaves out, and is replayed without a solver', async () => {
    const engine = await planned('', {})
    expect(engine.code).toBe(2)
    expect(engine.out).toContain('pair: only 3 of 4 replicas would have a place')
    expect(exactLineOf(engine)).toBeUndefined()

    const ran = await planned('--optimal --save p.json', { solver: sourceSolver() })
    expect(ran.code).toBe(0)
    expect(ran.out).toContain('pair: 4 of 4 replicas have a place')
    expect(exactLineOf(ran)).toBe('Exact: 4 of 4 replicas on owned nodes, 16 cards instead of 11, proven best')
    expect(ran.out).toContain('berth plan w.yaml --optimal --offers fleet.yaml --all')
    const saved = JSON.parse(textAt(ran, 'p.json'))
    expect(saved.hints.asks.map((replicas: readonly unknown[]) => replicas.length)).toEqual([2, 2])
    const files = Object.fromEntries(['p.json', 'p.offers'].map((path) => [path, ran.files.get(path) ?? '']))
    expect((await berth(words('replay p.json'), { files })).out).toMatch(/^same plan: pair/)
    const { hints: _, ...forgotten } = saved
    const changed = { ...files, 'p.json': JSON.stringify(forgotten) }
    expect((await berth(words('replay p.json'), { files: changed })).code).toBe(1)
  })

  test('says so in data', async () => {
    const { out } = await planned('--optimal -o json', { solver: sourceSolver() })
    expect(JSON.parse(out).exact).toEqual({
      result: 'better',
      proven: true,
      replicas: { placed: 4, wanted: 4 },
      cards: { engine: 11, placed: 16, most: 16 },
    })
  })

  test('proves that the engine’s choice is best', async () => {
    const ran = await planned('--optimal', { solver: sourceSolver(), manifest: pair('count: 4', 'count: 4') })
    expect(exactLineOf(ran)).toBe('Exact: 4 of 4 replicas on owned nodes, the engine’s choice is already best (proven)')
  })

  test('packs shares next to what runs, and takes the larger first', async () => {
    const fleet = `berth: v1
kind: fleet
nodes:
  - { name: n-1, gpu: { model: l40s, count: 2, sharing: share }, cpu: 16, memory: 64Gi, host_arch: amd64 }
running:
  - { name: a, node: n-1, cpu: 4, memory: 8Gi, cards: [0], share: 10% }
`
    const manifest = pair('count: 1, min_vram: 15Gi, sharing: any', 'count: 1, min_vram: 30Gi, sharing: any')
    const engine = await planned('', { fleet, manifest })
    const ran = await planned('--optimal --save p.json', { fleet, manifest, solver: sourceSolver() })
    expect(engine.code).toBe(2)
    expect(exactLineOf(ran)).toBe('Exact: 3 of 4 replicas on owned nodes, 1.563 cards instead of 1.251, proven best')
    expect(ran.out).toContain('62.5 % of card 0 of 2 × L40S')
    const files = Object.fromEntries(['p.json', 'p.offers'].map((path) => [path, ran.files.get(path) ?? '']))
    expect((await berth(words('replay p.json'), { files })).code).toBe(0)
  })

  test('a whole gang is placed where its order alone would leave it out', async () => {
    const fleet = `berth: v1
kind: fleet
nodes:
  - { name: "n-{1..2}", gpu: { model: h100-sxm, count: 8 }, cpu: 100, memory: 1Ti, host_arch: amd64, zone: a, rack: r1 }
  - { name: "n-{3..4}", gpu: { model: h100-sxm, count: 8 }, cpu: 100, memory: 1Ti, host_arch: amd64, zone: a, rack: r2 }
`
    const manifest = `berth: v1\nkind: job\nname: train\nimage: a/b:1\nnodes: 2\ntopology: { within: rack }\n${PAIR.slice(PAIR.indexOf('roles:'))}`
    const ran = await planned('--optimal', { fleet, manifest, solver: sourceSolver() })
    expect(exactLineOf(ran)).toBe('Exact: 4 of 4 replicas on owned nodes, 32 cards instead of 22, proven best')
    const racks = JSON.parse(
      (await planned('--optimal -o json', { fleet, manifest, solver: sourceSolver() })).out,
    ).chosen.map(({ role, replica, own }: Chosen) => `${role} ${replica} ${own.together.name} ${own.domains.rack}`)
    expect(new Set(racks)).toEqual(new Set(['small 0 r1 r1', 'small 1 r2 r2', 'large 0 r2 r2', 'large 1 r1 r1']))
  })

  test('work that the fleet has no room for is rented, the small before the large', async () => {
    const cloud = `berth: v1
kind: inventory
provider: northwind
offers:
  - { region: north-1, instance: nw-8, gpu: { model: h100-sxm, count: 8 }, cpu: 64, memory: 800Gi, host_arch: amd64, usd_per_hour: 20 }
`
    const manifest = pair('count: 6', 'count: 8').replace('small: { replicas: 2', 'small: { replicas: 1')
    const given = { manifest, more: { 'cloud.yaml': cloud } }
    const ran = await planned('--optimal', { ...given, solver: sourceSolver() })
    expect((await planned('', given)).out).toMatch(/large 1 +northwind/)
    expect(ran.out).toMatch(/small 0 +northwind/)
    expect(exactLineOf(ran)).toBe('Exact: 2 of 3 replicas on owned nodes, 16 cards instead of 14, proven best')
  })
})

describe('berth plan --optimal without a better plan', () => {
  test('keeps the engine’s choice when the time is over, and lets the solver go', async () => {
    const solver = stub(() => ({ kind: 'out-of-time' }))
    const ran = await planned('--optimal', { solver })
    expect(ran.code).toBe(2)
    expect(exactLineOf(ran)).toBe('Exact: nothing was found in time, the engine’s choice is kept')
    expect(solver.closed).toBe(1)
  })

  test('says how much better an unproven plan could still get', async () => {
    expect(exactLineOf(await planned('--optimal', { solver: TIRED(16_000) }))).toBe(
      'Exact: 3 of 4 replicas on owned nodes, nothing better than the engine’s choice was found, not proven best: no plan uses more than 16 cards there',
    )
  })

  test('does not take what the solver knows too little of: a gang has the same cards everywhere', async () => {
    const fleet = `${FLEET.replace('n-{1..2}', 'n-1')}  - { name: m-1, gpu: { model: a100-80-sxm, count: 8 }, cpu: 100, memory: 1Ti, host_arch: amd64 }\n`
    const manifest = `berth: v1\nkind: job\nname: train\nimage: a/b:1\nnodes: 2\nresources: { cpu: 1, gpu: { count: 8 } }\n`
    const ran = await planned('--optimal --save p.json', { fleet, manifest, solver: sourceSolver() })
    expect(ran.code).toBe(2)
    expect(exactLineOf(ran)).toBe(
      'Exact: 0 of 1 replica on owned nodes, the engine’s choice is kept: using more would break a gang, a link, the policy’s order or the price (no plan uses more than 16 cards there)',
    )
    expect(JSON.parse(textAt(ran, 'p.json')).hints).toBeUndefined()
  })

  test('a saved plan whose hints are none is refused', async () => {
    const ran = await planned('--save p.json', {})
    const saved = JSON.parse(textAt(ran, 'p.json'))
    const files = { 'p.json': JSON.stringify({ ...saved, hints: 7 }), 'p.offers': ran.files.get('p.offers') ?? '' }
    const { code, err } = await berth(words('replay p.json'), { files })
    expect(code).toBe(3)
    expect(err).toContain('PLAN_UNREADABLE')
  })

  test('is not begun where it would be too large', async () => {
    const fleet = FLEET.replace('{1..2}', '{1..140}')
    const nodes = Array.from(
      { length: 140 },
      (_, at) => `  - { name: t-${at}, node: n-${at + 1}, cpu: ${1 + at / 10}, memory: 1Gi }`,
    )
    const roles = Array.from(
      { length: 64 },
      (_, at) => `  r-${at}: { replicas: 2, resources: { cpu: ${at + 1}, gpu: { count: 1 } } }`,
    )
    const manifest = `${PAIR.split('roles:')[0]}roles:\n${roles.join('\n')}\n`
    const ran = await planned('--optimal', {
      manifest,
      fleet: `${fleet}running:\n${nodes.join('\n')}\n`,
      solver: TIRED(0),
    })
    expect(exactLineOf(ran)).toBe(
      'Exact: too large for the solver (more than 8,000 variables), the engine’s choice is kept',
    )
  })

  test.each([
    ['no node of a fleet is suitable', { manifest: pair('count: 9', 'count: 9') }],
    ['several fleets are suitable, and the solver handles only one', { more: { 'other.yaml': FLEET } }],
    [
      'the replicas are spread, which the solver does not support',
      { manifest: pair('count: 3', 'count: 5', 'spread: zone\n') },
    ],
    [
      'some work may take whole cards or several kinds of parts, which the solver does not support',
      {
        manifest: pair('count: 1, min_vram: 12Gi, sharing: any', 'count: 1'),
        fleet: `${FLEET}  - { name: l-1, gpu: { model: l40s, count: 2, sharing: share }, cpu: 16, memory: 64Gi, host_arch: amd64 }\n`,
      },
    ],
  ] as const)('is not tried: %s', async (why, given) => {
    const ran = await planned('--optimal', { ...given, solver: TIRED(0) })
    expect(exactLineOf(ran)).toBe(`Exact: not tried, ${why}`)
  })
})
