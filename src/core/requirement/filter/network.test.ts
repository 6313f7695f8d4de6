import { describe, expect, test } from 'vitest'
import { inWords, machine, need, NOW_MS } from './facts.suite.ts'
import { network } from './network.ts'

const PUBLISHES_A_PORT = need({ inbound: true })

describe('network', () => {
  test('a machine that can be reached from outside passes', () => {
    expect(network.check(machine({ inbound: true }), PUBLISHES_A_PORT, NOW_MS)).toBeUndefined()
  })

  test('a machine that cannot be reached is turned down', () => {
    const reason = network.check(machine({ inbound: false }), PUBLISHES_A_PORT, NOW_MS)
    expect(reason).toEqual({ code: 'NOT_REACHABLE', wanted: 'reachable from outside', found: 'not reachable' })
    expect(inWords(network, reason)).toBe('cannot be reached from outside; clears: never')
  })

  test('a source that does not tell is an unknown', () => {
    const reason = network.check(machine({ inbound: undefined }), PUBLISHES_A_PORT, NOW_MS)
    expect(reason).toEqual({ code: 'REACHABILITY_UNKNOWN', wanted: 'reachable from outside', found: undefined })
    expect(inWords(network, reason)).toBe('does not say whether it can be reached from outside; clears: never')
  })

  test('a workload without a public port passes anywhere', () => {
    for (const inbound of [true, false, undefined])
      expect(network.check(machine({ inbound }), need(), NOW_MS)).toBeUndefined()
  })
})
