import * as z from 'zod'
import { arch, computeCapability, memory, oneOrMore, optional, version, vram } from '../requirement/fields.ts'

/** Cards of a machine: a larger number is a typing mistake. */
const CARDS_MAX = 1024

const VENDORS = ['nvidia', 'amd', 'intel', 'google', 'aws', 'qualcomm'] as const
const vendor = z.union([
  z.enum([...VENDORS, 'any']).transform((name) => (name === 'any' ? name : [name])),
  z.array(z.enum(VENDORS)).min(1).max(VENDORS.length),
])

export const gpu = z.strictObject({
  count: optional(
    z.int().min(1).max(CARDS_MAX),
    { description: 'GPUs in one machine.', examples: [4], default: 1 },
    { also: ['number', 'num', 'amount', 'quantity', 'size', 'gpus', 'num_gpus', 'gpu_count'] },
  ),
  vendor: optional(
    vendor,
    {
      description:
        'Maker of the GPU: one, a list, or any. Left out: the maker of `arch` where that is given, otherwise nvidia.',
      examples: ['nvidia'],
    },
    { also: ['manufacturer', 'brand', 'make'] },
  ),
  min_vram: optional(
    vram,
    { description: 'Advertised memory of each GPU: a card sold as 80 GB satisfies 80Gi.', examples: ['80Gi'] },
    { also: ['vram', 'memory', 'gpu_memory', 'mem', 'min_memory', 'gpu_vram', 'vram_gb', 'memory_gb', 'total_memory'] },
  ),
  min_usable_vram: optional(
    memory,
    {
      description: 'Memory of each GPU that the driver reports, a few percent below the advertised size.',
      examples: ['79Gi'],
    },
    { also: ['usable_vram', 'usable_memory'] },
  ),
  arch: optional(
    oneOrMore(arch),
    {
      description: 'GPU architecture: one or a list. Each stands for a set of compute capabilities.',
      examples: ['hopper'],
    },
    { also: ['architecture', 'architectures', 'generation', 'gpu_arch'] },
  ),
  min_compute_capability: optional(
    computeCapability,
    { description: 'Lowest NVIDIA compute capability.', examples: ['9.0'] },
    { also: ['compute_capability', 'capability', 'sm', 'cc'] },
  ),
  min_driver: optional(
    version,
    { description: 'Oldest NVIDIA driver.', examples: ['550'] },
    { also: ['driver', 'driver_version', 'nvidia_driver'] },
  ),
  min_cuda: optional(
    version,
    { description: 'CUDA version that the driver must support.', examples: ['12.4'] },
    { also: ['cuda', 'cuda_version'] },
  ),
  interconnect: optional(
    z.enum(['any', 'pcie', 'nvlink', 'nvswitch']),
    {
      description: 'Link between the GPUs of one machine. A faster link satisfies a slower one.',
      examples: ['nvlink'],
      default: 'any',
    },
    { also: ['link', 'nvlink', 'topology'] },
  ),
  sharing: optional(
    z.enum(['never', 'mig', 'any']),
    {
      description: 'Whether a slice of a card is acceptable: never, a MIG slice, or any slice.',
      examples: ['never'],
      default: 'never',
    },
    { also: ['shared', 'mig', 'share', 'fractional'] },
  ),
})
