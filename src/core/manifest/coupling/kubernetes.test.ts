import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { answersTo } from './coupling.suite.ts'

/** Keys that say the same, a value, what is wrong with it, and what to write instead. */
const ROWS: readonly (readonly [keys: string, value: string, message: string, hint: string])[] = [
  [
    'node_selector nodeSelector node-selectors nodeLabels',
    '{ pool: a }',
    'This picks nodes by a label of one cluster.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'nodeAffinity',
    '{ terms: [{ matchFields: [{ key: metadata.name, values: [n1] }] }] }',
    'This picks nodes by a label of one cluster.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'pod_anti_affinity topologySpreadConstraints',
    '[{ topologyKey: kubernetes.io/hostname }]',
    "This spreads copies over one cluster's nodes or zones; state what you need instead:",
    'spread: zone',
  ],
  [
    'podAffinity',
    '{ x: [] }',
    "This keeps work together on one cluster's nodes; state what you need instead:",
    'topology: { within: zone }',
  ],
  [
    'tolerations',
    '[spot=true]',
    'This sets the terms on which machines are rented; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with spot: allowed',
  ],
  [
    'tolerations',
    'sku=gpu:NoSchedule',
    "This tolerates one cluster's taint.",
    'Remove it. Berth tolerates the taints of the nodes that it chooses.',
  ],
  [
    'nodeName',
    'n1',
    'This pins the work to one machine.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'schedulerName',
    'x',
    "This names one cluster's scheduler.",
    'Remove it. The chosen provider has its own scheduler.',
  ],
  [
    'runtimeClassName runtime_class',
    'nvidia',
    "This names one cluster's container runtime.",
    'Remove it. A workload that asks for a gpu gets the right runtime.',
  ],
  [
    'priorityClassName',
    'high',
    "This names one cluster's priority; the platform decides which work goes first:",
    'policy: NAME  # one that the platform team maintains for this kind of work',
  ],
  [
    'awsElasticBlockStore gcePersistentDisk azureDisk azureFile cinder vsphereVolume portworxVolume',
    '{ id: x }',
    "This uses one provider's disk; state what you need instead:",
    'storage: [{ mount: /data, from: s3://BUCKET/PATH }]',
  ],
  [
    'persistentVolumeClaim',
    '{ claimName: x }',
    "This uses one cluster's volume; state what you need instead:",
    'storage: [{ mount: /data, from: s3://BUCKET/PATH }]',
  ],
  [
    'hostPath',
    '{ path: /x }',
    'This uses a folder on one machine; state what you need instead:',
    'storage: [{ mount: /data, from: s3://BUCKET/PATH }]',
  ],
  [
    'csi',
    '{ driver: ebs.csi.aws.com }',
    "This uses one provider's storage; state what you need instead:",
    'storage: [{ mount: /data, from: s3://BUCKET/PATH }]',
  ],
  [
    'storageClassName storage_class',
    'gp3',
    "This names one cluster's kind of storage; state what you need instead:",
    'storage: [{ mount: /data, size: SIZE }]',
  ],
  [
    'deviceClassName',
    'mig.nvidia.com',
    'This asks for a slice of a card; in a manifest, write:',
    'gpu: { count: 1, sharing: mig }',
  ],
  [
    'expression',
    "\"attributes['gpu.nvidia.com'].productName == 'L4'\"",
    'This names one card, L4; state what you need from it:',
    'gpu: { min_vram: 24Gi, arch: ada }',
  ],
  [
    'nodeSelector',
    '{ accelerator: nvidia-tesla-t4 }',
    'This names one card, T4; state what you need from it:',
    'gpu: { min_vram: 16Gi, arch: turing }',
  ],
  [
    'nodeSelector',
    '{ gpu-type: h100 }',
    'This names one card, H100 80 GB (SXM or PCIe) or H100 NVL 94 GB; state what you need from it:',
    'gpu: { min_vram: 80Gi, arch: hopper }',
  ],
  [
    'nodeSelector',
    '{ accelerator: nvidia }',
    'This picks nodes by a label of one cluster.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'nodeSelector',
    '{ model: L4 }',
    'This picks nodes by a label of one cluster.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'nodeAffinity',
    '[{ matchExpressions: [{ key: gpu, operator: In, values: [L4, T4] }] }]',
    'This names 2 cards; what they have in common is:',
    'gpu: { min_vram: 16Gi, arch: [ada, turing] }',
  ],
  [
    'nodeAffinity',
    '[{ matchExpressions: [{ key: gpu, operator: NotIn, values: [L4] }] }]',
    'This picks nodes by a label of one cluster.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'nodeAffinity',
    '[{ matchExpressions: [{ key: nvidia.com/gpu.count, operator: Gt, values: ["3"] }] }]',
    "This counts cards in another tool's words; in a manifest, write:",
    'gpu: { count: 4 }',
  ],
  [
    'nodeAffinity',
    '[{ matchExpressions: [{ key: nvidia.com/gpu.memory, operator: Lt, values: ["3"] }] }]',
    'This picks nodes by a label of one cluster.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'nodeAffinity',
    '[{ matchExpressions: [{ key: nvidia.com/gpu.present, operator: Exists }] }]',
    "This asks for a machine with cards in a cluster's words; state what you need from it:",
    'gpu: { count: 1 }',
  ],
  [
    'nodeAffinity',
    '[{ matchExpressions: [{ key: cloud.google.com/gke-spot, operator: DoesNotExist }] }]',
    'This rules machines out by a label.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'nodeAffinity',
    '[{ matchExpressions: [{ key: node.kubernetes.io/instance-type, operator: Exists }] }]',
    'This picks nodes by a label of one cluster.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'requirements',
    '[{ key: karpenter.sh/capacity-type, operator: Exists }]',
    'This sets the terms on which machines are rented; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with spot: only',
  ],
]

describe('Kubernetes', () => {
  test.each(ROWS)('%s: %s', (keys, value, message, hint) => {
    for (const key of keys.split(' ')) expect(answers(`${key}: ${value}`)).toEqual([[message, hint]])
  })
})

function answers(text: string): ReturnType<typeof answersTo> {
  const read = readYaml(text, 'x.yaml')
  return 'document' in read ? answersTo(read.document) : []
}
