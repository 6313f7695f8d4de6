import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countHosts, domainTree, setHost, type DomainTree } from '../../fleet/domain-tree.ts'
import { domainsOf, gangOf, nodeOf } from './fleet.suite.ts'
import type { Gang, HostView } from './gang.ts'
import { lowestLevel } from './model.suite.ts'
import { placeCounted, placeGang } from './place-gang.ts'
import { cases } from '../../base/laws.suite.ts'

const name = (letter: string) => fc.constantFrom('-', `${letter}1`, `${letter}1`, `${letter}2`)
const path = fc.tuple(name('z'), name('f'), name('r'), name('n')).map((names) => names.join('/'))
const fleet = fc
  .array(path, { minLength: 1, maxLength: 24 })
  .map((paths) => ({ nodes: paths.map((at, index) => nodeOf(`n${index}`, domainsOf(at))) }))
const gang: fc.Arbitrary<Gang> = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom(undefined, undefined, 'zone', 'rack', 'nvlink_domain'))
  .map(([nodes, within]) => gangOf(nodes, within))
const busy = fc.array(fc.nat(23), { maxLength: 12 }).map((nodes) => new Set(nodes))

function viewBut(full: ReadonlySet<number>): HostView {
  return { canHost: (node) => !full.has(node), score: (node) => (node * 7) % 3 }
}

/** How many domains of one level the nodes lie in. */
function touched(tree: DomainTree, nodes: readonly number[], level: number): number {
  const domains = nodes.map((node) => {
    let domain = tree.home[node] ?? 0
    while ((tree.level[domain] ?? 0) > level) domain = tree.parent[domain] ?? 0
    return domain
  })
  return new Set(domains).size
}

test('a gang gets as many different hosts as it has workers, in the narrowest domain, or waits because there is none', () => {
  fc.assert(
    fc.property(fleet, gang, busy, (owned, asked, full) => {
      const answer = placeGang(domainTree(owned), asked, viewBut(full))
      const open = owned.nodes.flatMap((_, node) => (full.has(node) ? [] : [node]))
      const lowest = lowestLevel(owned, asked, open)
      expect(answer.kind).toBe(lowest === undefined ? 'waits' : 'fits')
      if (answer.kind === 'waits') return
      expect(new Set(answer.nodes).size).toBe(asked.nodes)
      for (const node of answer.nodes) expect(full.has(node)).toBe(false)
      if (asked.nodes > 1) expect(answer.domain.level).toBe(lowest)
    }),
    cases(2000),
  )
})

test('a count that was kept up to date gives the same answer as a new one', () => {
  fc.assert(
    fc.property(fleet, gang, fc.array(busy, { maxLength: 4 }), (owned, asked, states) => {
      const tree = domainTree(owned)
      const count = countHosts(tree, () => true)
      for (const full of states) {
        for (const node of owned.nodes.keys()) setHost(tree, count, { node, can: !full.has(node) })
        const view = viewBut(full)
        expect(placeCounted(tree, asked, { view, count })).toEqual(placeGang(tree, asked, view))
      }
    }),
  )
})

test('in a fleet of racks, no other choice of racks touches fewer of them', () => {
  const racks = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 7 })
  fc.assert(
    fc.property(racks, fc.integer({ min: 1, max: 20 }), (sizes, nodes) => {
      const paths = sizes.flatMap((size, rack) => Array.from({ length: size }, () => `z/f/r${rack}`))
      const tree = domainTree({ nodes: paths.map((at, index) => nodeOf(`n${index}`, domainsOf(at))) })
      const answer = placeGang(tree, gangOf(nodes), viewBut(new Set()))
      if (answer.kind === 'waits') return
      const largest = sizes.toSorted((one, two) => two - one)
      let fewest = 0
      for (let sum = 0; sum < nodes; fewest++) sum += largest[fewest] ?? 0
      expect(touched(tree, answer.nodes, 3)).toBe(fewest)
    }),
    cases(500),
  )
})
