import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { answersTo } from './coupling.suite.ts'

/** Keys that say the same, a value, what is wrong with it, and what to write instead. */
const ROWS: readonly (readonly [keys: string, value: string, message: string, hint: string])[] = [
  [
    'nvidia.com/gpu.product nvidia.com/gpu.machine cloud.google.com/gke-accelerator amd.com/gpu.product-name beta.amd.com/gpu.product-name amd.com/gpu.family gpu.nvidia.com/class gpu.nvidia.com/model karpenter.k8s.aws/instance-gpu-name karpenter.k8s.aws/instance-accelerator-name eks.amazonaws.com/instance-gpu-name karpenter.azure.com/sku-gpu-name kubernetes.azure.com/sku-gpu-name cloud.google.com/gke-tpu-accelerator doks.digitalocean.com/gpu-model k8s.amazonaws.com/accelerator gpu.gke.io/accelerator',
    'L4',
    'This names one card, L4; state what you need from it:',
    'gpu: { min_vram: 24Gi, arch: ada }',
  ],
  [
    'nvidia.com/gpu nvidia.com/gpu.count cloud.google.com/gke-accelerator-count karpenter.k8s.aws/instance-gpu-count karpenter.k8s.aws/instance-accelerator-count eks.amazonaws.com/instance-gpu-count karpenter.azure.com/sku-gpu-count gpu.nvidia.com/count gpu-fraction-num-devices volcano.sh/vgpu-number ray.io/num-gpus',
    '"2"',
    "This counts cards in another tool's words; in a manifest, write:",
    'gpu: { count: 2 }',
  ],
  ['nvidia.com/gpu', 'x', "This counts cards in another tool's words; in a manifest, write:", 'gpu: { count: 1 }'],
  [
    'nvidia.com/gpu.present nvidia.com/gpu.deploy.driver nvidia.com/gpu.deploy.device-plugin amd.com/gpu.present kubernetes.azure.com/accelerator gpu.nvidia.com/present feature.node.kubernetes.io/pci-10de.present feature.node.kubernetes.io/pci-0302_10de.present karpenter.k8s.aws/instance-gpu-manufacturer karpenter.azure.com/sku-gpu-manufacturer eks.amazonaws.com/instance-gpu-manufacturer',
    '"true"',
    "This asks for a machine with cards in a cluster's words; state what you need from it:",
    'gpu: { count: 1 }',
  ],
  [
    'nvidia.com/mig-2g.20gb nvidia.com/mig-2g.20gb.shared',
    '3',
    'This asks for a slice of a card; in a manifest, write:',
    'gpu: { count: 3, min_vram: 20Gi, sharing: mig }',
  ],
  [
    'nvidia.com/mig.capable nvidia.com/mig.strategy nvidia.com/mig.config',
    'all-2g.20gb',
    'This asks for a slice of a card; in a manifest, write:',
    'gpu: { min_vram: 20Gi, sharing: mig }',
  ],
  [
    'cloud.google.com/gke-gpu-partition-size',
    '1g.5gb',
    'This asks for a slice of a card; in a manifest, write:',
    'gpu: { min_vram: 5Gi, sharing: mig }',
  ],
  ['nvidia.com/mig.capable', 'true', 'This asks for a slice of a card; in a manifest, write:', 'gpu: { sharing: mig }'],
  [
    'nvidia.com/gpu.shared nvidia.com/gpu.replicas nvidia.com/gpu.sharing-strategy nvidia.com/mps.capable gpu-fraction cloud.google.com/gke-gpu-sharing-strategy cloud.google.com/gke-max-shared-clients-per-gpu volcano.sh/vgpu-cores nvidia.com/vgpu.present nvidia.com/gpucores',
    '2',
    'This asks for part of a card; state what you need from it:',
    'gpu: { sharing: any }',
  ],
  [
    'amd.com/gpu',
    '2',
    "This counts cards in another tool's words; in a manifest, write:",
    'gpu: { count: 2, vendor: amd }',
  ],
  [
    'habana.ai/gaudi',
    '8',
    "This counts cards in another tool's words; in a manifest, write:",
    'gpu: { count: 8, arch: [gaudi2, gaudi3] }',
  ],
  [
    'google.com/tpu cloud-tpus.google.com/v2 cloud-tpus.google.com/v3',
    '4',
    "This counts cards in another tool's words; in a manifest, write:",
    'gpu: { count: 4, arch: tpu }',
  ],
  [
    'aws.amazon.com/neuron aws.amazon.com/neurondevice',
    '1',
    "This counts cards in another tool's words; in a manifest, write:",
    'gpu: { count: 1, arch: neuron }',
  ],
  [
    'aws.amazon.com/neuroncore',
    '2',
    "This counts cards in another tool's words; in a manifest, write:",
    'gpu: { arch: neuron }',
  ],
  [
    'cloud.google.com/gke-tpu-topology',
    '2x4x4',
    "This counts cards in another tool's words; in a manifest, write:",
    'gpu: { count: 32 }',
  ],
  [
    'cloud.google.com/gke-tpu-topology',
    'x',
    "This counts cards in another tool's words; in a manifest, write:",
    'gpu: { count: 1 }',
  ],
  [
    'nvidia.com/gpu.memory',
    '81559',
    "This asks for a card's memory in a cluster's words; in a manifest, write:",
    'gpu: { min_usable_vram: 81559Mi }',
  ],
  [
    'nvidia.com/gpu.memory',
    'big',
    'This picks nodes by a label of one cluster.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'karpenter.k8s.aws/instance-gpu-memory eks.amazonaws.com/instance-gpu-memory',
    '81920',
    "This asks for a card's memory in a cluster's words; in a manifest, write:",
    'gpu: { min_vram: 80Gi }',
  ],
  [
    'eks.amazonaws.com/instance-gpu-memory',
    '81921',
    "This asks for a card's memory in a cluster's words; in a manifest, write:",
    'gpu: { min_vram: 81Gi }',
  ],
  [
    'gpu.nvidia.com/vram amd.com/gpu.vram beta.amd.com/gpu.vram',
    '80',
    "This asks for a card's memory in a cluster's words; in a manifest, write:",
    'gpu: { min_vram: 80Gi }',
  ],
  [
    'gpu-memory volcano.sh/vgpu-memory nvidia.com/gpumem',
    '3000',
    "This asks for a card's memory in a cluster's words; in a manifest, write:",
    'gpu: { min_vram: 3Gi, sharing: any }',
  ],
  [
    'nvidia.com/gpu.family',
    'Hopper',
    "This names an architecture in a cluster's words; in a manifest, write:",
    'gpu: { arch: hopper }',
  ],
  [
    'nvidia.com/gpu.family',
    'ada-lovelace',
    "This names an architecture in a cluster's words; in a manifest, write:",
    'gpu: { arch: ada }',
  ],
  [
    'nvidia.com/gpu.compute.major',
    '9',
    "This asks for a compute capability in a cluster's words; in a manifest, write:",
    'gpu: { min_compute_capability: "9.0" }',
  ],
  [
    'nvidia.com/gpu.compute.major',
    '"8.9"',
    "This asks for a compute capability in a cluster's words; in a manifest, write:",
    'gpu: { min_compute_capability: "8.9" }',
  ],
  [
    'nvidia.com/gpu.compute.minor',
    '0',
    'This picks nodes by a label of one cluster.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'nvidia.com/cuda.driver.major nvidia.com/cuda.driver-version.major',
    '550',
    "This asks for a driver in a cluster's words; in a manifest, write:",
    'gpu: { min_driver: "550" }',
  ],
  [
    'nvidia.com/cuda.runtime.major nvidia.com/cuda.runtime-version.major',
    '12',
    "This asks for CUDA in a cluster's words; in a manifest, write:",
    'gpu: { min_cuda: "12.0" }',
  ],
  [
    'nvidia.com/gpu.clique',
    'a.1',
    'This picks nodes that share an NVLink domain; state what you need instead:',
    'topology: { within: nvlink_domain }',
  ],
  [
    'node.kubernetes.io/instance-type beta.kubernetes.io/instance-type karpenter.azure.com/sku-name karpenter.k8s.aws/instance-family karpenter.k8s.aws/instance-size karpenter.k8s.aws/instance-category karpenter.k8s.aws/instance-generation karpenter.sh/instance-type eks.amazonaws.com/instance-family eks.amazonaws.com/instance-category cloud.google.com/machine-family cloud.google.com/compute-class',
    'm5.large',
    "This names one provider's machine. It has 2 CPUs, 8 GiB; state what you need from it:",
    'cpu: 2\nmemory: 8Gi',
  ],
  [
    'node.kubernetes.io/instance-type',
    '[]',
    'This picks nodes by a label of one cluster.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'karpenter.k8s.aws/instance-cpu eks.amazonaws.com/instance-cpu karpenter.azure.com/sku-cpu',
    '16',
    "This asks for CPUs in a cluster's words; in a manifest, write:",
    'cpu: 16',
  ],
  [
    'karpenter.k8s.aws/instance-memory eks.amazonaws.com/instance-memory karpenter.azure.com/sku-memory',
    '65536',
    "This asks for memory in a cluster's words; in a manifest, write:",
    'memory: 64Gi',
  ],
  [
    'topology.kubernetes.io/region failure-domain.beta.kubernetes.io/region',
    'us-east-1',
    "This names one provider's region; the platform decides this in a policy:",
    'policy: NAME  # one in berth.config.yaml with residency: [us]',
  ],
  [
    'topology.kubernetes.io/zone failure-domain.beta.kubernetes.io/zone topology.ebs.csi.aws.com/zone topology.gke.io/zone topology.disk.csi.azure.com/zone topology.k8s.aws/zone-id',
    'us-east-1a',
    "This names one provider's zone; the platform decides this in a policy:",
    'policy: NAME  # one in berth.config.yaml with residency: [us]',
  ],
  [
    'cloud.google.com/gke-spot cloud.google.com/gke-preemptible cloud.google.com/gke-provisioning eks.amazonaws.com/capacityType karpenter.sh/capacity-type kubernetes.azure.com/scalesetpriority',
    'spot',
    'This sets the terms on which machines are rented; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with spot: only',
  ],
  [
    'karpenter.sh/capacity-type',
    'reserved',
    'This sets the terms on which machines are rented; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with spot: allowed',
  ],
  [
    'karpenter.sh/capacity-type',
    'on-demand',
    'This sets the terms on which machines are rented; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with spot: never',
  ],
  [
    'cloud.google.com/gke-nodepool eks.amazonaws.com/nodegroup karpenter.sh/nodepool karpenter.sh/provisioner-name kubernetes.azure.com/agentpool alpha.eksctl.io/nodegroup-name kops.k8s.io/instancegroup doks.digitalocean.com/node-pool cloud.google.com/reservation-name cloud.google.com/reservation-affinity node-role.kubernetes.io/gpu node.coreweave.cloud/class eks.amazonaws.com/compute-type',
    'a',
    "This picks one cluster's pool of nodes.",
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'kubernetes.io/hostname',
    'n1',
    'This pins the work to single machines.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'kubernetes.io/arch beta.kubernetes.io/arch',
    'amd64',
    "This asks for an instruction set in a cluster's words; in a manifest, write:",
    'host_arch: amd64',
  ],
  [
    'kubernetes.io/arch',
    'arm64',
    "This asks for an instruction set in a cluster's words; in a manifest, write:",
    'host_arch: arm64',
  ],
  [
    'kueue.x-k8s.io/queue-name kueue.x-k8s.io/priority-class kai.scheduler/queue runai/queue volcano.sh/queue-name scheduling.volcano.sh/queue-name yunikorn.apache.org/queue',
    'q',
    "This names one cluster's queue; the platform decides which work goes first:",
    'policy: NAME  # one that the platform team maintains for this kind of work',
  ],
  [
    'kueue.x-k8s.io/podset-required-topology kueue.x-k8s.io/podset-preferred-topology kai.scheduler/topology kueue.x-k8s.io/podset-slice-required-topology kai.scheduler/topology-required-placement kai.scheduler/topology-preferred-placement cloud.google.com/gke-placement-group',
    'x',
    "This names a level of one cluster's network; state what you need instead:",
    'topology: { within: rack }',
  ],
  [
    'kueue.x-k8s.io/podset-required-topology',
    'topology.kubernetes.io/zone',
    "This names a level of one cluster's network; state what you need instead:",
    'topology: { within: zone }',
  ],
  [
    'kueue.x-k8s.io/podset-required-topology',
    'kubernetes.io/hostname',
    "This names a level of one cluster's network; state what you need instead:",
    'topology: { within: nvlink_domain }',
  ],
  [
    'kueue.x-k8s.io/podset-required-topology',
    'nvidia.com/gpu.clique',
    "This names a level of one cluster's network; state what you need instead:",
    'topology: { within: nvlink_domain }',
  ],
  [
    'cluster-autoscaler.kubernetes.io/safe-to-evict karpenter.sh/do-not-disrupt karpenter.sh/do-not-evict descheduler.alpha.kubernetes.io/prefer-no-eviction',
    '"false"',
    "This tells one cluster's autoscaler to leave the work alone; state what you need instead:",
    'restart: { class: training }',
  ],
  [
    'cloud.google.com/neg cloud.google.com/backend-config cloud.google.com/load-balancer-type cloud.google.com/l4-rbs networking.gke.io/load-balancer-type',
    'x',
    "This sets up one provider's load balancer; a service has its own address:",
    'ports: [{ name: http, port: PORT, health: /health }]',
  ],
  [
    'eks.amazonaws.com/role-arn iam.gke.io/gcp-service-account azure.workload.identity/use',
    'x',
    'This names an identity at one provider; list credentials as secrets, by name:',
    'secrets: [NAME]',
  ],
  [
    'alb.ingress.kubernetes.io/scheme azure.workload.identity/x cloud.google.com/x container.googleapis.com/x eks.amazonaws.com/x gke-gcsfuse/volumes iam.amazonaws.com/role k8s.v1.cni.cncf.io/networks karpenter.sh/x kubernetes.azure.com/x kueue.x-k8s.io/x networking.gke.io/x node.coreweave.cloud/x oci.oraclecloud.com/x service.beta.kubernetes.io/x vpc.amazonaws.com/x',
    'x',
    "This is a setting of one provider's clusters.",
    'Remove it. Berth configures the chosen provider, and other providers would not understand this setting.',
  ],
]

describe('labels, annotations and extended resources', () => {
  test.each(ROWS)('%s: %s', (keys, value, message, hint) => {
    for (const key of keys.split(' ')) expect(answers(`labels: { ${key}: ${value} }`)).toEqual([[message, hint]])
  })
})

function answers(text: string): ReturnType<typeof answersTo> {
  const read = readYaml(text, 'x.yaml')
  return 'document' in read ? answersTo(read.document) : []
}
