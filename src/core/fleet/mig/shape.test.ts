import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { FAMILIES, GPUS } from '../../hardware/table.ts'
import { PUBLISHED } from './published.suite.ts'
import { migRules } from './rules.ts'
import { migShape, type MigShape } from './shape.ts'
import { run } from './tables.ts'

const CUTTABLE = GPUS.filter(({ mig }) => mig.length > 0)

test('there is a published list for every model that can be cut', () => {
  expect([...PUBLISHED.keys()].toSorted()).toEqual(CUTTABLE.map(({ id }) => id).toSorted())
})

describe.each(CUTTABLE)('the shape of $id', (gpu) => {
  const { profiles } = must(migShape(gpu), gpu.id)
  const { unitsPerSlice } = must(migRules(gpu.id), gpu.id)

  test('yields the placements that its driver prints', () => {
    const derived = profiles.map(({ name, compute, starts, size }) => ({
      name,
      compute,
      starts: starts.map((start) => start * unitsPerSlice),
      size: size * unitsPerSlice,
    }))
    expect(derived).toEqual(PUBLISHED.get(gpu.id))
  })

  test('holds as many slices of a profile as the hardware table says', () => {
    expect(profiles.map(({ starts }) => starts.length)).toEqual(gpu.mig.map(({ max }) => max))
  })
})

test('whatever lies on free memory has compute to go with it', () => {
  for (const gpu of CUTTABLE) {
    const shape = must(migShape(gpu), gpu.id)
    const [computeMost, geometries] = mostCompute(shape)
    expect(computeMost).toBe(shape.compute)
    expect(geometries).toBeGreaterThan(1)
  }
})

test('members of a family are cut alike, so that the family can be cut', () => {
  for (const [family, members] of FAMILIES) {
    const shapes = members.map((gpu) => migShape(gpu))
    for (const shape of shapes) expect(shape).toEqual(shapes[0])
    expect(migRules(family)?.profiles).toEqual(shapes[0]?.profiles)
  }
})

test('a card without profiles has no shape', () => {
  expect(migShape({ id: 'l4', mig: [] })).toBeUndefined()
})

describe('a row of the hardware table that cannot be', () => {
  test('is a bug when it has a profile more often than there is room', () => {
    const mig = [
      { name: '1g.6gb', gib: 6, max: 4 },
      { name: '2g.12gb', gib: 12, max: 3 },
    ]
    expect(() => migShape({ id: 'a31', mig })).toThrow('a31: 2g.12gb fits 2 times')
  })

  test('is a bug when it has more slices than a byte has bits', () => {
    expect(() => migShape({ id: 'z1', mig: [{ name: '1g.1gb', gib: 1, max: 9 }] })).toThrow('z1: 16 memory slices')
  })
})

/** The most compute slices in use over every geometry there is, and how many masks those geometries have. */
function mostCompute({ profiles }: MigShape): readonly [number, number] {
  const seen = new Map([[0, 0]])
  for (const [taken, compute] of seen) {
    for (const profile of profiles) {
      for (const start of profile.starts) {
        const slices = run(profile, start)
        if ((taken & slices) !== 0) continue
        const after = compute + profile.compute
        if (after <= (seen.get(taken | slices) ?? -1)) continue
        // A mask that turns out to hold more compute is looked at again: Map visits what is added behind it.
        seen.delete(taken | slices)
        seen.set(taken | slices, after)
      }
    }
  }
  return [Math.max(...seen.values()), seen.size]
}
