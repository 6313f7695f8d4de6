import { describe, expect, test } from 'vitest'
import type { GpuHints } from './gpu.ts'
import { resolveGpu, tpuChips } from './resolve.ts'
import { gpuById } from './table.ts'

/** `h100-sxm`, `h100-pcie or h100-sxm`, `unknown`; with `mig 1g.24gb (24)` or `share (3)` and `linked` behind it. */
function told(text: string, hints?: GpuHints): string {
  const found = resolveGpu(text, hints)
  if (found.kind === 'unknown') return 'unknown'
  const ids = found.kind === 'gpu' ? [found.gpu.id] : found.candidates.map(({ id }) => id)
  const slice = found.slice && [found.slice.kind, found.slice.profile, `(${found.slice.gib})`]
  return [ids.join(' or '), ...(slice ?? []), ...(found.linked ? ['linked'] : [])].filter(Boolean).join(' ')
}

const PRO_6000 = 'rtx-pro-6000-max-q or rtx-pro-6000-server or rtx-pro-6000-workstation'

describe('a name that says enough stands for one card', () => {
  test.each([
    // As drivers write them.
    ['NVIDIA H100 80GB HBM3', 'h100-sxm'],
    ['NVIDIA-H100-80GB-HBM3', 'h100-sxm'],
    ['NVIDIA H100 PCIe', 'h100-pcie'],
    ['NVIDIA H100 NVL', 'h100-nvl'],
    ['NVIDIA H200 NVL', 'h200-nvl'],
    ['NVIDIA GH200 480GB', 'gh200-96'],
    ['NVIDIA GH200 144G HBM3e', 'gh200-144'],
    ['NVIDIA B300 SXM6 AC', 'b300-sxm'],
    ['NVIDIA A100-PCIE-40GB', 'a100-40-pcie'],
    ['NVIDIA A100 80GB PCIe', 'a100-80-pcie'],
    ['Tesla V100-SXM2-16GB', 'v100-16-sxm'],
    ['Tesla-T4', 't4'],
    ['NVIDIA GeForce RTX 4070 Ti SUPER', 'rtx-4070-ti-super'],
    ['NVIDIA RTX 6000 Ada Generation', 'rtx-6000-ada'],
    ['NVIDIA RTX PRO 6000 Blackwell Server Edition', 'rtx-pro-6000-server'],
    ['NVIDIA RTX PRO 6000 Blackwell Workstation Edition', 'rtx-pro-6000-workstation'],
    ['NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition', 'rtx-pro-6000-max-q'],
    ['NVIDIA RTX PRO 4500 Blackwell Server Edition', 'rtx-pro-4500-server'],
    ['AMD Instinct MI300X OAM', 'mi300x'],
    ['HL-225', 'gaudi2'],
    // As providers and catalogues write them.
    ['A100-80GB-SXM', 'a100-80-sxm'],
    ['A100_40GB+PCIe', 'a100-40-pcie'],
    ['NVIDIA_A100_PCIe_80G', 'a100-80-pcie'],
    ['NVIDIA_B300_262G', 'b300-sxm'],
    ['H100-MEGA', 'h100-sxm'],
    ['nvidia-h100-mega-80gb', 'h100-sxm'],
    ['GB200-NVL-186GB', 'gb200'],
    ['RTX6000Ada', 'rtx-6000-ada'],
    ['RTX 6000Ada', 'rtx-6000-ada'],
    ['RTX5880-Ada', 'rtx-5880-ada'],
    ['RTX-A6000', 'rtx-a6000'],
    ['A6000', 'rtx-a6000'],
    ['RTXA5000', 'rtx-a5000'],
    ['RTX PRO Server 6000', 'rtx-pro-6000-server'],
    ['RTXPRO6000WS', 'rtx-pro-6000-workstation'],
    ['RTX PRO 6000 WK', 'rtx-pro-6000-workstation'],
    ['RTXPRO4500-SE', 'rtx-pro-4500-server'],
    ['RTX 4070S Ti', 'rtx-4070-ti-super'],
    ['T4g', 't4g'],
    ['Radeon Pro V520', 'radeon-pro-v520'],
    ['Radeon MI25', 'mi25'],
    ['GAUDI2', 'gaudi2'],
    ['Inferentia', 'inferentia'],
    ['Inferentia2', 'inferentia2'],
    ['AWS_Trainium_32G', 'trainium'],
    ['Qualcomm AI100', 'qualcomm-ai100'],
    ['tpu-v5p-8', 'tpu-v5p'],
    ['tpu-v5litepod-256', 'tpu-v5e'],
    ['TPU v4', 'tpu-v4'],
    // As people write them.
    ['  h100 sxm5 80 gb ', 'h100-sxm'],
    ['H100SXM5', 'h100-sxm'],
    ['L40S', 'l40s'],
    ['l4', 'l4'],
    ['Quadro RTX 6000', 'quadro-rtx-6000'],
    ['rtx 4090', 'rtx-4090'],
    ['k80', 'k80'],
    // Our own ids.
    ['a100-80-sxm', 'a100-80-sxm'],
    ['RTX-4060-Ti-16', 'rtx-4060-ti-16'],
  ])('%s: %s', (text, id) => {
    expect(told(text)).toBe(id)
  })
})

