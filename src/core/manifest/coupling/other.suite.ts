import type { CouplingCase } from './coupling.suite.ts'

/** Ten snippets in the words of Yotta, RunPod, Nomad, Terraform, compose, Modal and Slurm, each with what is found in it and what is said instead. */
export const OTHER_CASES: readonly CouplingCase[] = [
  {
    name: 'a Yotta pod',
    text: `
{
  "name": "llama",
  "image": "ghcr.io/acme/vllm:0.22",
  "gpuType": "NVIDIA_H100_80G",
  "gpuCount": 4,
  "regions": ["us-east-2"],
  "minSingleCardVramInGb": 80,
  "minSingleCardRamInGb": 32,
  "containerVolumeInGb": 100,
  "persistentVolumeInGb": 500,
  "persistentMountPath": "/models"
}
`,
    finds: `
4:3+9 gpuType: NVIDIA_H100_80G
  This names one card, H100 80 GB (SXM or PCIe); state what you need from it:
    gpu: { count: 4, min_vram: 80Gi, arch: hopper }
5:3+10 gpuCount: 4
  This counts cards in another tool's words; in a manifest, write:
    gpu: { count: 4, min_vram: 80Gi, arch: hopper }
6:3+9 regions
  This names one provider's region; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [us]
7:3+23 minSingleCardVramInGb: 80
  This asks for a card's memory in another tool's words; in a manifest, write:
    gpu: { count: 4, min_vram: 80Gi, arch: hopper }
8:3+22 minSingleCardRamInGb: 32
  This asks for memory for each card in another tool's words; in a manifest, write:
    memory: 128Gi
9:3+21 containerVolumeInGb: 100
  This asks for disk in another tool's words; in a manifest, write:
    disk: 100Gi
10:3+22 persistentVolumeInGb: 500
  This asks for storage in another tool's words; in a manifest, write:
    storage: [{ mount: /models, size: 500Gi }]
`,
  },
  {
    name: 'a RunPod pod',
    text: `
gpuTypeIds: [NVIDIA H100 80GB HBM3, NVIDIA A100 80GB PCIe]
gpuCount: 2
cloudType: SECURE
dataCenterIds: [EU-RO-1, US-KS-2]
interruptible: true
allowedCudaVersions: ["12.4", "12.1"]
networkVolumeId: 4f9a
`,
    finds: `
1:1+10 gpuTypeIds
  This names 2 cards; what they have in common is:
    gpu: { count: 2, min_vram: 80Gi, arch: [hopper, ampere], min_cuda: "12.1" }
2:1+8 gpuCount: 2
  This counts cards in another tool's words; in a manifest, write:
    gpu: { count: 2, min_vram: 80Gi, arch: [hopper, ampere], min_cuda: "12.1" }
3:1+9 cloudType: SECURE
  This chooses whose machines one provider uses; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with trust: [secure]
4:1+13 dataCenterIds
  This names 2 regions; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [eu, us]
5:1+13 interruptible: true
  This sets the terms on which machines are rented; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with spot: only
6:1+19 allowedCudaVersions
  This asks for CUDA in another tool's words; in a manifest, write:
    gpu: { count: 2, min_vram: 80Gi, arch: [hopper, ampere], min_cuda: "12.1" }
7:1+15 networkVolumeId: 4f9a
  This uses one provider's volume; state what you need instead:
    storage: [{ mount: /data, from: s3://BUCKET/PATH }]
`,
  },
  {
    name: "a Nomad job in HCL's words",
    text: `
job:
  train:
    datacenters: [eu-central-1]
    node_pool: gpu
    constraint: { attribute: "\${attr.platform.aws.instance-type}", value: p4d.24xlarge }
    group:
      g:
        affinity: { attribute: "\${node.class}", value: a100 }
        spread: { attribute: "\${node.datacenter}" }
        task:
          t:
            resources:
              device:
                nvidia/gpu:
                  count: 2
                  constraint: { attribute: "\${device.attr.memory}", operator: ">=", value: 40 GiB }
`,
    finds: `
3:5+11 datacenters
  This names one provider's region; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [eu]
4:5+9 node_pool: gpu
  This picks one pool of machines.
    Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.
5:30+36 \${attr.platform.aws.instance-type}
  This names one provider's machine. It is 8 × A100 SXM 40 GB with NVSwitch, 96 CPUs, 1152 GiB; state what you need from it:
    gpu: { count: 8, min_vram: 40Gi, arch: ampere, interconnect: nvswitch }
8:32+15 \${node.class}
  This picks one cluster's pool of nodes.
    Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.
9:9+6 spread
  This spreads copies over one cluster's nodes or zones; state what you need instead:
    spread: zone
14:17+10 nvidia/gpu
  This counts cards in another tool's words; in a manifest, write:
    gpu: { count: 2, min_vram: 40Gi }
16:44+23 \${device.attr.memory}
  This asks for a card's memory in a cluster's words; in a manifest, write:
    gpu: { count: 2, min_vram: 40Gi }
`,
  },
  {
    name: "a Nomad job in the API's words",
    text: `
Job:
  Datacenters: [dc1]
  Constraints:
    - { LTarget: "\${attr.kernel.name}", RTarget: linux, Operand: "=" }
    - { LTarget: "\${attr.unique.hostname}", RTarget: gpu-7, Operand: "=" }
  TaskGroups:
    - Tasks:
        - Resources:
            Devices: [{ Name: nvidia/gpu/A100-SXM4-80GB, Count: 4 }]
`,
    finds: `
2:3+11 Datacenters
  This names one provider's region; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: the allowed areas
5:18+25 \${attr.unique.hostname}
  This pins the work to single machines.
    Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.
9:31+25 nvidia/gpu/A100-SXM4-80GB
  This names one card, A100 SXM 80 GB; state what you need from it:
    gpu: { count: 4, min_vram: 80Gi, arch: ampere, interconnect: nvlink }
`,
  },
  {
    name: 'a Terraform instance at Google',
    text: `
resource:
  google_compute_instance:
    train:
      machine_type: n1-standard-8
      zone: us-central1-a
      guest_accelerator: [{ type: nvidia-tesla-t4, count: 2 }]
      scheduling: { preemptible: true, automatic_restart: false }
`,
    finds: `
4:7+12 machine_type: n1-standard-8
  This names one provider's machine. It has 8 CPUs, 30 GiB; state what you need from it:
    cpu: 8
    memory: 30Gi
5:7+4 zone: us-central1-a
  This names one provider's zone; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [us]
6:7+17 guest_accelerator
  This names one card, T4; state what you need from it:
    gpu: { count: 2, min_vram: 16Gi, arch: turing }
7:21+11 preemptible: true
  This sets the terms on which machines are rented; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with spot: only
`,
  },
  {
    name: 'Terraform instances elsewhere',
    text: `
provider: { aws: { region: eu-west-2 } }
resource:
  aws_instance: { a: { ami: ami-1, instance_type: g5.xlarge, availability_zone: eu-west-2a, subnet_id: subnet-1 } }
  azurerm_linux_virtual_machine: { b: { size: Standard_ND96asr_v4, location: westeurope, priority: Spot } }
  oci_core_instance: { c: { shape: BM.GPU4.8, availability_domain: EU-FRANKFURT-1-AD-1 } }
`,
    finds: `
1:13+3 aws
  This names one provider; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with providers: { allow: [aws] }
1:20+6 region: eu-west-2
  This names one provider's region; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [uk]
3:24+3 ami: ami-1
  This names one provider's machine image; state what you need instead:
    image: REGISTRY/NAME:TAG
3:36+13 instance_type: g5.xlarge
  This names one provider's machine. It is 1 × A10G, 4 CPUs, 16 GiB; state what you need from it:
    gpu: { count: 1, min_vram: 24Gi, arch: ampere }
3:62+17 availability_zone: eu-west-2a
  This names one provider's zone; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [uk]
3:93+9 subnet_id: subnet-1
  This names one provider's network.
    Remove it. A service gets a stable address for its ports wherever it runs.
4:41+4 size: Standard_ND96asr_v4
  This names one provider's machine. It is 8 × A100 SXM 40 GB with NVSwitch, 96 CPUs, 900 GiB; state what you need from it:
    gpu: { count: 8, min_vram: 40Gi, arch: ampere, interconnect: nvswitch }
4:68+8 location: westeurope
  This names one provider's region; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [eu]
4:90+8 priority: Spot
  This sets the terms on which machines are rented; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with spot: only
5:29+5 shape: BM.GPU4.8
  This names one provider's machine. It is 8 × A100 SXM 40 GB with NVSwitch, 128 CPUs, 2048 GiB; state what you need from it:
    gpu: { count: 8, min_vram: 40Gi, arch: ampere, interconnect: nvswitch }
5:47+19 availability_domain: EU-FRANKFURT-1-AD-1
  This names one provider's zone; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [eu]
`,
  },
  {
    name: 'a compose file',
    text: `
services:
  llm:
    image: ghcr.io/acme/vllm:0.22
    runtime: nvidia
    environment: { AWS_REGION: eu-west-1 }
    deploy:
      placement: { constraints: [node.labels.gpu == a100, node.role == worker] }
      resources:
        reservations:
          devices:
            - { driver: nvidia, count: 2, capabilities: [gpu] }
  asr:
    deploy:
      resources:
        reservations:
          devices:
            - { driver: nvidia, device_ids: ["0", "3"], capabilities: [gpu] }
`,
    finds: `
4:5+7 runtime: nvidia
  This names one machine's container runtime.
    Remove it. A workload that asks for a gpu gets the right runtime.
7:34+23 node.labels.gpu == a100
  This picks nodes by a label of one cluster.
    Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.
11:33+5 count: 2
  This counts cards in another tool's words; in a manifest, write:
    gpu: { count: 2 }
17:33+10 device_ids
  This pins cards of one machine; state how many you need:
    gpu: { count: 2 }
`,
  },
  {
    name: 'a Modal function',
    text: `
function: generate
gpu: [H100:4, A100-80GB:4]
cloud: oci
region: us-east
`,
    finds: `
2:6+21 gpu
  This names 2 cards; what they have in common is:
    gpu: { count: 4, min_vram: 80Gi, arch: [hopper, ampere] }
3:1+5 cloud: oci
  This names one provider; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with providers: { allow: [oci] }
4:1+6 region: us-east
  This names one provider's region; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [us]
`,
  },
  {
    name: 'a Slurm script',
    text: `
run: |
  #!/bin/bash
  #SBATCH --job-name=train
  #SBATCH --gres=gpu:h100:4
  #SBATCH --partition=gpu-long --nodes=2
  #SBATCH -C "hopper&nvlink"
  srun python train.py --partition=3
`,
    finds: `
4:11+17 --gres=gpu:h100:4
  This names one card, H100 80 GB (SXM or PCIe) or H100 NVL 94 GB; state what you need from it:
    gpu: { count: 4, min_vram: 80Gi, arch: hopper }
5:11+20 --partition=gpu-long
  This picks one cluster's pool of nodes.
    Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.
6:11+18 -C "hopper&nvlink"
  This names an architecture in a cluster's words; in a manifest, write:
    gpu: { count: 4, min_vram: 80Gi, arch: hopper }
`,
  },
  {
    name: 'Slurm options as keys',
    text: `
slurm: { partition: a100, gres: "gpu:a100_1g.10gb:1", qos: high, constraint: big-memory }
`,
    finds: `
1:10+9 partition: a100
  This picks one cluster's pool of nodes.
    Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.
1:27+4 gres: gpu:a100_1g.10gb:1
  This asks for a slice of a card; in a manifest, write:
    gpu: { count: 1, min_vram: 10Gi, sharing: mig }
1:55+3 qos: high
  This names one cluster's queue; the platform decides which work goes first:
    policy: NAME  # one that the platform team maintains for this kind of work
1:66+10 constraint: big-memory
  This picks nodes by a label of one cluster.
    Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.
`,
  },
  {
    name: 'Slurm options as they are typed',
    text: `
sbatch: [--gpus-per-node=a100:8, --nodelist=gpu7, --switches=1, --time=10:00]
`,
    finds: `
1:10+22 --gpus-per-node=a100:8
  This names a card that exists in 2 kinds; state which one you need:
    gpu: { count: 8, min_vram: 40Gi, arch: ampere }  # A100 40 GB (SXM or PCIe)
    gpu: { count: 8, min_vram: 80Gi, arch: ampere }  # A100 80 GB (SXM or PCIe)
1:34+15 --nodelist=gpu7
  This pins the work to single machines.
    Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.
1:51+12 --switches=1
  This names a level of one cluster's network; state what you need instead:
    topology: { within: rack }
`,
  },
  {
    name: 'a Nebius machine',
    text: `
platform: gpu-h100-sxm
preset: 8gpu-128vcpu-1600gb
`,
    finds: `
1:1+8 platform: gpu-h100-sxm
  This names one card, H100 SXM 80 GB; state what you need from it:
    gpu: { count: 8, min_vram: 80Gi, arch: hopper, interconnect: nvswitch }
2:1+6 preset: 8gpu-128vcpu-1600gb
  This names one provider's size of machine; state what you need from it:
    gpu: { count: 8, min_vram: 80Gi, arch: hopper, interconnect: nvswitch }
    cpu: 128
    memory: 1600Gi
`,
  },
]
