import { describe, expect, test } from 'vitest'
import { defaultLink } from './link.ts'

const SXM = { link: 'nvlink', switchFrom: 8 } as const
const SUPERCHIP = { link: 'nvlink', switchFrom: undefined } as const
const BRIDGED = { link: 'bridge', switchFrom: undefined } as const
const PLAIN = { link: 'none', switchFrom: undefined } as const

describe('the link between cards of one machine', () => {
  test.each([SXM, SUPERCHIP, BRIDGED, PLAIN])(
    'is PCIe for a single card, whatever it could be joined with',
    (model) => {
      expect(defaultLink(model, 1)).toBe('pcie')
    },
  )

  test('is NVLink between cards that always have it, and a switch from the number on that the model names', () => {
    expect(defaultLink(SXM, 2)).toBe('nvlink')
    expect(defaultLink(SXM, 7)).toBe('nvlink')
    expect(defaultLink(SXM, 8)).toBe('nvswitch')
    expect(defaultLink(SXM, 16)).toBe('nvswitch')
  })

  test('is never a switch when the model does not know from how many cards there is one', () => {
    expect(defaultLink(SUPERCHIP, 1000)).toBe('nvlink')
  })

  test('is unknown when it takes a bridge that may not be there', () => {
    expect(defaultLink(BRIDGED, 2)).toBeUndefined()
  })

  test('is PCIe between cards that have nothing else', () => {
    expect(defaultLink(PLAIN, 2)).toBe('pcie')
  })
})
