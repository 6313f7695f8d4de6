import type { CouplingCase } from './coupling.suite.ts'

/** Ten snippets in the words of SkyPilot, each with what is found in it and what is said instead. */
export const SKYPILOT_CASES: readonly CouplingCase[] = [
  {
    name: 'a card, a count and a place',
    text: `
name: serve
resources:
  infra: aws/us-east-1
  accelerators: H100:8
`,
    finds: `
3:3+5 infra: aws/us-east-1
  This names one place to run; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with providers: { allow: [aws] }, residency: [us]
4:3+12 accelerators: H100:8
  This names one card, H100 80 GB (SXM or PCIe) or H100 NVL 94 GB; state what you need from it:
    gpu: { count: 8, min_vram: 80Gi, arch: hopper }
`,
  },
  {
    name: 'alternatives as a map',
    text: `
resources:
  accelerators: { L4: 1, A10G: 1, A100-80GB: 1 }
`,
    finds: `
2:3+12 accelerators
  This names 3 cards; what they have in common is:
    gpu: { count: 1, min_vram: 24Gi, arch: [ada, ampere] }
`,
  },
  {
    name: 'alternatives in order of preference',
    text: `
resources:
  accelerators: [H200:8, H100:8, A100-80GB:8]
`,
    finds: `
2:3+12 accelerators
  This names 3 cards; what they have in common is:
    gpu: { count: 8, min_vram: 80Gi, arch: [hopper, ampere] }
`,
  },
  {
    name: 'amounts with a plus',
    text: `
resources:
  accelerators: nvidia:80GB+:4
  cpus: 16+
  memory: 64+
  disk_size: 256
`,
    finds: `
2:3+12 accelerators: nvidia:80GB+:4
  This asks for cards in another tool's words; in a manifest, write:
    gpu: { count: 4, min_vram: 80Gi }
3:3+4 cpus: 16+
  This asks for CPUs in another tool's words; in a manifest, write:
    cpu: 16
4:11+3 64+
  This asks for memory as a range; in a manifest, write:
    memory: 64Gi
5:3+9 disk_size: 256
  This asks for disk in another tool's words; in a manifest, write:
    disk: 256Gi
`,
  },
  {
    name: 'a cloud, a region, a zone and a machine',
    text: `
resources:
  cloud: gcp
  region: us-central1
  zone: us-central1-a
  instance_type: a2-highgpu-8g
`,
    finds: `
2:3+5 cloud: gcp
  This names one provider; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with providers: { allow: [gcp] }
3:3+6 region: us-central1
  This names one provider's region; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [us]
4:3+4 zone: us-central1-a
  This names one provider's zone; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [us]
5:3+13 instance_type: a2-highgpu-8g
  This names one provider's machine. It is 8 × A100 SXM 40 GB with NVSwitch, 96 CPUs, 680 GiB; state what you need from it:
    gpu: { count: 8, min_vram: 40Gi, arch: ampere, interconnect: nvswitch }
`,
  },
  {
    name: 'any of several places',
    text: `
resources:
  accelerators: A100-80GB:8
  any_of:
    - infra: aws/us-west-2
    - infra: gcp/europe-west4
      use_spot: true
`,
    finds: `
2:3+12 accelerators: A100-80GB:8
  This names one card, A100 80 GB (SXM or PCIe); state what you need from it:
    gpu: { count: 8, min_vram: 80Gi, arch: ampere }
3:3+6 any_of
  This offers a choice of 2; what they have in common is:
    policy: NAME  # one in berth.config.yaml with providers: { allow: [aws, gcp] }, residency: [us, eu], spot: allowed
`,
  },
  {
    name: 'an ordered choice of cards and terms',
    text: `
resources:
  ordered:
    - { accelerators: L40S:4, use_spot: true }
    - { accelerators: H100:2, use_spot: true }
`,
    finds: `
2:3+7 ordered
  This offers a choice of 2; what they have in common is:
    gpu: { count: 2, min_vram: 48Gi, arch: [ada, hopper] }
    policy: NAME  # one in berth.config.yaml with spot: only
`,
  },
  {
    name: 'a TPU slice',
    text: `
resources:
  accelerators: tpu-v5litepod-8
  accelerator_args: { runtime_version: v2-alpha-tpuv5-lite }
`,
    finds: `
2:3+12 accelerators: tpu-v5litepod-8
  This names one card, TPU v5e; state what you need from it:
    gpu: { count: 8, min_vram: 16Gi, arch: tpu }
3:3+16 accelerator_args
  This sets up one provider's accelerators.
    Remove it. The chosen provider sets up its own machines.
`,
  },
  {
    name: 'images, tiers, nodes and stores',
    text: `
num_nodes: 2
resources:
  image_id: docker:ghcr.io/acme/train:3
  disk_tier: best
  network_tier: best
  instance_type: m5.4xlarge
file_mounts:
  /data:
    name: acme-data
    store: gcs
    mode: MOUNT
`,
    finds: `
1:1+9 num_nodes: 2
  This asks for machines in another tool's words; in a manifest, write:
    nodes: 2
3:3+8 image_id: docker:ghcr.io/acme/train:3
  This asks for a container in another tool's words; in a manifest, write:
    image: ghcr.io/acme/train:3
4:3+9 disk_tier: best
  This names one provider's kind of disk; state what you need instead:
    disk: SIZE
5:3+12 network_tier: best
  This asks for a provider's best network; state what you need instead:
    topology: { within: rack }
6:3+13 instance_type: m5.4xlarge
  This names one provider's machine. It has 16 CPUs, 64 GiB; state what you need from it:
    cpu: 16
    memory: 64Gi
10:5+5 store: gcs
  This names one provider's object store; in a manifest, write:
    storage: [{ mount: /data, from: gs://acme-data }]
`,
  },
  {
    name: 'a name that means two cards, and how to recover',
    text: `
service:
  replica_policy: { min_replicas: 1, dynamic_ondemand_fallback: true }
resources:
  accelerators: A100:4
  use_spot: true
  job_recovery: EAGER_NEXT_REGION
  image_id: ami-0a1b2c3d
`,
    finds: `
2:38+25 dynamic_ondemand_fallback: true
  This sets the terms on which machines are rented; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with spot: allowed
4:3+12 accelerators: A100:4
  This names a card that exists in 2 kinds; state which one you need:
    gpu: { count: 4, min_vram: 40Gi, arch: ampere }  # A100 40 GB (SXM or PCIe)
    gpu: { count: 4, min_vram: 80Gi, arch: ampere }  # A100 80 GB (SXM or PCIe)
5:3+8 use_spot: true
  This sets the terms on which machines are rented; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with spot: only
6:3+12 job_recovery: EAGER_NEXT_REGION
  This sets how one tool moves work between regions; in a manifest, write:
    migration: { on: [outage] }
7:3+8 image_id: ami-0a1b2c3d
  This names one provider's machine image; state what you need instead:
    image: REGISTRY/NAME:TAG
`,
  },
]
