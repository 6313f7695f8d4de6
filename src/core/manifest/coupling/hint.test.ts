import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import type { GpuModel } from '../../hardware/gpu.ts'
import { gpuById } from '../../hardware/table.ts'
import { readCards } from './card.ts'
import { hintOf, kindsOf, linkOf, meantBy, messageOf, namesOf } from './hint.ts'
import type { ForeignGpu } from './rule.ts'

describe('messageOf', () => {
  test.each([
    [{ does: 'x' }, 'This x.'],
    [{ does: 'x', advice: 'Remove it.' }, 'This x.'],
    [{ does: 'x', gpu: {} }, 'This x; state what you need from it:'],
    [{ does: 'x', lines: ['cpu: 1'] }, 'This x; state what you need instead:'],
    [{ does: 'x', facts: 'is y', gpu: {} }, 'This x. It is y; state what you need from it:'],
    [{ does: 'x', facts: 'has y', lines: ['cpu: 1'] }, 'This x. It has y; state what you need from it:'],
    [{ does: 'x', policy: {} }, 'This x; the platform decides this in a policy:'],
    [{ does: 'x', gpu: {}, policy: {} }, 'This x; state what you need from it:'],
    [{ does: 'x', lead: 'y', policy: {} }, 'This x; y:'],
  ])('%j', (said, message) => expect(messageOf(said)).toBe(message))
})

describe('hintOf', () => {
  test('puts cards first, then lines, the policy and advice', () => {
    const said = {
      does: '',
      gpu: { count: 2 },
      lines: ['cpu: 1', 'memory: 2Gi'],
      policy: { spot: 'only' },
      advice: 'Go.',
    } as const
    expect(hintOf(said, 'map')).toBe(
      'gpu: { count: 2 }\ncpu: 1\nmemory: 2Gi\npolicy: NAME  # one in berth.config.yaml with spot: only\nGo.',
    )
  })

  test('lists all that a policy has to say', () => {
    const policy = {
      allow: ['a', 'b'],
      residency: ['eu', 'us'],
      spot: 'never',
      maxUsdPerHour: 2.5,
      trust: ['t', 'u'],
    } as const
    expect(hintOf({ does: '', policy }, 'map')).toBe(
      'policy: NAME  # one in berth.config.yaml with providers: { allow: [a, b] }, residency: [eu, us], spot: never, max_usd_per_hour: 2.5, trust: [t, u]',
    )
    expect(hintOf({ does: '', policy: { residency: [] } }, 'map')).toBe(
      'policy: NAME  # one in berth.config.yaml with residency: the allowed areas',
    )
  })

  test('writes every field of a request, in one order', () => {
    const gpu: ForeignGpu = {
      sharing: 'any',
      interconnect: 'nvlink',
      minCuda: '12.4',
      minDriver: '550',
      minCapability: '9.0',
      arch: ['hopper', 'ada'],
      minUsableMib: 100,
      minVramGib: 80,
      count: 2,
    }
    const fields = [
      'count: 2',
      'min_vram: 80Gi',
      'min_usable_vram: 100Mi',
      'arch: [hopper, ada]',
      'min_compute_capability: "9.0"',
      'min_driver: "550"',
      'min_cuda: "12.4"',
      'interconnect: nvlink',
      'sharing: any',
    ]
    expect(hintOf({ does: '', gpu }, 'map')).toBe(`gpu: { ${fields.join(', ')} }`)
    expect(hintOf({ does: '', gpu }, 'fields')).toBe(fields.slice(1).join('\n'))
    expect(hintOf({ does: '', gpu: { count: 2 } }, 'fields')).toBe('count: 2')
    expect(hintOf({ does: '', gpu: {} }, 'map')).toBe('gpu: { count: 1 }')
  })

  test('names a vendor only where nothing else implies it', () => {
    expect(hintOf({ does: '', gpu: { vendor: 'amd' } }, 'map')).toBe('gpu: { vendor: amd }')
    expect(hintOf({ does: '', gpu: { vendor: 'amd', arch: ['cdna3'] } }, 'map')).toBe('gpu: { arch: cdna3 }')
    expect(hintOf({ does: '', gpu: { vendor: 'nvidia', count: 1 } }, 'map')).toBe('gpu: { count: 1 }')
  })

  test.each([
    ['L4', 'gpu: { min_vram: 24Gi, arch: ada }'],
    ['L4:48GB', 'gpu: { min_vram: 48Gi, arch: ada }'],
    ['L40S:24GB', 'gpu: { min_vram: 48Gi, arch: ada }'],
    ['A100:80GB', 'gpu: { min_vram: 80Gi, arch: ampere }'],
    [
      'A100',
      'gpu: { min_vram: 40Gi, arch: ampere }  # A100 40 GB (SXM or PCIe)\ngpu: { min_vram: 80Gi, arch: ampere }  # A100 80 GB (SXM or PCIe)',
    ],
    ['A100,L4', 'gpu: { min_vram: 24Gi, arch: [ampere, ada] }'],
    ['a100_1g.10gb:2', 'gpu: { count: 2, min_vram: 10Gi, arch: ampere, sharing: mig }'],
    ['A100-SXM4-80GB', 'gpu: { min_vram: 80Gi, arch: ampere }'],
    ['A100-SXM4-80GB:1', 'gpu: { count: 1, min_vram: 80Gi, arch: ampere }'],
    ['A100-SXM4-80GB:2', 'gpu: { count: 2, min_vram: 80Gi, arch: ampere, interconnect: nvlink }'],
    ['A100-SXM4-80GB:7', 'gpu: { count: 7, min_vram: 80Gi, arch: ampere, interconnect: nvlink }'],
    ['A100-SXM4-80GB:8', 'gpu: { count: 8, min_vram: 80Gi, arch: ampere, interconnect: nvswitch }'],
    ['A100-SXM4-80GB,L4:8', 'gpu: { count: 8, min_vram: 24Gi, arch: [ampere, ada] }'],
    ['A100-80G-PCIe-NVLink:2', 'gpu: { count: 2, min_vram: 80Gi, arch: ampere, interconnect: nvlink }'],
    ['nobody', 'gpu: { count: 1 }  # and what each card must have: min_vram, arch'],
    ['nobody,L4:2', 'gpu: { count: 2, min_vram: 24Gi, arch: ada }  # and what each card must have: min_vram, arch'],
  ])('%s', (text, hint) => expect(hintOf({ does: '', gpu: readCards(text) }, 'map')).toBe(hint))

  test('inside a gpu map, kinds of a card share what they have in common', () => {
    expect(fieldsFor('A100:2')).toBe(
      'arch: ampere\nmin_vram: 40Gi  # A100 40 GB (SXM or PCIe)\nmin_vram: 80Gi  # A100 80 GB (SXM or PCIe)',
    )
    expect(fieldsFor('RTX6000')).toBe(
      'min_vram: 24Gi  # Quadro RTX 6000\narch: turing\nmin_vram: 96Gi  # RTX PRO 6000 (any edition)\narch: blackwell-rtx',
    )
    expect(fieldsFor('nobody')).toBe('count: 1  # and what each card must have: min_vram, arch')
  })
})

