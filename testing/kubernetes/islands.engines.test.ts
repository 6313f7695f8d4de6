import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../../src/core/base/assert.ts'
import type { Provider } from '../../src/ports/provider.ts'
import { call, yes } from '../../src/providers/contract/bench.suite.ts'
import { DEVICE_CLASSES, dualSocketCards, sliceOf, switchedCards } from '../engines/fakes/slices.ts'
import { addNodes } from '../engines/fakes/pods.ts'
import { startRig, type Rig } from '../engines/rig/rig.ts'
import { depsAs } from './bench.ts'
import { openOn } from './bench.ts'
import { ISLANDS, sequenceOf, Tally, type IslandFigures, type IslandNode } from './sequences.ts'
import { EngineWay, PlainWay, POOL, type PoolGround, type ClaimWay } from './ways.ts'

// BERTH_SEQUENCES=200 npm run test:engines -- islands: the full size, whose figures are in docs/engines.md.
const SEQUENCES = Number(process.env['BERTH_SEQUENCES'] ?? 20)
const POOLS = Math.min(10, SEQUENCES)
const RBAC = join(import.meta.dirname, '../../deploy/kubernetes/rbac.yaml')
const TIMEOUT_MS = 120_000 + SEQUENCES * 10_000

let rig: Rig
const open: Provider[] = []
beforeAll(async () => {
  rig = await startRig({ name: 'islands' })
  await rig.api.applyText(readFileSync(RBAC, 'utf8'))
  const pools = Array.from({ length: POOLS }, (_, pool) => `${pool}`)
  await addNodes(
    rig.api,
    pools.flatMap((pool) =>
      ['sockets', 'switched'].map((kind) => ({ name: `${kind}-${pool}`, labels: { [POOL]: pool } })),
    ),
  )
  await rig.api.apply(...DEVICE_CLASSES)
  for (const pool of pools) {
    const [sockets, switched] = [`sockets-${pool}`, `switched-${pool}`]
    await rig.api.apply(sliceOf(sockets, dualSocketCards(sockets)), sliceOf(switched, switchedCards(switched)))
  }
})
afterAll(async () => {
  for (const provider of open) await provider.close?.()
  await rig.stop()
})

async function groundOf(pool: number, settings: Readonly<Record<string, unknown>>): Promise<PoolGround> {
  const nodes = { [POOL]: `${pool}` }
  const provider = await openOn(await depsAs(rig, 'berth'), { namespace: 'berth', nodes, ...settings })
  open.push(provider)
  const { fleets } = yes(await provider.offers(call()))
  return { rig, provider, pool: `${pool}`, nodes: fleets?.[0]?.fleet.nodes ?? [] }
}

/** Every sequence in one way, each pool with its share of them. */
async function runAll<T extends ClaimWay>(
  settings: Readonly<Record<string, unknown>>,
  wayOf: (ground: PoolGround) => T,
): Promise<{ readonly figures: IslandFigures; readonly ways: readonly T[] }> {
  const tally = new Tally()
  const ways = await Promise.all(
    Array.from({ length: POOLS }, async (_, pool) => {
      const ground = await groundOf(pool, settings)
      const way = wayOf(ground)
      for (let seed = pool; seed < SEQUENCES; seed += POOLS) await runOne(seed, { ground, way, tally })
      return way
    }),
  )
  return { figures: tally.figures, ways }
}

interface Run {
  readonly ground: PoolGround
  readonly way: ClaimWay
  readonly tally: Tally
}

async function runOne(seed: number, { ground, way, tally }: Run): Promise<void> {
  const free = new Map(ground.nodes.map(({ id }) => [id, 0xff]))
  const there = new Map<string, { readonly node: string; readonly set: number }>()
  const leave = async (job: string): Promise<void> => {
    const held = there.get(job)
    if (held === undefined) return
    await way.go(job)
    there.delete(job)
    free.set(held.node, (free.get(held.node) ?? 0) | held.set)
  }
  for (const step of sequenceOf(seed)) {
    const job = `s${seed}-${step.job}`
    if (step.kind === 'go') {
      await leave(job)
      continue
    }
    const got = await way.come(job, step.count)
    if (got === undefined) {
      tally.refused()
      continue
    }
    const set = got.cards.reduce((bits, card) => bits | (1 << card), 0)
    const before = must(free.get(got.node), 'a node of the pool')
    expect(got.cards).toHaveLength(step.count)
    tally.placed(kindOf(ground, got.node), { free: before, set })
    free.set(got.node, before & ~set)
    there.set(job, { node: got.node, set })
  }
  await Promise.all([...there.keys()].map(leave))
}

function kindOf({ nodes }: PoolGround, name: string): IslandNode {
  const { layout } = must(
    nodes.find(({ id }) => id === name),
    'a node of the pool',
  )
  const islands = name.startsWith('sockets') ? ISLANDS.sockets : ISLANDS.switched
  return { layout: must(layout, 'slices tell how its cards are wired'), islands }
}

function tell(way: string, { gotGbps, bestGbps, ...figures }: IslandFigures): void {
  const lost = Math.round((1 - gotGbps / bestGbps) * 1000) / 10
  console.log(`${way}: ${JSON.stringify({ sequences: SEQUENCES, ...figures, bandwidth_lost_percent: lost })}`)
}

test(
  'pinned claims get the cards that the engine chose, every time',
  async () => {
    const { figures, ways } = await runAll({ pick: 'berth' }, (ground) => new EngineWay(ground))
    tell('pinned', figures)
    expect(ways.flatMap(({ others }) => others)).toEqual([])
    expect(figures.crossings).toBe(0)
    expect(figures.gotGbps).toBe(figures.bestGbps)
    expect(figures.joined).toBeGreaterThan(4 * SEQUENCES)
  },
  TIMEOUT_MS,
)

test(
  'described claims never cross an island that could have held them',
  async () => {
    const { figures } = await runAll({ pick: 'cluster' }, (ground) => new EngineWay(ground))
    tell('described', figures)
    expect(figures.crossings).toBe(0)
    expect(figures.gotGbps).toBe(figures.bestGbps)
  },
  TIMEOUT_MS,
)

test(
  'plain claims do: the scheduler takes the first cards that are free',
  async () => {
    const { figures } = await runAll({}, (ground) => new PlainWay(ground))
    tell('plain', figures)
    expect(figures.crossings).toBeGreaterThan(0)
    expect(figures.gotGbps).toBeLessThan(figures.bestGbps)
  },
  TIMEOUT_MS,
)

test('nothing is left behind', async () => {
  const ground = await groundOf(0, {})
  const { offers } = yes(await ground.provider.offers(call()))
  expect(offers.map(({ gpu, stock }) => [gpu?.count, stock?.level])).toEqual([
    [8, 'available'],
    [8, 'available'],
  ])
  for (const namespace of ['berth', 'default'])
    expect(await rig.api.list(`/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`)).toEqual([])
})
