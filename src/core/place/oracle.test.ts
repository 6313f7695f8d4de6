import { describe, expect, test } from 'vitest'
import { must } from '../base/assert.ts'
import { NOW_MS } from '../requirement/filter/facts.suite.ts'
import { modelFacts } from '../hardware/family.ts'
import { assignIds, type OfferDraft } from '../offer/identity.ts'
import { defaultLink } from '../offer/link.ts'
import type { Offer, OfferGpu } from '../offer/offer.ts'
import { freeze, listingAt } from '../offer/snapshot.ts'
import { derive } from './derive.ts'
import { passesNewer } from './newer.suite.ts'
import { manifestOf, policyOf, scan } from './oracle.suite.ts'
import { decide } from './decide.suite.ts'
import { REQUESTS } from './requests.suite.ts'

/** A small generator of our own: the offers must be the same everywhere and for ever. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x9e37_79b9) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 0x85eb_ca6b)
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32
  }
}

const roll = dice(17)

function oneOf<T>(...values: readonly T[]): T {
  return must(values[Math.floor(roll() * values.length)], 'a die has a side')
}

/** Tells a fact that often, and otherwise keeps silent. */
function told<T>(share: number, value: T): T | undefined {
  return roll() < share ? value : undefined
}

/** Cards with what one of them roughly costs an hour. */
const CARDS: readonly (readonly [string, number])[] = [
  ['t4', 0.35],
  ['l4', 0.7],
  ['a10', 0.9],
  ['v100-16', 0.6],
  ['a100-40-sxm', 1.3],
  ['a100-80-sxm', 1.8],
  ['a100-80', 1.6],
  ['l40s', 1.2],
  ['rtx-4090', 0.4],
  ['rtx-pro-6000', 1.5],
  ['h100-pcie', 2.1],
  ['h100-sxm', 2.7],
  ['h200-sxm', 3.4],
  ['b200-sxm', 5.2],
  ['gh200-96', 1.9],
  ['mi300x', 2.4],
  ['tpu-v5e', 1.2],
]

function cardsOf(model: string, count: number): OfferGpu {
  const facts = must(modelFacts(model), `${model} is in the table`)
  const link = told(0.8, defaultLink(facts, count))
  const slice =
    model.startsWith('a100') && roll() < 0.2
      ? oneOf(
          { kind: 'mig', profile: '1g.10gb', gib: 10 } as const,
          { kind: 'share', profile: undefined, gib: 8 } as const,
        )
      : undefined
  return { model, count, slice, link: count === 1 ? 'pcie' : link }
}

type Hardware = Pick<
  OfferDraft,
  | 'provider'
  | 'instance'
  | 'capacity'
  | 'gpu'
  | 'cpu'
  | 'memoryGib'
  | 'diskGib'
  | 'volumeGib'
  | 'hostArch'
  | 'driver'
  | 'cuda'
  | 'inbound'
  | 'domain'
>

/** A kind of machine with what it roughly costs an hour, in cents: a provider sells it in many places. */
function kind(index: number): { readonly hardware: Hardware; readonly cents: number } {
  const [model, usdPerCard] = oneOf(...CARDS)
  const count = oneOf(1, 1, 1, 2, 4, 8)
  const gpu = roll() < 0.75 ? cardsOf(model, count) : undefined
  const hardware: Hardware = {
    provider: oneOf('alpha', 'beta', 'gamma', 'delta', 'vast', 'runpod'),
    instance: `type-${index}`,
    capacity: oneOf('rented', 'rented', 'rented', 'owned'),
    gpu,
    cpu: told(0.95, count * oneOf(4, 8, 16)),
    memoryGib: told(0.95, count * oneOf(16, 32, 64)),
    diskGib: told(0.3, oneOf(50, 100, 1000)),
    volumeGib: told(0.3, oneOf(100, 500, 2000)),
    hostArch: told(0.97, model.startsWith('gh') || roll() < 0.05 ? 'arm64' : 'amd64'),
    driver: told(0.3, oneOf('470.82.01', '535.104.05', '550.54.14', '570.86.15', '580.65.06')),
    cuda: told(0.15, oneOf('11.8', '12.2', '12.4', '12.8', '13.0')),
    inbound: told(0.7, roll() < 0.8),
    domain: told(0.3, oneOf('zone', 'rack', 'nvlink_domain')),
  }
  return { hardware, cents: 100 * count * (gpu === undefined ? 0.05 : usdPerCard) }
}

const KINDS = Array.from({ length: 400 }, (_, index) => kind(index))

function draft(): OfferDraft {
  const { hardware, cents } = oneOf(...KINDS)
  const region = oneOf('eu-1', 'eu-2', 'us-1', 'us-2', 'in-1')
  const asked = Math.round(cents * (0.7 + 0.6 * roll()))
  return {
    ...hardware,
    region,
    zone: told(0.6, oneOf('a', 'b', 'c')),
    usdPerHour: told(0.95, asked / 100),
    spotUsdPerHour: told(0.4, Math.round(asked * 0.4) / 100),
    stock: told(0.4, { level: oneOf('available', 'low', 'sold_out'), units: told(0.5, oneOf(1, 8)), seenAtMs: NOW_MS }),
    quotaLeft: told(0.2, oneOf(0, 1, 4)),
    health: told(0.4, oneOf('ok', 'ok', 'ok', 'degraded', 'failing')),
    startSeconds: undefined,
    reliability: undefined,
    egressUsdPerGib: undefined,
    residency: told(0.9, region.slice(0, 2)),
    trust: undefined,
    quarantine: roll() < 0.03 ? 'VRAM_CONTRADICTS' : undefined,
  }
}

function capacityOf(size: number): readonly Offer[] {
  const drafts = Array.from({ length: size }, draft)
  const ids = assignIds(drafts)
  return drafts.map((one, index) => ({ ...one, id: must(ids[index], 'one id a draft') }))
}

const CAPACITY = capacityOf(5_000)
const SNAPSHOT = freeze(CAPACITY)

describe('the planner and a plain scan of the same 5,000 offers', () => {
  test.each(REQUESTS.map((request) => [request.title, request] as const))(
    'find the same cheapest for %s',
    (_, request) => {
      const plan = decide(SNAPSHOT, derive(manifestOf(request), policyOf(request), NOW_MS))
      const [choice] = plan.asks.flatMap((ask) => ask.choices)
      const found = choice && {
        id: listingAt(SNAPSHOT, choice.standing.row).id,
        usdPerHour: choice.standing.usdPerHour,
      }
      expect(found).toEqual(scan(CAPACITY.filter(passesNewer(request)), request))
    },
  )

  test('are asked fifty different things, most of which can be had', () => {
    expect(new Set(REQUESTS.map((request) => request.title)).size).toBe(50)
    const answers = REQUESTS.map((request) => scan(CAPACITY, request)?.id)
    expect(answers.filter((id) => id !== undefined).length).toBeGreaterThanOrEqual(40)
    expect(new Set(answers).size).toBeGreaterThanOrEqual(25)
  })
})
