import { describe, expect, test } from 'vitest'
import { ARCHES, archTargets } from './arch.ts'
import type { GpuModel } from './gpu.ts'
import { readSpelling } from './spelling.ts'
import { FAMILIES, FAMILY_NAMES, GPUS, gpuById } from './table.ts'

/** Names that people use for cards of more than one family; everything else is one family's own. */
const SHARED_NAMES = ['RTX 4000', 'RTX 5000', 'RTX6000', 'NVIDIA GeForce RTX 4060 Ti', 'NVIDIA GeForce RTX 5060 Ti']

const VERSION = /^\d+(\.\d+)*$/

test('the table changes only on purpose', async () => {
  const lines = GPUS.map((gpu) => Object.values(describeGpu(gpu)).join(' | '))
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('table.golden.txt')
})

test('the table is sorted by id, and no id occurs twice', () => {
  const ids = GPUS.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)].toSorted())
  expect(ids.length).toBeGreaterThanOrEqual(120)
})

test('a model is found by its id and by nothing else', () => {
  expect(gpuById('h100-sxm')?.name).toBe('H100 SXM 80 GB')
  expect(gpuById('H100-SXM')).toBeUndefined()
  expect(gpuById('h100-80')).toBeUndefined()
})

describe.each(GPUS.map((gpu) => [gpu.id, gpu] as const))('%s', (_, gpu) => {
  test('has an architecture of its vendor, and a target that belongs to it', () => {
    expect(ARCHES[gpu.arch]?.vendor).toBe(gpu.vendor)
    expect(archTargets(gpu.arch)).toContain(gpu.target)
  })

  test('has a name that can be read', () => {
    expect(gpu.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(readSpelling(gpu.name)?.base).not.toBe('')
  })

  test('reports about as much memory as it is sold with', () => {
    const sizes = [...(gpu.vramMib === undefined ? [] : [gpu.vramMib]), ...gpu.vramMibSeen]
    for (const mib of sizes) expect(Math.abs(mib / 1024 / gpu.vramGib - 1)).toBeLessThan(0.1)
  })

  test('can be cut only into what fits on it', () => {
    for (const { name, gib, max } of gpu.mig) {
      expect(name).toMatch(new RegExp(`^[1-7]g\\.${gib}gb$`))
      expect(gib).toBeLessThanOrEqual(gpu.vramGib)
      expect(max).toBeGreaterThanOrEqual(1)
      // Profile names round up, by less than one gigabyte a slice.
      expect(gib * max).toBeLessThan(gpu.vramGib + max)
    }
  })

  test('has a link speed only if it has a link, and a switch only with NVLink', () => {
    if (gpu.link === 'none') expect(gpu.linkGbps).toBeUndefined()
    if (gpu.switchFrom !== undefined) expect(gpu.link).toBe('nvlink')
  })

  test('names real fields as unverified, each once', () => {
    expect(gpu.unverified.filter((field) => !Object.hasOwn(gpu, field))).toEqual([])
    expect(new Set(gpu.unverified).size).toBe(gpu.unverified.length)
  })

  test('has versions that are versions, and CUDA exactly if NVIDIA makes it', () => {
    const versions = [gpu.driverMin, gpu.driverMax, gpu.cudaMin, gpu.cudaMax].filter((text) => text !== undefined)
    for (const version of versions) expect(version).toMatch(VERSION)
    expect(gpu.cudaMin !== undefined).toBe(gpu.vendor === 'nvidia')
    if (gpu.vendor !== 'nvidia') expect(versions).toEqual([])
  })

  test('is sold under patterns that can be read', () => {
    for (const pattern of gpu.soldAs) expect(pattern).toMatch(/^[a-z]+:[\w.+*#:-]+?(=(\d+|1\/\d+))?$/)
    expect(new Set(gpu.soldAs).size).toBe(gpu.soldAs.length)
  })
})

test('Volta and older end with driver 580 and CUDA 12, Kepler with 470 and 11, and nothing newer ends', () => {
  const ends = GPUS.map((gpu) => [gpu.arch, gpu.driverMax, gpu.cudaMax].join(' '))
  expect([...new Set(ends.filter((end) => !end.endsWith('  ')))].toSorted()).toEqual([
    'kepler 470 11',
    'maxwell 580 12',
    'pascal 580 12',
    'volta 580 12',
  ])
  expect(ends).not.toContain('kepler  ')
  expect(ends).not.toContain('maxwell  ')
  expect(ends).not.toContain('pascal  ')
  expect(ends).not.toContain('volta  ')
})

test('cards that only exist beside Arm processors say so', () => {
  const arm = GPUS.filter(({ hostArch }) => hostArch !== undefined)
  expect(arm.map(({ id, hostArch }) => `${id} ${hostArch}`)).toEqual([
    'gb200 arm64',
    'gb300 arm64',
    'gh200-144 arm64',
    'gh200-96 arm64',
    't4g arm64',
  ])
})

test('boards of eight have a switch', () => {
  const switched = GPUS.filter(({ switchFrom }) => switchFrom !== undefined)
  expect(new Set(switched.map(({ switchFrom }) => switchFrom))).toEqual(new Set([8]))
  expect(switched.every(({ form }) => form === 'sxm')).toBe(true)
  expect(switched.map(({ id }) => id)).toContain('a100-40-sxm')
})

describe('families', () => {
  const several = [...FAMILIES].filter(([, members]) => members.length > 1)

  test('every model is in its family, and a family of several has an id and a name of its own', () => {
    expect([...FAMILIES.values()].flat()).toHaveLength(GPUS.length)
    expect(several.map(([id]) => id).toSorted()).toEqual(Object.keys(FAMILY_NAMES).toSorted())
    for (const [id] of several) expect(gpuById(id)).toBeUndefined()
  })

  test.each(several)('%s: members share vendor, architecture, target and memory', (_, members) => {
    const facts = members.map(({ vendor, arch, target, vramGib }) => [vendor, arch, target, vramGib].join(' '))
    expect(new Set(facts).size).toBe(1)
  })

  test('a name belongs to one family, unless it is declared to be shared', () => {
    const families = new Map<string, Set<string>>()
    for (const gpu of GPUS) {
      for (const name of new Set([gpu.name, ...gpu.aliases])) {
        families.set(name, (families.get(name) ?? new Set()).add(gpu.family))
      }
    }
    const shared = [...families].filter(([, of]) => of.size > 1).map(([name]) => name)
    expect(shared.toSorted()).toEqual(SHARED_NAMES.toSorted())
  })
})

/** Every field in one line, in the order of the type. */
function describeGpu(gpu: GpuModel): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(gpu).map(([field, value]) => [field, Array.isArray(value) ? listed(value) : String(value ?? '?')]),
  )
}

function listed(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))).join(', ')
}
