import { describe, expect, test } from 'vitest'
import { atLeast } from '../need/range.ts'
import { machineFilter } from '../filter/keyed.ts'
import { memory as key } from './memory.ts'
import { inWords, loosened, machine, need, NOW_MS } from '../filter/facts.suite.ts'

const memory = machineFilter(key)

const NEEDS_64 = need({ memoryGib: atLeast(64) })

describe('memory', () => {
  test('as much as asked for will do, and so will more', () => {
    expect(memory.check(machine({ memoryGib: 64 }), NEEDS_64, NOW_MS)).toBeUndefined()
    expect(memory.check(machine({ memoryGib: 65 }), NEEDS_64, NOW_MS)).toBeUndefined()
  })

  test('a little too little is turned down', () => {
    const reason = memory.check(machine({ memoryGib: 63.5 }), NEEDS_64, NOW_MS)
    expect(reason).toEqual({ code: 'TOO_LITTLE_MEMORY', wanted: '64Gi', found: '63.5Gi' })
    expect(inWords(memory, reason)).toBe('under 64Gi of memory; clears: never')
  })

  test('a source that does not tell is an unknown', () => {
    const reason = memory.check(machine({ memoryGib: undefined }), NEEDS_64, NOW_MS)
    expect(reason).toEqual({ code: 'MEMORY_UNKNOWN', wanted: '64Gi', found: undefined })
    expect(inWords(memory, reason)).toBe('does not say how much memory it has; clears: never')
  })

  test('it says nothing where none is asked for', () => {
    expect(memory.check(machine({ memoryGib: undefined }), need(), NOW_MS)).toBeUndefined()
    expect(memory.check(machine({ memoryGib: 0 }), need(), NOW_MS)).toBeUndefined()
  })

  test('loosening goes down to what is on offer, nearest first', () => {
    const refused = [machine({ memoryGib: 8 }), machine({ memoryGib: undefined }), machine({ memoryGib: 15.25 })]
    expect(loosened(memory, NEEDS_64, refused)).toEqual([
      { change: 'resources.memory: 64Gi -> 15.25Gi', admits: [false, false, true] },
      { change: 'resources.memory: 64Gi -> 8Gi', admits: [true, false, true] },
    ])
  })
})
