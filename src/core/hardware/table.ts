import type { GpuModel } from './gpu.ts'
import { NVIDIA_AMPERE_ADA } from './nvidia/ampere-ada.ts'
import { NVIDIA_CONSUMER } from './nvidia/consumer.ts'
import { NVIDIA_HOPPER_BLACKWELL } from './nvidia/hopper-blackwell.ts'
import { NVIDIA_OLDER } from './nvidia/older.ts'
import { NVIDIA_WORKSTATION } from './nvidia/workstation.ts'
import { OTHER_VENDORS } from './other-vendors.ts'

/** Every accelerator that Berth knows, sorted by id. */
export const GPUS: readonly GpuModel[] = [
  ...NVIDIA_OLDER,
  ...NVIDIA_AMPERE_ADA,
  ...NVIDIA_HOPPER_BLACKWELL,
  ...NVIDIA_WORKSTATION,
  ...NVIDIA_CONSUMER,
  ...OTHER_VENDORS,
].toSorted((one, two) => (one.id < two.id ? -1 : 1))

const BY_ID: ReadonlyMap<string, GpuModel> = new Map(GPUS.map((gpu) => [gpu.id, gpu]))

/** Models by family id, each family sorted by model id. */
export const FAMILIES: ReadonlyMap<string, readonly GpuModel[]> = Map.groupBy(GPUS, (gpu) => gpu.family)

/** Names of families, for cards whose exact model is not known. */
export const FAMILY_NAMES: Readonly<Record<string, string>> = {
  'a100-40': 'A100 40 GB (SXM or PCIe)',
  'a100-80': 'A100 80 GB (SXM or PCIe)',
  'a800-80': 'A800 80 GB (SXM or PCIe)',
  'h100-80': 'H100 80 GB (SXM or PCIe)',
  'h200-141': 'H200 141 GB (SXM or NVL)',
  'h800-80': 'H800 80 GB (SXM or PCIe)',
  'p100-16': 'P100 16 GB (SXM or PCIe)',
  'rtx-pro-4500': 'RTX PRO 4500 (any edition)',
  'rtx-pro-6000': 'RTX PRO 6000 (any edition)',
  'v100-16': 'V100 16 GB (SXM or PCIe)',
  'v100-32': 'V100 32 GB (SXM or PCIe)',
}

export function gpuById(id: string): GpuModel | undefined {
  return BY_ID.get(id)
}
