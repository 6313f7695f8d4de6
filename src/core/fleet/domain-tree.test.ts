import { describe, expect, test } from 'vitest'
import { countHosts, domainOf, domainTree, enclosing, setHost, type DomainTree } from './domain-tree.ts'
import { domainsOf, fleetOf, nodeOf } from '../pack/gang/fleet.suite.ts'

/** `level name: nodes` for every domain, in order. */
function drawn(tree: DomainTree): readonly string[] {
  return Array.from({ length: tree.count }, (_, domain) => {
    const { level, path } = domainOf(tree, domain)
    const names = Object.values(path).map((name) => name ?? '-')
    const nodes = tree.nodes.slice(tree.nodesFrom[domain], tree.nodesTo[domain]).sort()
    return `${level} ${names.join('/')}: ${nodes.join(' ')}`
  })
}

describe('domainTree', () => {
  test('puts a node into every domain that is known', () => {
    const tree = domainTree(fleetOf({ 'z/f/r/n': 2, 'z/f/r/m': 1, 'y/g/r/n': 1 }))
    expect(drawn(tree)).toEqual([
      'fleet -/-/-/-: 0 1 2 3',
      'zone y/-/-/-: 3',
      'fabric y/g/-/-: 3',
      'rack y/g/r/-: 3',
      'nvlink_domain y/g/r/n: 3',
      'zone z/-/-/-: 0 1 2',
      'fabric z/f/-/-: 0 1 2',
      'rack z/f/r/-: 0 1 2',
      'nvlink_domain z/f/r/m: 2',
      'nvlink_domain z/f/r/n: 0 1',
    ])
  })

  test('a node whose rack is unknown is in no rack, and may still be in an NVLink domain', () => {
    const tree = domainTree(fleetOf({ 'z/f': 1, 'z/f/-/n': 1, '-/-/r': 1, '-': 1 }))
    expect(drawn(tree)).toEqual([
      'fleet -/-/-/-: 0 1 2 3',
      'zone z/-/-/-: 0 1',
      'fabric z/f/-/-: 0 1',
      'nvlink_domain z/f/-/n: 1',
      'rack -/-/r/-: 2',
    ])
    expect([...tree.home]).toEqual([2, 3, 4, 0])
  })

  test('racks of one name are two when the domains around them are not known to be one', () => {
    const tree = domainTree(fleetOf({ 'z/f/r': 1, 'z/-/r': 1 }))
    expect(drawn(tree).filter((line) => line.startsWith('rack'))).toEqual(['rack z/f/r/-: 0', 'rack z/-/r/-: 1'])
  })

  test('a fabric and a rack of one name do not meet', () => {
    const tree = domainTree(fleetOf({ 'z/a': 1, 'z/-/a': 1 }))
    expect(drawn(tree).slice(2)).toEqual(['fabric z/a/-/-: 0', 'rack z/-/a/-: 1'])
  })

  test('wide domains come before narrow ones beside them, whatever their names', () => {
    const tree = domainTree(fleetOf({ 'z/-/a': 1, 'z/b': 1 }))
    expect(drawn(tree).slice(2)).toEqual(['fabric z/b/-/-: 1', 'rack z/-/a/-: 0'])
  })

  test('does not depend on the order of the nodes', () => {
    const paths = ['z/f/b', 'z/f/a', 'y', 'z/f/a/n']
    const names = (list: readonly string[]) =>
      drawn(domainTree({ nodes: list.map((path) => nodeOf(path, domainsOf(path))) })).map((line) => line.split(':')[0])
    expect(names(paths)).toEqual(names(paths.toReversed()))
  })

  test('a fleet without nodes is one empty domain', () => {
    expect(drawn(domainTree({ nodes: [] }))).toEqual(['fleet -/-/-/-: '])
  })

  test('knows where each node stands', () => {
    const tree = domainTree(fleetOf({ 'z/f/b': 2, 'z/f/a': 2, z: 1 }))
    expect([...tree.position].map((position) => tree.nodes[position])).toEqual([0, 1, 2, 3, 4])
  })
})

describe('enclosing', () => {
  test('finds the domain of a level around another, and nothing where it is unknown or narrower', () => {
    const tree = domainTree(fleetOf({ 'z/-/r/n': 1 }))
    const found = (['fleet', 'zone', 'fabric', 'rack', 'nvlink_domain'] as const).map((level) =>
      enclosing(tree, 2, level),
    )
    expect(found).toEqual([0, 1, undefined, 2, undefined])
  })
})

describe('countHosts', () => {
  test('counts the hosts of each domain, and those at home there', () => {
    const tree = domainTree(fleetOf({ 'z/f': 2, 'z/f/r': 3, y: 1 }))
    const { hosts, atHome } = countHosts(tree, (node) => node !== 2)
    expect(drawn(tree).map((line, domain) => `${line} = ${hosts[domain]} ${atHome[domain]}`)).toEqual([
      'fleet -/-/-/-: 0 1 2 3 4 5 = 5 0',
      'zone y/-/-/-: 5 = 1 1',
      'zone z/-/-/-: 0 1 2 3 4 = 4 0',
      'fabric z/f/-/-: 0 1 2 3 4 = 4 2',
      'rack z/f/r/-: 2 3 4 = 2 2',
    ])
  })

  test('a change counts the domains around a node, and saying the same twice changes nothing', () => {
    const tree = domainTree(fleetOf({ 'z/f/r': 3, y: 1 }))
    const count = countHosts(tree, () => true)
    setHost(tree, count, { node: 1, can: false })
    setHost(tree, count, { node: 1, can: false })
    expect(count).toEqual(countHosts(tree, (node) => node !== 1))
    setHost(tree, count, { node: 1, can: true })
    expect(count).toEqual(countHosts(tree, () => true))
  })
})
