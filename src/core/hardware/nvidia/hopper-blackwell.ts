import type { GpuModel } from '../gpu.ts'
import { gpu, type GpuRow } from '../row.ts'

const VENDOR = { vendor: 'nvidia' } satisfies Partial<GpuRow>

const MIG_80 = '1g.10gb x7, 1g.20gb x4, 2g.20gb x3, 3g.40gb x2, 4g.40gb x1, 7g.80gb x1'
const MIG_96 = '1g.12gb x7, 1g.24gb x4, 2g.24gb x3, 3g.48gb x2, 4g.48gb x1, 7g.96gb x1'
const MIG_141 = '1g.18gb x7, 1g.35gb x4, 2g.35gb x3, 3g.71gb x2, 4g.71gb x1, 7g.141gb x1'

const SXM5 = { form: 'sxm', link: 'nvlink', linkGbps: 900, switchFrom: 8 } satisfies Partial<GpuRow>
const BRIDGED = { form: 'pcie', link: 'bridge', linkGbps: 600 } satisfies Partial<GpuRow>

const HOPPER = {
  ...VENDOR,
  arch: 'hopper',
  target: '9.0',
  pcieGen: 5,
  cudaMin: '11.8',
  driverMin: '525.53',
} satisfies Partial<GpuRow>
const H100_80 = {
  ...HOPPER,
  family: 'h100-80',
  vramGib: 80,
  vramMib: 81559,
  vramMibSeen: [81920],
  mig: MIG_80,
} satisfies Partial<GpuRow>
const H200 = {
  ...HOPPER,
  family: 'h200-141',
  vramGib: 141,
  vramMib: 143771,
  vramMibSeen: [144384, 146432],
  memoryGbps: 4800,
  mig: MIG_141,
} satisfies Partial<GpuRow>
const B200 = {
  ...VENDOR,
  arch: 'blackwell',
  target: '10.0',
  cudaMin: '12.8',
  driverMin: '570.133.20',
} satisfies Partial<GpuRow>
const B300 = {
  ...VENDOR,
  arch: 'blackwell',
  target: '10.3',
  cudaMin: '13.0',
  driverMin: '580',
} satisfies Partial<GpuRow>
const NVLINK5 = { link: 'nvlink', linkGbps: 1800 } satisfies Partial<GpuRow>
const GRACE = { form: 'superchip', hostArch: 'arm64' } satisfies Partial<GpuRow>

/** Paperspace does not say whether its 80 GB H100 is SXM or PCIe; it is listed under both, so that neither is assumed. */
const H100_80_EITHER = 'paperspace:H100=1 paperspace:H100x#'

