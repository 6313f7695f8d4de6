import { describe, expect, test } from 'vitest'
import { atLeast } from '../need/range.ts'
import { storage } from './storage.ts'
import { inWords, loosened, machine, need, NOW_MS } from './facts.suite.ts'

const NEEDS_64 = need({ volumeGib: atLeast(64) })

describe('storage', () => {
  test('as much as asked for will do, and so will more', () => {
    expect(storage.check(machine({ volumeGib: 64 }), NEEDS_64, NOW_MS)).toBeUndefined()
    expect(storage.check(machine({ volumeGib: 65 }), NEEDS_64, NOW_MS)).toBeUndefined()
  })

  test('a little too little is turned down', () => {
    const reason = storage.check(machine({ volumeGib: 63.5 }), NEEDS_64, NOW_MS)
    expect(reason).toEqual({ code: 'VOLUME_TOO_SMALL', wanted: '64Gi', found: '63.5Gi' })
    expect(inWords(storage, reason)).toBe('cannot attach a volume of 64Gi; clears: never')
  })

  test('a source that does not tell is an unknown', () => {
    const reason = storage.check(machine({ volumeGib: undefined }), NEEDS_64, NOW_MS)
    expect(reason).toEqual({ code: 'VOLUME_UNKNOWN', wanted: '64Gi', found: undefined })
    expect(inWords(storage, reason)).toBe('does not say how large a volume it can attach; clears: never')
  })

  test('it says nothing where none is asked for', () => {
    expect(storage.check(machine({ volumeGib: undefined }), need(), NOW_MS)).toBeUndefined()
    expect(storage.check(machine({ volumeGib: 0 }), need(), NOW_MS)).toBeUndefined()
  })

  test('several volumes ask for it, so no single change is proposed', () => {
    expect(loosened(storage, NEEDS_64, [machine({ volumeGib: 8 })])).toEqual([])
  })
})
