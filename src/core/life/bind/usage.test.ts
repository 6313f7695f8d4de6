import { describe, expect, test } from 'vitest'
import { allIn, placed, service, workloadOf } from '../keep.suite.ts'
import type { Phase } from '../placement.ts'
import { usageOf } from './usage.ts'

const WORKLOAD = workloadOf(service(3))

describe('what counts against quota and budget', () => {
  test.each<[Phase, number]>([
    ['reserved', 2],
    ['unknown', 2],
    ['starting', 2],
    ['running', 2],
    ['stopping', 2],
    ['gone', 0],
  ])('%s counts for %i cards', (phase, gpus) => {
    expect(usageOf([placed(WORKLOAD, '0', phase)])).toEqual({ gpus, usdPerHour: gpus * 2 })
  })

  test('is the sum of it all', () => {
    expect(usageOf(allIn(WORKLOAD, 'unknown'))).toEqual({ gpus: 6, usdPerHour: 12 })
    expect(usageOf([])).toEqual({ gpus: 0, usdPerHour: 0 })
  })
})
