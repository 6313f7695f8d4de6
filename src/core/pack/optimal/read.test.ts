import { describe, expect, test } from 'vitest'
import { assert } from '../../base/assert.ts'
import { pairedNvlink } from '../../fleet/topology/presets.ts'
import { buildModel, type Model } from './model.ts'
import { node, problem, share, whole } from './problem.suite.ts'
import type { PackingProblem } from './problem.ts'
import { nameOf } from './program.ts'
import { readPlaces } from './read.ts'

function modelOf(given: PackingProblem): Model {
  const model = buildModel(given, { variablesMax: 1000 })
  assert(model.kind === 'model', 'it is small')
  return model
}

/** Every placing that is there, so many times. */
function allPlaced(model: Model, times: number): ReadonlyMap<string, number> {
  return new Map(model.nodes.flatMap(({ placings }) => placings.map(({ variable }) => [nameOf(variable), times])))
}

describe('an answer', () => {
  test('that places more than there is room for is a bug', () => {
    const model = modelOf(problem([node('a', { cards: 2 })], [whole(2), whole(1)]))
    expect(() => readPlaces(model, allPlaced(model, 1))).toThrow('idle cards that are not there')
  })

  test('that forgets the CPU is a bug', () => {
    const busy = { cpuMilli: 600_000 }
    const model = modelOf(problem([node('a', { cards: 2 })], [whole(1, busy), whole(1, { ...busy, memoryMib: 1 })]))
    expect(() => readPlaces(model, allPlaced(model, 1))).toThrow(
      "the solver's answer does not fit: a: 1200000 cpuMilli",
    )
  })

  test('that places a piece of work twice is a bug', () => {
    const model = modelOf(problem([node('a'), node('b')], [whole(1), whole(1), whole(1)]))
    expect(() => readPlaces(model, allPlaced(model, 2))).toThrow('no more pieces than there are')
  })

  test('that places shares on no card is a bug', () => {
    const model = modelOf(problem([node('a', { parts: 'share' })], [share(500)]))
    expect(readPlaces(model, new Map())).toEqual([undefined])
    expect(() => readPlaces(model, allPlaced(model, 1))).toThrow('has no card')
  })

  test('of fractions is a bug, but for a tiny rest', () => {
    const model = modelOf(problem([node('a')], [whole(1)]))
    expect(readPlaces(model, allPlaced(model, 0.999_999))).toEqual([[{ node: 0, cards: [0], taken: undefined }]])
    expect(() => readPlaces(model, allPlaced(model, 0.5))).toThrow('v0 is 0.5, not a whole number')
  })
})

test('whole cards are chosen by how they are wired, the largest work first', () => {
  const layout = pairedNvlink({ cards: 4, gbps: 300, facts: { target: '8.0', pcieGen: 4 } })
  const tenants = [{ request: whole(1), spot: { node: 0, cards: [0], taken: undefined } }]
  const model = modelOf(problem([node('a', { cards: 4, layout })], [whole(1), whole(2)], tenants))
  const places = readPlaces(model, allPlaced(model, 1))
  expect(places.map((spots) => spots?.[0]?.cards)).toEqual([[1], [2, 3]])
})
