import { describe, expect, test } from 'vitest'
import { ARCHES, ARCH_SYNONYMS, archTargets, archVendor } from './arch.ts'

describe('an architecture is a set of targets', () => {
  test.each([
    ['kepler', 'nvidia', ['3.0', '3.5', '3.7']],
    ['maxwell', 'nvidia', ['5.0', '5.2', '5.3']],
    ['pascal', 'nvidia', ['6.0', '6.1', '6.2']],
    ['volta', 'nvidia', ['7.0', '7.2']],
    ['turing', 'nvidia', ['7.5']],
    ['ampere', 'nvidia', ['8.0', '8.6', '8.7']],
    ['ada', 'nvidia', ['8.9']],
    ['hopper', 'nvidia', ['9.0']],
    ['blackwell', 'nvidia', ['10.0', '10.3']],
    ['blackwell-ultra', 'nvidia', ['10.3']],
    ['blackwell-rtx', 'nvidia', ['12.0', '12.1']],
    ['gcn5', 'amd', ['gfx900', 'gfx906']],
    ['rdna1', 'amd', ['gfx1010', 'gfx1011', 'gfx1012']],
    ['cdna', 'amd', ['gfx908']],
    ['cdna2', 'amd', ['gfx90a']],
    ['cdna3', 'amd', ['gfx942']],
    ['cdna4', 'amd', ['gfx950']],
    ['gaudi2', 'intel', ['gaudi2']],
    ['gaudi3', 'intel', ['gaudi3']],
    ['tpu', 'google', ['v2', 'v3', 'v4', 'v5e', 'v5p', 'v6e', '7x']],
    ['neuron', 'aws', ['neuroncore-v1', 'neuroncore-v2', 'neuroncore-v3']],
    ['qaic', 'qualcomm', ['qaic100']],
  ])('%s is %s', (name, vendor, targets) => {
    expect(archVendor(name)).toBe(vendor)
    expect(archTargets(name)).toEqual(targets)
  })

  test('these are all', () => {
    expect(Object.keys(ARCHES)).toHaveLength(22)
  })

  test('datacentre and RTX Blackwell have no target in common', () => {
    const rtx = new Set(archTargets('blackwell-rtx'))
    expect(archTargets('blackwell')?.filter((target) => rtx.has(target))).toEqual([])
  })
})

describe('an architecture may be written in other ways', () => {
  test.each([
    ['ada-lovelace', 'ada'],
    ['lovelace', 'ada'],
    ['grace-hopper', 'hopper'],
    ['blackwell-datacenter', 'blackwell'],
    ['blackwell-datacentre', 'blackwell'],
    ['blackwell-consumer', 'blackwell-rtx'],
    ['rtx-blackwell', 'blackwell-rtx'],
    ['vega', 'gcn5'],
    ['rdna', 'rdna1'],
    ['cdna1', 'cdna'],
    ['  Hopper ', 'hopper'],
    ['Ada Lovelace', 'ada'],
    ['ADA  _LOVELACE', 'ada'],
    ['BLACKWELL_RTX', 'blackwell-rtx'],
  ])('%s is %s', (written, name) => {
    expect(archTargets(written)).toBe(ARCHES[name]?.targets)
    expect(archVendor(written)).toBe(ARCHES[name]?.vendor)
  })

  test('a synonym leads to exactly one name', () => {
    for (const [synonym, name] of Object.entries(ARCH_SYNONYMS)) {
      expect(Object.keys(ARCHES)).not.toContain(synonym)
      expect(Object.keys(ARCHES)).toContain(name)
    }
    expect(Object.keys(ARCH_SYNONYMS)).toHaveLength(10)
  })
})

test.each(['', 'hoper', 'constructor', '__proto__', 'toString', '9.0'])('"%s" is no architecture', (name) => {
  expect(archTargets(name)).toBeUndefined()
  expect(archVendor(name)).toBeUndefined()
})