const HOPPER_CARDS: readonly GpuRow[] = [
  {
    ...H100_80,
    ...SXM5,
    id: 'h100-sxm',
    name: 'H100 SXM 80 GB',
    memoryGbps: 3350,
    fp16Tflops: 989,
    fp8Tflops: 1978,
    aliases:
      'NVIDIA H100 80GB HBM3 | NVIDIA-H100-80GB-HBM3 | H100-SXM-80GB | NVIDIA_H100_80G | NVIDIA_H100_80GB_HBM3_80G | ' +
      'H100_80GB+SXM5 | H100-SXM | H100-80G-SXM5 | H100-MEGA | nvidia-h100-mega-80gb',
    soldAs:
      'aws:p5.48xlarge=8 aws:p5.4xlarge=1 gcp:* gcp:nvidia-h100-80gb gcp:nvidia-h100-mega-80gb gcp:a3-highgpu-#g ' +
      'gcp:a3-edgegpu-#g gcp:a3-edgegpu-#g-nolssd gcp:a3-megagpu-#g azure:Standard_ND96isr_H100_v5=8 ' +
      'azure:Standard_ND96is_H100_v5=8 oci:BM.GPU.H100.# lambda:gpu_#x_h100_sxm5 nebius:gpu-h100-sxm_#gpu-* ' +
      'do:gpu-h100x1-80gb=1 do:gpu-h100x8-640gb=8 cudo:sapphire-rapids-h100_#x* hyperstack:n3-H100-SXM5x# ' +
      'verda:#H100.80S.* mithril:h100-80gb.sxm.#x runpod:#x_H100-SXM_* vast:#x-H100_SXM-* scaleway:H100-SXM-#-80G ' +
      H100_80_EITHER,
  },
  {
    ...H100_80,
    ...BRIDGED,
    id: 'h100-pcie',
    name: 'H100 PCIe 80 GB',
    memoryGbps: 2000,
    fp16Tflops: 756,
    fp8Tflops: 1513,
    aliases: 'NVIDIA H100 PCIe | NVIDIA_H100_PCIe_80G | H100_80GB+PCIe | H100-80G-PCIe',
    soldAs:
      'lambda:gpu_1x_h100_pcie=1 hyperstack:n3-H100x# hyperstack:n3-H100x#-NVLink runpod:#x_H100_* ' +
      `scaleway:H100-#-80G vast:#x-H100_PCIE-* ${H100_80_EITHER}`,
  },
  {
    ...HOPPER,
    ...BRIDGED,
    id: 'h100-nvl',
    name: 'H100 NVL 94 GB',
    form: 'nvl',
    vramGib: 94,
    vramMib: 95830,
    memoryGbps: 3900,
    fp16Tflops: 835,
    fp8Tflops: 1670,
    mig: '1g.12gb x7, 1g.24gb x4, 2g.24gb x3, 3g.47gb x2, 4g.47gb x1, 7g.94gb x1',
    aliases: 'NVIDIA H100 NVL | H100-NVL',
    // Sources that call these Azure sizes plain "H100" mean this card, not the 80 GB one.
    soldAs:
      'azure:Standard_NC40ads_H100_v5=1 azure:Standard_NC80adis_H100_v5=2 azure:Standard_NCC40ads_H100_v5=1 ' +
      'runpod:#x_H100-NVL_* vast:#x-H100_NVL-*',
    unverified: 'linkGbps pcieGen fp8Tflops',
  },
  {
    ...H100_80,
    ...SXM5,
    id: 'h800-sxm',
    family: 'h800-80',
    name: 'H800 SXM 80 GB',
    memoryGbps: 3350,
    fp16Tflops: 989,
    linkGbps: 400,
    aliases: 'NVIDIA H800',
    unverified: 'vramMib memoryGbps fp16Tflops linkGbps mig',
  },
  {
    ...H100_80,
    ...BRIDGED,
    id: 'h800-pcie',
    family: 'h800-80',
    name: 'H800 PCIe 80 GB',
    memoryGbps: 2000,
    fp16Tflops: 756,
    linkGbps: 400,
    aliases: 'NVIDIA H800 PCIe',
    unverified: 'vramMib memoryGbps fp16Tflops linkGbps mig',
  },
  {
    ...HOPPER,
    ...SXM5,
    id: 'h20-96',
    name: 'H20 96 GB',
    vramGib: 96,
    vramMib: 97871,
    memoryGbps: 4022,
    fp16Tflops: 148,
    fp8Tflops: 296,
    mig: MIG_96,
    aliases: 'NVIDIA H20',
    unverified: 'vramMib pcieGen fp8Tflops',
  },
  {
    ...HOPPER,
    ...SXM5,
    id: 'h20-141',
    name: 'H20 141 GB',
    vramGib: 141,
    memoryGbps: 4800,
    fp16Tflops: 148,
    aliases: 'NVIDIA H20-3e',
    unverified: 'memoryGbps fp16Tflops linkGbps pcieGen',
  },
  {
    ...H200,
    ...SXM5,
    id: 'h200-sxm',
    name: 'H200 SXM 141 GB',
    fp16Tflops: 989,
    fp8Tflops: 1978,
    aliases: 'NVIDIA H200 | NVIDIA_H200_141G | H200_141GB | H200-SXM | nvidia-h200-141gb',
    soldAs:
      'aws:p5e.48xlarge=8 aws:p5en.48xlarge=8 gcp:* gcp:nvidia-h200-141gb gcp:a3-ultragpu-#g gcp:a3-ultragpu-#g-nolssd ' +
      'azure:Standard_ND96isr_H200_v5=8 oci:BM.GPU.H200.# nebius:gpu-h200-sxm_#gpu-* verda:#H200.141S.* ' +
      'vast:#x-H200-* runpod:#x_H200-SXM_* do:gpu-h200x1-141gb=1 do:gpu-h200x8-1128gb=8',
  },
  {
    ...H200,
    ...BRIDGED,
    id: 'h200-nvl',
    name: 'H200 NVL 141 GB',
    form: 'nvl',
    fp16Tflops: 840,
    fp8Tflops: 1680,
    linkGbps: 900,
    aliases: 'NVIDIA H200 NVL',
    unverified: 'memoryGbps linkGbps pcieGen vramMib',
  },
  {
    ...HOPPER,
    ...GRACE,
    id: 'gh200-96',
    name: 'GH200 96 GB',
    vramGib: 96,
    vramMib: 97871,
    memoryGbps: 4000,
    fp16Tflops: 989,
    link: 'nvlink',
    linkGbps: 900,
    mig: MIG_96,
    // The 480 GB in the driver's name for this card are the host's memory.
    aliases: 'NVIDIA GH200 480GB | GH200_96GB',
    soldAs: 'lambda:gpu_1x_gh200=1',
    unverified: 'linkGbps pcieGen memoryGbps',
  },
  {
    ...HOPPER,
    ...GRACE,
    id: 'gh200-144',
    name: 'GH200 144 GB',
    vramGib: 144,
    memoryGbps: 4900,
    fp16Tflops: 989,
    link: 'nvlink',
    linkGbps: 900,
    aliases: 'NVIDIA GH200 144G HBM3e',
    unverified: 'memoryGbps linkGbps pcieGen',
  },
]

