import type { GpuModel } from '../gpu.ts'
import { gpu, type GpuRow } from '../row.ts'

const AMPERE = {
  vendor: 'nvidia',
  arch: 'ampere',
  target: '8.6',
  form: 'pcie',
  pcieGen: 4,
  cudaMin: '11.1',
} satisfies Partial<GpuRow>
const ADA = {
  vendor: 'nvidia',
  arch: 'ada',
  target: '8.9',
  form: 'pcie',
  pcieGen: 4,
  cudaMin: '11.8',
} satisfies Partial<GpuRow>
const BLACKWELL = {
  vendor: 'nvidia',
  arch: 'blackwell-rtx',
  target: '12.0',
  form: 'pcie',
  pcieGen: 5,
  cudaMin: '12.8',
  driverMin: '570',
} satisfies Partial<GpuRow>

/** Two cards can be joined by a bridge; none of the later workstation generations can. */
const BRIDGED = { link: 'bridge', linkGbps: 112.5 } satisfies Partial<GpuRow>

const PRO_6000 = {
  ...BLACKWELL,
  family: 'rtx-pro-6000',
  vramGib: 96,
  vramMib: 97887,
  vramMibSeen: [98304],
  memoryGbps: 1792,
  mig: '1g.24gb x4, 2g.48gb x2, 4g.96gb x1',
} satisfies Partial<GpuRow>

const PRO_6000_NAMES = 'RTXPRO6000 | RTX-PRO-6000 | RTXPro6000 | RTX PRO 6000 96GB | PRO 6000 | RTX6000'

const AMPERE_CARDS: readonly GpuRow[] = [
  {
    ...AMPERE,
    id: 'rtx-a2000-6',
    name: 'RTX A2000 6 GB',
    vramGib: 6,
    vramMib: 6138,
    memoryGbps: 288,
    aliases: 'NVIDIA RTX A2000 | A2000_6GB',
    unverified: 'vramMib memoryGbps target pcieGen',
  },
  {
    ...AMPERE,
    id: 'rtx-a2000-12',
    name: 'RTX A2000 12 GB',
    vramGib: 12,
    vramMib: 12282,
    memoryGbps: 288,
    aliases: 'NVIDIA RTX A2000 12GB',
    unverified: 'vramMib memoryGbps target pcieGen',
  },
  {
    ...AMPERE,
    id: 'rtx-a4000',
    name: 'RTX A4000',
    vramGib: 16,
    vramMib: 16376,
    memoryGbps: 448,
    fp16Tflops: 76.7,
    aliases: 'NVIDIA RTX A4000 | A4000 | A4000_16GB | RTXA4000 | RTX-A4000',
    soldAs: 'hyperstack:n3-RTX-A4000x# paperspace:A4000=1 paperspace:A4000x#',
    unverified: 'fp16Tflops',
  },
  {
    ...AMPERE,
    ...BRIDGED,
    id: 'rtx-a4500',
    name: 'RTX A4500',
    vramGib: 20,
    vramMib: 20470,
    memoryGbps: 640,
    aliases: 'NVIDIA RTX A4500 | A4500 | RTXA4500',
    unverified: 'vramMib linkGbps',
  },
  {
    ...AMPERE,
    ...BRIDGED,
    id: 'rtx-a5000',
    name: 'RTX A5000',
    vramGib: 24,
    vramMib: 24564,
    memoryGbps: 768,
    aliases: 'NVIDIA RTX A5000 | A5000 | RTXA5000',
    unverified: 'memoryGbps linkGbps pcieGen',
  },
  {
    ...AMPERE,
    ...BRIDGED,
    id: 'rtx-a6000',
    name: 'RTX A6000',
    vramGib: 48,
    vramMib: 49140,
    vramMibSeen: [48384],
    memoryGbps: 768,
    fp16Tflops: 154.8,
    aliases: 'NVIDIA RTX A6000 | A6000 | RTXA6000 | RTX-A6000 | NVIDIA_RTX_A6000_48G | A6000_48GB',
    soldAs: 'lambda:gpu_#x_a6000 hyperstack:n3-RTX-A6000x# seeweb:ECS1GPU2=1 seeweb:ECS2GPU2=2 seeweb:ECS3GPU2=4',
    unverified: 'linkGbps',
  },
]

