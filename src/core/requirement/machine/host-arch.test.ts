import { describe, expect, test } from 'vitest'
import { noneOf, oneOf } from '../need/choice.ts'
import { inWords, loosened, machine, need, NOW_MS } from '../filter/facts.suite.ts'
import { machineFilter } from '../filter/keyed.ts'
import { hostArch as key } from './host-arch.ts'

const hostArch = machineFilter(key)

const NEEDS_AMD64 = need({ hostArch: oneOf(['amd64']) })
const ARM64 = machine({ hostArch: 'arm64' })

describe('host-arch', () => {
  test('a host the image is built for will do', () => {
    expect(hostArch.check(machine({ hostArch: 'amd64' }), NEEDS_AMD64, NOW_MS)).toBeUndefined()
    expect(hostArch.check(ARM64, need({ hostArch: oneOf(['amd64', 'arm64']) }), NOW_MS)).toBeUndefined()
  })

  test('another host is turned down', () => {
    const reason = hostArch.check(ARM64, NEEDS_AMD64, NOW_MS)
    expect(reason).toEqual({ code: 'WRONG_HOST_ARCH', wanted: 'amd64', found: 'arm64' })
    expect(inWords(hostArch, reason)).toBe('its host is not amd64; clears: never')
    expect(hostArch.check(ARM64, need({ hostArch: noneOf(['arm64']) }), NOW_MS)?.code).toBe('WRONG_HOST_ARCH')
  })

  test('a source that does not tell is an unknown', () => {
    const reason = hostArch.check(machine({ hostArch: undefined }), NEEDS_AMD64, NOW_MS)
    expect(reason).toEqual({ code: 'HOST_ARCH_UNKNOWN', wanted: 'amd64', found: undefined })
    expect(inWords(hostArch, reason)).toBe('does not say whether its host is amd64; clears: never')
    expect(hostArch.check(machine({ hostArch: undefined }), need({ hostArch: oneOf([]) }), NOW_MS)).toBeDefined()
  })

  test('it says nothing where any host will do', () => {
    expect(hostArch.check(machine({ hostArch: undefined }), need(), NOW_MS)).toBeUndefined()
  })

  test('loosening takes a multi-arch image', () => {
    expect(loosened(hostArch, NEEDS_AMD64, [ARM64, machine({ hostArch: undefined })])).toEqual([
      { change: 'resources.host_arch: amd64 -> [amd64, arm64]', admits: [true, false] },
    ])
  })
})
