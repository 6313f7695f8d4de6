import fc from 'fast-check'
import { DEFAULT_POLICY, OBJECTIVES, type Policy } from '../policy/policy.ts'
import { FILTER_NAMES } from '../requirement/filter/all-filters.ts'
import { SHARING } from '../requirement/gpu/sharing.ts'
import { modelFacts } from '../hardware/family.ts'
import { ANYTHING, noneOf, oneOf, type OneOf } from '../requirement/need/choice.ts'
import { ANY_NEED, type Need } from '../requirement/need/need.ts'
import { GPU, type GpuNeed } from '../requirement/table.ts'
import { archSet } from '../requirement/gpu/arch.ts'
import { wantedByExamples } from '../requirement/key.suite.ts'
import { ANY_NUMBER, atLeast, atMost, type Range } from '../requirement/need/range.ts'
import { assignIds, type OfferDraft } from '../offer/identity.ts'
import { defaultLink } from '../offer/link.ts'
import type { Ability, Offer, OfferGpu, Refusal } from '../offer/offer.ts'
import { must } from '../base/assert.ts'
import { versionNumber } from '../base/version.ts'
import type { Ask, DecisionInput } from './plan.ts'

/** Small pools make collisions, ties and shared classes frequent, which is where planners go wrong. */
const ABILITIES: readonly Ability[] = ['gangs', 'images', 'object-storage', 'ray', 'secrets', 'volumes']

export const NOW_MS = 1_800_000_000_000

const MODELS = [
  'h100-sxm',
  'h100-pcie',
  'a100-80-sxm',
  'l4',
  'l40s',
  'rtx-4090',
  'rtx-pro-6000',
  'mi300x',
  'v100-16',
  'gh200-96',
  'b200-sxm',
  'a100-80',
] as const

/** Mostly undefined. */
function rarely<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, values)
}

const gpu: fc.Arbitrary<OfferGpu> = fc
  .record({
    model: fc.constantFrom(...MODELS),
    count: fc.constantFrom(1, 2, 4, 8),
    slice: rarely(
      fc.constantFrom(
        { kind: 'mig' as const, profile: '1g.10gb', gib: 10 },
        { kind: 'share' as const, profile: undefined, gib: 12 },
      ),
    ),
    hide: fc.boolean(),
  })
  .map(({ model, count, slice, hide }) => {
    const facts = must(modelFacts(model), `${model} is in the table`)
    return { model, count, slice, link: hide && count > 1 ? undefined : defaultLink(facts, count) }
  })

function maybe<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(values, { nil: undefined, freq: 9 })
}

const price = maybe(fc.constantFrom(0.25, 0.5, 1, 1, 2, 2.5, 4, 10, 98.32))

const draft: fc.Arbitrary<OfferDraft> = fc.record({
  provider: fc.constantFrom('alpha', 'beta', 'gamma'),
  region: fc.constantFrom('eu-1', 'us-1'),
  zone: maybe(fc.constantFrom('a', 'b')),
  instance: fc.constantFrom('small', 'large', 'huge'),
  capacity: fc.constantFrom('rented' as const, 'owned' as const),
  gpu: fc.option(gpu, { nil: undefined, freq: 4 }),
  cpu: maybe(fc.constantFrom(4, 16, 64)),
  memoryGib: maybe(fc.constantFrom(15.25, 64, 512)),
  diskGib: maybe(fc.constantFrom(100, 1000)),
  volumeGib: maybe(fc.constantFrom(100, 1000)),
  hostArch: maybe(fc.constantFrom('amd64' as const, 'amd64' as const, 'arm64' as const)),
  driver: maybe(fc.constantFrom('535.104.5', '550.54.14', '580')),
  cuda: maybe(fc.constantFrom('12.2', '12.4', '13.0')),
  inbound: maybe(fc.boolean()),
  domain: maybe(fc.constantFrom('zone' as const, 'rack' as const, 'nvlink_domain' as const)),
  usdPerHour: price,
  spotUsdPerHour: price,
  stock: maybe(
    fc.record({
      level: fc.constantFrom('available' as const, 'available' as const, 'low' as const, 'sold_out' as const),
      units: maybe(fc.constantFrom(1, 4, 9)),
      seenAtMs: fc.constantFrom(undefined, NOW_MS - 60_000),
    }),
  ),
  quotaLeft: maybe(fc.constantFrom(0, 3, 3, 8)),
  health: maybe(fc.constantFrom('ok' as const, 'ok' as const, 'ok' as const, 'degraded' as const, 'failing' as const)),
  startSeconds: maybe(fc.constantFrom(10, 120)),
  reliability: maybe(fc.constantFrom(0.9, 0.99)),
  egressUsdPerGib: maybe(fc.constantFrom(0, 0.08)),
  residency: maybe(fc.constantFrom('eu', 'us')),
  trust: maybe(fc.constantFrom('secure', 'community')),
  quarantine: rarely(fc.constantFrom('NAME_UNKNOWN' as const, 'VRAM_CONTRADICTS' as const)),
  lacks: fc.oneof({ weight: 15, arbitrary: fc.constant([]) }, fc.subarray([...ABILITIES])),
})

