import type { GpuModel } from '../gpu.ts'
import { gpu, type GpuRow } from '../row.ts'

const VENDOR = { vendor: 'nvidia' } satisfies Partial<GpuRow>

const MIG_A100_40 = '1g.5gb x7, 1g.10gb x4, 2g.10gb x3, 3g.20gb x2, 4g.20gb x1, 7g.40gb x1'
const MIG_80 = '1g.10gb x7, 1g.20gb x4, 2g.20gb x3, 3g.40gb x2, 4g.40gb x1, 7g.80gb x1'
const A100 = {
  ...VENDOR,
  arch: 'ampere',
  target: '8.0',
  fp16Tflops: 312,
  pcieGen: 4,
  cudaMin: '11.0',
  driverMin: '450.80.02',
} satisfies Partial<GpuRow>
const A100_40 = {
  ...A100,
  family: 'a100-40',
  vramGib: 40,
  vramMib: 40960,
  vramMibSeen: [40536],
  memoryGbps: 1555,
  mig: MIG_A100_40,
} satisfies Partial<GpuRow>
const A100_80 = {
  ...A100,
  family: 'a100-80',
  vramGib: 80,
  vramMib: 81920,
  vramMibSeen: [81251],
  mig: MIG_80,
} satisfies Partial<GpuRow>
const SXM4 = { form: 'sxm', link: 'nvlink', linkGbps: 600, switchFrom: 8 } satisfies Partial<GpuRow>
const BRIDGED = { form: 'pcie', link: 'bridge', linkGbps: 600 } satisfies Partial<GpuRow>

/** Ampere cards of the GA102 kind: compute capability 8.6, no MIG. */
const GA102 = {
  ...VENDOR,
  arch: 'ampere',
  target: '8.6',
  form: 'pcie',
  pcieGen: 4,
  cudaMin: '11.1',
} satisfies Partial<GpuRow>
const ADA = {
  ...VENDOR,
  arch: 'ada',
  target: '8.9',
  form: 'pcie',
  pcieGen: 4,
  cudaMin: '11.8',
} satisfies Partial<GpuRow>
const AMPERE_BIG: readonly GpuRow[] = [
  {
    ...A100_40,
    ...SXM4,
    id: 'a100-40-sxm',
    name: 'A100 SXM 40 GB',
    aliases: 'NVIDIA A100-SXM4-40GB | NVIDIA_A100_40G | A100_40GB+SXM4 | A100 SXM4',
    soldAs:
      'aws:p4d.24xlarge=8 gcp:* gcp:nvidia-tesla-a100 gcp:a2-highgpu-#g gcp:a2-megagpu-#g azure:Standard_ND96asr_v4=8 ' +
      'azure:Standard_ND96asr_A100_v4=8 oci:BM.GPU4.8=8 lambda:gpu_1x_a100_sxm4=1 lambda:gpu_8x_a100=8',
  },
  {
    ...A100_40,
    ...BRIDGED,
    id: 'a100-40-pcie',
    name: 'A100 PCIe 40 GB',
    aliases: 'NVIDIA A100-PCIE-40GB | A100-PCIe-40GB | NVIDIA_A100_PCIe_40G | A100_40GB+PCIe',
    soldAs: 'lambda:gpu_1x_a100=1 lambda:gpu_2x_a100=2 lambda:gpu_4x_a100=4',
  },
  {
    ...A100_80,
    ...SXM4,
    id: 'a100-80-sxm',
    name: 'A100 SXM 80 GB',
    memoryGbps: 2039,
    aliases: 'NVIDIA A100-SXM4-80GB | A100-SXM-80GB | NVIDIA_A100_80G | A100-80GB-SXM | A100_80GB+SXM4 | A100-80GB',
    soldAs:
      'aws:p4de.24xlarge=8 gcp:* gcp:nvidia-a100-80gb gcp:a2-ultragpu-#g azure:Standard_ND96amsr_A100_v4=8 ' +
      'azure:Standard_ND96ams_A100_v4=8 oci:BM.GPU.A100-v2.8=8 oci:BM.GPU.GM4.8=8 lambda:gpu_8x_a100_80gb_sxm4=8 ' +
      'mithril:a100-80gb.sxm.#x',
  },
  {
    ...A100_80,
    ...BRIDGED,
    id: 'a100-80-pcie',
    name: 'A100 PCIe 80 GB',
    memoryGbps: 1935,
    aliases:
      'NVIDIA A100 80GB PCIe | A100-PCIe-80GB | NVIDIA_A100_PCIe_80G | A100-80G-PCIe | A100-80GB | A100_80GB+PCIe',
    soldAs:
      'azure:Standard_NC24ads_A100_v4=1 azure:Standard_NC48ads_A100_v4=2 azure:Standard_NC96ads_A100_v4=4 ' +
      'runpod:#x_A100-80GB_* hyperstack:n3-A100x# hyperstack:n3-A100x#-NVLink',
  },
  {
    ...A100_80,
    ...SXM4,
    id: 'a800-80-sxm',
    family: 'a800-80',
    name: 'A800 SXM 80 GB',
    memoryGbps: 2039,
    linkGbps: 400,
    aliases: 'NVIDIA A800-SXM4-80GB',
    unverified: 'memoryGbps linkGbps vramMib mig',
  },
  {
    ...A100_80,
    ...BRIDGED,
    id: 'a800-80-pcie',
    family: 'a800-80',
    name: 'A800 PCIe 80 GB',
    memoryGbps: 1935,
    linkGbps: 400,
    aliases: 'NVIDIA A800 80GB PCIe',
    unverified: 'memoryGbps linkGbps vramMib mig',
  },
  {
    ...A100,
    ...BRIDGED,
    id: 'a30',
    name: 'A30',
    vramGib: 24,
    vramMib: 24576,
    memoryGbps: 933,
    fp16Tflops: 165,
    linkGbps: 200,
    mig: '1g.6gb x4, 2g.12gb x2, 4g.24gb x1',
    aliases: 'NVIDIA A30 | A30_24GB',
    soldAs: 'seeweb:ECS1GPU11=1',
    unverified: 'linkGbps',
  },
]

