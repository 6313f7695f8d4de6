import { describe, expect, test } from 'vitest'
import type { Reserve } from '../../manifest/manifest.ts'
import { fitsOn, freeStateOf } from './free-state.ts'
import { proposeMoves } from './defragment.ts'
import { proposePreemption } from './preempt.ts'
import { asks, node, RULES, share, tenant, world } from './proposal.suite.ts'
import {
  balanceOf,
  mayUse,
  replicasInReserve,
  seenBy,
  standingAfter,
  type Placeholder,
  type RoleReserve,
} from './reserve.ts'

function placeholder(role: string, index: number, place: string): Placeholder {
  const { request, spot } = tenant('', place)
  return { name: `reserve/${role}/${index}`, role, request, spot }
}

function percent(value: number): Reserve {
  return { kind: 'share', share: value / 100 }
}

describe('the replicas in reserve', () => {
  test.each([
    [undefined, 5, 0],
    [{ kind: 'count', count: 3 }, 0, 3],
    [{ kind: 'count', count: 3 }, 9, 3],
    [percent(25), 0, 0],
    [percent(25), 1, 1],
    [percent(25), 4, 1],
    [percent(25), 5, 2],
    [percent(100), 7, 7],
    [percent(0), 7, 0],
    [percent(12.5), 8, 1],
    [percent(12.5), 9, 2],
    [percent(0.01), 9999, 1],
  ] satisfies [Reserve | undefined, number, number][])('of %j with %d running are %d', (reserve, running, wanted) => {
    expect(replicasInReserve(reserve, running)).toBe(wanted)
  })

  test('are not one too many because a product is a hair above a whole number', () => {
    expect(0.07 * 100).toBeGreaterThan(7)
    expect(replicasInReserve(percent(7), 100)).toBe(7)
  })
})

describe('the balance of a role', () => {
  const role: RoleReserve = { role: 'llm/prefill', request: asks(1), reserve: percent(50), running: 4 }

  test('lacks what it has not got, under names that are free', () => {
    const have = [placeholder('llm/prefill', 1, 'n0:0'), placeholder('llm/decode', 0, 'n0:1')]
    expect(balanceOf(role, have)).toEqual({
      missing: [{ name: 'reserve/llm/prefill/0', role: 'llm/prefill', request: asks(1) }],
      surplus: [],
    })
  })

  test('has too much once fewer run', () => {
    const have = [placeholder('llm/prefill', 1, 'n0:0'), placeholder('llm/prefill', 0, 'n0:1')]
    expect(balanceOf(role, have)).toEqual({ missing: [], surplus: [] })
    expect(balanceOf({ ...role, running: 2 }, have)).toEqual({ missing: [], surplus: [have[0]] })
    expect(balanceOf({ ...role, reserve: undefined }, have).surplus).toHaveLength(2)
  })

  test('gives up room of the wrong size and asks for the right one', () => {
    const old = placeholder('llm/prefill', 0, 'n0:0/500')
    const balance = balanceOf({ ...role, running: 2 }, [old])
    expect(balance.surplus).toEqual([old])
    expect(balance.missing.map(({ request }) => request)).toEqual([asks(1)])
  })

  test('knows a request whatever order its parts were written in', () => {
    const { part, ...rest } = asks(1)
    const turned = { ...placeholder('llm/prefill', 0, 'n0:0'), request: { part, ...rest } }
    expect(balanceOf({ ...role, running: 2 }, [turned])).toEqual({ missing: [], surplus: [] })
  })
})

describe('what a newcomer sees', () => {
  const fleet = { nodes: [node('a', 2)] }
  const tenants = [tenant('x', 'n0:0')]
  const held = [placeholder('llm/prefill', 0, 'n0:1')]

  function spotFor(role: string | undefined) {
    return fitsOn(freeStateOf(fleet, seenBy(role, tenants, held), RULES), 0, asks(1))
  }

  test('is room for the role’s own replicas', () => {
    expect(spotFor('llm/prefill')?.cards).toEqual([1])
    expect(held.map((placeholder) => mayUse(placeholder, 'llm/prefill'))).toEqual([true])
  })

  test('is no room for anybody else', () => {
    for (const role of ['llm/decode', undefined]) {
      expect(spotFor(role)).toBeUndefined()
      expect(held.map((placeholder) => mayUse(placeholder, role))).toEqual([false])
    }
  })

  test('is nothing that could be told to make way or to move, however high it ranks', () => {
    const seen = seenBy(undefined, [], held)
    const who = { name: 'new', request: asks(2), priority: Number.MAX_VALUE, nodes: 1, within: undefined }
    expect(proposePreemption(world(fleet.nodes, seen), who)).toEqual([])
    const shares = seenBy(undefined, [tenant('x', 'n0:0/500')], [placeholder('llm/prefill', 0, 'n0:1/500')])
    const answer = proposeMoves(world(fleet.nodes, shares), { kind: 'fit', ...who, request: asks(1) })
    expect(answer).toMatchObject({ moves: [{ name: 'x' }] })
  })
})

describe('when a replica takes room in reserve', () => {
  const state = freeStateOf({ nodes: [node('a', 2)] }, [], RULES)
  const own = [placeholder('r', 1, 'n0:0/500'), placeholder('r', 0, 'n0:0/500'), placeholder('r', 2, 'n0:1')]

  test('what it covers falls, and no more', () => {
    const names = (place: string) => standingAfter(state, tenant('new', place), own).map(({ name }) => name)
    expect(names('n0:0/500')).toEqual(['reserve/r/0', 'reserve/r/2'])
    expect(names('n0:0')).toEqual(['reserve/r/2'])
    expect(names('n0:1')).toEqual(['reserve/r/0', 'reserve/r/1'])
    expect(names('n0:')).toEqual(['reserve/r/0', 'reserve/r/1', 'reserve/r/2'])
  })

  test('it is asked for again, because one more runs now', () => {
    const standing = standingAfter(state, tenant('new', 'n0:1'), own)
    const role: RoleReserve = {
      role: 'r',
      request: asks(1, share(500)),
      reserve: { kind: 'count', count: 3 },
      running: 1,
    }
    expect(balanceOf(role, standing).missing.map(({ name }) => name)).toEqual(['reserve/r/2'])
  })
})
