import { describe, expect, test } from 'vitest'
import type { SourceClaim } from './audit.ts'
import { vramHabit } from './audit.ts'
import { brief, CLAIM, findingOf } from './audit.fixture.ts'

const briefOf = (changes: Partial<SourceClaim>) => brief(findingOf(changes))
const noteOf = (changes: Partial<SourceClaim>) => findingOf(changes).note
const linkOf = (changes: Partial<SourceClaim>) => findingOf(changes).gpu?.link

describe('a name', () => {
  test('with the right memory is resolved and needs no note', () => {
    expect(findingOf({ named: 'L4', cardMib: 22888, count: 4 })).toEqual({
      gpu: { model: 'l4', count: 4, slice: undefined, link: 'pcie' },
      quarantine: undefined,
      repairs: [],
      note: undefined,
    })
  })

  test('that leaves only the form open gives the family', () => {
    expect(briefOf({ named: 'H100' })).toBe('1 × h100-80')
    expect(briefOf({ named: 'H100', describedAs: 'H100 PCIe' })).toBe('1 × h100-pcie')
    expect(briefOf({ named: 'H100 PCIe', describedAs: 'H100' })).toBe('1 × h100-pcie')
  })

  test('that is unknown is quarantined', () => {
    expect(findingOf({ named: 'Virtex UltraScale+ (VU47P)', cardMib: undefined })).toEqual({
      gpu: undefined,
      quarantine: 'NAME_UNKNOWN',
      note: 'Virtex UltraScale+ (VU47P) is not a known card',
    })
    expect(noteOf({ named: '', describedAs: 'FPGA' })).toBe('FPGA is not a known card')
    expect(briefOf({ named: '', describedAs: '' })).toBe('NAME_UNKNOWN')
  })

  test('may appear only in the description', () => {
    expect(briefOf({ named: '', describedAs: 'L40S', cardMib: 46068 })).toBe('1 × l40s')
    expect(briefOf({ named: '', describedAs: 'L40S', cardMib: 0 })).toBe('1 × l40s VRAM_MISSING')
  })

  test('that is unknown is corrected by a known one, if the memory confirms it', () => {
    expect(findingOf({ named: 'Hopper-1', describedAs: 'H100 PCIe' })).toMatchObject({
      repairs: ['NAME_CORRECTED'],
      note: 'Hopper-1 here means H100 PCIe 80 GB',
    })
    expect(findingOf({ named: 'Hopper-1', describedAs: 'H100 PCIe', cardMib: 0 })).toMatchObject({
      quarantine: 'NAME_UNKNOWN',
      note: 'Hopper-1 is not a known card, and no memory confirms the other name',
    })
  })

  test('that contradicts the other name in the row is quarantined, with or without memory', () => {
    const torn = { quarantine: 'NAME_AMBIGUOUS', note: 'the names in the row mean different cards' }
    expect(findingOf({ named: 'L40', describedAs: 'L40S', cardMib: 49152 })).toMatchObject(torn)
    expect(findingOf({ named: 'L40', describedAs: 'L40S', cardMib: undefined })).toMatchObject(torn)
  })

  test('that the machine of the original seller contradicts is quarantined', () => {
    const upstream = { provider: undefined, instance: 'g3-l40s-large' }
    expect(briefOf({ named: 'L40', cardMib: 49152, upstream })).toBe('NAME_AMBIGUOUS')
    expect(briefOf({ named: 'L40S', cardMib: 49152, upstream })).toBe('1 × l40s')
  })

  test('is made precise by the machine of the original seller', () => {
    const upstream = { provider: 'lambda', instance: 'gpu_1x_h100_pcie' }
    expect(briefOf({ named: 'H100', upstream })).toBe('1 × h100-pcie')
    const eight = { instance: '8H100.80S.176V' }
    expect(briefOf({ named: 'H100', upstream: { provider: 'verda', ...eight } })).toBe('1 × h100-sxm')
    expect(briefOf({ named: 'H100', upstream: { provider: undefined, ...eight } })).toBe('1 × h100-80')
  })
})

