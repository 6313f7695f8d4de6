import type { GpuModel } from '../gpu.ts'
import { gpu, type GpuRow } from '../row.ts'

/** The last driver branch for Maxwell, Pascal and Volta is 580, and CUDA 13 dropped them. */
const LEGACY = { vendor: 'nvidia', pcieGen: 3, driverMax: '580', cudaMax: '12' } satisfies Partial<GpuRow>
const MAXWELL = { ...LEGACY, arch: 'maxwell', target: '5.2', form: 'pcie', cudaMin: '6.5' } satisfies Partial<GpuRow>
const PASCAL = { ...LEGACY, arch: 'pascal', target: '6.1', form: 'pcie', cudaMin: '8.0' } satisfies Partial<GpuRow>
const P100 = { ...LEGACY, arch: 'pascal', target: '6.0', cudaMin: '8.0' } satisfies Partial<GpuRow>
const V100 = { ...LEGACY, arch: 'volta', target: '7.0', memoryGbps: 900, cudaMin: '9.0' } satisfies Partial<GpuRow>
const V100_16 = {
  ...V100,
  family: 'v100-16',
  vramGib: 16,
  vramMib: 16384,
  vramMibSeen: [16160],
} satisfies Partial<GpuRow>
const V100_32 = {
  ...V100,
  family: 'v100-32',
  vramGib: 32,
  vramMib: 32768,
  vramMibSeen: [32510],
} satisfies Partial<GpuRow>
const SXM2 = { form: 'sxm', link: 'nvlink', linkGbps: 300 } satisfies Partial<GpuRow>
const TURING = {
  vendor: 'nvidia',
  arch: 'turing',
  target: '7.5',
  form: 'pcie',
  pcieGen: 3,
  cudaMin: '10.0',
} satisfies Partial<GpuRow>
const BRIDGED = { link: 'bridge', linkGbps: 100 } satisfies Partial<GpuRow>

/** Machines whose 16 GB V100 may be SXM or PCIe; they are listed under both, so that neither is assumed. */
const V100_16_EITHER =
  'ibm:gx2-*x#v100 paperspace:V100=1 ovhcloud:t1-45=1 ovhcloud:t1-90=2 ovhcloud:t1-180=4 ovhcloud:t1-le-45=1 ' +
  'ovhcloud:t1-le-90=2 ovhcloud:t1-le-180=4'
const P100_16_EITHER = 'oci:VM.GPU2.# oci:BM.GPU2.#'

