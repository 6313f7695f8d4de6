import type { CouplingCase } from './coupling.suite.ts'

/** Ten snippets in the words of Kubernetes, each with what is found in it and what is said instead. */
export const KUBERNETES_CASES: readonly CouplingCase[] = [
  {
    name: 'a GKE deployment that names a card and a zone',
    text: `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: llama
spec:
  replicas: 2
  template:
    spec:
      nodeSelector:
        cloud.google.com/gke-accelerator: nvidia-h100-80gb
        topology.kubernetes.io/zone: europe-west4-a
      containers:
        - name: vllm
          image: ghcr.io/acme/vllm:0.22
          resources:
            limits:
              cpu: "16"
              nvidia.com/gpu: 8
`,
    finds: `
10:9+32 cloud.google.com/gke-accelerator: nvidia-h100-80gb
  This names one card, H100 80 GB (SXM or PCIe); state what you need from it:
    gpu: { count: 8, min_vram: 80Gi, arch: hopper }
11:9+27 topology.kubernetes.io/zone: europe-west4-a
  This names one provider's zone; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [eu]
18:15+14 nvidia.com/gpu: 8
  This counts cards in another tool's words; in a manifest, write:
    gpu: { count: 8, min_vram: 80Gi, arch: hopper }
`,
  },
  {
    name: 'a product label and a driver in a node selector',
    text: `
nodeSelector:
  nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3
  nvidia.com/gpu.count: "4"
  nvidia.com/cuda.driver.major: "550"
  nvidia.com/gpu.compute.major: "9"
  nvidia.com/gpu.compute.minor: "0"
  kubernetes.io/arch: amd64
`,
    finds: `
2:3+22 nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3
  This names one card, H100 SXM 80 GB; state what you need from it:
    gpu: { count: 4, min_vram: 80Gi, arch: hopper, min_compute_capability: "9.0", min_driver: "550", interconnect: nvlink }
3:3+20 nvidia.com/gpu.count: 4
  This counts cards in another tool's words; in a manifest, write:
    gpu: { count: 4, min_vram: 80Gi, arch: hopper, min_compute_capability: "9.0", min_driver: "550", interconnect: nvlink }
4:3+28 nvidia.com/cuda.driver.major: 550
  This asks for a driver in a cluster's words; in a manifest, write:
    gpu: { count: 4, min_vram: 80Gi, arch: hopper, min_compute_capability: "9.0", min_driver: "550", interconnect: nvlink }
5:3+28 nvidia.com/gpu.compute.major: 9
  This asks for a compute capability in a cluster's words; in a manifest, write:
    gpu: { count: 4, min_vram: 80Gi, arch: hopper, min_compute_capability: "9.0", min_driver: "550", interconnect: nvlink }
6:3+28 nvidia.com/gpu.compute.minor: 0
  This asks for a compute capability in a cluster's words; in a manifest, write:
    gpu: { count: 4, min_vram: 80Gi, arch: hopper, min_compute_capability: "9.0", min_driver: "550", interconnect: nvlink }
7:3+18 kubernetes.io/arch: amd64
  This asks for an instruction set in a cluster's words; in a manifest, write:
    host_arch: amd64
`,
  },
  {
    name: 'a MIG slice as an extended resource',
    text: `
containers:
  - name: embed
    resources:
      requests: { cpu: 2, memory: 8Gi }
      limits: { nvidia.com/mig-1g.10gb: 1 }
`,
    finds: `
5:17+22 nvidia.com/mig-1g.10gb: 1
  This asks for a slice of a card; in a manifest, write:
    gpu: { count: 1, min_vram: 10Gi, sharing: mig }
`,
  },
  {
    name: 'node affinity with expressions',
    text: `
affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
        - matchExpressions:
            - { key: nvidia.com/gpu.memory, operator: Gt, values: ["40000"] }
            - { key: nvidia.com/gpu.family, operator: In, values: [ampere, ada-lovelace] }
            - { key: team, operator: In, values: [research] }
            - { key: nvidia.com/gpu.product, operator: NotIn, values: [Tesla-T4] }
`,
    finds: `
6:22+21 nvidia.com/gpu.memory
  This asks for a card's memory in a cluster's words; in a manifest, write:
    gpu: { min_usable_vram: 40001Mi, arch: [ampere, ada] }
7:22+21 nvidia.com/gpu.family
  This names an architecture in a cluster's words; in a manifest, write:
    gpu: { min_usable_vram: 40001Mi, arch: [ampere, ada] }
8:22+4 team
  This picks nodes by a label of one cluster.
    Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.
9:22+22 nvidia.com/gpu.product
  This rules machines out by a label.
    Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.
`,
  },
  {
    name: 'tolerations of taints',
    text: `
tolerations:
  - { key: nvidia.com/gpu, operator: Exists, effect: NoSchedule }
  - { key: sku, operator: Equal, value: gpu, effect: NoSchedule }
  - { key: kubernetes.azure.com/scalesetpriority, operator: Equal, value: spot, effect: NoSchedule }
  - { operator: Exists }
`,
    finds: `
2:12+14 nvidia.com/gpu
  This tolerates one cluster's taint.
    Remove it. Berth tolerates the taints of the nodes that it chooses.
3:12+3 sku
  This tolerates one cluster's taint.
    Remove it. Berth tolerates the taints of the nodes that it chooses.
4:12+37 kubernetes.azure.com/scalesetpriority
  This sets the terms on which machines are rented; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with spot: allowed
5:5+20 tolerations
  This tolerates one cluster's taint.
    Remove it. Berth tolerates the taints of the nodes that it chooses.
`,
  },
  {
    name: 'an EKS pod pinned to machines, regions and terms',
    text: `
spec:
  nodeSelector:
    node.kubernetes.io/instance-type: g5.12xlarge
    topology.kubernetes.io/region: us-east-1
    eks.amazonaws.com/nodegroup: gpu-workers
    eks.amazonaws.com/capacityType: ON_DEMAND
  affinity:
    nodeAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
        - weight: 1
          preference:
            matchExpressions:
              - { key: beta.kubernetes.io/instance-type, operator: In, values: [g5.12xlarge, g6.12xlarge] }
`,
    finds: `
3:5+32 node.kubernetes.io/instance-type: g5.12xlarge
  This names one provider's machine. It is 4 × A10G, 48 CPUs, 192 GiB; state what you need from it:
    gpu: { count: 4, min_vram: 24Gi, arch: ampere }
4:5+29 topology.kubernetes.io/region: us-east-1
  This names one provider's region; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with residency: [us]
5:5+27 eks.amazonaws.com/nodegroup: gpu-workers
  This picks one cluster's pool of nodes.
    Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.
6:5+30 eks.amazonaws.com/capacityType: ON_DEMAND
  This sets the terms on which machines are rented; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with spot: never
13:24+32 beta.kubernetes.io/instance-type
  This names 2 machines; what they have in common is:
    gpu: { count: 4, min_vram: 24Gi, arch: [ampere, ada] }
`,
  },
  {
    name: 'a Karpenter node pool',
    text: `
kind: NodePool
spec:
  template:
    spec:
      requirements:
        - { key: karpenter.sh/capacity-type, operator: In, values: [spot] }
        - { key: karpenter.k8s.aws/instance-gpu-name, operator: In, values: [a100, h100] }
        - { key: karpenter.k8s.aws/instance-gpu-count, operator: Gt, values: ["3"] }
        - { key: karpenter.k8s.aws/instance-family, operator: In, values: [p4de, p5] }
`,
    finds: `
6:18+26 karpenter.sh/capacity-type
  This sets the terms on which machines are rented; the platform decides this in a policy:
    policy: NAME  # one in berth.config.yaml with spot: only
7:18+35 karpenter.k8s.aws/instance-gpu-name
  This names 2 cards; what they have in common is:
    gpu: { count: 4, min_vram: 40Gi, arch: [ampere, hopper] }
8:18+36 karpenter.k8s.aws/instance-gpu-count
  This counts cards in another tool's words; in a manifest, write:
    gpu: { count: 4, min_vram: 40Gi, arch: [ampere, hopper] }
9:18+33 karpenter.k8s.aws/instance-family
  This names 2 machines.
    State under resources what the machine must have: cpu, memory, disk, gpu.
`,
  },
  {
    name: 'volumes that one provider or cluster has',
    text: `
spec:
  containers:
    - name: train
      volumeMounts: [{ name: models, mountPath: /models }, { name: work, mountPath: /work }]
  volumes:
    - { name: models, awsElasticBlockStore: { volumeID: vol-0abc } }
    - { name: work, persistentVolumeClaim: { claimName: work } }
    - { name: cache, csi: { driver: pd.csi.storage.gke.io } }
  volumeClaimTemplates:
    - spec: { storageClassName: gp3, resources: { requests: { storage: 500Gi } } }
`,
    finds: `
6:23+20 awsElasticBlockStore
  This uses one provider's disk; state what you need instead:
    storage: [{ mount: /models, from: s3://BUCKET/PATH }]
7:21+21 persistentVolumeClaim
  This uses one cluster's volume; state what you need instead:
    storage: [{ mount: /work, from: s3://BUCKET/PATH }]
8:22+3 csi
  This uses one provider's storage; state what you need instead:
    storage: [{ mount: /data, from: s3://BUCKET/PATH }]
10:15+16 storageClassName: gp3
  This names one cluster's kind of storage; state what you need instead:
    storage: [{ mount: /data, size: 500Gi }]
`,
  },
  {
    name: 'parts of one cluster by name',
    text: `
spec:
  schedulerName: volcano
  runtimeClassName: nvidia
  priorityClassName: high
  nodeName: gpu-node-7
  affinity:
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: topology.kubernetes.io/zone }] }
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: kubernetes.io/hostname }] }
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: topology.kubernetes.io/region }]
`,
    finds: `
2:3+13 schedulerName: volcano
  This names one cluster's scheduler.
    Remove it. The chosen provider has its own scheduler.
3:3+16 runtimeClassName: nvidia
  This names one cluster's container runtime.
    Remove it. A workload that asks for a gpu gets the right runtime.
4:3+17 priorityClassName: high
  This names one cluster's priority; the platform decides which work goes first:
    policy: NAME  # one that the platform team maintains for this kind of work
5:3+8 nodeName: gpu-node-7
  This pins the work to one machine.
    Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.
7:5+11 podAffinity
  This keeps work together on one cluster's nodes; state what you need instead:
    topology: { within: zone }
8:5+15 podAntiAffinity
  This spreads copies over one cluster's nodes or zones; state what you need instead:
    spread: zone
9:3+25 topologySpreadConstraints
  This spreads copies over one cluster's nodes or zones; state what you need instead:
    spread: region
`,
  },
  {
    name: 'labels and annotations of clouds and queues',
    text: `
metadata:
  labels:
    app: train
    region: eu
    kueue.x-k8s.io/queue-name: research
  annotations:
    kueue.x-k8s.io/podset-required-topology: cloud.provider.com/topology-rack
    cluster-autoscaler.kubernetes.io/safe-to-evict: "false"
    service.beta.kubernetes.io/aws-load-balancer-type: nlb
    eks.amazonaws.com/role-arn: arn:aws:iam::1:role/x
`,
    finds: `
5:5+25 kueue.x-k8s.io/queue-name: research
  This names one cluster's queue; the platform decides which work goes first:
    policy: NAME  # one that the platform team maintains for this kind of work
7:5+39 kueue.x-k8s.io/podset-required-topology: cloud.provider.com/…
  This names a level of one cluster's network; state what you need instead:
    topology: { within: rack }
8:5+46 cluster-autoscaler.kubernetes.io/safe-to-evict: false
  This tells one cluster's autoscaler to leave the work alone; state what you need instead:
    restart: { class: training }
9:5+49 service.beta.kubernetes.io/aws-load-balancer-type: nlb
  This is a setting of one provider's clusters.
    Remove it. Berth configures the chosen provider, and other providers would not understand this setting.
10:5+26 eks.amazonaws.com/role-arn: arn:aws:iam::1:role/x
  This names an identity at one provider; list credentials as secrets, by name:
    secrets: [NAME]
`,
  },
  {
    name: 'other vendors and shared cards, item by item',
    text: `
items:
  - { metadata: { annotations: { gpu-fraction: "0.5" } } }
  - { spec: { containers: [{ resources: { limits: { amd.com/gpu: 8 } } }] } }
  - { spec: { containers: [{ resources: { limits: { google.com/tpu: 4 } } }] } }
  - { spec: { nodeSelector: { nvidia.com/gpu.product: NVIDIA-A10G-SHARED } } }
`,
    finds: `
2:34+12 gpu-fraction: 0.5
  This asks for part of a card; state what you need from it:
    gpu: { sharing: any }
3:53+11 amd.com/gpu: 8
  This counts cards in another tool's words; in a manifest, write:
    gpu: { count: 8, vendor: amd }
4:53+14 google.com/tpu: 4
  This counts cards in another tool's words; in a manifest, write:
    gpu: { count: 4, arch: tpu }
5:31+22 nvidia.com/gpu.product: NVIDIA-A10G-SHARED
  This names one card, A10G; state what you need from it:
    gpu: { min_vram: 24Gi, arch: ampere, sharing: any }
`,
  },
  {
    name: 'device claims',
    text: `
devices:
  requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
        count: 2
        selectors:
          - cel: { expression: "device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('40Gi')) >= 0" }
          - cel: { expression: "device.attributes['gpu.nvidia.com'].productName == 'NVIDIA A100-SXM4-80GB'" }
`,
    finds: `
5:9+15 deviceClassName: gpu.nvidia.com
  This counts cards in another tool's words; in a manifest, write:
    gpu: { count: 2, min_vram: 80Gi, arch: ampere, interconnect: nvlink }
8:20+10 expression: device.capacity['gpu.nvidia.com'].memory.compare…
  This asks for a card's memory in a cluster's words; in a manifest, write:
    gpu: { count: 2, min_vram: 80Gi, arch: ampere, interconnect: nvlink }
9:20+10 expression: device.attributes['gpu.nvidia.com'].productName …
  This names one card, A100 SXM 80 GB; state what you need from it:
    gpu: { count: 2, min_vram: 80Gi, arch: ampere, interconnect: nvlink }
`,
  },
]