describe('a name that leaves something open stands for all it may be', () => {
  test.each([
    ['A100', 'a100-40-pcie or a100-40-sxm or a100-80-pcie or a100-80-sxm'],
    ['A100-80GB', 'a100-80-pcie or a100-80-sxm'],
    ['A100 SXM', 'a100-40-sxm or a100-80-sxm'],
    ['V100', 'v100-16-pcie or v100-16-sxm or v100-32-pcie or v100-32-sxm'],
    ['V100-32GB', 'v100-32-pcie or v100-32-sxm'],
    ['P100', 'p100-pcie-12 or p100-pcie-16 or p100-sxm-16'],
    ['H100', 'h100-nvl or h100-pcie or h100-sxm'],
    ['H100 80GB', 'h100-pcie or h100-sxm'],
    ['H100-NVLINK', 'h100-nvl or h100-pcie or h100-sxm linked'],
    ['H200', 'h200-nvl or h200-sxm'],
    ['GH200', 'gh200-144 or gh200-96'],
    ['RTX6000', `quadro-rtx-6000 or ${PRO_6000}`],
    ['RTX 6000 96GB', PRO_6000],
    ['RTXPRO6000', PRO_6000],
    ['RTX-PRO-6000', PRO_6000],
    ['RTXPro6000', PRO_6000],
    ['RTX PRO 6000 96GB', PRO_6000],
    ['RTX-PRO-6000-CC', PRO_6000],
    ['RTX 3080', 'rtx-3080-10 or rtx-3080-12'],
    ['RTX 4060 Ti', 'rtx-4060-ti-16 or rtx-4060-ti-8'],
    ['RTX 4000', 'quadro-rtx-4000 or rtx-4000-ada'],
    // The id of a family.
    ['h100-80', 'h100-pcie or h100-sxm'],
    ['v100-32', 'v100-32-pcie or v100-32-sxm or v100s-32-pcie'],
  ])('%s: %s', (text, ids) => {
    expect(told(text)).toBe(ids)
  })
})

describe('what is not wholly understood is unknown', () => {
  test.each([
    '',
    ' ',
    'gpu',
    'NVIDIA',
    '80GB',
    'Virtex UltraScale+ (VU47P)',
    'H1000',
    'H100x8',
    'H100:8',
    '8x H100',
    'H100 foo',
    'A100X',
    'NVIDIA A100-SXM4-80GB-SHARED',
    // Cards that do not exist.
    'H100 40GB',
    'H100 SXM4',
    'A100 NVL',
    'AMD H100',
    'NVIDIA MI300X',
    'H100 Server Edition',
    'L40S NVLink',
    'L4 HBM3',
    'Turing A100',
    'A100 40GB 80GB',
    'H100 96GB',
    'tpu-v5p-7',
    'tpu7x-8',
    'constructor',
    '__proto__',
    'toString',
    'A100'.padStart(200),
  ])('"%s"', (text) => {
    expect(resolveGpu(text)).toEqual({ kind: 'unknown' })
  })
})

