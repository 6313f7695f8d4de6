import { expect, test } from 'vitest'
import { gpuById } from './table.ts'
import { tpuChips } from './tpu.ts'

test.each([
  ['tpu-v2-8', 'tpu-v2', 4],
  ['tpu-v3-2048', 'tpu-v3', 1024],
  ['tpu-v4-8', 'tpu-v4', 4],
  ['tpu-v5p-8', 'tpu-v5p', 4],
  ['tpu-v5p-12288', 'tpu-v5p', 6144],
  ['tpu-v5litepod-1', 'tpu-v5e', 1],
  ['tpu-v5litepod-8', 'tpu-v5e', 8],
  ['tpu-v5e-8', 'tpu-v5e', 8],
  ['tpu-v6e-256', 'tpu-v6e', 256],
  ['v5litepod-4', 'tpu-v5e', 4],
  ['v5p-2', 'tpu-v5p', 1],
  [' TPU_V6E_8 ', 'tpu-v6e', 8],
  ['tpu v4 16', 'tpu-v4', 8],
  ['tpuv4-16', 'tpu-v4', 8],
])('%s is a slice of %s with %i chips', (name, model, chips) => {
  expect(tpuChips(name)).toEqual({ model, chips })
  expect(gpuById(model)?.arch).toBe('tpu')
})

test.each([
  'tpu-v5p',
  'tpu-v5p-7',
  'tpu-v4-0',
  'tpu-v6e-0',
  'tpu-v7-8',
  'tpu-v5x-8',
  'v5constructor-8',
  'tpu7x-8',
  'xtpu-v4-8',
  'tpu-v4-8x',
  'h100',
  '',
])('"%s" is no slice of a TPU pod', (name) => {
  expect(tpuChips(name)).toBeUndefined()
})
