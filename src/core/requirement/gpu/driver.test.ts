import { describe, expect, test } from 'vitest'
import { atLeast } from '../need/range.ts'
import type { GpuFacts, Machine } from '../../offer/machine.ts'
import { gpuFilter } from '../filter/keyed.ts'
import { driver as key } from './driver.ts'
import {
  gpu,
  gpuNeed,
  inWords,
  loosened,
  machine,
  need,
  NO_GPU_INSIDE,
  NOW_MS,
  version,
} from '../filter/facts.suite.ts'

const driver = gpuFilter(key)

const NEEDS_550 = gpuNeed({ driver: atLeast(version('550.54')) })

/** A host that states its driver. */
function runs(text: string): Machine {
  return machine({ gpu: gpu({ driver: version(text) }) })
}

/** A host that does not, with a card whose own limits are known. */
function silent(change: Partial<GpuFacts>): Machine {
  return machine({ gpu: gpu({ driver: undefined, driverMin: undefined, driverMax: undefined, ...change }) })
}

describe('driver', () => {
  test('the driver asked for will do, and so will a newer one', () => {
    expect(driver.check(runs('550.54'), NEEDS_550, NOW_MS)).toBeUndefined()
    expect(driver.check(runs('550.54.1'), NEEDS_550, NOW_MS)).toBeUndefined()
  })

  test('an older driver is turned down', () => {
    const reason = driver.check(runs('550.53.999'), NEEDS_550, NOW_MS)
    expect(reason).toEqual({ code: 'DRIVER_TOO_OLD', wanted: '550.54', found: '550.53.999' })
    expect(inWords(driver, reason)).toBe('driver older than 550.54; clears: never')
  })

  test('a host that does not state its driver is an unknown', () => {
    const reason = driver.check(silent({}), NEEDS_550, NOW_MS)
    expect(reason).toEqual({ code: 'DRIVER_UNKNOWN', wanted: '550.54', found: undefined })
    expect(inWords(driver, reason)).toBe('does not say whether its driver is at least 550.54; clears: never')
  })

  test('a card that needs a newer driver anyway decides it', () => {
    expect(driver.check(silent({ driverMin: version('550.54') }), NEEDS_550, NOW_MS)).toBeUndefined()
    const older = silent({ driverMin: version('550.53') })
    expect(driver.check(older, NEEDS_550, NOW_MS)?.code).toBe('DRIVER_UNKNOWN')
  })

  test('a card that no such driver supports any more decides it too', () => {
    expect(driver.check(silent({ driverMax: version('550.53.999') }), NEEDS_550, NOW_MS)).toEqual({
      code: 'DRIVER_TOO_OLD',
      wanted: '550.54',
      found: 'at most 550',
    })
    expect(driver.check(silent({ driverMax: version('550.54') }), NEEDS_550, NOW_MS)?.code).toBe('DRIVER_UNKNOWN')
  })

  test('it says nothing where no driver, no GPU, no card or no NVIDIA card is in question', () => {
    expect(driver.check(runs('1'), gpuNeed(), NOW_MS)).toBeUndefined()
    expect(driver.check(runs('1'), need(), NOW_MS)).toBeUndefined()
    expect(driver.check(NO_GPU_INSIDE, NEEDS_550, NOW_MS)).toBeUndefined()
    expect(driver.check(silent({ vendor: 'amd' }), NEEDS_550, NOW_MS)).toBeUndefined()
  })

  test('loosening goes down to the drivers that hosts have or can have, newest first', () => {
    const kepler = silent({ driverMax: version('470.999.999') })
    expect(loosened(driver, NEEDS_550, [kepler, runs('535.104.5'), NO_GPU_INSIDE, silent({})])).toEqual([
      { change: 'resources.gpu.min_driver: 550.54 -> 535.104.05', admits: [false, true, true, false] },
      { change: 'resources.gpu.min_driver: 550.54 -> 470', admits: [false, true, true, false] },
    ])
  })

  test('loosening never asks for a newer driver', () => {
    const volta = silent({ driverMax: version('580.999.999') })
    expect(driver.check(volta, NEEDS_550, NOW_MS)?.code).toBe('DRIVER_UNKNOWN')
    expect(loosened(driver, NEEDS_550, [volta, runs('550.54')])).toEqual([])
    expect(loosened(driver, gpuNeed(), [runs('1')])).toEqual([])
    expect(loosened(driver, need(), [runs('1')])).toEqual([])
  })
})
