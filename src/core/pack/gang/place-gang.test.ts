import { describe, expect, test } from 'vitest'
import { domainTree } from '../../fleet/domain-tree.ts'
import { allBut, fleetOf, gangOf } from './fleet.suite.ts'
import type { Gang, HostView } from './gang.ts'
import { placeGang } from './place-gang.ts'

/** Where a gang goes: `level name: nodes`; undefined: it waits. */
function place(paths: Readonly<Record<string, number>>, gang: Gang, view: HostView = allBut([])): string | undefined {
  const answer = placeGang(domainTree(fleetOf(paths)), gang, view)
  if (answer.kind === 'waits') return undefined
  const { level, path } = answer.domain
  const names = [path.zone, path.fabric, path.rack, path.nvlinkDomain].map((name) => name ?? '-')
  return `${level} ${names.join('/')}: ${answer.nodes.join(' ')}`
}

describe('the domain', () => {
  test.each([
    [2, 'nvlink_domain z/f/r/m: 0 1'],
    [3, 'rack z/f/r/-: 0 2 3'],
    [6, 'fabric z/f/-/-: 0 1 2 3 4 5'],
    [8, 'zone z/-/-/-: 0 1 2 3 4 5 6 7'],
    [9, 'fleet -/-/-/-: 8 0 1 2 3 4 5 6 7'],
  ])('of a gang of %i is the narrowest that holds it', (nodes, where) => {
    const paths = { 'z/f/r/m': 2, 'z/f/r/n': 2, 'z/f/s': 2, 'z/g/r': 2, y: 1 }
    expect(place(paths, gangOf(nodes))).toBe(where)
  })

  test('is the one in which the least is left over', () => {
    expect(place({ 'z/f/a': 6, 'z/f/b': 4, 'z/f/c': 5 }, gangOf(4))).toBe('rack z/f/b/-: 6 7 8 9')
  })

  test('counts what is free, not what is there', () => {
    expect(place({ 'z/f/a': 6, 'z/f/b': 4 }, gangOf(3), allBut([0, 1, 2]))).toBe('rack z/f/a/-: 3 4 5')
  })

  test('lies in the fuller zone when two are alike', () => {
    expect(place({ 'y/f/a': 4, 'y/f/b': 4, 'z/f/a': 4 }, gangOf(4))).toBe('rack z/f/a/-: 8 9 10 11')
  })

  test('is one that is broken already rather than a whole one with as much in it', () => {
    expect(place({ 'z/f/a': 4, 'z/f/b': 6 }, gangOf(3), allBut([4, 5]))).toBe('rack z/f/b/-: 6 7 8')
  })

  test('is the first by name when nothing else tells', () => {
    expect(place({ 'z/f/b': 2, 'z/f/a': 2 }, gangOf(2))).toBe('rack z/f/a/-: 2 3')
  })
})

describe('a bound', () => {
  const paths = { 'z/f/r/n': 2, 'z/f/r/m': 2, 'z/g/s': 3, 'z/g': 2, '-': 4 }

  test.each([
    ['nvlink_domain', 3],
    ['rack', 5],
    ['zone', 10],
  ] as const)('within one %s turns down %i nodes that would fit in something wider', (within, nodes) => {
    expect(place(paths, gangOf(nodes, within))).toBeUndefined()
    expect(place(paths, gangOf(nodes))).toBeDefined()
  })

  test('lets a narrower domain do', () => {
    expect(place(paths, gangOf(2, 'zone'))).toBe('nvlink_domain z/f/r/m: 2 3')
  })

  test('is not met where the level is unknown, however near the nodes are', () => {
    expect(place({ 'z/f/-/n': 2 }, gangOf(2, 'rack'))).toBeUndefined()
    expect(place({ 'z/f/-/n': 2 }, gangOf(2, 'zone'))).toBe('nvlink_domain z/f/-/n: 0 1')
    expect(place({ '-': 2 }, gangOf(2, 'zone'))).toBeUndefined()
  })

  test('is nothing to a gang of one', () => {
    expect(place({ '-': 1 }, gangOf(1, 'rack'))).toBe('fleet -/-/-/-: 0')
  })
})

describe('inside the domain', () => {
  test('few racks are touched, and the largest stay whole', () => {
    const paths = { 'z/f/a': 8, 'z/f/b': 8, 'z/f/c': 5, 'z/f/d': 5, 'z/f/e': 4 }
    expect(place(paths, gangOf(10))).toBe('fabric z/f/-/-: 16 17 18 19 20 21 22 23 24 25')
  })

  test('of racks with as much in them, the one that is broken already is used', () => {
    const paths = { 'z/f/a': 4, 'z/f/b': 6, 'z/f/c': 5 }
    expect(place(paths, gangOf(9), allBut([4, 5]))).toBe('fabric z/f/-/-: 6 7 8 9 10 11 12 13 14')
  })

  test('the part of a rack that is needed is packed like a gang of its own', () => {
    const paths = { 'z/f/a': 6, 'z/f/b/m': 3, 'z/f/b/n': 2 }
    expect(place(paths, gangOf(8))).toBe('fabric z/f/-/-: 0 1 2 3 4 5 9 10')
  })

  test('a node whose rack is unknown is used before a rack is broken up for one worker', () => {
    expect(place({ 'z/f/a': 4, 'z/f/b': 3, 'z/f': 1 }, gangOf(5))).toBe('fabric z/f/-/-: 7 0 1 2 3')
  })

  test('a single worker goes where it breaks up nothing', () => {
    expect(place({ 'z/f/r/n': 2, 'z/f/r': 2, '-': 1 }, gangOf(1))).toBe('fleet -/-/-/-: 4')
    expect(place({ 'z/f/r/n': 2, 'z/f/r': 2 }, gangOf(1))).toBe('rack z/f/r/-: 2')
  })

  test('nodes are taken by score, then in order', () => {
    const scores = [1, 3, 2, 3, 0]
    const view: HostView = { canHost: (node) => node !== 1, score: (node) => scores[node] ?? 0 }
    expect(place({ 'z/f/r': 5 }, gangOf(2), view)).toBe('rack z/f/r/-: 2 3')
    expect(place({ 'z/f/r': 5 }, gangOf(1), view)).toBe('rack z/f/r/-: 3')
    expect(place({ 'z/f/r': 5 }, gangOf(2))).toBe('rack z/f/r/-: 0 1')
  })

  test('scores are asked only where there is a choice among hosts', () => {
    const asked: number[] = []
    const view: HostView = { canHost: (node) => node !== 5, score: (node) => asked.push(node) }
    place({ 'z/f/a': 4, 'z/f/b': 3, 'z/f/c': 9 }, gangOf(12), view)
    expect(asked.toSorted((one, two) => one - two)).toEqual([0, 1, 2, 3])
  })
})

test('a gang without nodes is a bug', () => {
  expect(() => place({ z: 1 }, gangOf(0))).toThrow('gang gang-0 has 0 nodes')
})
