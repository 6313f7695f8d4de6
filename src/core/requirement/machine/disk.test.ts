import { describe, expect, test } from 'vitest'
import { atLeast } from '../need/range.ts'
import { machineFilter } from '../filter/keyed.ts'
import { disk as key } from './disk.ts'
import { inWords, loosened, machine, need, NOW_MS } from '../filter/facts.suite.ts'

const disk = machineFilter(key)

const NEEDS_64 = need({ diskGib: atLeast(64) })

describe('disk', () => {
  test('as much as asked for will do, and so will more', () => {
    expect(disk.check(machine({ diskGib: 64 }), NEEDS_64, NOW_MS)).toBeUndefined()
    expect(disk.check(machine({ diskGib: 65 }), NEEDS_64, NOW_MS)).toBeUndefined()
  })

  test('a little too little is turned down', () => {
    const reason = disk.check(machine({ diskGib: 63.5 }), NEEDS_64, NOW_MS)
    expect(reason).toEqual({ code: 'TOO_LITTLE_DISK', wanted: '64Gi', found: '63.5Gi' })
    expect(inWords(disk, reason)).toBe('under 64Gi of disk; clears: never')
  })

  test('a source that does not tell is an unknown', () => {
    const reason = disk.check(machine({ diskGib: undefined }), NEEDS_64, NOW_MS)
    expect(reason).toEqual({ code: 'DISK_UNKNOWN', wanted: '64Gi', found: undefined })
    expect(inWords(disk, reason)).toBe('does not say how much disk it has; clears: never')
  })

  test('it says nothing where none is asked for', () => {
    expect(disk.check(machine({ diskGib: undefined }), need(), NOW_MS)).toBeUndefined()
    expect(disk.check(machine({ diskGib: 0 }), need(), NOW_MS)).toBeUndefined()
  })

  test('loosening goes down to what is on offer, nearest first', () => {
    const refused = [machine({ diskGib: 8 }), machine({ diskGib: undefined }), machine({ diskGib: 15.25 })]
    expect(loosened(disk, NEEDS_64, refused)).toEqual([
      { change: 'resources.disk: 64Gi -> 15.25Gi', admits: [false, false, true] },
      { change: 'resources.disk: 64Gi -> 8Gi', admits: [true, false, true] },
    ])
  })
})
