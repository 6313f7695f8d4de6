import { describe, expect, test } from 'vitest'
import { BARE, rowOf } from './inventory.suite.ts'

describe('the cards of an offer', () => {
  test.each([
    ['{ model: h100-sxm, count: 8 }', { model: 'h100-sxm', count: 8, slice: undefined, link: 'nvswitch' }],
    ['{ model: h100-sxm, count: 4 }', { model: 'h100-sxm', count: 4, slice: undefined, link: 'nvlink' }],
    ['{ model: H100-SXM }', { model: 'h100-sxm', count: 1, slice: undefined, link: 'pcie' }],
    ['{ model: l40s, count: 2 }', { model: 'l40s', count: 2, slice: undefined, link: 'pcie' }],
    ['{ model: rtx-a6000, count: 2 }', { model: 'rtx-a6000', count: 2, slice: undefined, link: undefined }],
    [
      '{ model: rtx-a6000, count: 2, link: nvlink }',
      { model: 'rtx-a6000', count: 2, slice: undefined, link: 'nvlink' },
    ],
    [
      '{ model: A100-80G-PCIe-NVLink, count: 2 }',
      { model: 'a100-80-pcie', count: 2, slice: undefined, link: 'nvlink' },
    ],
    ['{ model: A100-80G-PCIe-NVLink, count: 1 }', { model: 'a100-80-pcie', count: 1, slice: undefined, link: 'pcie' }],
    [
      '{ model: h100-sxm, count: 7, slice: 1g.10gb }',
      { model: 'h100-sxm', count: 7, slice: { kind: 'mig', profile: '1g.10gb', gib: 10 }, link: 'pcie' },
    ],
    [
      '{ model: l40s, slice: 12Gi }',
      { model: 'l40s', count: 1, slice: { kind: 'share', profile: undefined, gib: 12 }, link: 'pcie' },
    ],
    [
      '{ model: l40s, slice: 48GB }',
      { model: 'l40s', count: 1, slice: { kind: 'share', profile: undefined, gib: 48 }, link: 'pcie' },
    ],
  ])('are found in the hardware table, with the link the model has: %s', (gpu, expected) => {
    const row = rowOf(`usd_per_hour: 5, gpu: ${gpu}`)
    expect(row.note).toBeUndefined()
    expect(row.offer.gpu).toEqual(expected)
  })

  test('stand for a family when only the form factor is open', () => {
    expect(rowOf('usd_per_hour: 5, gpu: { model: H100 80GB, count: 8 }').offer.gpu).toEqual({
      model: 'h100-80',
      count: 8,
      slice: undefined,
      link: undefined,
    })
  })

  test('tell the host where they exist beside one kind only', () => {
    expect(rowOf('usd_per_hour: 5, gpu: { model: gb200, count: 4 }').offer.hostArch).toBe('arm64')
    expect(rowOf('usd_per_hour: 5, gpu: { model: h100-sxm }').offer.hostArch).toBeUndefined()
  })
})

describe('an offer that is not believed', () => {
  test.each([
    ['gpu: { model: h900 }', 'NAME_UNKNOWN', 'h900 is not a known card'],
    [
      'gpu: { model: A100 }',
      'NAME_AMBIGUOUS',
      'A100 is A100 PCIe 40 GB or A100 PCIe 80 GB or A100 SXM 40 GB or A100 SXM 80 GB',
    ],
    ['gpu: { model: h100-sxm, slice: 1g.5gb }', 'VRAM_CONTRADICTS', 'H100 SXM 80 GB has no slice 1g.5gb'],
    ['gpu: { model: l40s, slice: 1g.10gb }', 'VRAM_CONTRADICTS', 'L40S has no slice 1g.10gb'],
    ['gpu: { model: l40s, slice: 49Gi }', 'VRAM_CONTRADICTS', 'L40S has no slice of 49Gi'],
    ['gpu: { model: l40s, count: 2, link: nvlink }', 'ROW_UNREADABLE', 'gpu.link: L40S is never joined by nvlink'],
    [
      'host_arch: amd64, gpu: { model: gb200 }',
      'ROW_UNREADABLE',
      expect.stringMatching(/^host_arch: GB200.* exists only with arm64 hosts$/),
    ],
  ])('contradicts the hardware table: %s', (offer, quarantine, note) => {
    const row = rowOf(`usd_per_hour: 5, ${offer}`)
    expect(row).toMatchObject({ verdict: 'quarantined', accelerator: true, quarantine, note })
    expect(row.offer.quarantine).toBe(quarantine)
  })

  test.each(['link: pcie', 'link: nvlink', 'link: nvswitch'])('is not one whose cards can be joined: %s', (link) => {
    expect(rowOf(`usd_per_hour: 5, gpu: { model: h100-sxm, count: 2, ${link} }`).verdict).toBe('resolved')
  })

  test('has no price, or an implausible one', () => {
    expect(rowOf('cpu: 4')).toMatchObject({ quarantine: 'PRICE_MISSING', note: 'neither on-demand nor spot' })
    expect(rowOf('usd_per_hour: 0')).toMatchObject({ quarantine: 'PRICE_MISSING' })
    expect(rowOf('usd_per_hour: 0.01, gpu: { model: l4 }')).toMatchObject({ quarantine: 'PRICE_PLACEHOLDER' })
    expect(rowOf('usd_per_hour: 0.001')).toMatchObject({ verdict: 'resolved' })
    expect(rowOf('spot_usd_per_hour: 1')).toMatchObject({ verdict: 'resolved' })
  })

  test('is judged by the price of what part of a card it is', () => {
    const slice = 'gpu: { model: h100-sxm, count: 2, slice: 1g.10gb }'
    expect(rowOf(`usd_per_hour: 0.004, ${slice}`).quarantine).toBe('PRICE_PLACEHOLDER')
    expect(rowOf(`usd_per_hour: 0.006, ${slice}`).quarantine).toBeUndefined()
  })

  test('is never an owned one for its price: that is paid for', () => {
    expect(rowOf('capacity: owned').offer).toEqual({ ...BARE, capacity: 'owned', usdPerHour: 0 })
    expect(rowOf('capacity: owned, usd_per_hour: 0.001, gpu: { model: l4 }').offer.usdPerHour).toBe(0.001)
    expect(rowOf('capacity: owned, spot_usd_per_hour: 2').offer).toMatchObject({ usdPerHour: 0, spotUsdPerHour: 2 })
  })

  test('is told about its card before its price', () => {
    expect(rowOf('gpu: { model: h900 }').quarantine).toBe('NAME_UNKNOWN')
  })
})