describe('a slice is not a card', () => {
  test.each([
    ['PRO 6000 MIG 24GB', `${PRO_6000} mig 1g.24gb (24)`],
    ['PRO-6000-MIG-48GB', `${PRO_6000} mig 2g.48gb (48)`],
    ['NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb', 'rtx-pro-6000-server mig 1g.24gb (24)'],
    ['NVIDIA-A100-SXM4-80GB-MIG-1g.10gb', 'a100-80-sxm mig 1g.10gb (10)'],
    // Only the small A100 can be cut like this.
    ['A100 MIG 1g.5gb', 'a100-40-pcie or a100-40-sxm mig 1g.5gb (5)'],
    ['A100 MIG 1g.10gb', 'a100-40-pcie or a100-40-sxm or a100-80-pcie or a100-80-sxm mig 1g.10gb (10)'],
    ['A100 MIG 1g.20gb', 'a100-80-pcie or a100-80-sxm mig 1g.20gb (20)'],
    // 20 GB of it may be one or two sevenths of the chip.
    ['A100-80GB-SXM MIG 20GB', 'a100-80-sxm mig (20)'],
    ['A30 MIG 12GB', 'a30 mig 2g.12gb (12)'],
    ['H100-SXM 7g.80gb', 'h100-sxm mig 7g.80gb (80)'],
  ])('%s: %s', (text, answer) => {
    expect(told(text)).toBe(answer)
  })

  test.each(['H100 MIG 1g.5gb', 'L40S MIG 12GB', 'A100 MIG', 'A100 MIG 11GB', 'A100 MIG 1g.20gb+me'])(
    '"%s" cannot be had from any card',
    (text) => {
      expect(told(text)).toBe('unknown')
    },
  )
})

describe('memory distinguishes cards', () => {
  test.each([
    ['A100', 40960, 'a100-40-pcie or a100-40-sxm'],
    ['A100', 81251, 'a100-80-pcie or a100-80-sxm'],
    ['H100', 95830, 'h100-nvl'],
    ['H100', 81559, 'h100-pcie or h100-sxm'],
    ['RTX6000', 24576, 'quadro-rtx-6000'],
    ['RTX6000', 98304, PRO_6000],
    ['RTX 4060 Ti', 16380, 'rtx-4060-ti-16'],
    ['GH200', 98304, 'gh200-96'],
    // A size that none of them has is not used: the caller has to compare.
    ['H200', 81920, 'h200-nvl or h200-sxm'],
    ['L4', 80, 'l4'],
    ['A100', 163840, 'a100-40-pcie or a100-40-sxm or a100-80-pcie or a100-80-sxm'],
  ])('%s with %i MiB: %s', (text, vramMib, answer) => {
    expect(told(text, { vramMib })).toBe(answer)
  })
})

