import { expect, test } from 'vitest'
import { freeStateOf } from './free-state.ts'
import { node, RULES, tenant, world } from './proposal.suite.ts'
import { replay } from './replay.ts'

const nodes = [node('a', 1), node('b', 1, { cpuMilli: 1000 })]
const x = tenant('x', 'n0:0/600')
const y = tenant('y', 'n1:0/600')
const { spot: onA } = tenant('', 'n0:0/600')
const { spot: onB } = tenant('', 'n1:0/600')

test('moves lead from one state to the next', () => {
  const state = replay(world(nodes, [x]), [{ name: 'x', to: onB, how: 'start-first' }])
  expect(state).toEqual(freeStateOf({ nodes }, [{ ...x, spot: onB }], RULES))
})

test('a move that does not fit at its moment is none', () => {
  expect(replay(world(nodes, [x, y]), [{ name: 'x', to: onB, how: 'start-first' }])).toBeUndefined()
  expect(replay(world(nodes, [x, y]), [{ name: 'x', to: onB, how: 'stop-first' }])).toBeUndefined()
})

test('a tenant can take its own room if it stops first, and comes from where it was moved to', () => {
  const back = { name: 'x', to: onA, how: 'stop-first' } as const
  expect(replay(world(nodes, [x]), [{ ...back, how: 'start-first' }])).toBeUndefined()
  expect(replay(world(nodes, [x]), [back])).toEqual(freeStateOf({ nodes }, [x], RULES))
  const forth = { name: 'x', to: onB, how: 'start-first' } as const
  expect(replay(world(nodes, [x]), [forth, back])).toEqual(freeStateOf({ nodes }, [x], RULES))
})

test('who does not run cannot be moved', () => {
  expect(() => replay(world(nodes, [x]), [{ name: 'z', to: onB, how: 'start-first' }])).toThrow('z runs')
})
