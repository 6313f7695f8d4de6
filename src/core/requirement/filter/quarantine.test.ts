import { describe, expect, test } from 'vitest'
import { inWords, loosened, machine, need, NOW_MS } from './facts.suite.ts'
import { quarantine } from './quarantine.ts'

const SUSPECT = machine({ quarantine: 'VRAM_CONTRADICTS' })

describe('quarantine', () => {
  test('a row that cannot be true is turned down, whatever is asked for', () => {
    const reason = quarantine.check(SUSPECT, need(), NOW_MS)
    expect(reason).toEqual({
      code: 'QUARANTINED',
      wanted: 'a row that can be believed',
      found: 'VRAM_CONTRADICTS',
    })
    expect(inWords(quarantine, reason)).toBe('its row cannot be believed (berth offers check); clears: never')
  })

  test('all other rows pass', () => {
    expect(quarantine.check(machine(), need(), NOW_MS)).toBeUndefined()
  })

  test('no change to the manifest makes a row true', () => {
    expect(quarantine.final).toBe(true)
    expect(loosened(quarantine, need(), [SUSPECT])).toEqual([])
  })
})
