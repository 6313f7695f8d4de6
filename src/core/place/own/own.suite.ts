import fc from 'fast-check'
import { DEFAULT_POLICY, OBJECTIVES, type Policy } from '../../policy/policy.ts'
import { SHARING } from '../../requirement/gpu/sharing.ts'
import { ANYTHING, oneOf } from '../../requirement/need/choice.ts'
import { ANY_NEED, type Need } from '../../requirement/need/need.ts'
import { ANY_GPU } from '../../requirement/need/need.suite.ts'
import { ANY_NUMBER, atLeast } from '../../requirement/need/range.ts'
import { UNKNOWN_HOST, type HostFacts } from '../../fleet/owned-fleet.ts'
import type { Ask, DecisionInput } from '../plan.ts'
import { sold } from '../capacity.suite.ts'
import { NOW_MS } from '../world.suite.ts'

/** What every node of a random fleet states about itself. */
export const HOSTS: HostFacts = { ...UNKNOWN_HOST, hostArch: 'amd64' }

/** What can be rented in addition to a fleet. */
export const RENTED = [
  sold('cloud-h100-2', 4, {
    gpu: { model: 'h100-sxm', count: 2, slice: undefined, link: 'nvlink' },
    provider: 'cloud',
  }),
  sold('cloud-l40s-1', 1, { gpu: { model: 'l40s', count: 1, slice: undefined, link: 'pcie' }, provider: 'cloud' }),
  sold('cloud-last', 2, {
    gpu: { model: 'l40s', count: 1, slice: undefined, link: 'pcie' },
    provider: 'mist',
    stock: { level: 'low', units: 1, seenAtMs: undefined },
  }),
]

const needs: fc.Arbitrary<Need> = fc
  .record({
    count: fc.constantFrom(0, 1, 1, 1, 2, 2, 4),
    vramGib: fc.constantFrom(undefined, 5, 10, 20, 40, 48, 80),
    sharing: fc.constantFrom(SHARING.never, SHARING.mig, SHARING.any),
    link: fc.constantFrom(ANY_NUMBER, ANY_NUMBER, atLeast(2), atLeast(3)),
    cpu: fc.constantFrom(undefined, 1, 4),
    memoryGib: fc.constantFrom(undefined, 2, 16),
    nodes: fc.constantFrom(1, 1, 1, 2, 3),
    within: fc.constantFrom(undefined, 'rack' as const, 'zone' as const),
  })
  .map(({ count, vramGib, sharing, link, cpu, memoryGib, nodes, within }) => ({
    ...ANY_NEED,
    gpu: count === 0 ? undefined : { ...ANY_GPU, count: atLeast(count), vramGib: atLeast(vramGib), sharing, link },
    cpu: atLeast(cpu),
    memoryGib: atLeast(memoryGib),
    nodes,
    within: nodes > 1 ? within : undefined,
    market: oneOf(['on-demand']),
    unknownAccepted: ANYTHING,
  }))

const asks: fc.Arbitrary<Ask> = fc.record({
  role: fc.constant(undefined),
  need: needs,
  replicas: fc.constantFrom(1, 1, 2, 3, 6),
  spread: fc.constantFrom('none' as const, 'none' as const, 'provider' as const, 'zone' as const),
  reserve: fc.constantFrom(undefined, { kind: 'count' as const, count: 2 }, { kind: 'share' as const, share: 0.5 }),
})

const policies: fc.Arbitrary<Policy> = fc
  .record({
    objective: fc.constantFrom('cheapest' as const, 'balanced' as const),
    fallback: fc.constantFrom<readonly string[]>([], [], ['harbor'], ['cloud']),
  })
  .map(({ objective, fallback }) => ({ ...DEFAULT_POLICY, objective, weights: OBJECTIVES[objective], fallback }))

/** Questions for fleets. */
export const fleetInputs: fc.Arbitrary<DecisionInput> = fc.record({
  workload: fc.constant('w'),
  asks: fc.array(asks, { minLength: 1, maxLength: 2 }),
  policy: policies,
  nowMs: fc.constant(NOW_MS),
})
