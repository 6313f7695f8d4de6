import { DEFAULT_POLICY } from '../policy/policy.ts'
import type { PlainRequest } from './oracle.suite.ts'

const SILENCE = DEFAULT_POLICY.unknownAccepted

/** Fifty typical requests. */
export const REQUESTS: readonly PlainRequest[] = [
  { title: 'anything at all' },
  { title: 'four CPUs', cpu: 4 },
  { title: 'a large CPU machine', cpu: 64, memoryGib: 256 },
  { title: 'an arm64 machine', cpu: 4, hostArch: ['arm64'] },
  { title: 'either architecture', cpu: 4, hostArch: ['amd64', 'arm64'] },
  { title: 'a CPU machine on spot', cpu: 8, memoryGib: 32, policy: { spot: 'only' } },
  { title: 'any GPU', gpu: {} },
  { title: 'any GPU of any maker', gpu: { vendors: 'any' } },
  { title: 'any GPU or a slice of one', gpu: { sharing: 'any' } },
  { title: 'a MIG slice of 10 GB', gpu: { sharing: 'mig', vramGibMin: 10 } },
  { title: 'a slice of 5 GB of any kind', gpu: { sharing: 'any', vramGibMin: 5 } },
  { title: 'transcription on 16 GB', gpu: { vramGibMin: 16 }, cpu: 4, memoryGib: 16 },
  { title: 'transcription on 24 GB', gpu: { vramGibMin: 24 } },
  { title: '24 GB that are really usable', gpu: { usableGibMin: 23.5 } },
  { title: 'a 7B model on 24 GB of Ada', gpu: { vramGibMin: 24, arch: ['ada'] }, memoryGib: 32 },
  { title: 'a 13B model on 40 GB', gpu: { vramGibMin: 40 }, cpu: 8 },
  { title: 'bf16 on 40 GB', gpu: { vramGibMin: 40, computeCapabilityMin: '8.0' } },
  { title: 'fp8 on 48 GB', gpu: { vramGibMin: 48, computeCapabilityMin: '8.9' } },
  { title: 'one card of 80 GB', gpu: { vramGibMin: 80 } },
  { title: 'one card with 80 GiB usable', gpu: { usableGibMin: 80 } },
  { title: 'one Hopper', gpu: { arch: ['hopper'] } },
  { title: 'one Hopper on either host', gpu: { arch: ['hopper'] }, hostArch: ['amd64', 'arm64'] },
  { title: 'a superchip', gpu: { arch: ['hopper'], vramGibMin: 90 }, hostArch: ['arm64'] },
  { title: 'one datacentre Blackwell', gpu: { arch: ['blackwell'] } },
  { title: 'one Blackwell RTX', gpu: { arch: ['blackwell-rtx'] } },
  { title: 'two cards of 80 GB', gpu: { count: 2, vramGibMin: 80 } },
  { title: 'two cards joined by NVLink', gpu: { count: 2, interconnect: 'nvlink' } },
  { title: 'four cards of 80 GB joined by NVLink', gpu: { count: 4, vramGibMin: 80, interconnect: 'nvlink' } },
  { title: 'eight cards behind a switch', gpu: { count: 8, interconnect: 'nvswitch' } },
  { title: 'eight Hoppers behind a switch', gpu: { count: 8, arch: ['hopper'], interconnect: 'nvswitch' }, cpu: 96 },
  { title: 'eight cards over PCIe', gpu: { count: 8, interconnect: 'pcie', vramGibMin: 24 } },
  { title: 'a 70B model', gpu: { count: 4, vramGibMin: 80, arch: ['hopper', 'blackwell'] }, memoryGib: 200 },
  { title: 'a 400B model', gpu: { count: 8, vramGibMin: 141, arch: ['hopper', 'blackwell'] } },
  { title: '192 GB on one card', gpu: { vramGibMin: 192, vendors: 'any' } },
  { title: 'an AMD card', gpu: { vendors: ['amd'] } },
  { title: 'eight MI300X', gpu: { vendors: ['amd'], count: 8, arch: ['cdna3'] } },
  { title: 'a TPU', gpu: { vendors: ['google'] } },
  { title: 'CUDA 12.4', gpu: { vramGibMin: 24, cudaMin: '12.4' } },
  { title: 'CUDA 13 on anything', gpu: { cudaMin: '13.0' } },
  { title: 'CUDA 13 where it is known', gpu: { cudaMin: '12.8' }, policy: { unknownAccepted: without('cuda') } },
  { title: 'driver 550', gpu: { vramGibMin: 80, driverMin: '550' } },
  { title: 'driver 550 where it is known', gpu: { driverMin: '550' }, policy: { unknownAccepted: without('driver') } },
  { title: 'a card on spot', gpu: { vramGibMin: 24 }, policy: { spot: 'allowed' } },
  { title: 'eight cards on spot only', gpu: { count: 8, vramGibMin: 40 }, policy: { spot: 'only' } },
  { title: 'a card under two dollars', gpu: { vramGibMin: 80 }, policy: { usdPerHourMax: 2 } },
  { title: 'a card in the EU', gpu: { vramGibMin: 80 }, policy: { residency: ['eu'] } },
  {
    title: 'a card anywhere but at two providers',
    gpu: { vramGibMin: 48 },
    policy: { providersDenied: ['vast', 'runpod'] },
  },
  {
    title: 'a public endpoint with a disk',
    gpu: { vramGibMin: 24 },
    diskGib: 100,
    volumeGib: 500,
    calledFromOutside: true,
  },
  { title: 'a gang of two in one rack', gpu: { count: 8, vramGibMin: 80 }, nodes: 2, within: 'rack' },
  { title: 'nothing taken on trust', gpu: { vramGibMin: 24 }, policy: { unknownAccepted: [] } },
]

function without(name: string): readonly string[] {
  return SILENCE.filter((accepted) => accepted !== name)
}
