import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sourceSolver } from '../../../solver/highs.suite.ts'
import { assert, must } from '../../base/assert.ts'
import type { Request } from '../../fleet/fleet.ts'
import { checkPlaces } from '../optimal/check.ts'
import { buildModel } from '../optimal/model.ts'
import { worthOf, worthPlaced, type Places, type PackingProblem } from '../optimal/problem.ts'
import { lpText } from '../optimal/program.ts'
import { readPlaces } from '../optimal/read.ts'
import { Dice } from '../../base/dice.ts'
import { FastPacker } from './fast.ts'
import { stranding } from './stranding.ts'
import { randomFleet, randomKinds } from './world.suite.ts'
import { sized } from '../../base/laws.suite.ts'

const INSTANCES = sized({ quick: 60, whole: 200 })
/** On few of them the share varies. */
const SLACK = sized({ quick: 0.01, whole: 0 })
const SOLVER = sourceSolver()
afterAll(() => SOLVER.close())

// The optimum comes from a model that shares nothing with the engine but the tables of the hardware. Whoever must take
// what fits before the next request is known cannot come as close to it as one who may decline.
describe.each([
  { what: 'whole cards, shares and slices', make: mixed, online: 0.88, batch: 0.98 },
  { what: 'slices alone', make: cut, online: 0.965, batch: 0.995 },
])('on small instances of $what the engine', ({ make, online, batch }) => {
  const instances = Array.from({ length: INSTANCES }, (_, seed) => make(new Dice(seed)))
  const optima: number[] = []
  beforeAll(async () => {
    for (const each of instances) optima.push(await optimumOf(each))
  }, 120_000)

  test('lays everything where it fits, by rules that are not its own', () => {
    for (const each of instances) expect(checkPlaces(each, inOrder(each))).toEqual([])
  })

  test.each([
    ['one by one, as they come', inOrder, online],
    ['all at once, the largest first', largestFirst, batch],
  ])('never accepts more than the optimum, and nearly as much: %s', (_, place, floor) => {
    const accepted = instances.map((each) => worthPlaced(each.pending, place(each)))
    for (const [seed, worth] of accepted.entries())
      expect(worth, `seed ${seed}`).toBeLessThanOrEqual(must(optima[seed], 'an optimum an instance'))
    expect(sum(accepted) / sum(optima)).toBeGreaterThanOrEqual(floor - SLACK)
  })
})

/** 2 to 6 nodes of a few kinds, and 5 to 25 requests. */
function mixed(dice: Dice): PackingProblem {
  const { nodes } = randomFleet(dice)
  const kinds = randomKinds(dice)
  const count = 2 + dice.roll(5)
  const pending = Array.from({ length: 5 + dice.roll(21) }, () => ({ request: dice.pick(kinds) }))
  return { fleet: { nodes: nodes.slice(0, count) }, tenants: [], pending }
}

/** 1 to 4 cards on 1 or 2 nodes, and 4 to 24 requests for slices of every size; what each is worth is what it takes. */
function cut(dice: Dice): PackingProblem {
  const [shape] = randomFleet(dice).nodes
  const cards = Array.from({ length: 1 + dice.roll(2) }, () => ({ health: 'ok', parts: 'mig' }) as const)
  const model = dice.pick(['h100-sxm', 'a100-80-sxm'])
  const nodes = Array.from({ length: 1 + dice.roll(2) }, (_, index) => ({
    ...must(shape, 'a fleet has a node'),
    id: `node-${index}`,
    model,
    cards,
    layout: undefined,
  }))
  const pending = Array.from({ length: 4 + dice.roll(21) }, () => ({ request: sliceOf(dice.pick([10, 20, 40, 80])) }))
  return { fleet: { nodes }, tenants: [], pending }
}

function sliceOf(vramGib: number): Request {
  const part = { kind: 'slice', vramGib } as const
  return { cpuMilli: 0, memoryMib: 0, diskMib: 0, count: 1, part, models: undefined }
}

async function optimumOf(problem: PackingProblem): Promise<number> {
  const model = buildModel(problem, { variablesMax: 5000 })
  assert(model.kind === 'model', 'the instances are small')
  if (model.work.length === 0) return 0
  const solved = await SOLVER.solve(lpText(model.program, model.work), {
    limitMs: 60_000,
    gap: { relative: 0, absolute: 0.99 * model.unit },
  })
  assert(solved.kind === 'solved' && solved.isProven, 'the instances are solved')
  return worthPlaced(problem.pending, readPlaces(model, solved.values))
}

function inOrder({ fleet, pending }: PackingProblem): Places {
  const packer = new FastPacker(fleet, { policy: stranding })
  return pending.map(({ request }) => {
    const spot = packer.place(request)
    return spot && [spot]
  })
}

function largestFirst(problem: PackingProblem): Places {
  const order = [...problem.pending.entries()].toSorted(([, one], [, two]) => worthOf(two) - worthOf(one))
  const sorted = inOrder({ ...problem, pending: order.map(([, each]) => each) })
  const places: Places[number][] = problem.pending.map(() => undefined)
  for (const [turn, [index]] of order.entries()) places[index] = sorted[turn]
  return places
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
