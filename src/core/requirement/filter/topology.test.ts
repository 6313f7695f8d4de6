import { describe, expect, test } from 'vitest'
import { inWords, loosened, machine, need, NOW_MS } from './facts.suite.ts'
import { topology } from './topology.ts'

const IN_ONE_RACK = need({ nodes: 2, within: 'rack' })
const IN_ONE_ISLAND = need({ nodes: 2, within: 'nvlink_domain' })

describe('topology', () => {
  test('machines as close together as requested pass, and so do closer ones', () => {
    expect(topology.check(machine({ domain: 'rack' }), IN_ONE_RACK, NOW_MS)).toBeUndefined()
    expect(topology.check(machine({ domain: 'nvlink_domain' }), IN_ONE_RACK, NOW_MS)).toBeUndefined()
  })

  test('machines too far apart are turned down', () => {
    const reason = topology.check(machine({ domain: 'zone' }), IN_ONE_RACK, NOW_MS)
    expect(reason).toEqual({ code: 'NODES_TOO_FAR', wanted: 'rack', found: 'zone' })
    expect(inWords(topology, reason)).toBe('cannot place several machines within one rack; clears: never')
  })

  test('a provider that does not say where it places machines is an unknown', () => {
    const reason = topology.check(machine({ domain: undefined }), IN_ONE_RACK, NOW_MS)
    expect(reason).toEqual({ code: 'TOPOLOGY_UNKNOWN', wanted: 'rack', found: undefined })
    expect(inWords(topology, reason)).toBe('does not say whether several machines share one rack; clears: never')
  })

  test('a single machine passes, and so does every place where nothing is asked', () => {
    const far = machine({ domain: 'zone' })
    expect(topology.check(far, need({ nodes: 1, within: 'rack' }), NOW_MS)).toBeUndefined()
    expect(topology.check(far, need({ nodes: 2 }), NOW_MS)).toBeUndefined()
  })

  test('loosening goes outwards step by step', () => {
    const refused = [machine({ domain: 'zone' }), machine({ domain: undefined }), machine({ domain: 'rack' })]
    expect(loosened(topology, IN_ONE_ISLAND, refused)).toEqual([
      { change: 'topology.within: nvlink_domain -> rack', admits: [false, false, true] },
      { change: 'topology.within: nvlink_domain -> zone', admits: [true, false, true] },
    ])
    expect(loosened(topology, need({ nodes: 2 }), [machine({ domain: 'zone' })])).toEqual([])
  })
})