const BLACKWELL_CARDS: readonly GpuRow[] = [
  {
    ...B200,
    ...NVLINK5,
    id: 'b200-sxm',
    name: 'B200 SXM 180 GB',
    form: 'sxm',
    vramGib: 180,
    vramMib: 183359,
    vramMibSeen: [196608],
    memoryGbps: 7700,
    fp16Tflops: 2250,
    fp8Tflops: 4500,
    fp4Tflops: 9000,
    switchFrom: 8,
    mig: '1g.23gb x7, 1g.45gb x4, 2g.45gb x3, 3g.90gb x2, 4g.90gb x1, 7g.180gb x1',
    aliases: 'NVIDIA B200 | B200-SXM-180GB | NVIDIA_B200_180G | B200_180GB',
    soldAs:
      'aws:p6-b200.48xlarge=8 gcp:nvidia-b200 gcp:a4-highgpu-#g oci:BM.GPU.B200.# lambda:gpu_#x_b200_sxm6 ' +
      'nebius:gpu-b200-sxm_#gpu-* nebius:gpu-b200-sxm-a_#gpu-* verda:#B200.*',
    unverified: 'memoryGbps pcieGen',
  },
  {
    ...B200,
    ...NVLINK5,
    ...GRACE,
    id: 'gb200',
    name: 'GB200 186 GB',
    vramGib: 186,
    vramMib: 189471,
    vramMibSeen: [196608],
    memoryGbps: 8000,
    fp16Tflops: 2500,
    fp8Tflops: 5000,
    fp4Tflops: 10000,
    pcieGen: 5,
    mig: '1g.23gb x7, 1g.47gb x4, 2g.47gb x3, 3g.93gb x2, 4g.93gb x1, 7g.186gb x1',
    aliases: 'NVIDIA GB200 | GB200-NVL-186GB | GB200 NVL72',
    soldAs:
      'aws:p6e-gb200.36xlarge=4 gcp:nvidia-gb200 gcp:a4x-highgpu-#g oci:BM.GPU.GB200.# azure:Standard_ND128isr_NDR_GB200_v6=4',
  },
  {
    ...B300,
    ...NVLINK5,
    id: 'b300-sxm',
    name: 'B300 SXM 288 GB',
    form: 'sxm',
    vramGib: 288,
    vramMib: 275040,
    vramMibSeen: [276480, 268288],
    memoryGbps: 7750,
    fp16Tflops: 2250,
    fp8Tflops: 4500,
    fp4Tflops: 14000,
    switchFrom: 8,
    pcieGen: 6,
    mig: '1g.34gb x7, 1g.67gb x4, 2g.67gb x3, 3g.135gb x2, 4g.135gb x1, 7g.269gb x1',
    aliases: 'NVIDIA B300 SXM6 AC | NVIDIA_B300_262G | B300_262GB | NVIDIA B300',
    soldAs: 'aws:p6-b300.48xlarge=8 nebius:gpu-b300-sxm_#gpu-* oci:BM.GPU.B300.#',
    unverified: 'cudaMin driverMin',
  },
  {
    ...B300,
    ...NVLINK5,
    ...GRACE,
    id: 'gb300',
    name: 'GB300 288 GB',
    vramGib: 288,
    vramMib: 284208,
    memoryGbps: 8000,
    fp16Tflops: 2500,
    fp8Tflops: 5000,
    fp4Tflops: 15000,
    pcieGen: 5,
    // More profiles exist; only this one has been seen with its count.
    mig: '1g.35gb x7',
    aliases: 'NVIDIA GB300 | GB300 NVL72',
    soldAs: 'aws:p6e-gb300.36xlarge=4 oci:BM.GPU.GB300.# azure:Standard_ND128isr_GB300_v6=4',
    unverified: 'vramGib mig cudaMin driverMin',
  },
]

export const NVIDIA_HOPPER_BLACKWELL: readonly GpuModel[] = [...HOPPER_CARDS, ...BLACKWELL_CARDS].map(gpu)
