import { describe, expect, test } from 'vitest'
import { hostArchOf, plainFamilyOf, trustOf, upstreamOf } from './machines.ts'

describe('the host architecture', () => {
  test.each([
    ['aws', 'a1.large', 'arm64'],
    ['aws', 't4g.micro', 'arm64'],
    ['aws', 'm7g.large', 'arm64'],
    ['aws', 'c6gn.16xlarge', 'arm64'],
    ['aws', 'im4gn.large', 'arm64'],
    ['aws', 'is4gen.large', 'arm64'],
    ['aws', 'r8gb.large', 'arm64'],
    ['aws', 'g5g.xlarge', 'arm64'],
    ['aws', 'p6e-gb200.36xlarge', 'arm64'],
    ['aws', 'g5.xlarge', 'amd64'],
    ['aws', 'g6f.large', 'amd64'],
    ['aws', 'p4d.24xlarge', 'amd64'],
    ['aws', 'c7i-flex.large', 'amd64'],
    ['aws', 'u7i-12tb.224xlarge', 'amd64'],
    ['aws', 'mac2.metal', undefined],
    ['azure', 'Standard_D4ps_v5', 'arm64'],
    ['azure', 'Standard_E8pds_v6', 'arm64'],
    ['azure', 'Standard_B2pts_v2', 'arm64'],
    ['azure', 'Standard_D4s_v5', 'amd64'],
    ['azure', 'Standard_NP10s', 'amd64'],
    ['azure', 'Standard_E16-4ps_v5', 'arm64'],
    ['azure', 'Standard_NC6_Promo', 'amd64'],
    ['gcp', 't2a-standard-1', 'arm64'],
    ['gcp', 'c4a-standard-1', 'arm64'],
    ['gcp', 'n4a-standard-1', 'arm64'],
    ['gcp', 'a4x-highgpu-4g', 'arm64'],
    ['gcp', 'a4-highgpu-8g', 'amd64'],
    ['gcp', 'tpu-v5p-8', 'amd64'],
    ['oci', 'VM.Standard.A1.Flex$_2_8', 'arm64'],
    ['oci', 'BM.Standard.A1.160', 'arm64'],
    ['oci', 'VM.Standard.E4.Flex$_2_8', 'amd64'],
    ['oci', 'BM.GPU.A100-v2.8', 'amd64'],
    ['scaleway', 'COPARM1-2C-8G', 'arm64'],
    ['scaleway', 'H100-1-80G', 'amd64'],
    ['runpod', '1x_L4_SECURE', 'amd64'],
    ['vast', '1x-L40S-32-65536', 'amd64'],
    ['northwind', 'n8', undefined],
    ['constructor', 'n8', undefined],
  ] as const)('of %s %s is %s', (cloud, instance, arch) => {
    expect(hostArchOf(cloud, instance)).toBe(arch)
  })
})

describe('a resold machine', () => {
  test('has the name and, where known, the cloud of its first seller', () => {
    expect(upstreamOf('lambdalabs__1xH100_80GB__26__225', 'gpu_1x_h100_sxm5')).toEqual({
      provider: 'lambda',
      instance: 'gpu_1x_h100_sxm5',
    })
    expect(upstreamOf('datacrunch__1xV100_16GB__6__23__SPOT', '1V100.6V_SPOT')).toEqual({
      provider: 'verda',
      instance: '1V100.6V',
    })
    expect(upstreamOf('latitude__8xL40_48GB__128__1536', 'g3-l40s-large')).toEqual({
      provider: undefined,
      instance: 'g3-l40s-large',
    })
    expect(upstreamOf('constructor__x', 'y')).toEqual({ provider: undefined, instance: 'y' })
  })

  test('is not resold unless the row says so', () => {
    expect(upstreamOf('1B200.30V', '1B200.30V')).toBeUndefined()
    expect(upstreamOf('n8', '')).toBeUndefined()
  })
})

test('some machines say in whose hands they are', () => {
  expect(trustOf('runpod', '1x_L4_SECURE')).toBe('secure')
  expect(trustOf('runpod', '1x_L4_COMMUNITY')).toBe('community')
  expect(trustOf('runpod', 'cpu3c-2-4')).toBeUndefined()
  expect(trustOf('northwind', '1x_L4_SECURE')).toBeUndefined()
})

test('plain names mean the smaller card', () => {
  expect(['A100', 'H100', 'P100', 'RTX6000', 'V100'].map(plainFamilyOf)).toEqual([
    'a100-40',
    'h100-80',
    'p100-16',
    'quadro-rtx-6000',
    'v100-16',
  ])
  expect(plainFamilyOf('A100-80GB')).toBeUndefined()
  expect(plainFamilyOf('constructor')).toBeUndefined()
})
