import { expect, test } from 'vitest'
import { readFleetFile } from '../../../formats/fleet-file/fleet-file.ts'
import { freeze, listingAt } from '../../offer/snapshot.ts'
import { fleetOffers } from '../../pack/owned/fleet-offers.ts'
import { DEFAULT_POLICY } from '../../policy/policy.ts'
import { oneOf } from '../../requirement/need/choice.ts'
import { ANY_NEED } from '../../requirement/need/need.ts'
import { ANY_GPU } from '../../requirement/need/need.suite.ts'
import { atLeast } from '../../requirement/need/range.ts'
import { sold } from '../capacity.suite.ts'
import { decide } from '../decide.suite.ts'
import { NOW_MS } from '../world.suite.ts'
import { passedOver } from './explain.ts'

const NODES = `
nodes:
  - { name: old, gpu: { model: l40s, count: 1 }, cpu: 16, memory: 64Gi }
  - { name: new, gpu: { model: h100-sxm, count: 1 }, cpu: 16, memory: 64Gi }
`
const CLOUD = sold('cloud', 9, { gpu: { model: 'l40s', count: 1, slice: undefined, link: 'pcie' }, provider: 'cloud' })

/** What would be taken next for one card, by name, if this runs in the fleet and its offers were read before. */
function nextBest(running: string): readonly string[] {
  const read = readFleetFile(`berth: v1\nkind: fleet\n${NODES}${running}`, 'f.yaml')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  const owned = { provider: 'harbor', region: 'f', fleet: read.fleet, tenants: read.tenants }
  const gpu = { ...ANY_GPU, count: atLeast(1), sharing: oneOf(['whole']) }
  const plan = decide(freeze([CLOUD, ...fleetOffers({ ...owned, tenants: [] }, [])], [], [owned]), {
    workload: 'w',
    asks: [
      {
        role: undefined,
        need: { ...ANY_NEED, gpu, market: oneOf(['on-demand']) },
        replicas: 1,
        spread: 'none',
      },
    ],
    policy: DEFAULT_POLICY,
    nowMs: NOW_MS,
  })
  const [ask] = plan.asks
  return ask === undefined ? [] : passedOver(ask, plan, 5).map(({ row }) => listingAt(plan.snapshot, row).instance)
}

test('what would be taken next has room, whatever was offered when it was read', () => {
  expect(nextBest('')).toHaveLength(2)
  expect(nextBest('')).toContain('cloud')
  expect(nextBest('running:\n  - { name: one, node: old, cards: [0], cpu: 1, memory: 1Gi }\n')).toEqual(['cloud'])
  expect(nextBest('running:\n  - { name: one, node: new, cards: [0], cpu: 1, memory: 1Gi }\n')).toEqual(['cloud'])
})