describe('kinds of cards', () => {
  test('differ by architecture or by half as much memory again', () => {
    expect(kindsOf(models('h100-nvl', 'h100-sxm')).map(idsOf)).toEqual([['h100-sxm', 'h100-nvl']])
    expect(kindsOf(models('gh200-144', 'gh200-96')).map(idsOf)).toEqual([['gh200-96'], ['gh200-144']])
    expect(kindsOf(models('l4', 'a10')).map(idsOf)).toEqual([['l4'], ['a10']])
    expect(kindsOf([])).toEqual([])
  })

  test('are meant by a request when they have the memory it asks for, if any has', () => {
    expect(sizesOf('V100:32GB')).toEqual([32, 32])
    expect(sizesOf('V100:64GB')).toEqual([16, 16, 32, 32])
    expect(meantBy({})).toEqual([])
  })

  test('are called by their family when several of it are meant', () => {
    expect(namesOf(models('h100-nvl', 'h100-sxm', 'h100-pcie'))).toEqual(['H100 80 GB (SXM or PCIe)', 'H100 NVL 94 GB'])
    expect(namesOf(models('h100-sxm', 'h100-sxm'))).toHaveLength(1)
    expect(namesOf(models('h100-sxm'))).toEqual(['H100 SXM 80 GB'])
    expect(namesOf([])).toEqual([])
  })
})

test('linkOf says how cards are joined', () => {
  expect(linkOf(readCards('H100-SXM:8'))).toBe('nvswitch')
  expect(linkOf(readCards('H100-SXM:2'))).toBe('nvlink')
  expect(linkOf(readCards('H100-SXM'))).toBeUndefined()
  expect(linkOf(readCards('H100:8'))).toBeUndefined()
  expect(linkOf({ count: 2, interconnect: 'nvlink' })).toBe('nvlink')
  expect(linkOf({ ...readCards('L4:2'), interconnect: 'nvlink' })).toBe('nvlink')
})

function models(...ids: readonly string[]): readonly GpuModel[] {
  return ids.map((id) => must(gpuById(id), id))
}

function fieldsFor(text: string): string {
  return hintOf({ does: '', gpu: readCards(text) }, 'fields')
}

function idsOf(kind: readonly GpuModel[]): readonly string[] {
  return kind.map(({ id }) => id)
}

function sizesOf(text: string): readonly number[] {
  return meantBy(readCards(text)).map(({ vramGib }) => vramGib)
}
