import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { freeze, type Snapshot } from '../core/offer/snapshot.ts'
import { thaw } from '../core/offer/thaw.ts'
import { offers, refusals } from '../core/place/world.suite.ts'
import { decodeSnapshot, encodeSnapshot, isSnapshot } from './snapshot-file.ts'

function asJson(snapshot: Snapshot | undefined): unknown {
  return JSON.parse(JSON.stringify(snapshot))
}

describe('a snapshot on disk', () => {
  test('reads back as it was written, from any offset', () => {
    fc.assert(
      fc.property(offers, refusals, fc.nat(15), (capacity, memory, offset) => {
        const snapshot = freeze(capacity, memory)
        const bytes = encodeSnapshot(snapshot)
        const shifted = new Uint8Array(bytes.length + offset)
        shifted.set(bytes, offset)
        expect(asJson(decodeSnapshot(shifted.subarray(offset)))).toEqual(asJson(snapshot))
      }),
    )
  })

  test('gives back offers that freeze to the same snapshot', () => {
    fc.assert(
      fc.property(offers, (capacity) => {
        // What is not believed is not kept, and a driver needs a card; both are settled by the first freezing.
        const once = freeze(thaw(freeze(capacity)))
        expect(freeze(thaw(once)).version).toBe(once.version)
      }),
    )
  })

  test('any changed, missing or added byte is noticed', () => {
    const capacity = fc.sample(offers, { seed: 7, numRuns: 20 }).find((list) => list.length > 10) ?? []
    const bytes = encodeSnapshot(freeze(capacity))
    for (let index = 0; index < bytes.length; index++) {
      if (index >= 20 && index < 24) continue // Reserved.
      const changed = bytes.slice()
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(decodeSnapshot(changed), `byte ${index}`).toBeUndefined()
    }
    for (const length of [0, 7, 8, 39, 40, bytes.length - 8, bytes.length - 1])
      expect(decodeSnapshot(bytes.slice(0, length))).toBeUndefined()
    const longer = new Uint8Array(bytes.length + 8)
    longer.set(bytes)
    expect(decodeSnapshot(longer)).toBeUndefined()
  })

  test('other files are not taken for one', () => {
    expect(isSnapshot(new TextEncoder().encode('berth: v1'))).toBe(false)
    expect(isSnapshot(new Uint8Array())).toBe(false)
    expect(isSnapshot(encodeSnapshot(freeze([])))).toBe(true)
  })
})
