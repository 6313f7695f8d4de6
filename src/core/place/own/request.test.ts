import { describe, expect, test } from 'vitest'
import { gpu, gpuNeed, machine, need } from '../../requirement/filter/facts.suite.ts'
import { nodeWith } from '../../fleet/draw.suite.ts'
import { atLeast } from '../../requirement/need/range.ts'
import type { GpuFacts } from '../../offer/machine.ts'
import { requestOn } from './request.ts'

const NODE = nodeWith(8, { diskMib: 100_000 })

function partOf(asked: Parameters<typeof gpuNeed>[0], facts: Partial<GpuFacts>): unknown {
  return requestOn(gpuNeed(asked), machine({ gpu: gpu(facts) }), NODE)?.part
}

describe('what a need asks of a node', () => {
  test('is in the units of a fleet, rounded up', () => {
    const asked = need({ cpu: atLeast(0.3), memoryGib: atLeast(1.0001), diskGib: atLeast(2) })
    expect(requestOn(asked, machine({ gpu: undefined }), NODE)).toEqual({
      cpuMilli: 300,
      memoryMib: 1025,
      diskMib: 2048,
      count: 0,
      part: { kind: 'whole' },
      models: undefined,
    })
    expect(requestOn(need(), machine(), NODE)).toMatchObject({ cpuMilli: 0, memoryMib: 0, diskMib: 0, count: 0 })
  })

  test('takes nothing of a disk of unknown size', () => {
    const asked = need({ diskGib: atLeast(2) })
    expect(requestOn(asked, machine(), nodeWith(8))?.diskMib).toBe(0)
  })

  test('is whole cards, as many as asked for', () => {
    expect(requestOn(gpuNeed({ count: atLeast(4) }), machine({ gpu: gpu({ count: 8 }) }), NODE)).toMatchObject({
      count: 4,
      part: { kind: 'whole' },
    })
    expect(requestOn(gpuNeed(), machine({ gpu: gpu() }), NODE)?.count).toBe(1)
  })

  test('is a slice, of profiles with the same memory the smallest', () => {
    const cut = { model: 'a100-80-sxm', sharing: 'mig' as const, vramGib: 20 }
    expect(partOf({}, { ...cut, profile: '1g.20gb' })).toEqual({ kind: 'slice', vramGib: 20 })
    expect(partOf({}, { ...cut, profile: '2g.20gb' })).toBeUndefined()
  })

  test('is as much of a card as has the memory, whichever way it is counted', () => {
    const shared = { model: 'l40s', sharing: 'share' as const, profile: undefined, vramGib: 48 }
    expect(partOf({ vramGib: atLeast(12) }, shared)).toEqual({ kind: 'share', milli: 250 })
    expect(partOf({ vramGib: atLeast(16) }, shared)).toEqual({ kind: 'share', milli: 334 })
    expect(partOf({ vramGib: atLeast(12), usableGib: atLeast(20) }, shared)).toMatchObject({ kind: 'share' })
    const usable = partOf({ usableGib: atLeast(20) }, shared)
    expect(usable).toEqual(partOf({ vramGib: atLeast(12), usableGib: atLeast(20) }, shared))
  })

  test('is no share when the need does not say how much', () => {
    expect(partOf({}, { model: 'l40s', sharing: 'share', profile: undefined, vramGib: 48 })).toBeUndefined()
  })

  test('is nothing where there are no cards', () => {
    expect(requestOn(gpuNeed(), machine({ gpu: undefined }), NODE)).toBeUndefined()
  })
})