const ADA_CARDS: readonly GpuRow[] = [
  {
    ...ADA,
    id: 'rtx-2000-ada',
    name: 'RTX 2000 Ada',
    vramGib: 16,
    vramMib: 16380,
    memoryGbps: 224,
    aliases: 'NVIDIA RTX 2000 Ada Generation | RTX2000-Ada',
    unverified: 'vramMib memoryGbps pcieGen',
  },
  {
    ...ADA,
    id: 'rtx-4000-ada',
    name: 'RTX 4000 Ada',
    vramGib: 20,
    vramMib: 20475,
    memoryGbps: 360,
    aliases: 'NVIDIA RTX 4000 Ada Generation | RTX4000Ada_20GB | RTX4000-Ada | RTX 4000',
    soldAs: 'do:gpu-4000adax#-20gb',
    unverified: 'vramMib',
  },
  {
    ...ADA,
    id: 'rtx-4500-ada',
    name: 'RTX 4500 Ada',
    vramGib: 24,
    memoryGbps: 432,
    aliases: 'NVIDIA RTX 4500 Ada Generation',
    unverified: 'memoryGbps pcieGen',
  },
  {
    ...ADA,
    id: 'rtx-5000-ada',
    name: 'RTX 5000 Ada',
    vramGib: 32,
    memoryGbps: 576,
    aliases: 'NVIDIA RTX 5000 Ada Generation | RTX 5000',
    unverified: 'memoryGbps pcieGen',
  },
  {
    ...ADA,
    id: 'rtx-5880-ada',
    name: 'RTX 5880 Ada',
    vramGib: 48,
    vramMib: 49140,
    memoryGbps: 960,
    aliases: 'NVIDIA RTX 5880 Ada Generation | RTX5880-Ada',
    unverified: 'memoryGbps pcieGen',
  },
  {
    ...ADA,
    id: 'rtx-6000-ada',
    name: 'RTX 6000 Ada',
    vramGib: 48,
    vramMib: 49140,
    memoryGbps: 960,
    fp16Tflops: 364,
    aliases: 'NVIDIA RTX 6000 Ada Generation | RTX 6000Ada | NVIDIA_RTX_6000_Ada_48G | RTX6000Ada_48GB | RTX6000-Ada',
    soldAs: 'do:gpu-6000adax#-48gb',
    unverified: 'memoryGbps fp16Tflops pcieGen',
  },
]