/** Offers with their ids. */
export const offers: fc.Arbitrary<readonly Offer[]> = fc.array(draft, { maxLength: 40, size: 'max' }).map((drafts) => {
  const ids = assignIds(drafts)
  return drafts.map((one, index) => ({ ...one, id: must(ids[index], 'one id a draft') }))
})

export const refusals: fc.Arbitrary<readonly Refusal[]> = fc.array(
  fc.record({
    provider: fc.constantFrom('alpha', 'beta'),
    region: maybe(fc.constantFrom('eu-1', 'us-1')),
    instance: maybe(fc.constantFrom('small', 'large')),
    why: fc.constantFrom('sold-out' as const, 'quota' as const, 'fault' as const),
    atMs: fc.constantFrom(NOW_MS - 1_000, NOW_MS - 3_600_000),
    untilMs: fc.constantFrom(NOW_MS - 1, NOW_MS, NOW_MS + 60_000),
  }),
  { maxLength: 3 },
)

function choiceOf(values: readonly string[]): fc.Arbitrary<OneOf> {
  const some = fc.subarray([...values])
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(ANYTHING) },
    some.filter((list) => list.length > 0).map(oneOf),
    some.map(noneOf),
  )
}

function seldom(choice: OneOf): fc.Arbitrary<OneOf> {
  return fc.oneof({ weight: 19, arbitrary: fc.constant(ANYTHING) }, fc.constant(choice))
}

function minimum(values: readonly number[]): fc.Arbitrary<Range> {
  return fc.oneof({ weight: 6, arbitrary: fc.constant(ANY_NUMBER) }, fc.constantFrom(...values).map(atLeast))
}

function version(text: string): number {
  return must(versionNumber(text), 'a version')
}

const arches = fc.subarray(['hopper', 'ampere', 'blackwell', 'ada'])

const GPU_PARTS: { readonly [K in keyof GpuNeed]?: fc.Arbitrary<GpuNeed[K]> } = {
  vendor: choiceOf(['nvidia', 'amd']),
  arch: fc.oneof({ weight: 6, arbitrary: fc.constant<string[]>([]) }, arches).map(archSet),
  capability: minimum([version('8.0'), version('9.0')]),
  count: fc.constantFrom(1, 1, 2, 4, 8).map(atLeast),
  vramGib: minimum([10, 24, 48, 80]),
  usableGib: minimum([23, 79.6]),
  sharing: fc.constantFrom(SHARING.never, SHARING.mig, SHARING.any),
  link: minimum([1, 2, 3]),
  driver: minimum([version('535'), version('550'), version('590')]),
  cuda: minimum([version('12.4'), version('13.0')]),
}

