import { describe, expect, test } from 'vitest'
import { atLeast } from '../need/range.ts'
import { machineFilter } from '../filter/keyed.ts'
import { cpu as key } from './cpu.ts'
import { inWords, loosened, machine, need, NOW_MS } from '../filter/facts.suite.ts'

const cpu = machineFilter(key)

const NEEDS_64 = need({ cpu: atLeast(64) })

describe('cpu', () => {
  test('as much as asked for will do, and so will more', () => {
    expect(cpu.check(machine({ cpu: 64 }), NEEDS_64, NOW_MS)).toBeUndefined()
    expect(cpu.check(machine({ cpu: 65 }), NEEDS_64, NOW_MS)).toBeUndefined()
  })

  test('a little too little is turned down', () => {
    const reason = cpu.check(machine({ cpu: 63.5 }), NEEDS_64, NOW_MS)
    expect(reason).toEqual({ code: 'TOO_LITTLE_CPU', wanted: '64', found: '63.5' })
    expect(inWords(cpu, reason)).toBe('under 64 CPUs; clears: never')
  })

  test('a source that does not tell is an unknown', () => {
    const reason = cpu.check(machine({ cpu: undefined }), NEEDS_64, NOW_MS)
    expect(reason).toEqual({ code: 'CPU_UNKNOWN', wanted: '64', found: undefined })
    expect(inWords(cpu, reason)).toBe('does not say how much CPU it has; clears: never')
  })

  test('it says nothing where none is asked for', () => {
    expect(cpu.check(machine({ cpu: undefined }), need(), NOW_MS)).toBeUndefined()
    expect(cpu.check(machine({ cpu: 0 }), need(), NOW_MS)).toBeUndefined()
  })

  test('loosening goes down to what is on offer, nearest first', () => {
    const refused = [machine({ cpu: 8 }), machine({ cpu: undefined }), machine({ cpu: 15.25 })]
    expect(loosened(cpu, NEEDS_64, refused)).toEqual([
      { change: 'resources.cpu: 64 -> 15.25', admits: [false, false, true] },
      { change: 'resources.cpu: 64 -> 8', admits: [true, false, true] },
    ])
  })
})
