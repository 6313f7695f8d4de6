import type { CouplingCase } from './coupling.suite.ts'

/** Ten snippets in the words of dstack, each with what is found in it and what is said instead. */
export const DSTACK_CASES: readonly CouplingCase[] = [
  {
    name: 'memory and a count in one word',
    text: `
type: service
name: llama
resources:
  gpu: 80GB..:4
`,
    finds: `
4:8+8 80GB..:4
  This asks for cards in another tool's words; in a manifest, write:
    gpu: { count: 4, min_vram: 80Gi }
`,
  },
  {
    name: 'cards as a map',
    text: `
resources:
  gpu:
    name: [A100, H100]
    memory: 80GB..
    count: 4
`,
    finds: `
3:5+4 name
  This names 2 cards; what they have in common is:
    arch: [ampere, hopper]
4:5+6 memory: 80GB..
  This asks for a card's memory in another tool's words; in a manifest, write:
    min_vram: 80Gi
`,
  },
  {
    name: 'backends and regions',
    text: `
type: task
backends: [aws, gcp]
regions: [eu-west-1, europe-west4, us-east-1]
`,
    finds: `
2:1+8 backends
  This names 2 providers; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with providers: { allow: [aws, gcp] }
3:1+7 regions
  This names 3 regions; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [eu, us]
`,
  },
  {
    name: 'terms and a price',
    text: `
spot_policy: auto
max_price: 2.5
`,
    finds: `
1:1+11 spot_policy: auto
  This sets the terms on which machines are rented; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with spot: allowed
2:1+9 max_price: 2.5
  This sets a price; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with max_usd_per_hour: 2.5
`,
  },
  {
    name: 'machines, fleets and reservations',
    text: `
instance_types: [p5.48xlarge, p5e.48xlarge]
fleets: [research]
reservation: cr-0123
`,
    finds: `
1:1+14 instance_types
  This names 2 machines; what they have in common is:
    gpu: { count: 8, min_vram: 80Gi, arch: hopper, interconnect: nvswitch }
2:1+6 fleets
  This picks one pool of machines.
    Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.
3:1+11 reservation: cr-0123
  This picks one pool of machines.
    Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.
`,
  },
  {
    name: 'one card by name, eight of it',
    text: `
resources:
  gpu: H100:8
  shm_size: 16GB
`,
    finds: `
2:8+6 H100:8
  This names one card, H100 80 GB (SXM or PCIe) or H100 NVL 94 GB; state what you need from it:
    gpu: { count: 8, min_vram: 80Gi, arch: hopper }
`,
  },
  {
    name: 'a name that means two cards',
    text: `
resources:
  gpu:
    name: A100
    count: 2
`,
    finds: `
3:5+4 name: A100
  This names a card that exists in 2 kinds; state which one you need:
    arch: ampere
    min_vram: 40Gi  # A100 40 GB (SXM or PCIe)
    min_vram: 80Gi  # A100 80 GB (SXM or PCIe)
`,
  },
  {
    name: 'ranges',
    text: `
resources:
  cpu: 8..16
  memory: 64GB..
  disk: 200GB..
  gpu:
    total_memory: 160GB..
    compute_capability: 8.0
    count: 2..4
`,
    finds: `
2:8+5 8..16
  This asks for cpu as a range; in a manifest, write:
    cpu: 8
3:11+6 64GB..
  This asks for memory as a range; in a manifest, write:
    memory: 64Gi
4:9+7 200GB..
  This asks for disk as a range; in a manifest, write:
    disk: 200Gi
6:5+12 total_memory: 160GB..
  This asks for a card's memory in another tool's words; in a manifest, write:
    min_vram: 80Gi
7:5+18 compute_capability: 8.0
  This asks for a compute capability; in a manifest, write:
    min_compute_capability: "8.0"
8:12+4 2..4
  This asks for cards in another tool's words; in a manifest, write:
    count: 2
`,
  },
  {
    name: 'zones, placement and a folder of the machine',
    text: `
availability_zones: [eu-west-1a, eu-west-1b]
placement: cluster
volumes:
  - instance_path: /mnt/cache
    path: /cache
`,
    finds: `
1:1+18 availability_zones
  This names 2 zones; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [eu]
2:1+9 placement: cluster
  This asks for one provider's cluster placement; state what you need instead:
    topology: { within: rack }
4:5+13 instance_path: /mnt/cache
  This uses a folder on one machine; state what you need instead:
    storage: [{ mount: /cache, size: SIZE }]
`,
  },
  {
    name: "other vendors' cards",
    text: `
resources:
  gpu: MI300X:8
availability: { backends: [runpod], spot: false }
`,
    finds: `
2:8+8 MI300X:8
  This names one card, MI300X; state what you need from it:
    gpu: { count: 8, min_vram: 192Gi, arch: cdna3 }
3:17+8 backends
  This names one provider; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with providers: { allow: [runpod] }
3:37+4 spot: false
  This sets the terms on which machines are rented; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with spot: never
`,
  },
]
