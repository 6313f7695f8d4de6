import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { answersTo } from './coupling.suite.ts'

/** Keys that say the same, a value, what is wrong with it, and what to write instead. */
const ROWS: readonly (readonly [keys: string, value: string, message: string, hint: string])[] = [
  [
    'instance_type instance_types machine_type machine_types vm_size vm_sizes vm_type vm_types vm_type_id server_type node_type node_instance_type node_instance_types flavor flavors flavor_name shape shape_name sku skus sku_name instance_size instance_name machine hardware cloud_instance_type shade_instance_type ml_instance_type',
    'p5.48xlarge',
    "This names one provider's machine. It is 8 × H100 SXM 80 GB with NVSwitch, 192 CPUs, 2048 GiB; state what you need from it:",
    'gpu: { count: 8, min_vram: 80Gi, arch: hopper, interconnect: nvswitch }',
  ],
  [
    'instance_type',
    'my-machine',
    "This names one provider's machine.",
    'State under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'instance_type',
    'm5.large',
    "This names one provider's machine. It has 2 CPUs, 8 GiB; state what you need from it:",
    'cpu: 2\nmemory: 8Gi',
  ],
  [
    'instance_type',
    '[m5.large, n2-standard-8]',
    'This names 2 machines; what they have in common is:',
    'cpu: 2\nmemory: 8Gi',
  ],
  [
    'instance_type',
    '[m5.large, my-machine]',
    'This names 2 machines.',
    'State under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'instance_type',
    '[p5.48xlarge, m5.large]',
    'This names 2 machines; what they have in common is:',
    'cpu: 2\nmemory: 8Gi',
  ],
  [
    'instance_type',
    '[p4d.24xlarge, p5.48xlarge]',
    'This names 2 machines; what they have in common is:',
    'gpu: { count: 8, min_vram: 40Gi, arch: [ampere, hopper], interconnect: nvswitch }',
  ],
  [
    'instance_type',
    'g6f.large',
    "This names one provider's machine. It is a part of one L4; state what you need from it:",
    'gpu: { count: 1, min_vram: 3Gi, arch: ada, sharing: any }',
  ],
  [
    'instance_type',
    'n3-H100x8',
    "This names one provider's machine. It is 8 × H100 PCIe 80 GB; state what you need from it:",
    'gpu: { count: 8, min_vram: 80Gi, arch: hopper }',
  ],
  [
    'type size instance instances plan',
    'gpu_8x_h100_sxm5',
    "This names one provider's machine. It is 8 × H100 SXM 80 GB with NVSwitch, 208 CPUs, 1800 GiB; state what you need from it:",
    'gpu: { count: 8, min_vram: 80Gi, arch: hopper, interconnect: nvswitch }',
  ],
  [
    'platform',
    'Standard_NC6',
    "This names one provider's machine. It is 1 × K80; state what you need from it:",
    'gpu: { count: 1, min_vram: 12Gi, arch: kepler }',
  ],
  [
    'gpu_type gpu_types gpu_type_id gpu_type_ids gpu_name gpu_names gpu_model gpu_models gpu_product gpu_class gpu_kind accelerator accelerator_name accelerator_names accelerator_type accelerator_types preferred_gpu preferred_gpus',
    'L4',
    'This names one card, L4; state what you need from it:',
    'gpu: { min_vram: 24Gi, arch: ada }',
  ],
  [
    'accelerator_type',
    'projects/p/zones/z/acceleratorTypes/nvidia-tesla-t4',
    'This names one card, T4; state what you need from it:',
    'gpu: { min_vram: 16Gi, arch: turing }',
  ],
  [
    'gpu_type',
    'H100!',
    'This names one card, H100 80 GB (SXM or PCIe) or H100 NVL 94 GB; state what you need from it:',
    'gpu: { min_vram: 80Gi, arch: hopper }',
  ],
  [
    'gpu_type',
    'B200+',
    'This names one card, B200 SXM 180 GB; state what you need from it:',
    'gpu: { min_vram: 180Gi, arch: blackwell }',
  ],
  [
    'gpu_type',
    'RTX6000',
    'This names a card that exists in 2 kinds; state which one you need:',
    'gpu: { min_vram: 24Gi, arch: turing }  # Quadro RTX 6000\ngpu: { min_vram: 96Gi, arch: blackwell-rtx }  # RTX PRO 6000 (any edition)',
  ],
  [
    'gpu_type',
    'tpu:v5litepod-8',
    'This names one card, TPU v5e; state what you need from it:',
    'gpu: { count: 8, min_vram: 16Gi, arch: tpu }',
  ],
  [
    'gpu_type',
    'A100-80G-PCIe-NVLink:2',
    'This names one card, A100 PCIe 80 GB; state what you need from it:',
    'gpu: { count: 2, min_vram: 80Gi, arch: ampere, interconnect: nvlink }',
  ],
  [
    'gpu_count gpu_counts num_gpus n_gpus ngpus number_of_gpus gpus_per_replica accelerator_count accelerators_count num_accelerators gpu_num',
    '4',
    "This counts cards in another tool's words; in a manifest, write:",
    'gpu: { count: 4 }',
  ],
  ['gpus', 'all', "This asks for cards in another tool's words; in a manifest, write:", 'gpu: { count: 1 }'],
  [
    'gpus',
    'L4:2',
    'This names one card, L4; state what you need from it:',
    'gpu: { count: 2, min_vram: 24Gi, arch: ada }',
  ],
  [
    'gpu_memory gpu_mem gpu_ram gpu_vram gpu_memory_gb gpu_ram_gb min_gpu_memory min_gpu_ram vram vram_gb gpu_memory_size min_single_card_vram_in_gb vram_per_gpu_in_gb min_vram_gb min_gpu_memory_gb',
    '24',
    "This asks for a card's memory in another tool's words; in a manifest, write:",
    'gpu: { min_vram: 24Gi }',
  ],
  [
    'vram',
    '999',
    "This asks for a card's memory in another tool's words; in a manifest, write:",
    'gpu: { min_vram: 999Gi }',
  ],
  [
    'vram',
    '1000',
    "This asks for a card's memory in another tool's words; in a manifest, write:",
    'gpu: { min_vram: 1Gi }',
  ],
  [
    'vram',
    '24576',
    "This asks for a card's memory in another tool's words; in a manifest, write:",
    'gpu: { min_vram: 24Gi }',
  ],
  [
    'vram',
    '24GB+',
    "This asks for a card's memory in another tool's words; in a manifest, write:",
    'gpu: { min_vram: 24Gi }',
  ],
  [
    'cuda cuda_version cuda_versions min_cuda_version allowed_cuda_versions cuda_max_good',
    '["12.10", "12.4", x]',
    "This asks for CUDA in another tool's words; in a manifest, write:",
    'gpu: { min_cuda: "12.4" }',
  ],
]

describe('machines and cards', () => {
  test.each(ROWS)('%s: %s', (keys, value, message, hint) => {
    for (const key of keys.split(' ')) expect(answers(`${key}: ${value}`)).toEqual([[message, hint]])
  })
})

function answers(text: string): ReturnType<typeof answersTo> {
  const read = readYaml(text, 'x.yaml')
  return 'document' in read ? answersTo(read.document) : []
}
