import { describe, expect, test } from 'vitest'
import { tierWithin } from './hyper-nodes.ts'

const RACK = 'topology.kubernetes.io/rack'

function node(name: string, rack?: string): unknown {
  return { metadata: { name, labels: rack === undefined ? {} : { [RACK]: rack } } }
}

function hyper(name: string, tier: number, ...members: readonly object[]): unknown {
  return { metadata: { name }, spec: { tier, members } }
}

const exact = (name: string, type = 'Node') => ({ type, selector: { exactMatch: { name } } })
const regex = (pattern: string, type = 'Node') => ({ type, selector: { regexMatch: { pattern } } })
const label = (value: string) => ({ type: 'Node', selector: { labelMatch: { matchLabels: { [RACK]: value } } } })

const NODES = [node('a0', 'r0'), node('a1', 'r0'), node('b0', 'r1'), node('b1', 'r1')]
const FABRIC = hyper('fabric', 2, regex('^rack-', 'HyperNode'))

describe('the tier that is a rack', () => {
  test.each([
    ['by label', [hyper('rack-0', 1, label('r0')), hyper('rack-1', 1, label('r1')), FABRIC]],
    ['by name', [hyper('rack-0', 1, exact('a0'), exact('a1')), hyper('rack-1', 1, exact('b0')), FABRIC]],
    ['by pattern', [hyper('rack-0', 1, regex('^a')), hyper('rack-1', 1, regex('^b')), FABRIC]],
  ])('is found %s', (_, hyperNodes) => {
    expect(tierWithin(RACK, hyperNodes, NODES)).toBe(1)
  })

  test('is the highest that lies within racks', () => {
    const hosts = [hyper('host-a', 1, exact('a0')), hyper('host-b', 1, exact('b0'))]
    const racks = [hyper('rack-0', 2, exact('host-a', 'HyperNode')), hyper('rack-1', 2, exact('host-b', 'HyperNode'))]
    expect(tierWithin(RACK, [...hosts, ...racks, hyper('fabric', 3, regex('^rack-', 'HyperNode'))], NODES)).toBe(2)
  })

  test.each([
    [
      'one HyperNode of the tier crosses racks',
      [hyper('rack-0', 1, regex('^a')), hyper('odd', 1, exact('a1'), exact('b0'))],
    ],
    ['a node does not say where it is', [hyper('rack-0', 1, exact('a0'), exact('c0'))]],
    ['there are no HyperNodes', []],
    [
      'HyperNodes name each other',
      [hyper('one', 1, exact('two', 'HyperNode')), hyper('two', 1, exact('one', 'HyperNode'))],
    ],
    ['a pattern cannot be read', [hyper('rack-0', 1, regex('('))]],
  ])('is none if %s', (_, hyperNodes) => {
    expect(tierWithin(RACK, hyperNodes, [...NODES, node('c0')])).toBeUndefined()
  })
})