const BLACKWELL_CARDS: readonly GpuRow[] = [
  {
    ...BLACKWELL,
    id: 'rtx-pro-2000',
    name: 'RTX PRO 2000',
    vramGib: 16,
    memoryGbps: 288,
    aliases: 'NVIDIA RTX PRO 2000 Blackwell',
    unverified: 'memoryGbps pcieGen',
  },
  {
    ...BLACKWELL,
    id: 'rtx-pro-4000',
    name: 'RTX PRO 4000',
    vramGib: 24,
    memoryGbps: 672,
    aliases: 'NVIDIA RTX PRO 4000 Blackwell | RTXPRO4000',
    unverified: 'memoryGbps pcieGen',
  },
  {
    ...BLACKWELL,
    id: 'rtx-pro-4500-workstation',
    family: 'rtx-pro-4500',
    name: 'RTX PRO 4500',
    vramGib: 32,
    vramMib: 32623,
    vramMibSeen: [32768],
    memoryGbps: 896,
    aliases: 'NVIDIA RTX PRO 4500 Blackwell | RTXPRO4500 | RTX PRO 4500 Workstation',
    soldAs: 'runpod:#x_RTXPRO4500_*',
    unverified: 'vramMib memoryGbps pcieGen mig',
  },
  {
    ...BLACKWELL,
    id: 'rtx-pro-4500-server',
    family: 'rtx-pro-4500',
    name: 'RTX PRO 4500 Server',
    vramGib: 32,
    vramMibSeen: [32768],
    aliases: 'NVIDIA RTX PRO 4500 Blackwell Server Edition | RTX PRO 4500 SE | RTXPRO4500-SE',
    soldAs:
      'runpod:#x_RTXPRO4500-SE_* aws:g7.2xlarge=1 aws:g7.4xlarge=1 aws:g7.8xlarge=1 aws:g7.12xlarge=2 aws:g7.24xlarge=4 aws:g7.48xlarge=8',
    unverified: 'vramGib pcieGen mig',
  },
  {
    ...BLACKWELL,
    id: 'rtx-pro-5000-48',
    name: 'RTX PRO 5000 48 GB',
    vramGib: 48,
    memoryGbps: 1344,
    aliases: 'NVIDIA RTX PRO 5000 Blackwell | RTXPRO5000',
    soldAs: 'runpod:#x_RTXPRO5000_*',
    unverified: 'memoryGbps pcieGen mig',
  },
  {
    ...BLACKWELL,
    id: 'rtx-pro-5000-72',
    name: 'RTX PRO 5000 72 GB',
    vramGib: 72,
    memoryGbps: 1344,
    aliases: 'NVIDIA RTX PRO 5000 72GB Blackwell',
    unverified: 'vramGib memoryGbps pcieGen mig',
  },
  {
    ...PRO_6000,
    id: 'rtx-pro-6000-server',
    name: 'RTX PRO 6000 Server',
    fp16Tflops: 468,
    fp8Tflops: 936,
    fp4Tflops: 1871,
    aliases: `NVIDIA RTX PRO 6000 Blackwell Server Edition | NVIDIA_RTX_PRO_6000_96G | RTX PRO Server 6000 | RTX-PRO-6000-CC | ${PRO_6000_NAMES}`,
    // The small g4 sizes are an eighth, a quarter and a half of a card.
    soldAs:
      'aws:g7e.2xlarge=1 aws:g7e.4xlarge=1 aws:g7e.8xlarge=1 aws:g7e.12xlarge=2 aws:g7e.24xlarge=4 aws:g7e.48xlarge=8 ' +
      'gcp:* gcp:nvidia-rtx-pro-6000 gcp:g4-standard-6=1/8 gcp:g4-standard-12=1/4 gcp:g4-standard-24=1/2 ' +
      'gcp:g4-standard-48=1 gcp:g4-standard-96=2 gcp:g4-standard-192=4 gcp:g4-standard-384=8 ' +
      'nebius:gpu-rtx6000_#gpu-* verda:#RTXPRO6000.* runpod:#x_RTXPRO6000_* runpod:#x_PRO-6000-MIG-*',
    unverified: 'memoryGbps',
  },
  {
    ...PRO_6000,
    id: 'rtx-pro-6000-workstation',
    name: 'RTX PRO 6000 Workstation',
    aliases: `NVIDIA RTX PRO 6000 Blackwell Workstation Edition | RTX PRO 6000 WS | RTXPRO6000WS | RTXPRO6000-WK | ${PRO_6000_NAMES}`,
    soldAs: 'runpod:#x_RTXPRO6000-WK_* vast:#x-RTX_PRO_6000_WS-*',
    unverified: 'memoryGbps pcieGen',
  },
  {
    ...PRO_6000,
    id: 'rtx-pro-6000-max-q',
    name: 'RTX PRO 6000 Max-Q',
    aliases: `NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition | ${PRO_6000_NAMES}`,
    unverified: 'vramMib memoryGbps pcieGen mig',
  },
]

export const NVIDIA_WORKSTATION: readonly GpuModel[] = [...AMPERE_CARDS, ...ADA_CARDS, ...BLACKWELL_CARDS].map(gpu)
