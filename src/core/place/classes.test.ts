import { describe, expect, test } from 'vitest'
import { freeze, type Snapshot } from '../offer/snapshot.ts'
import { classesOf, isQuarantined } from './classes.ts'
import { sold } from './capacity.suite.ts'

/** Made anew for every test: what is counted is remembered with the snapshot. */
function capacity(): Snapshot {
  return freeze([
    sold('a', 1, { cpu: 8 }),
    sold('b', 2, { cpu: 8 }),
    sold('c', 3, { cpu: 8, provider: 'beta' }),
    sold('d', 4, { cpu: 9, health: 'degraded' }),
    sold('e', 5, { quarantine: 'NAME_UNKNOWN' }),
  ])
}

describe('the classes of a snapshot', () => {
  test('say where the groups and rows of each machine begin', () => {
    const { groups, rows } = classesOf(capacity())
    expect([...groups]).toEqual([0, 2, 3, 4])
    expect([...rows]).toEqual([0, 3, 4, 5])
  })

  test('count offers by site and by state, quarantined ones left out', () => {
    const snapshot = capacity()
    const { siteRows, stateRows } = classesOf(snapshot)
    expect(snapshot.sites.map((site) => site.provider)).toEqual(['alpha', 'beta'])
    expect([...siteRows]).toEqual([3, 1])
    expect(snapshot.states.map((state) => state.health)).toEqual(['ok', 'degraded'])
    expect([...stateRows]).toEqual([3, 1])
  })

  test('know what is quarantined', () => {
    const snapshot = capacity()
    expect(snapshot.machines.map((_, machine) => isQuarantined(snapshot, machine))).toEqual([false, false, true])
    expect(() => isQuarantined(snapshot, 3)).toThrow('a machine of the snapshot')
  })

  test('are counted once for each snapshot', () => {
    const snapshot = capacity()
    expect(classesOf(snapshot)).toBe(classesOf(snapshot))
    expect([...classesOf(freeze([])).rows]).toEqual([0])
  })
})
