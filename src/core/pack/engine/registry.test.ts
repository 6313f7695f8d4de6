import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { FastPacker } from './fast.ts'
import { asks, fleet, groundOf, node } from './fleet.suite.ts'
import { DEFAULT_POLICY_NAME, POLICIES } from './registry.ts'
import { stranding } from './stranding.ts'

describe('the registry of policies', () => {
  test('has the default, and the policies that it is compared with', () => {
    expect(Object.keys(POLICIES)).toEqual([DEFAULT_POLICY_NAME, 'fgd', 'best-fit'])
    expect(POLICIES[DEFAULT_POLICY_NAME]).toBe(stranding)
  })

  test.each(Object.keys(POLICIES))('%s goes by its own name', (name) => {
    expect(must(POLICIES[name], name)(groundOf(fleet(node('a')))).name).toBe(name)
  })

  test.each(Object.entries(POLICIES))('%s places what fits, with and without a history', (_, policy) => {
    for (const history of [[], [{ request: asks(2), count: 1 }]])
      expect(new FastPacker(fleet(node('a')), { policy, history }).place(asks(2))?.cards).toEqual([0, 1])
  })
})
