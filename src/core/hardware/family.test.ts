import { describe, expect, test } from 'vitest'
import { must } from '../base/assert.ts'
import { familyOf, modelFacts } from './family.ts'
import { FAMILIES, FAMILY_NAMES, GPUS, gpuById } from './table.ts'

const cards = (...ids: readonly string[]) => ids.map((id) => must(gpuById(id), id))

test('the facts about a model are its row', () => {
  for (const gpu of GPUS) expect(modelFacts(gpu.id)).toBe(gpu)
})

test('an unknown id has no facts', () => {
  expect(modelFacts('h1000')).toBeUndefined()
  expect(modelFacts('constructor')).toBeUndefined()
})

describe('the facts about a family', () => {
  test('are what its members share; what differs is unknown', () => {
    expect(modelFacts('h100-80')).toEqual({
      id: 'h100-80',
      family: 'h100-80',
      vendor: 'nvidia',
      name: 'H100 80 GB (SXM or PCIe)',
      arch: 'hopper',
      target: '9.0',
      form: undefined,
      vramGib: 80,
      vramMib: 81559,
      vramMibSeen: [81559, 81920],
      memoryGbps: undefined,
      fp16Tflops: undefined,
      link: 'bridge',
      linkGbps: undefined,
      switchFrom: undefined,
      mig: gpuById('h100-sxm')?.mig,
      driverMin: '525.53',
      driverMax: undefined,
      cudaMin: '11.8',
      cudaMax: undefined,
      hostArch: undefined,
      pcieGen: 5,
      aliases: [],
      soldAs: [],
      unverified: [],
    })
  })

  test('say that a link is possible where some have one and some have none', () => {
    expect(cards('v100-16-sxm', 'v100-16-pcie').map(({ link }) => link)).toEqual(['nvlink', 'none'])
    expect(modelFacts('v100-16')).toMatchObject({
      link: 'bridge',
      linkGbps: undefined,
      driverMax: '580',
      cudaMax: '12',
    })
  })

  test('keep the link that all have', () => {
    expect(modelFacts('rtx-pro-6000')).toMatchObject({ link: 'none', form: 'pcie', memoryGbps: 1792 })
  })

  test('know memory sizes of every member, and only what all of them report as the one reported', () => {
    expect(modelFacts('rtx-pro-4500')).toMatchObject({ vramMib: undefined, vramMibSeen: [32768, 32623] })
  })

  test('keep what is unverified about any member', () => {
    expect(modelFacts('v100-32')?.unverified).toEqual(['fp16Tflops', 'linkGbps', 'memoryGbps', 'vramMib'])
  })

  test('exist for every family of several', () => {
    for (const [id, name] of Object.entries(FAMILY_NAMES)) {
      expect(modelFacts(id)).toMatchObject({ id, name, family: id, vramGib: FAMILIES.get(id)?.[0]?.vramGib })
    }
  })
})

describe('several models have one id', () => {
  test('when they are of one family', () => {
    expect(familyOf(cards('a100-80-sxm', 'a100-80-pcie'))).toBe('a100-80')
    expect(familyOf(cards('l4'))).toBe('l4')
  })

  test('and none otherwise', () => {
    expect(familyOf(cards('a100-80-sxm', 'a100-40-sxm'))).toBeUndefined()
    expect(familyOf(cards('a100-80-sxm', 'a100-80-pcie', 'l4'))).toBeUndefined()
    expect(familyOf([])).toBeUndefined()
  })
})
