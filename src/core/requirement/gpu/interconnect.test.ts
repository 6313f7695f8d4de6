import { describe, expect, test } from 'vitest'
import { LINK_RANK, type Link } from '../../hardware/link.ts'
import { ANY_NUMBER, atLeast } from '../need/range.ts'
import type { Machine } from '../../offer/machine.ts'
import { gpu, gpuNeed, inWords, loosened, machine, need, NO_GPU_INSIDE, NOW_MS } from '../filter/facts.suite.ts'
import { gpuFilter } from '../filter/keyed.ts'
import { interconnect as key } from './interconnect.ts'

const interconnect = gpuFilter(key)

const NEEDS_PCIE = gpuNeed({ count: atLeast(2), link: atLeast(LINK_RANK.pcie) })
const NEEDS_NVLINK = gpuNeed({ count: atLeast(2), link: atLeast(LINK_RANK.nvlink) })
const NEEDS_SWITCH = gpuNeed({ count: atLeast(2), link: atLeast(LINK_RANK.nvswitch) })

function joinedBy(link: Link | undefined): Machine {
  return machine({ gpu: gpu({ link }) })
}

describe('interconnect', () => {
  test('the link asked for will do, and so will a faster one', () => {
    const links = ['pcie', 'nvlink', 'nvswitch'] as const
    const passes = [NEEDS_PCIE, NEEDS_NVLINK, NEEDS_SWITCH].map((asked) =>
      links.map((link) => interconnect.check(joinedBy(link), asked, NOW_MS) === undefined),
    )
    expect(passes).toEqual([
      [true, true, true],
      [false, true, true],
      [false, false, true],
    ])
  })

  test('a slower link is turned down', () => {
    const reason = interconnect.check(joinedBy('pcie'), NEEDS_NVLINK, NOW_MS)
    expect(reason).toEqual({ code: 'NO_NVLINK', wanted: 'nvlink', found: 'pcie' })
    expect(inWords(interconnect, reason)).toBe('its cards are not joined by NVLink; clears: never')
    const slower = interconnect.check(joinedBy('nvlink'), NEEDS_SWITCH, NOW_MS)
    expect(slower).toEqual({ code: 'NO_NVLINK', wanted: 'nvswitch', found: 'nvlink' })
    expect(inWords(interconnect, slower)).toBe('its cards are not joined by an NVSwitch; clears: never')
  })

  test('a link that is not known is at least PCIe', () => {
    expect(interconnect.check(joinedBy(undefined), NEEDS_PCIE, NOW_MS)).toBeUndefined()
    const reason = interconnect.check(joinedBy(undefined), NEEDS_NVLINK, NOW_MS)
    expect(reason).toEqual({ code: 'LINK_UNKNOWN', wanted: 'nvlink', found: undefined })
    expect(inWords(interconnect, reason)).toBe('does not say whether its cards are joined by NVLink; clears: never')
    const unsure = interconnect.check(joinedBy(undefined), NEEDS_SWITCH, NOW_MS)
    expect(inWords(interconnect, unsure)).toBe(
      'does not say whether its cards are joined by an NVSwitch; clears: never',
    )
  })

  test('a single card needs no link', () => {
    const link = atLeast(LINK_RANK.nvswitch)
    expect(interconnect.check(joinedBy('pcie'), gpuNeed({ count: atLeast(1), link }), NOW_MS)).toBeUndefined()
    expect(interconnect.check(joinedBy('pcie'), gpuNeed({ count: ANY_NUMBER, link }), NOW_MS)).toBeUndefined()
    expect(interconnect.check(joinedBy('pcie'), gpuNeed({ count: atLeast(2), link }), NOW_MS)).toBeDefined()
  })

  test('it says nothing where no link, no GPU or no card is in question', () => {
    expect(interconnect.check(joinedBy('pcie'), gpuNeed({ count: atLeast(2) }), NOW_MS)).toBeUndefined()
    expect(interconnect.check(joinedBy('pcie'), need(), NOW_MS)).toBeUndefined()
    expect(interconnect.check(NO_GPU_INSIDE, NEEDS_NVLINK, NOW_MS)).toBeUndefined()
  })

  test('loosening goes down to NVLink first, then to anything', () => {
    expect(loosened(interconnect, NEEDS_SWITCH, [joinedBy('pcie'), joinedBy('nvlink'), NO_GPU_INSIDE])).toEqual([
      { change: 'resources.gpu.interconnect: nvswitch -> nvlink', admits: [false, true, true] },
      { change: 'resources.gpu.interconnect: nvswitch -> any', admits: [true, true, true] },
    ])
    expect(loosened(interconnect, NEEDS_NVLINK, [joinedBy('pcie'), joinedBy(undefined)])).toEqual([
      { change: 'resources.gpu.interconnect: nvlink -> any', admits: [true, true] },
    ])
    expect(loosened(interconnect, NEEDS_NVLINK, [joinedBy(undefined)])).toEqual([])
    expect(loosened(interconnect, gpuNeed(), [joinedBy('pcie')])).toEqual([])
    expect(loosened(interconnect, need(), [joinedBy('pcie')])).toEqual([])
  })
})
