import { describe, expect, test } from 'vitest'
import { readPodObject } from './pod-object.ts'
import { parseQuantity } from './quantity.ts'

const gpu = (count: number | string) => ({ resources: { limits: { 'nvidia.com/gpu': count } } })

function held(
  spec: Readonly<Record<string, unknown>>,
  status: Readonly<Record<string, unknown>> = { phase: 'Running' },
) {
  const read = readPodObject({ metadata: { name: 'p', namespace: 'n' }, spec: { nodeName: 'a', ...spec }, status })
  return read && Object.fromEntries(read.requests)
}

describe('what a pod holds', () => {
  test('the sum of its containers, a limit counting as a request', () => {
    const containers = [gpu(2), { resources: { requests: { cpu: '1500m', memory: '1Gi' }, limits: { cpu: '4' } } }, {}]
    expect(held({ containers })).toEqual({ 'nvidia.com/gpu': 2, cpu: 1.5, memory: 1024 ** 3 })
  })

  test('or its largest init container, if that needs more', () => {
    expect(held({ initContainers: [gpu(4), gpu(3)], containers: [gpu(1)] })).toEqual({ 'nvidia.com/gpu': 4 })
    expect(held({ initContainers: [gpu(1)], containers: [gpu(1), gpu(1)] })).toEqual({ 'nvidia.com/gpu': 2 })
  })

  test('sidecars run beside the containers, and beside the init containers after them', () => {
    const sidecar = { ...gpu(1), restartPolicy: 'Always' }
    expect(held({ initContainers: [sidecar], containers: [gpu(2)] })).toEqual({ 'nvidia.com/gpu': 3 })
    expect(held({ initContainers: [sidecar, gpu(4)], containers: [gpu(2)] })).toEqual({ 'nvidia.com/gpu': 5 })
    expect(held({ initContainers: [gpu(4), sidecar], containers: [gpu(2)] })).toEqual({ 'nvidia.com/gpu': 4 })
  })

  test('the overhead of its runtime is added, and what it states as a whole replaces the sum', () => {
    const containers = [{ resources: { requests: { cpu: 1 } } }]
    expect(held({ containers, overhead: { cpu: '250m' } })).toEqual({ cpu: 1.25 })
    expect(held({ containers, resources: { requests: { cpu: 3 } } })).toEqual({ cpu: 3 })
  })

  test('nothing without requests', () => {
    expect(held({ containers: [{ name: 'c' }] })).toEqual({})
  })

  test('one that has ended, or is on no node, holds nothing; one that is going still does', () => {
    expect(held({ containers: [gpu(1)] }, { phase: 'Succeeded' })).toBeUndefined()
    expect(held({ containers: [gpu(1)] }, { phase: 'Failed' })).toBeUndefined()
    expect(held({ containers: [gpu(1)], nodeName: '' })).toBeUndefined()
    expect(held({ containers: [gpu(1)] }, { phase: 'Pending' })).toEqual({ 'nvidia.com/gpu': 1 })
    const going = { metadata: { name: 'p', deletionTimestamp: 'now' }, spec: { nodeName: 'a', containers: [gpu(1)] } }
    expect(readPodObject(going)?.requests.get('nvidia.com/gpu')).toBe(1)
  })

  test('claims by name, or unknown where the status does not name them yet', () => {
    const spec = { nodeName: 'a', resourceClaims: [{ name: 'g', resourceClaimTemplateName: 't' }] }
    const named = { resourceClaimStatuses: [{ name: 'g', resourceClaimName: 'p-g-x' }] }
    expect(readPodObject({ metadata: { name: 'p' }, spec, status: named })?.claims).toEqual(['p-g-x'])
    expect(readPodObject({ metadata: { name: 'p' }, spec })?.claims).toBeUndefined()
    const extended = { extendedResourceClaimStatus: { resourceClaimName: 'p-extended' } }
    expect(readPodObject({ metadata: { name: 'p' }, spec: { nodeName: 'a' }, status: extended })?.claims).toEqual([
      'p-extended',
    ])
  })
})

test.each([
  ['8', 8],
  [8, 8],
  ['1k', 1000],
  ['3920m', 3.92],
  ['16Gi', 16 * 1024 ** 3],
  ['191G', 191e9],
  ['2e3', 2000],
  ['.5', 0.5],
  ['', undefined],
  ['many', undefined],
  ['-1', undefined],
  ['0x8', undefined],
  ['1e999', undefined],
  [Number.NaN, undefined],
  [undefined, undefined],
  ['1 Gi', undefined],
])('the quantity %j is %j', (written, amount) => {
  expect(parseQuantity(written)).toBe(amount)
})