describe('the machine distinguishes cards', () => {
  test.each([
    ['azure', 'Standard_NC40ads_H100_v5', 'H100', 'h100-nvl'],
    ['azure', 'Standard_ND96isr_H100_v5', 'H100', 'h100-sxm'],
    ['azure', 'Standard_ND96asr_v4', 'A100', 'a100-40-sxm'],
    ['azure', 'Standard_NC6s_v3', 'V100', 'v100-16-pcie'],
    ['azure', 'Standard_NV8as_v4', 'Radeon MI25', 'mi25 share (4)'],
    ['nebius', 'gpu-rtx6000_1gpu-24vcpu-218gb', 'RTX6000', 'rtx-pro-6000-server'],
    ['lambda', 'gpu_1x_rtx6000', 'RTX6000', 'quadro-rtx-6000'],
    ['lambda', 'gpu_1x_h100_pcie', 'H100', 'h100-pcie'],
    ['lambda', 'gpu_1x_h100_sxm5', 'H100', 'h100-sxm'],
    ['runpod', '1x_H100_SECURE', 'H100', 'h100-pcie'],
    ['runpod', '1x_A100-80GB_SECURE', 'A100-80GB', 'a100-80-pcie'],
    ['runpod', '3x_PRO-6000-MIG-24GB_SECURE', 'PRO-6000-MIG-24GB', 'rtx-pro-6000-server mig 1g.24gb (24)'],
    ['mithril', 'a100-80gb.sxm.8x', 'A100', 'a100-80-sxm'],
    ['aws', 'g6f.xlarge', 'L4', 'l4 share (3)'],
    ['aws', 'p3dn.24xlarge', 'V100', 'v100-32-sxm'],
    ['paperspace', 'H100x8', 'H100', 'h100-pcie or h100-sxm'],
    ['AWS', 'P4DE.24xlarge', 'A100', 'a100-80-sxm'],
    // What OVH sells as a V100 with 32 GB is a V100S.
    ['ovhcloud', 't2-45', 'V100-32GB', 'v100s-32-pcie'],
    // A machine that carries something else entirely says nothing about the name.
    ['aws', 'p4d.24xlarge', 'L40S', 'l40s'],
    ['aws', 'p4d.24xlarge', 'H100 PCIe', 'h100-pcie'],
    // When name and machine contradict each other, both stay possible.
    ['azure', 'Standard_NC40ads_H100_v5', 'H100-80GB', 'h100-nvl or h100-pcie or h100-sxm'],
    ['aws', 'p5.48xlarge', 'H100 PCIe', 'h100-pcie or h100-sxm'],
    // This machine, or this provider, is unknown.
    ['aws', 'p9.48xlarge', 'A100 SXM', 'a100-40-sxm or a100-80-sxm'],
    ['nobody', 'p4d.24xlarge', 'A100 SXM', 'a100-40-sxm or a100-80-sxm'],
  ])('%s %s, %s: %s', (provider, instance, text, answer) => {
    expect(told(text, { provider, instance })).toBe(answer)
  })

  test('only together with its provider', () => {
    expect(told('A100 SXM', { instance: 'p4d.24xlarge' })).toBe('a100-40-sxm or a100-80-sxm')
    expect(told('A100 SXM', { provider: 'aws' })).toBe('a100-40-sxm or a100-80-sxm')
  })

  test('a provider that has a card in one form only settles the form', () => {
    expect(told('H100', { provider: 'gcp' })).toBe('h100-sxm')
    expect(told('A100', { provider: 'gcp', instance: '' })).toBe('a100-40-sxm or a100-80-sxm')
    expect(told('A100', { provider: 'gcp', vramMib: 40960 })).toBe('a100-40-sxm')
    expect(told('RTXPRO6000', { provider: 'gcp', vramMib: 98304 })).toBe('rtx-pro-6000-server')
    expect(told('L4', { provider: 'gcp' })).toBe('l4')
    expect(told('H100-MEGA', { provider: 'gcp' })).toBe('h100-sxm')
  })

  test("a provider's own name for a card counts as a machine's name", () => {
    expect(told('nvidia-tesla-a100', { provider: 'gcp' })).toBe('a100-40-sxm')
    expect(told('nvidia-tesla-a100', { provider: 'gcp', instance: 'a2-ultragpu-1g' })).toBe('a100-80-sxm')
    expect(told('nvidia-tesla-a100')).toBe('a100-40-pcie or a100-40-sxm or a100-80-pcie or a100-80-sxm')
  })
})

