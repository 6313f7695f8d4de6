import * as z from 'zod'
import { arch, computeCapability, memory, oneOrMore, optional, version, vram } from './fields.ts'

/** Cards of a machine: beyond this a typing mistake is certain. */
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
      description: 'Who makes the GPU: one, a list, or any. Follows from `arch` where that is given; otherwise nvidia.',
      examples: ['nvidia'],
    },
    { also: ['manufacturer', 'brand', 'make'] },
  ),
  min_vram: optional(
    vram,
    { description: 'Memory of each GPU, as it is sold: a card sold as 80 GB satisfies 80Gi.', examples: ['80Gi'] },
    { also: ['vram', 'memory', 'gpu_memory', 'mem', 'min_memory', 'gpu_vram', 'vram_gb', 'memory_gb', 'total_memory'] },
  ),
  min_usable_vram: optional(
    memory,
    {
      description: 'Memory of each GPU that the driver reports, a few percent under the size it is sold as.',
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
    { description: 'Oldest CUDA that the driver must serve.', examples: ['12.4'] },
    { also: ['cuda', 'cuda_version'] },
  ),
  interconnect: optional(
    z.enum(['any', 'pcie', 'nvlink', 'nvswitch']),
    {
      description: 'How the GPUs of one machine are joined; a better link satisfies a lesser one.',
      examples: ['nvlink'],
      default: 'any',
    },
    { also: ['link', 'nvlink', 'topology'] },
  ),
  sharing: optional(
    z.enum(['never', 'mig', 'any']),
    {
      description: 'Whether a slice of a card will do: never, a MIG slice, or any slice.',
      examples: ['never'],
      default: 'never',
    },
    { also: ['shared', 'mig', 'share', 'fractional'] },
  ),
})