const BEFORE_VOLTA: readonly GpuRow[] = [
  {
    // A K80 board has two of these; every provider counts and sells the halves.
    vendor: 'nvidia',
    id: 'k80',
    name: 'K80',
    arch: 'kepler',
    target: '3.7',
    form: 'pcie',
    vramGib: 12,
    vramMib: 11441,
    vramMibSeen: [12206],
    memoryGbps: 240,
    pcieGen: 3,
    cudaMin: '6.5',
    cudaMax: '11',
    driverMax: '470',
    aliases: 'Tesla K80',
    soldAs:
      'aws:p2.xlarge=1 aws:p2.8xlarge=8 aws:p2.16xlarge=16 azure:Standard_NC6=1 azure:Standard_NC6_Promo=1 ' +
      'azure:Standard_NC12=2 azure:Standard_NC12_Promo=2 azure:Standard_NC24=4 azure:Standard_NC24_Promo=4 ' +
      'azure:Standard_NC24r=4 azure:Standard_NC24r_Promo=4 gcp:nvidia-tesla-k80',
    unverified: 'cudaMin memoryGbps',
  },
  {
    ...MAXWELL,
    // Like the K80, a board of two that is sold by the half.
    id: 'm60',
    name: 'M60',
    vramGib: 8,
    memoryGbps: 160,
    aliases: 'Tesla M60',
    soldAs:
      'aws:g3s.xlarge=1 aws:g3.4xlarge=1 aws:g3.8xlarge=2 aws:g3.16xlarge=4 azure:Standard_NV6=1 ' +
      'azure:Standard_NV6_Promo=1 azure:Standard_NV12=2 azure:Standard_NV12_Promo=2 azure:Standard_NV24=4 ' +
      'azure:Standard_NV24_Promo=4 azure:Standard_NV12s_v3=1 azure:Standard_NV24s_v3=2 azure:Standard_NV48s_v3=4',
    unverified: 'memoryGbps cudaMin',
  },
  {
    ...MAXWELL,
    id: 'm4000',
    name: 'Quadro M4000',
    vramGib: 8,
    memoryGbps: 192,
    aliases: 'M4000',
    soldAs: 'paperspace:GPU+=1',
    unverified: 'memoryGbps cudaMin',
  },
  {
    ...PASCAL,
    id: 'p4',
    name: 'P4',
    vramGib: 8,
    vramMib: 7611,
    memoryGbps: 192,
    aliases: 'Tesla P4',
    soldAs: 'gcp:nvidia-tesla-p4',
    unverified: 'vramMib memoryGbps',
  },
  {
    ...PASCAL,
    id: 'p40',
    name: 'P40',
    vramGib: 24,
    memoryGbps: 346,
    aliases: 'Tesla P40',
    soldAs: 'azure:Standard_ND6s=1 azure:Standard_ND12s=2 azure:Standard_ND24s=4 azure:Standard_ND24rs=4',
    unverified: 'memoryGbps',
  },
  {
    ...PASCAL,
    id: 'p4000',
    name: 'Quadro P4000',
    vramGib: 8,
    memoryGbps: 243,
    aliases: 'P4000',
    soldAs: 'paperspace:P4000=1 paperspace:P4000x#',
    unverified: 'memoryGbps',
  },
  {
    ...PASCAL,
    id: 'p5000',
    name: 'Quadro P5000',
    vramGib: 16,
    memoryGbps: 288,
    aliases: 'P5000',
    unverified: 'memoryGbps',
  },
  {
    ...PASCAL,
    id: 'p6000',
    name: 'Quadro P6000',
    vramGib: 24,
    memoryGbps: 432,
    aliases: 'P6000',
    unverified: 'memoryGbps',
  },
  {
    ...PASCAL,
    id: 'gtx-1080-ti',
    name: 'GTX 1080 Ti',
    vramGib: 11,
    vramMib: 11264,
    memoryGbps: 484,
    aliases: 'NVIDIA GeForce GTX 1080 Ti',
    unverified: 'vramMib memoryGbps',
  },
  {
    ...P100,
    id: 'p100-pcie-12',
    name: 'P100 PCIe 12 GB',
    form: 'pcie',
    vramGib: 12,
    memoryGbps: 549,
    fp16Tflops: 18.7,
    aliases: 'Tesla P100-PCIE-12GB',
    unverified: 'memoryGbps fp16Tflops pcieGen',
  },
  {
    ...P100,
    id: 'p100-pcie-16',
    family: 'p100-16',
    name: 'P100 PCIe 16 GB',
    form: 'pcie',
    vramGib: 16,
    vramMib: 16384,
    vramMibSeen: [16280],
    memoryGbps: 732,
    fp16Tflops: 18.7,
    aliases: 'Tesla P100-PCIE-16GB',
    soldAs: `gcp:* gcp:nvidia-tesla-p100 scaleway:RENDER-S=1 azure:Standard_NC6s_v2=1 azure:Standard_NC12s_v2=2 azure:Standard_NC24s_v2=4 azure:Standard_NC24rs_v2=4 ${P100_16_EITHER}`,
    unverified: 'pcieGen',
  },
  {
    ...P100,
    id: 'p100-sxm-16',
    family: 'p100-16',
    name: 'P100 SXM 16 GB',
    form: 'sxm',
    vramGib: 16,
    vramMib: 16384,
    vramMibSeen: [16280],
    memoryGbps: 732,
    fp16Tflops: 21.2,
    link: 'nvlink',
    linkGbps: 160,
    aliases: 'Tesla P100-SXM2-16GB',
    soldAs: P100_16_EITHER,
    unverified: 'pcieGen linkGbps fp16Tflops',
  },
]

const VOLTA: readonly GpuRow[] = [
  {
    ...V100_16,
    ...SXM2,
    id: 'v100-16-sxm',
    name: 'V100 SXM 16 GB',
    fp16Tflops: 125,
    aliases: 'Tesla V100-SXM2-16GB',
    soldAs:
      'aws:p3.2xlarge=1 aws:p3.8xlarge=4 aws:p3.16xlarge=8 gcp:* gcp:nvidia-tesla-v100 lambda:gpu_8x_v100=8 ' +
      `lambda:gpu_8x_v100_n=8 oci:VM.GPU3.# oci:BM.GPU3.# ${V100_16_EITHER}`,
    unverified: 'linkGbps',
  },
  {
    ...V100_16,
    id: 'v100-16-pcie',
    name: 'V100 PCIe 16 GB',
    form: 'pcie',
    fp16Tflops: 112,
    aliases: 'Tesla V100-PCIE-16GB',
    soldAs: `azure:Standard_NC6s_v3=1 azure:Standard_NC12s_v3=2 azure:Standard_NC24s_v3=4 azure:Standard_NC24rs_v3=4 ${V100_16_EITHER}`,
  },
  {
    ...V100_32,
    ...SXM2,
    id: 'v100-32-sxm',
    name: 'V100 SXM 32 GB',
    fp16Tflops: 125,
    aliases: 'Tesla V100-SXM2-32GB | V100-32GB | V100-32G',
    soldAs: 'aws:p3dn.24xlarge=8 azure:Standard_ND40rs_v2=8',
    unverified: 'linkGbps',
  },
  {
    ...V100_32,
    id: 'v100-32-pcie',
    name: 'V100 PCIe 32 GB',
    form: 'pcie',
    fp16Tflops: 112,
    aliases: 'Tesla V100-PCIE-32GB | V100-32GB | V100-32G',
    unverified: 'vramMib',
  },
  {
    // Somewhat faster than the plain card, but sources write "V100-32GB" for it too; hence the shared family.
    ...V100_32,
    id: 'v100s-32-pcie',
    name: 'V100S PCIe 32 GB',
    form: 'pcie',
    memoryGbps: 1134,
    fp16Tflops: 130,
    aliases: 'Tesla V100S-PCIE-32GB',
    soldAs:
      'ovhcloud:t2-45=1 ovhcloud:t2-90=2 ovhcloud:t2-180=4 ovhcloud:t2-le-45=1 ovhcloud:t2-le-90=2 ovhcloud:t2-le-180=4',
    unverified: 'vramMib memoryGbps fp16Tflops',
  },
]