/** Requirements that are not listed are asked for as their own examples show: the more of them, the more rarely each. */
const NEWER = GPU.keys.filter(({ slot }) => !Object.hasOwn(GPU_PARTS, slot))
const NEWER_PARTS = NEWER.map((key) => {
  const anything = { weight: 3 * NEWER.length, arbitrary: fc.constant(key.set.any) }
  return [key.slot, fc.oneof(anything, fc.constantFrom(...wantedByExamples(key)))] as const
})

const gpuNeed: fc.Arbitrary<GpuNeed> = fc
  .record({ ...GPU_PARTS, ...Object.fromEntries(NEWER_PARTS) })
  .map((parts) => ({ ...GPU.any, ...parts }))

/** Needs of the form that manifests and policies produce. */
export const needs: fc.Arbitrary<Need> = fc.record({
  gpu: fc.option(gpuNeed, { nil: undefined, freq: 6 }),
  cpu: minimum([4, 8, 64]),
  memoryGib: minimum([15.25, 16, 512]),
  diskGib: minimum([100, 500]),
  volumeGib: minimum([100, 500]),
  hostArch: fc.oneof(
    { weight: 6, arbitrary: fc.constant(ANYTHING) },
    fc.constant(oneOf(['amd64'])),
    fc.constant(oneOf(['arm64'])),
  ),
  inbound: fc.constantFrom(false, false, false, true),
  nodes: fc.constantFrom(1, 1, 1, 1, 2, 3),
  within: fc.constantFrom(undefined, undefined, undefined, 'zone' as const, 'rack' as const, 'nvlink_domain' as const),
  uses: fc.oneof({ weight: 15, arbitrary: fc.constant([]) }, fc.subarray([...ABILITIES])),
  wrongAt: fc.constantFrom<readonly string[]>([], [], [], [], [], [], [], [], ['beta'], ['alpha/eu-1']),
  market: fc.constantFrom(oneOf(['on-demand']), oneOf(['spot']), oneOf(['on-demand', 'spot'])),
  usdPerHour: fc.constantFrom(ANY_NUMBER, ANY_NUMBER, ANY_NUMBER, atMost(0.5), atMost(2), atMost(4)),
  provider: choiceOf(['alpha', 'beta', 'gamma']),
  projectProvider: seldom(oneOf(['alpha', 'beta'])),
  walled: seldom(noneOf(['alpha'])),
  residency: choiceOf(['eu', 'us']),
  trust: choiceOf(['secure', 'community']),
  unknownAccepted: fc.oneof({ weight: 8, arbitrary: fc.constant(ANYTHING) }, fc.subarray([...FILTER_NAMES]).map(oneOf)),
})

export const policies: fc.Arbitrary<Policy> = fc
  .record({
    objective: fc.constantFrom(
      'cheapest' as const,
      'fastest-start' as const,
      'most-reliable' as const,
      'balanced' as const,
    ),
    fallback: fc.constantFrom<readonly string[]>([], ['gamma'], ['beta', 'alpha']),
  })
  .map(({ objective, fallback }) => ({ ...DEFAULT_POLICY, objective, weights: OBJECTIVES[objective], fallback }))

const asks: fc.Arbitrary<Ask> = fc.record({
  role: fc.constant(undefined),
  need: needs,
  replicas: fc.constantFrom(1, 1, 2, 3, 5),
  spread: fc.constantFrom('none' as const, 'provider' as const, 'region' as const, 'zone' as const),
})

export const inputs: fc.Arbitrary<DecisionInput> = fc.record({
  workload: fc.constant('w'),
  asks: fc.array(asks, { minLength: 1, maxLength: 2 }),
  policy: policies,
  nowMs: fc.constant(NOW_MS),
})

/** A question that asks for one machine that meets `need`. */
export function asking(need: Need, policy: Policy = DEFAULT_POLICY): DecisionInput {
  return { workload: 'w', asks: [{ role: undefined, need, replicas: 1, spread: 'none' }], policy, nowMs: NOW_MS }
}

export { ANY_NEED }