describe('a name that fits cards of several sizes', () => {
  test('is settled by the memory of the row', () => {
    expect(briefOf({ named: 'A100', cardMib: 40960 })).toBe('1 × a100-40')
    expect(briefOf({ named: 'A100', cardMib: 81920 })).toBe('1 × a100-80')
  })

  test('is the smaller card by the vocabulary of the source, where no memory is stated', () => {
    const unstated = { named: 'V100', cardMib: undefined }
    expect(findingOf({ ...unstated, plainFamily: 'v100-16' })).toMatchObject({
      gpu: { model: 'v100-16' },
      repairs: ['VRAM_MISSING'],
      note: 'memory not stated',
    })
    expect(findingOf(unstated)).toMatchObject({ quarantine: 'NAME_AMBIGUOUS', note: 'may be v100-16 or v100-32' })
  })

  test('is corrected when the memory is that of the larger card', () => {
    expect(findingOf({ named: 'A100', cardMib: 81920, plainFamily: 'a100-40' })).toMatchObject({
      gpu: { model: 'a100-80' },
      repairs: ['NAME_CORRECTED'],
      note: 'A100 here means A100 PCIe 80 GB or A100 SXM 80 GB',
    })
    expect(briefOf({ named: 'A100', cardMib: 40960, plainFamily: 'a100-40' })).toBe('1 × a100-40')
  })

  test('is quarantined when the vocabulary means none of them', () => {
    expect(briefOf({ named: 'V100', cardMib: undefined, plainFamily: 'h100-80' })).toBe('NAME_AMBIGUOUS')
  })

  test('is not ambiguous within a family', () => {
    const ovh = { provider: 'ovhcloud', instance: 't2-90', named: 'V100-32GB', cardMib: 32768, count: 2 }
    expect(briefOf(ovh)).toBe('2 × v100s-32-pcie')
  })
})

describe('a machine that says more than the name of its card', () => {
  test('corrects it when the memory agrees', () => {
    const vast = { provider: 'vast', plainFamily: undefined }
    expect(briefOf({ ...vast, named: 'RTX3060', cardMib: 8192, instance: '1x-RTX_3060_Ti-32-65536' })).toBe(
      '1 × rtx-3060-ti NAME_CORRECTED',
    )
    expect(
      briefOf({ ...vast, named: 'H100', plainFamily: 'h100-80', cardMib: 95830, instance: '1x-H100_NVL-32-65536' }),
    ).toBe('1 × h100-nvl NAME_CORRECTED')
  })

  test('corrects it without memory when the hardware table knows the machine', () => {
    const azure = { provider: 'azure', named: 'H100', describedAs: 'H100', plainFamily: 'h100-80', cardMib: undefined }
    expect(briefOf({ ...azure, instance: 'Standard_NC80adis_H100_v5', count: 2 })).toBe(
      '2 × h100-nvl VRAM_MISSING NAME_CORRECTED',
    )
    expect(findingOf({ ...azure, instance: 'Standard_ND96isr_H100_v5', count: 12 })).toMatchObject({
      gpu: { model: 'h100-sxm', count: 8, link: 'nvswitch' },
      repairs: ['VRAM_MISSING', 'COUNT_CORRECTED'],
      note: 'memory not stated; count 12, but the machine has 8',
    })
  })
})

