import { describe, expect, test } from 'vitest'
import type { Offer } from '../../offer/offer.ts'
import { cards, offer } from '../../offer/offer.suite.ts'
import { freeze, listingAt } from '../../offer/snapshot.ts'
import { describeOffer, type OfferReport } from './offer-report.ts'

function described(change: Partial<Offer>, usdPerHour: number | undefined = 4): OfferReport {
  return describeOffer(listingAt(freeze([offer(change)]), 0), { usdPerHour, terms: 'on-demand' })
}

describe('an offer as scripts see it', () => {
  test('has every fact under its name', () => {
    expect(described({ driver: '575.57.08' })).toStrictEqual({
      id: 'alpha/eu-1/a/large',
      provider: 'alpha',
      region: 'eu-1',
      zone: 'a',
      instance: 'large',
      capacity: 'rented',
      shared: undefined,
      gpu: 'h100-sxm',
      gpu_name: 'H100 SXM 80 GB',
      gpu_vendor: 'nvidia',
      gpu_count: 2,
      vram_gib: 80,
      slice: undefined,
      interconnect: 'nvlink',
      cpu: 64,
      memory_gib: 512,
      disk_gib: 1000,
      host_arch: 'amd64',
      driver: '575.57.08',
      terms: 'on-demand',
      usd_per_hour: 4,
      on_demand_usd_per_hour: 4,
      spot_usd_per_hour: 1,
      start_seconds: 60,
      residency: 'eu',
      trust: 'secure',
      stock: 'available',
    })
  })

  test('without a card has none of its facts, and no cards', () => {
    const keys = ['gpu', 'gpu_name', 'vram_gib', 'slice', 'interconnect', 'driver'] as const
    const bare = described({ gpu: undefined })
    expect(keys.map((key) => bare[key])).toEqual(keys.map(() => undefined))
    expect(bare.gpu_count).toBe(0)
    expect(described({ driver: undefined }).driver).toBeUndefined()
  })

  test('names a slice by its profile, or by its kind', () => {
    const mig = { kind: 'mig', profile: '1g.10gb', gib: 10 } as const
    expect(described({ gpu: cards({ slice: mig }) })).toMatchObject({ slice: '1g.10gb', vram_gib: 10 })
    const share = { kind: 'share', profile: undefined, gib: 40 } as const
    expect(described({ gpu: cards({ slice: share }) })).toMatchObject({ slice: 'share', vram_gib: 40 })
  })

  test('has no terms where it is not sold', () => {
    const listing = listingAt(freeze([offer()]), 0)
    const report = describeOffer(listing, { usdPerHour: undefined, terms: 'spot' })
    expect([report.terms, report.usd_per_hour]).toEqual([undefined, undefined])
  })
})