describe("the machine's name may say more than the card's", () => {
  test.each([
    ['H100', 'hyperstack_H100-sxm5x8', 81920, 'h100-sxm'],
    ['H100', 'n3-H100-SXM5x8', 81920, 'h100-sxm'],
    ['H100', '1x-H100_NVL-32-65536', 95830, 'h100-nvl'],
    ['A100', '2x-A100_PCIE-32-65536', 40960, 'a100-40-pcie'],
    ['A100', 'epyc-genoa-a100-pcie_1x12v24gb', 81920, 'a100-80-pcie'],
    ['A100', 'paperspace_A100-sxm4-80GB', undefined, 'a100-80-sxm'],
    ['A100', 'lambdalabs__8xA100_40GB__124__1800', undefined, 'a100-40-pcie or a100-40-sxm'],
    ['A100', '1A100.22V', 81920, 'a100-80-pcie or a100-80-sxm'],
    ['RTX3060', '1x-RTX_3060_Ti-32-65536', 8192, 'rtx-3060-ti'],
    ['RTX3060', '4x-RTX_3060-32-65536', 12288, 'rtx-3060-12'],
    ['RTX4060', '4x-RTX_4060_Ti-32-65536', 16380, 'rtx-4060-ti-16'],
    ['RTX4070', '4x-RTX_4070S_Ti-32-65536', 16376, 'rtx-4070-ti-super'],
    ['A10', 'some-a10g-box', 23028, 'a10g'],
    ['RTX3060', 'node-RTX3060-Ti', 8192, 'rtx-3060-ti'],
    ['RTX3060', 'node-RTX3060-Ti-x2', 8192, 'rtx-3060-ti'],
    ['RTX4070', 'x_RTX_4070_Ti_SUPER_x', 16376, 'rtx-4070-ti-super'],
    ['RTX4070', 'RTX_4070_Ti_RTX4070', 12282, 'rtx-4070-ti'],
    ['A100', '16xA100-pcie-40gb', undefined, 'a100-40-pcie'],
    ['A100', 'A100x16-sxm4-40gb', undefined, 'a100-40-sxm'],
    ['RTX PRO 6000', '12RTXPRO6000-WS', undefined, 'rtx-pro-6000-workstation'],
    ['RTX 6000 Ada', 'RTX6000Adax2', undefined, 'rtx-6000-ada'],
    // The memory must agree with the finer name, or it is not believed; without it, both are possible.
    ['RTX3060', '1x-RTX_3060_Ti-32-65536', 12288, 'rtx-3060-12'],
    ['RTX3060', '1x-RTX_3060_Ti-32-65536', undefined, 'rtx-3060-12 or rtx-3060-8 or rtx-3060-ti'],
    ['RTX4060', '4x-RTX_4060_Ti', undefined, 'rtx-4060 or rtx-4060-ti-16 or rtx-4060-ti-8'],
    // The machine's memory is not the card's, and 640 GB are eight of them.
    ['A100', 'gpu-a100_1gpu-8vcpu-80gb', undefined, 'a100-40-pcie or a100-40-sxm or a100-80-pcie or a100-80-sxm'],
    ['H100', 'gpu-h100x8-640gb-sxm', undefined, 'h100-sxm'],
    // Another card's name in it is no finer name of this one.
    ['L4', 'scaleway_L40Sx2', 49152, 'l4'],
    ['A10', 'gpu_1x_a100_sxm4', 40960, 'a10'],
    ['A100', 'a2-highgpu-1g', 40960, 'a100-40-pcie or a100-40-sxm'],
    // What the card's own name says comes first.
    ['A100 PCIe', 'A100-sxm4-80GB', undefined, 'a100-80-pcie'],
    ['RTX PRO 6000', 'x_RTX_PRO_6000_WS_x', undefined, 'rtx-pro-6000-workstation'],
  ])('%s in %s with %s MiB: %s', (text, instance, vramMib, answer) => {
    expect(told(text, { instance, ...(vramMib === undefined ? {} : { vramMib }) })).toBe(answer)
  })

  test('it may say that the cards are joined', () => {
    const hints = { instance: 'hyperstack__8xA100_80GB__252__1920__NVLINK' }
    expect(told('A100-80GB', hints)).toBe('a100-80-pcie or a100-80-sxm linked')
    expect(told('A100-80G-PCIe-NVLink')).toBe('a100-80-pcie linked')
    expect(told('A100-80GB-SXM', { instance: 'n3-A100x8-NVLink' })).toBe('a100-80-sxm linked')
  })
})

test('an answer contains everything that is known, and nothing else', () => {
  const l4 = gpuById('l4')
  expect(resolveGpu('L4')).toEqual({ kind: 'gpu', gpu: l4, slice: undefined, linked: false })
  expect(resolveGpu('tpu-v4-8')).toEqual({ kind: 'gpu', gpu: gpuById('tpu-v4'), slice: undefined, linked: false })
  expect(resolveGpu('rtx-3080-10')).toMatchObject({ kind: 'gpu', linked: false })
  expect(resolveGpu('GH200')).toEqual({
    kind: 'ambiguous',
    candidates: [gpuById('gh200-144'), gpuById('gh200-96')],
    slice: undefined,
    linked: false,
  })
})

test('the chips of a TPU slice are read beside the name', () => {
  expect(tpuChips('tpu-v5p-8')).toEqual({ model: 'tpu-v5p', chips: 4 })
})