describe('the memory', () => {
  test('in GB under a MiB heading is read as GB', () => {
    expect(findingOf({ named: 'L40S', cardMib: 48 })).toMatchObject({
      gpu: { model: 'l40s' },
      repairs: ['VRAM_GB_AS_MIB'],
      note: 'memory read as 48 GB',
    })
  })

  test('of all cards is divided by their number', () => {
    expect(findingOf({ named: 'H100-SXM', cardMib: 655360, count: 8 })).toMatchObject({
      gpu: { model: 'h100-sxm', count: 8 },
      repairs: ['VRAM_TOTAL_AS_CARD'],
      note: 'memory read as the sum of all cards: 81920 MiB each',
    })
    expect(briefOf({ named: 'H100-SXM', cardMib: 640, count: 8 })).toBe(
      '8 × h100-sxm VRAM_GB_AS_MIB VRAM_TOTAL_AS_CARD',
    )
  })

  test('that is missing for one card comes from the total', () => {
    expect(briefOf({ named: 'A100', cardMib: 0, totalMib: 163840, count: 2 })).toBe('2 × a100-80 VRAM_MISSING')
  })

  test('that is missing altogether comes from the hardware table', () => {
    expect(briefOf({ named: 'RTX PRO 6000 96GB', cardMib: 0, totalMib: 0 })).toBe('1 × rtx-pro-6000 VRAM_MISSING')
  })

  test('of another card contradicts the name', () => {
    expect(findingOf({ named: 'H200', cardMib: 81920 })).toEqual({
      gpu: undefined,
      quarantine: 'VRAM_CONTRADICTS',
      note: 'no H200 has 81920',
    })
    expect(noteOf({ named: 'H200', cardMib: undefined, totalMib: 81920 })).toBe('no H200 has 81920')
  })

  test('of a card that only one of two names allows contradicts the other name', () => {
    expect(briefOf({ named: 'V100-32GB', describedAs: 'V100', cardMib: 16384 })).toBe('VRAM_CONTRADICTS')
    expect(briefOf({ named: 'V100-32GB', describedAs: 'V100', cardMib: 32768 })).toBe('1 × v100-32')
  })

  test('may be off by 5 % and no more', () => {
    // 40 GB: 40960 MiB at most, 38147 MiB at least.
    expect(briefOf({ named: 'A100-40GB', cardMib: 43008 })).toBe('1 × a100-40')
    expect(briefOf({ named: 'A100-40GB', cardMib: 43009 })).toBe('VRAM_CONTRADICTS')
    expect(briefOf({ named: 'A100-40GB', cardMib: 36240 })).toBe('1 × a100-40')
    expect(briefOf({ named: 'A100-40GB', cardMib: 36239 })).toBe('VRAM_CONTRADICTS')
  })

  test('that may be one card or all of them follows the habit of the source', () => {
    const either = { named: 'V100', cardMib: 32768, count: 2 }
    expect(briefOf({ ...either, habit: 'card' })).toBe('2 × v100-32')
    expect(briefOf({ ...either, habit: 'total' })).toBe('2 × v100-16 VRAM_TOTAL_AS_CARD')
    expect(findingOf(either)).toMatchObject({
      quarantine: 'NAME_AMBIGUOUS',
      note: 'the memory may be that of one card or of all of them',
    })
  })

  test('that can only be read in one way does not ask for habits', () => {
    expect(briefOf({ named: 'A100', cardMib: 40960, count: 4, habit: 'total' })).toBe('4 × a100-40')
  })
})

describe('the habit of a source', () => {
  const totals = { ...CLAIM, named: 'RTX3090', cardMib: 98304, count: 4 }
  const cards = { ...CLAIM, named: 'RTX3090', cardMib: 24576, count: 4 }
  const either = { ...CLAIM, named: 'V100', cardMib: 32768, count: 2 }

  test('shows in rows that can only be read in one way', () => {
    expect(vramHabit([totals, either])).toBe('total')
    expect(vramHabit([either, cards])).toBe('card')
    expect(vramHabit([either])).toBeUndefined()
  })

  test('does not show when rows disagree', () => {
    expect(vramHabit([totals, cards])).toBeUndefined()
  })

  test('does not show in single cards, unknown ones or broken counts', () => {
    expect(vramHabit([{ ...cards, count: 1 }])).toBeUndefined()
    expect(vramHabit([{ ...cards, named: 'FPGA' }])).toBeUndefined()
    expect(vramHabit([{ ...cards, count: 1.5 }])).toBeUndefined()
    expect(vramHabit([{ ...cards, cardMib: 0, totalMib: 98304 }])).toBeUndefined()
    expect(vramHabit([])).toBeUndefined()
  })
})

