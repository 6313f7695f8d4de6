import { describe, expect, test } from 'vitest'
import { versionNumber } from '../base/version.ts'
import { machineOf, siteOf } from './machine.ts'
import { cards, offer } from './offer.suite.ts'

describe('the machine of an offer', () => {
  test('has what the offer says and what the hardware table adds', () => {
    expect(machineOf(offer())).toStrictEqual({
      gpu: {
        model: 'h100-sxm',
        name: 'H100 SXM 80 GB',
        vendor: 'nvidia',
        arch: 'hopper',
        target: '9.0',
        capability: 9_000_000,
        count: 2,
        vramGib: 80,
        usableMib: 81_559,
        sharing: 'whole',
        profile: undefined,
        link: 'nvlink',
        driver: 570_086_015,
        driverMin: 525_053_000,
        driverMax: undefined,
        cuda: 12_008_000,
        cudaMax: undefined,
      },
      cpu: 64,
      memoryGib: 512,
      diskGib: 1000,
      volumeGib: 2000,
      hostArch: 'amd64',
      inbound: true,
      domain: 'rack',
      capacity: 'rented',
      quarantine: undefined,
    })
  })

  test('without a card has no GPU facts, whatever driver is stated', () => {
    expect(machineOf(offer({ gpu: undefined })).gpu).toBeUndefined()
  })

  test('keeps what is not known unknown', () => {
    const facts = machineOf(offer({ driver: undefined, cuda: undefined, cpu: undefined })).gpu
    expect([facts?.driver, facts?.cuda]).toEqual([undefined, undefined])
    expect(machineOf(offer({ driver: 'newest' })).gpu?.driver).toBeUndefined()
  })

  test('has compute capabilities of NVIDIA cards only', () => {
    const facts = machineOf(offer({ gpu: cards({ model: 'mi300x' }) })).gpu
    expect(facts).toMatchObject({ vendor: 'amd', target: 'gfx942', capability: undefined })
  })

  test('reads the end of a branch as the end of all its releases', () => {
    const facts = machineOf(offer({ gpu: cards({ model: 'v100-16' }) })).gpu
    expect(facts?.driverMax).toBe(versionNumber('580.999.999'))
    expect(facts?.cudaMax).toBe(versionNumber('12.999.999'))
  })

  test('of a family of cards knows only what all of them share', () => {
    const facts = machineOf(offer({ gpu: cards({ model: 'a100-80' }) })).gpu
    expect(facts).toMatchObject({ model: 'a100-80', name: 'A100 80 GB (SXM or PCIe)', vramGib: 80, target: '8.0' })
  })

  test('of a slice has the slice’s memory, and its share of what the driver reports', () => {
    const slice = { kind: 'mig', profile: '1g.10gb', gib: 10 } as const
    expect(machineOf(offer({ gpu: cards({ slice }) })).gpu).toMatchObject({
      vramGib: 10,
      usableMib: Math.floor(81_559 / 8),
      sharing: 'mig',
      profile: '1g.10gb',
    })
    const share = { kind: 'share', profile: undefined, gib: 40 } as const
    expect(machineOf(offer({ gpu: cards({ slice: share }) })).gpu).toMatchObject({
      usableMib: Math.floor(81_559 / 2),
      sharing: 'share',
      profile: undefined,
    })
  })

  test('of a slice of a card that was never measured has no usable memory', () => {
    const slice = { kind: 'mig', profile: '1g.12gb', gib: 12 } as const
    const facts = machineOf(offer({ gpu: cards({ model: 'tpu-v5e', slice }) })).gpu
    expect([facts?.vramGib, facts?.usableMib]).toEqual([12, undefined])
  })

  test('of a quarantined row believes nothing but whose it is', () => {
    const suspect = machineOf(offer({ quarantine: 'VRAM_CONTRADICTS', capacity: 'owned' }))
    expect(suspect).toStrictEqual({
      gpu: undefined,
      cpu: undefined,
      memoryGib: undefined,
      diskGib: undefined,
      volumeGib: undefined,
      hostArch: undefined,
      inbound: undefined,
      domain: undefined,
      capacity: 'owned',
      quarantine: 'VRAM_CONTRADICTS',
    })
  })

  test('with a card that the table does not have is a bug', () => {
    const stray = offer({ gpu: cards({ model: 'h999' }) })
    expect(() => machineOf(stray)).toThrow('offer alpha/eu-1/a/large carries the unknown model h999')
  })
})

test('the site of an offer is where it is and who runs it', () => {
  expect(siteOf(offer())).toStrictEqual({ provider: 'alpha', region: 'eu-1', residency: 'eu', trust: 'secure' })
})
