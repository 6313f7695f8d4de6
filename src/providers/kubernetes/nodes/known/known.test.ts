import { describe, expect, test } from 'vitest'
import { nodeRows } from '../node-rows.ts'
import { sortObjects } from '../object/cluster-objects.ts'
import { CONTRADICTIONS } from './contradictions.suite.ts'
import { DEVICES } from './devices.suite.ts'
import { DOUBTS } from './doubts.suite.ts'
import { EVERYTHING_UNKNOWN } from './known.suite.ts'
import { NVIDIA_DIVIDED } from './nvidia-divided.suite.ts'
import { NVIDIA_WHOLE } from './nvidia-whole.suite.ts'
import { OTHERS } from './others.suite.ts'
import { TRAPS } from './traps.suite.ts'

const KNOWN = [...NVIDIA_WHOLE, ...NVIDIA_DIVIDED, ...OTHERS, ...DEVICES, ...TRAPS, ...DOUBTS, ...CONTRADICTIONS]

describe('nodes of which the right answer is known', () => {
  test.each(KNOWN)('$is', ({ objects, reads }) => {
    const [row, ...others] = nodeRows(sortObjects(objects))
    expect(others).toEqual([])
    const { name, why, ...read } = row ?? {}
    expect(name).toBe('n')
    expect(why).not.toBe('')
    expect(read, why).toEqual({ ...EVERYTHING_UNKNOWN, ...reads })
  })

  test('there are at least sixty, and two for each way to fool a reader', () => {
    expect(KNOWN.length).toBeGreaterThanOrEqual(60)
    const shown = KNOWN.flatMap(({ ways }) => ways)
    for (let way = 1; way <= 16; way++)
      expect(shown.filter((each) => each === way).length, `way ${way}`).toBeGreaterThanOrEqual(2)
  })

  test.each(KNOWN)('without pods, what is free is not claimed: $is', ({ objects }) => {
    const unseen = objects.filter((each) => !isOf(each, 'Pod') && !isOf(each, 'ResourceClaim'))
    const [row] = nodeRows(sortObjects(unseen))
    expect(row?.free_cards ?? 0).toBe(0)
  })
})

function isOf(value: unknown, kind: string): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind
}