describe('a part of a card', () => {
  test('has its share of the memory', () => {
    expect(findingOf({ named: 'L4', count: 0.25, countAgain: 0, cardMib: 5722 })).toEqual({
      gpu: { model: 'l4', count: 1, slice: { kind: 'share', profile: undefined, gib: 6 }, link: 'pcie' },
      quarantine: undefined,
      repairs: [],
      note: undefined,
    })
  })

  test('with the memory of the whole card is quarantined', () => {
    expect(briefOf({ named: 'L4', count: 0.25, cardMib: 22888 })).toBe('VRAM_CONTRADICTS')
  })

  test('without memory is quarantined, unless the hardware table knows the machine', () => {
    expect(findingOf({ named: 'L4', count: 0.25, cardMib: undefined })).toMatchObject({
      quarantine: 'COUNT_CONTRADICTS',
      note: '0.25 cards without the memory of that share',
    })
    const azure = { provider: 'azure', instance: 'Standard_NV8as_v4', named: 'Radeon MI25', cardMib: undefined }
    expect(briefOf({ ...azure, count: 1 })).toBe('1 × mi25 (share 4) VRAM_MISSING COUNT_CORRECTED')
    expect(briefOf({ ...azure, count: 0.25 })).toBe('1 × mi25 (share 4) VRAM_MISSING')
  })

  test('may be a MIG slice, which has its own memory', () => {
    const mig = { provider: 'runpod', instance: '2x_PRO-6000-MIG-24GB_SECURE', named: 'PRO-6000-MIG-24GB', count: 2 }
    expect(findingOf({ ...mig, describedAs: 'PRO 6000 MIG 24GB', cardMib: 24 })).toEqual({
      gpu: {
        model: 'rtx-pro-6000-server',
        count: 2,
        slice: { kind: 'mig', profile: '1g.24gb', gib: 24 },
        link: 'pcie',
      },
      quarantine: undefined,
      repairs: ['VRAM_GB_AS_MIB'],
      note: 'memory read as 24 GB',
    })
    expect(briefOf({ ...mig, cardMib: 96 })).toBe('VRAM_CONTRADICTS')
    expect(briefOf({ ...mig, cardMib: undefined })).toBe('2 × rtx-pro-6000-server (1g.24gb 24) VRAM_MISSING')
  })
})

describe('the count', () => {
  test('that cannot be right is quarantined with the reason', () => {
    expect(findingOf({ count: 1.5 })).toMatchObject({ quarantine: 'COUNT_CONTRADICTS', note: '1.5 cards' })
  })

  test('of a slice of a TPU pod is its chips', () => {
    expect(briefOf({ named: 'tpu-v5p-128', describedAs: 'tpu-v5p-128', cardMib: undefined })).toBe(
      '64 × tpu-v5p VRAM_MISSING',
    )
  })
})

describe('the link', () => {
  test('follows from the card and the count', () => {
    expect(linkOf({ named: 'H100-SXM', count: 8 })).toBe('nvswitch')
    expect(linkOf({ named: 'H100-SXM', count: 2 })).toBe('nvlink')
    expect(linkOf({ named: 'H100-SXM', count: 1 })).toBe('pcie')
    expect(linkOf({ named: 'L40S', count: 2, cardMib: 49152 })).toBe('pcie')
  })

  test('is unknown where it depends on a bridge, unless the name speaks of NVLink', () => {
    expect(linkOf({ named: 'H100', count: 8 })).toBeUndefined()
    expect(linkOf({ named: 'H100-80G-PCIe', count: 8 })).toBeUndefined()
    expect(linkOf({ named: 'H100-80G-PCIe-NVLink', count: 8 })).toBe('nvlink')
    expect(linkOf({ named: 'H100-80G-PCIe-NVLink', count: 8, cardMib: undefined })).toBe('nvlink')
    expect(linkOf({ named: 'H100-80G-PCIe-NVLink', describedAs: 'H100', count: 8 })).toBe('nvlink')
    expect(linkOf({ named: 'H100', describedAs: 'H100-80G-PCIe-NVLink', count: 8, cardMib: 0 })).toBe('nvlink')
    expect(linkOf({ named: 'H100-80G-PCIe-NVLink', count: 1 })).toBe('pcie')
  })

  test('of several slices of cards that can be joined is unknown', () => {
    expect(linkOf({ named: 'H100-SXM MIG 1g.10gb', count: 2, cardMib: 10240 })).toBeUndefined()
    expect(linkOf({ named: 'H100-SXM MIG 1g.10gb', count: 1, cardMib: 10240 })).toBe('pcie')
  })
})
