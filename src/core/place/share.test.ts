import { expect, test } from 'vitest'
import { readFleetFile } from '../../formats/fleet-file/fleet-file.ts'
import { freeze } from '../offer/snapshot.ts'
import { fleetOffers } from '../pack/owned/fleet-offers.ts'
import { DEFAULT_POLICY } from '../policy/policy.ts'
import { oneOf } from '../requirement/need/choice.ts'
import { ANY_NEED, type Need } from '../requirement/need/need.ts'
import { ANY_GPU } from '../requirement/need/need.suite.ts'
import { atLeast, atMost } from '../requirement/need/range.ts'
import { sold } from './capacity.suite.ts'
import { decide } from './decide.suite.ts'
import { explain } from './explain/explain.ts'
import { NOW_MS } from './world.suite.ts'

const NODE = 'berth: v1\nkind: fleet\nnodes:\n  - { name: n, gpu: { model: l40s, count: 8 }, cpu: 64, memory: 256Gi }\n'

/** What is chosen beside a rented card at $3, where the node of eight costs $16. */
function chosenFor(
  cards: number,
  change: Partial<Need> = {},
  node = NODE,
): readonly (readonly [offer: string, usd: number])[] {
  const read = readFleetFile(node, 'f.yaml')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  const owned = { provider: 'harbor', region: 'f', fleet: read.fleet, tenants: read.tenants }
  const nodes = fleetOffers(owned, []).map((offer) => ({ ...offer, usdPerHour: 16 }))
  const rented = sold('one', 3, { gpu: { model: 'l40s', count: 1, slice: undefined, link: 'pcie' } })
  const gpu = cards === 0 ? undefined : { ...ANY_GPU, count: atLeast(cards), sharing: oneOf(['whole']) }
  const need = { ...ANY_NEED, gpu, market: oneOf(['on-demand']), ...change }
  const asks = [{ role: undefined, need, replicas: 1, spread: 'none' }] as const
  const policy = { ...DEFAULT_POLICY, unknown: { accept: 'all' } }
  const plan = decide(freeze([rented, ...nodes], [], [owned]), { workload: 'w', asks, policy, nowMs: NOW_MS })
  expect(explain(plan)).toHaveLength(1)
  return plan.asks.flatMap(({ choices }) =>
    choices.map(({ standing, own }) => [own === undefined ? 'rented' : 'own', standing.usdPerHour] as const),
  )
}

test('a node that is shared costs what the cards cost that are taken, not what all of it costs', () => {
  expect(chosenFor(1)).toEqual([['own', 2]])
  expect(chosenFor(4)).toEqual([['own', 8]])
  expect(chosenFor(8)).toEqual([['own', 16]])
})

test('and the same whatever others have taken of it', () => {
  const taken = `${NODE}running:\n  - { name: t, node: n, cpu: 8, memory: 8Gi, cards: [0, 1, 2, 3, 4, 5] }\n`
  expect(chosenFor(1, {}, taken)).toEqual([['own', 2]])
  expect(chosenFor(2, {}, taken)).toEqual([['own', 4]])
})

test('a limit is held against that, too', () => {
  expect(chosenFor(1, { usdPerHour: atMost(2) })).toEqual([['own', 2]])
  expect(chosenFor(2, { usdPerHour: atMost(3) })).toEqual([])
})
