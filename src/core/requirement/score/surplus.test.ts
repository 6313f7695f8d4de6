import { describe, expect, test } from 'vitest'
import { gpu, gpuNeed, need } from '../filter/facts.suite.ts'
import { ANY_GPU } from '../need/need.suite.ts'
import { ANY_NUMBER, atLeast } from '../need/range.ts'
import { onMachine } from './candidate.suite.ts'
import { surplus } from './surplus.ts'

const FOUR_OF_80 = { gpu: gpu({ count: 4, vramGib: 80 }), cpu: undefined, memoryGib: undefined }

describe('the surplus score', () => {
  test('a machine that is exactly as large as needed scores 1', () => {
    const asked = need({
      gpu: { ...ANY_GPU, count: atLeast(4), vramGib: atLeast(80) },
      cpu: atLeast(16),
      memoryGib: atLeast(64),
    })
    expect(onMachine(surplus, { ...FOUR_OF_80, cpu: 16, memoryGib: 64 }, asked)).toBe(1)
  })

  test('cards count by number and memory together', () => {
    expect(onMachine(surplus, FOUR_OF_80, gpuNeed({ count: atLeast(2), vramGib: atLeast(80) }))).toBe(0.5)
    expect(onMachine(surplus, FOUR_OF_80, gpuNeed({ count: atLeast(4), vramGib: atLeast(20) }))).toBe(0.25)
    expect(onMachine(surplus, FOUR_OF_80, gpuNeed({ count: atLeast(1), vramGib: ANY_NUMBER }))).toBe(0.25)
  })

  test('the shares of cards, CPU and memory are averaged', () => {
    const asked = need({ cpu: atLeast(8), memoryGib: atLeast(16) })
    expect(onMachine(surplus, { gpu: undefined, cpu: 16, memoryGib: 64 }, asked)).toBe((0.5 + 0.25) / 2)
  })

  test('no share counts for more than all of it', () => {
    expect(onMachine(surplus, { gpu: undefined, cpu: 4, memoryGib: 64 }, need({ cpu: atLeast(8) }))).toBe(1)
  })

  test('what is not asked for or not known does not count', () => {
    expect(onMachine(surplus, { gpu: undefined, cpu: 64, memoryGib: 64 }, need())).toBe(1)
    expect(onMachine(surplus, { gpu: undefined, cpu: undefined, memoryGib: 64 }, need({ cpu: atLeast(8) }))).toBe(1)
    const asked = need({ cpu: atLeast(8), memoryGib: atLeast(16) })
    expect(onMachine(surplus, { gpu: undefined, cpu: undefined, memoryGib: 64 }, asked)).toBe(0.25)
    expect(onMachine(surplus, { gpu: undefined, cpu: 16, memoryGib: undefined }, asked)).toBe(0.5)
    expect(onMachine(surplus, { gpu: undefined, cpu: 0, memoryGib: 64 }, asked)).toBe(0.25)
    expect(onMachine(surplus, FOUR_OF_80, gpuNeed())).toBe(1)
    expect(onMachine(surplus, { ...FOUR_OF_80, cpu: 16 }, need({ cpu: atLeast(8) }))).toBe(0.5)
    expect(onMachine(surplus, { gpu: undefined, cpu: 16 }, { ...gpuNeed(), cpu: atLeast(8) })).toBe(0.5)
  })
})