const AMPERE_SMALL: readonly GpuRow[] = [
  {
    ...GA102,
    id: 'a2',
    name: 'A2',
    vramGib: 16,
    vramMib: 15356,
    memoryGbps: 200,
    fp16Tflops: 18,
    aliases: 'NVIDIA A2',
    unverified: 'vramMib fp16Tflops',
  },
  {
    ...GA102,
    id: 'a10',
    name: 'A10',
    vramGib: 24,
    vramMib: 23028,
    vramMibSeen: [22731],
    memoryGbps: 600,
    fp16Tflops: 125,
    aliases: 'NVIDIA A10 | A10_24GB',
    // Azure sells parts of this card too: a sixth, a third and a half.
    soldAs:
      'azure:Standard_NV6ads_A10_v5=1/6 azure:Standard_NV12ads_A10_v5=1/3 azure:Standard_NV18ads_A10_v5=1/2 ' +
      'azure:Standard_NV36ads_A10_v5=1 azure:Standard_NV36adms_A10_v5=1 azure:Standard_NV72ads_A10_v5=2 ' +
      'lambda:gpu_1x_a10=1 oci:VM.GPU.A10.# oci:BM.GPU.A10.#',
  },
  {
    ...GA102,
    id: 'a10g',
    name: 'A10G',
    vramGib: 24,
    vramMib: 23028,
    vramMibSeen: [22888, 22731],
    memoryGbps: 600,
    fp16Tflops: 125,
    aliases: 'NVIDIA A10G',
    soldAs:
      'aws:g5.xlarge=1 aws:g5.2xlarge=1 aws:g5.4xlarge=1 aws:g5.8xlarge=1 aws:g5.16xlarge=1 aws:g5.12xlarge=4 ' +
      'aws:g5.24xlarge=4 aws:g5.48xlarge=8',
    unverified: 'memoryGbps fp16Tflops pcieGen',
  },
  // One board carries four of these; the memory is each GPU's own.
  { ...GA102, id: 'a16', name: 'A16', vramGib: 16, memoryGbps: 231.9, aliases: 'NVIDIA A16' },
  {
    ...GA102,
    ...BRIDGED,
    id: 'a40',
    name: 'A40',
    vramGib: 48,
    vramMib: 46068,
    vramMibSeen: [45634],
    memoryGbps: 696,
    fp16Tflops: 149.7,
    linkGbps: 112.5,
    aliases: 'NVIDIA A40 | A40_48GB',
    unverified: 'linkGbps',
  },
]

