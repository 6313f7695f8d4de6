/** What a label, annotation or extended resource is about. */
export type LabelWord =
  | 'card'
  | 'count'
  | 'anyGpu'
  | 'mig'
  | 'shared'
  | 'amd'
  | 'gaudi'
  | 'tpu'
  | 'neuron'
  | 'neuronCores'
  | 'tpuTopology'
  | 'usableMib'
  | 'mib'
  | 'gb'
  | 'shareMib'
  | 'arch'
  | 'capability'
  | 'driver'
  | 'cuda'
  | 'nvlinkDomain'
  | 'machine'
  | 'cpus'
  | 'memoryMib'
  | 'region'
  | 'zone'
  | 'spot'
  | 'pool'
  | 'host'
  | 'hostArch'
  | 'queue'
  | 'together'
  | 'keepRunning'
  | 'entrance'
  | 'identity'

/** The names that clusters use for each of them, separated by spaces. */
export const LABELS: readonly (readonly [LabelWord, string])[] = [
  [
    'card',
    `nvidia.com/gpu.product nvidia.com/gpu.machine cloud.google.com/gke-accelerator amd.com/gpu.product-name
    beta.amd.com/gpu.product-name amd.com/gpu.family gpu.nvidia.com/class gpu.nvidia.com/model
    karpenter.k8s.aws/instance-gpu-name karpenter.k8s.aws/instance-accelerator-name eks.amazonaws.com/instance-gpu-name
    karpenter.azure.com/sku-gpu-name kubernetes.azure.com/sku-gpu-name cloud.google.com/gke-tpu-accelerator
    doks.digitalocean.com/gpu-model k8s.amazonaws.com/accelerator gpu.gke.io/accelerator`,
  ],
  [
    'count',
    `nvidia.com/gpu nvidia.com/gpu.count cloud.google.com/gke-accelerator-count karpenter.k8s.aws/instance-gpu-count
    karpenter.k8s.aws/instance-accelerator-count eks.amazonaws.com/instance-gpu-count karpenter.azure.com/sku-gpu-count
    gpu.nvidia.com/count gpu-fraction-num-devices volcano.sh/vgpu-number ray.io/num-gpus`,
  ],
  [
    'anyGpu',
    `nvidia.com/gpu.present nvidia.com/gpu.deploy.driver nvidia.com/gpu.deploy.device-plugin amd.com/gpu.present
    kubernetes.azure.com/accelerator gpu.nvidia.com/present feature.node.kubernetes.io/pci-10de.present
    feature.node.kubernetes.io/pci-0302_10de.present karpenter.k8s.aws/instance-gpu-manufacturer
    karpenter.azure.com/sku-gpu-manufacturer eks.amazonaws.com/instance-gpu-manufacturer`,
  ],
  [
    'mig',
    `nvidia.com/mig.capable nvidia.com/mig.strategy nvidia.com/mig.config cloud.google.com/gke-gpu-partition-size`,
  ],
  [
    'shared',
    `nvidia.com/gpu.shared nvidia.com/gpu.replicas nvidia.com/gpu.sharing-strategy nvidia.com/mps.capable gpu-fraction
    cloud.google.com/gke-gpu-sharing-strategy cloud.google.com/gke-max-shared-clients-per-gpu volcano.sh/vgpu-cores
    nvidia.com/vgpu.present nvidia.com/gpucores`,
  ],
  ['amd', 'amd.com/gpu'],
  ['gaudi', 'habana.ai/gaudi'],
  ['tpu', 'google.com/tpu cloud-tpus.google.com/v2 cloud-tpus.google.com/v3'],
  ['neuron', 'aws.amazon.com/neuron aws.amazon.com/neurondevice'],
  ['neuronCores', 'aws.amazon.com/neuroncore'],
  ['tpuTopology', 'cloud.google.com/gke-tpu-topology'],
  ['usableMib', 'nvidia.com/gpu.memory'],
  ['mib', 'karpenter.k8s.aws/instance-gpu-memory eks.amazonaws.com/instance-gpu-memory'],
  ['gb', 'gpu.nvidia.com/vram amd.com/gpu.vram beta.amd.com/gpu.vram'],
  ['shareMib', 'gpu-memory volcano.sh/vgpu-memory nvidia.com/gpumem'],
  ['arch', 'nvidia.com/gpu.family'],
  ['capability', 'nvidia.com/gpu.compute.major nvidia.com/gpu.compute.minor'],
  ['driver', 'nvidia.com/cuda.driver.major nvidia.com/cuda.driver-version.major'],
  ['cuda', 'nvidia.com/cuda.runtime.major nvidia.com/cuda.runtime-version.major'],
  ['nvlinkDomain', 'nvidia.com/gpu.clique'],
  [
    'machine',
    `node.kubernetes.io/instance-type beta.kubernetes.io/instance-type karpenter.azure.com/sku-name
    karpenter.k8s.aws/instance-family karpenter.k8s.aws/instance-size karpenter.k8s.aws/instance-category
    karpenter.k8s.aws/instance-generation karpenter.sh/instance-type eks.amazonaws.com/instance-family
    eks.amazonaws.com/instance-category cloud.google.com/machine-family cloud.google.com/compute-class`,
  ],
  ['cpus', 'karpenter.k8s.aws/instance-cpu eks.amazonaws.com/instance-cpu karpenter.azure.com/sku-cpu'],
  ['memoryMib', 'karpenter.k8s.aws/instance-memory eks.amazonaws.com/instance-memory karpenter.azure.com/sku-memory'],
  ['region', 'topology.kubernetes.io/region failure-domain.beta.kubernetes.io/region'],
  [
    'zone',
    `topology.kubernetes.io/zone failure-domain.beta.kubernetes.io/zone topology.ebs.csi.aws.com/zone
    topology.gke.io/zone topology.disk.csi.azure.com/zone topology.k8s.aws/zone-id`,
  ],
  [
    'spot',
    `cloud.google.com/gke-spot cloud.google.com/gke-preemptible cloud.google.com/gke-provisioning
    eks.amazonaws.com/capacityType karpenter.sh/capacity-type kubernetes.azure.com/scalesetpriority`,
  ],
  [
    'pool',
    `cloud.google.com/gke-nodepool eks.amazonaws.com/nodegroup karpenter.sh/nodepool karpenter.sh/provisioner-name
    kubernetes.azure.com/agentpool alpha.eksctl.io/nodegroup-name kops.k8s.io/instancegroup
    doks.digitalocean.com/node-pool cloud.google.com/reservation-name cloud.google.com/reservation-affinity
    node-role.kubernetes.io/gpu node.coreweave.cloud/class eks.amazonaws.com/compute-type`,
  ],
  ['host', 'kubernetes.io/hostname'],
  ['hostArch', 'kubernetes.io/arch beta.kubernetes.io/arch'],
  [
    'queue',
    `kueue.x-k8s.io/queue-name kueue.x-k8s.io/priority-class kai.scheduler/queue runai/queue volcano.sh/queue-name
    scheduling.volcano.sh/queue-name yunikorn.apache.org/queue`,
  ],
  [
    'together',
    `kueue.x-k8s.io/podset-required-topology kueue.x-k8s.io/podset-preferred-topology kai.scheduler/topology
    kueue.x-k8s.io/podset-slice-required-topology kai.scheduler/topology-required-placement
    kai.scheduler/topology-preferred-placement cloud.google.com/gke-placement-group`,
  ],
  [
    'keepRunning',
    `cluster-autoscaler.kubernetes.io/safe-to-evict karpenter.sh/do-not-disrupt karpenter.sh/do-not-evict
    descheduler.alpha.kubernetes.io/prefer-no-eviction`,
  ],
  [
    'entrance',
    `cloud.google.com/neg cloud.google.com/backend-config cloud.google.com/load-balancer-type
    cloud.google.com/l4-rbs networking.gke.io/load-balancer-type`,
  ],
  ['identity', 'eks.amazonaws.com/role-arn iam.gke.io/gcp-service-account azure.workload.identity/use'],
]

/** Everything under these names belongs to one provider or one cluster tool. */
export const OWNED_PREFIXES: readonly string[] = [
  'alb.ingress.kubernetes.io/',
  'azure.workload.identity/',
  'cloud.google.com/',
  'container.googleapis.com/',
  'eks.amazonaws.com/',
  'gke-gcsfuse/',
  'iam.amazonaws.com/',
  'k8s.v1.cni.cncf.io/',
  'karpenter.',
  'kubernetes.azure.com/',
  'kueue.x-k8s.io/',
  'networking.gke.io/',
  'node.coreweave.cloud/',
  'oci.oraclecloud.com/',
  'service.beta.kubernetes.io/',
  'vpc.amazonaws.com/',
]