const TURING_CARDS: readonly GpuRow[] = [
  {
    ...TURING,
    id: 't4',
    name: 'T4',
    vramGib: 16,
    vramMib: 15360,
    vramMibSeen: [16384, 15109],
    memoryGbps: 320,
    fp16Tflops: 65,
    aliases: 'Tesla T4 | NVIDIA T4',
    soldAs:
      'aws:g4dn.xlarge=1 aws:g4dn.2xlarge=1 aws:g4dn.4xlarge=1 aws:g4dn.8xlarge=1 aws:g4dn.16xlarge=1 ' +
      'aws:g4dn.12xlarge=4 aws:g4dn.metal=8 gcp:nvidia-tesla-t4 azure:Standard_NC4as_T4_v3=1 ' +
      'azure:Standard_NC8as_T4_v3=1 azure:Standard_NC16as_T4_v3=1 azure:Standard_NC64as_T4_v3=4',
    unverified: 'memoryGbps',
  },
  {
    ...TURING,
    id: 't4g',
    name: 'T4G',
    vramGib: 16,
    vramMib: 15360,
    vramMibSeen: [16384],
    hostArch: 'arm64',
    aliases: 'NVIDIA T4G',
    soldAs: 'aws:g5g.xlarge=1 aws:g5g.2xlarge=1 aws:g5g.4xlarge=1 aws:g5g.8xlarge=1 aws:g5g.16xlarge=2 aws:g5g.metal=2',
    unverified: 'vramMib pcieGen',
  },
  {
    ...TURING,
    id: 'quadro-rtx-4000',
    name: 'Quadro RTX 4000',
    vramGib: 8,
    memoryGbps: 416,
    aliases: 'RTX 4000',
    unverified: 'memoryGbps',
  },
  {
    ...TURING,
    ...BRIDGED,
    id: 'quadro-rtx-5000',
    name: 'Quadro RTX 5000',
    vramGib: 16,
    memoryGbps: 448,
    aliases: 'RTX 5000',
    unverified: 'memoryGbps linkGbps',
  },
  {
    ...TURING,
    ...BRIDGED,
    id: 'quadro-rtx-6000',
    name: 'Quadro RTX 6000',
    vramGib: 24,
    vramMib: 24576,
    vramMibSeen: [23040],
    memoryGbps: 672,
    // The bare name is also what Nebius calls its RTX PRO 6000.
    aliases: 'RTX6000',
    soldAs: 'lambda:gpu_1x_rtx6000=1 seeweb:ECS1GPU=1',
    unverified: 'vramMib linkGbps',
  },
  {
    ...TURING,
    ...BRIDGED,
    id: 'quadro-rtx-8000',
    name: 'Quadro RTX 8000',
    vramGib: 48,
    memoryGbps: 672,
    aliases: 'RTX 8000',
    unverified: 'memoryGbps linkGbps',
  },
  {
    ...TURING,
    ...BRIDGED,
    id: 'rtx-2080-ti',
    name: 'RTX 2080 Ti',
    vramGib: 11,
    vramMib: 11264,
    memoryGbps: 616,
    aliases: 'NVIDIA GeForce RTX 2080 Ti',
    unverified: 'vramMib memoryGbps linkGbps',
  },
  {
    ...TURING,
    ...BRIDGED,
    id: 'titan-rtx',
    name: 'TITAN RTX',
    vramGib: 24,
    vramMib: 24576,
    memoryGbps: 672,
    aliases: 'NVIDIA TITAN RTX',
    unverified: 'vramMib memoryGbps linkGbps',
  },
]

export const NVIDIA_OLDER: readonly GpuModel[] = [...BEFORE_VOLTA, ...VOLTA, ...TURING_CARDS].map(gpu)