const ADA_CARDS: readonly GpuRow[] = [
  {
    ...ADA,
    id: 'l2',
    name: 'L2',
    vramGib: 24,
    memoryGbps: 300,
    aliases: 'NVIDIA L2',
    unverified: 'memoryGbps pcieGen',
  },
  {
    ...ADA,
    id: 'l4',
    name: 'L4',
    vramGib: 24,
    vramMib: 23034,
    vramMibSeen: [22888],
    memoryGbps: 300,
    fp16Tflops: 121,
    fp8Tflops: 242,
    aliases: 'NVIDIA L4 | NVIDIA_L4_24G',
    // The g6f and gr6f sizes are parts of one card.
    soldAs:
      'aws:g6.xlarge=1 aws:g6.2xlarge=1 aws:g6.4xlarge=1 aws:g6.8xlarge=1 aws:g6.16xlarge=1 aws:g6.12xlarge=4 ' +
      'aws:g6.24xlarge=4 aws:g6.48xlarge=8 aws:gr6.4xlarge=1 aws:gr6.8xlarge=1 aws:g6f.large=1/8 aws:g6f.xlarge=1/8 ' +
      'aws:g6f.2xlarge=1/4 aws:g6f.4xlarge=1/2 aws:gr6f.4xlarge=1/2 gcp:nvidia-l4 gcp:g2-standard-4=1 ' +
      'gcp:g2-standard-8=1 gcp:g2-standard-12=1 gcp:g2-standard-16=1 gcp:g2-standard-24=2 gcp:g2-standard-32=1 ' +
      'gcp:g2-standard-48=4 gcp:g2-standard-96=8 scaleway:L4-#-24G seeweb:ECS1GPU6=1 seeweb:ECS2GPU6=2 ' +
      'seeweb:ECS3GPU6=4 seeweb:ECS4GPU6=8',
  },
  {
    ...ADA,
    id: 'l20',
    name: 'L20',
    vramGib: 48,
    vramMib: 46068,
    memoryGbps: 864,
    fp16Tflops: 119.5,
    aliases: 'NVIDIA L20',
    unverified: 'vramMib memoryGbps fp16Tflops pcieGen',
  },
  {
    ...ADA,
    id: 'l40',
    name: 'L40',
    vramGib: 48,
    vramMib: 46068,
    memoryGbps: 864,
    fp16Tflops: 181,
    fp8Tflops: 362,
    aliases: 'NVIDIA L40 | L40_48GB',
    soldAs: 'hyperstack:n3-L40x#',
    unverified: 'pcieGen fp8Tflops',
  },
  {
    ...ADA,
    id: 'l40s',
    name: 'L40S',
    vramGib: 48,
    vramMib: 46068,
    vramMibSeen: [45776],
    memoryGbps: 864,
    fp16Tflops: 362,
    fp8Tflops: 733,
    aliases: 'NVIDIA L40S | L40S-48GB',
    soldAs:
      'aws:g6e.xlarge=1 aws:g6e.2xlarge=1 aws:g6e.4xlarge=1 aws:g6e.8xlarge=1 aws:g6e.16xlarge=1 aws:g6e.12xlarge=4 ' +
      'aws:g6e.24xlarge=4 aws:g6e.48xlarge=8 oci:BM.GPU.L40S.# nebius:gpu-l40s-a_#gpu-* nebius:gpu-l40s-d_#gpu-* ' +
      'cudo:epyc-genoa-l40s-graphics_#x* do:gpu-l40sx#-48gb scaleway:L40S-#-48G seeweb:ECS1GPU7=1 seeweb:ECS2GPU7=2 ' +
      'seeweb:ECS3GPU7=4 seeweb:ECS4GPU7=8',
  },
]

export const NVIDIA_AMPERE_ADA: readonly GpuModel[] = [...AMPERE_BIG, ...AMPERE_SMALL, ...ADA_CARDS].map(gpu)
