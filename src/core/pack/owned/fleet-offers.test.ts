import { describe, expect, test } from 'vitest'
import { nodeWith, slice, tenantOn } from '../../fleet/draw.suite.ts'
import type { FleetNode, Tenant } from '../../fleet/fleet.ts'
import type { Offer } from '../../offer/offer.ts'
import { fleetOffers } from './fleet-offers.ts'
import { UNKNOWN_HOST, type HostFacts } from '../../fleet/owned-fleet.ts'

function offersOf(node: FleetNode, tenants: readonly Tenant[] = [], host: HostFacts = UNKNOWN_HOST): readonly Offer[] {
  return fleetOffers({ provider: 'harbor', region: 'hamburg', fleet: { nodes: [node] }, tenants }, [host])
}

/** `4 nvswitch available`, `1 1g.10gb available`, `none full`. */
function told(offers: readonly Offer[]): readonly string[] {
  return offers.map(({ gpu, stock }) => {
    const cards = gpu === undefined ? 'none' : `${gpu.count} ${gpu.slice?.profile ?? gpu.slice?.gib ?? gpu.link ?? '?'}`
    return `${cards} ${stock?.level}`
  })
}

const EIGHT = nodeWith(8, { model: 'a100-80-sxm' })

describe('the offers of a fleet', () => {
  test('an empty node is what it has', () => {
    const [offer, ...others] = offersOf(
      nodeWith(8, {
        id: 'dgx-1',
        diskMib: 2048,
        domains: { zone: 'z', fabric: 'f', rack: 'r', nvlinkDomain: undefined },
      }),
    )
    expect(others).toEqual([])
    expect(offer).toMatchObject({
      id: 'harbor/hamburg/z/dgx-1',
      provider: 'harbor',
      region: 'hamburg',
      zone: 'z',
      instance: 'dgx-1',
      capacity: 'owned',
      cpu: 8,
      memoryGib: 64,
      diskGib: 2,
      domain: 'rack',
      usdPerHour: 0,
      health: undefined,
      hostArch: undefined,
      stock: { level: 'available', units: undefined },
    })
  })

  test('the narrowest domain that is known counts', () => {
    const domains = { zone: 'z', fabric: undefined, rack: undefined, nvlinkDomain: 'n' }
    expect(offersOf(nodeWith(1, { domains }))[0]?.domain).toBe('nvlink_domain')
    expect(offersOf(nodeWith(1, { domains: { ...domains, nvlinkDomain: undefined } }))[0]?.domain).toBe('zone')
    expect(offersOf(nodeWith(1))[0]?.domain).toBeUndefined()
  })

  test('a busy node is what is left of it, and all of it, full', () => {
    const offers = offersOf(EIGHT, [tenantOn('a', [0, 1, 2])])
    expect(told(offers)).toEqual(['5 nvswitch available', '8 nvswitch full'])
    expect(offers.map(({ cpu, memoryGib }) => [cpu, memoryGib])).toEqual([
      [7, 63],
      [8, 64],
    ])
    expect(new Set(offers.map(({ id }) => id)).size).toBe(2)
  })

  test('a full node is full, and its processors are still there', () => {
    expect(told(offersOf(nodeWith(2), [tenantOn('a', [0, 1])]))).toEqual(['none available', '2 nvlink full'])
    const all = { ...tenantOn('a', [0, 1]), request: { ...tenantOn('a', [0, 1]).request, cpuMilli: 8000 } }
    expect(told(offersOf(nodeWith(2), [all]))).toEqual(['2 nvlink full'])
  })

  test('a card that can be cut is offered whole and in every slice that still fits', () => {
    const node = nodeWith(1, { model: 'a100-80-sxm' }, { parts: 'mig' })
    expect(told(offersOf(node))).toEqual([
      '1 pcie available',
      '1 7g.80gb available',
      '1 4g.40gb available',
      '1 3g.40gb available',
      '1 2g.20gb available',
      '1 1g.20gb available',
      '1 1g.10gb available',
    ])
    const cut = { ...tenantOn('a', [0], slice('3g.40gb', 4)) }
    expect(told(offersOf(node, [cut]))).toEqual([
      '1 4g.40gb available',
      '1 3g.40gb available',
      '1 2g.20gb available',
      '1 1g.20gb available',
      '1 1g.10gb available',
      '1 pcie full',
    ])
  })

  test('of cards that are shared the largest share is offered', () => {
    const node = nodeWith(2, { model: 'l40s' }, { parts: 'share' })
    const half = { kind: 'share' as const, milli: 500 }
    const most = { kind: 'share' as const, milli: 750 }
    expect(told(offersOf(node, [tenantOn('a', [0], half), tenantOn('b', [1], most)]))).toEqual([
      '1 24 available',
      '2 pcie full',
    ])
    expect(told(offersOf(node, [tenantOn('a', [0], half)]))).toEqual([
      '1 pcie available',
      '1 48 available',
      '2 pcie full',
    ])
  })

  test('failing cards are not there; a node of nothing else is told as failing', () => {
    const failing = { health: 'failing' as const, parts: 'none' as const }
    const ok = { health: 'ok' as const, parts: 'none' as const }
    expect(told(offersOf(nodeWith(2, { cards: [failing, ok] })))).toEqual(['1 pcie available'])
    const broken = offersOf(nodeWith(2, { cards: [failing, failing] }))
    expect(broken.map(({ gpu, health }) => [gpu?.count, health])).toEqual([
      [2, 'failing'],
      [undefined, undefined],
    ])
  })

  test('the health of several cards is that of the worst; unknown is unknown', () => {
    const cards = (...health: readonly FleetNode['cards'][number]['health'][]): FleetNode =>
      nodeWith(2, { cards: health.map((state) => ({ health: state, parts: 'none' })) })
    expect(offersOf(cards('ok', 'ok'))[0]?.health).toBe('ok')
    expect(offersOf(cards('ok', 'degraded'))[0]?.health).toBe('degraded')
    expect(offersOf(cards('ok', undefined))[0]?.health).toBeUndefined()
  })

  test('a node without cards has processors alone', () => {
    const node = nodeWith(0, { model: undefined })
    expect(told(offersOf(node))).toEqual(['none available'])
    expect(told(offersOf(node, [tenantOn('a', [])]))).toEqual(['none available', 'none full'])
  })

  test('a card that is not in the hardware table is not trusted', () => {
    expect(offersOf(nodeWith(2, { model: 'G2' })).map(({ gpu, quarantine }) => [gpu, quarantine])).toEqual([
      [undefined, 'NAME_UNKNOWN'],
    ])
  })

  test('more cards than can be told apart are not trusted', () => {
    expect(offersOf(nodeWith(31, { model: 'l40s' }))[0]?.quarantine).toBeUndefined()
    expect(offersOf(nodeWith(32, { model: 'l40s' }))[0]?.quarantine).toBe('COUNT_CONTRADICTS')
  })

  test('what the file says of the host is told; a superchip says it itself', () => {
    const host: HostFacts = { hostArch: 'amd64', driver: '570.1', cuda: '12.8', inbound: true, volumeGib: 10 }
    expect(offersOf(nodeWith(1), [], host)[0]).toMatchObject(host)
    expect(offersOf(nodeWith(1, { model: 'gb200' }))[0]?.hostArch).toBe('arm64')
  })
})
