import { expect, test } from 'vitest'
import { flow } from './flow.ts'

test.each([
  [4, '4'],
  [true, 'true'],
  [null, 'null'],
  ['hopper', 'hopper'],
  ['80Gi', '80Gi'],
  ['25%', '25%'],
  ['1.5Ti', '1.5Ti'],
  ['/models/llama-70b', '/models/llama-70b'],
  ['s3://acme/models', 's3://acme/models'],
  ['ghcr.io/acme/vllm:0.22', 'ghcr.io/acme/vllm:0.22'],
  ['550', '"550"'],
  ['9.0', '"9.0"'],
  ['true', '"true"'],
  ['NULL', '"NULL"'],
  ['', '""'],
  ['a: b', '"a: b"'],
  ['a b', '"a b"'],
  ['a,b', '"a,b"'],
  ['--port', '"--port"'],
  ['ends:', '"ends:"'],
  [[], '[]'],
  [['a', 1], '[a, 1]'],
  [{}, '{}'],
  [{ min: 1, max: 8 }, '{ min: 1, max: 8 }'],
  [{ gpu: { count: 4, arch: ['hopper'] } }, '{ gpu: { count: 4, arch: [hopper] } }'],
])('%j is written %s', (value, text) => {
  expect(flow(value)).toBe(text)
})
