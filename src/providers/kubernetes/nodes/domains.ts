import type { Domains } from '../../../core/fleet/fleet.ts'
import type { Within } from '../../../core/manifest/manifest.ts'
import type { NodeObject } from './object/node-object.ts'

/** Where a node is: what it shares with others, as labels of clouds and of topology tools name it. */
export interface NodePlace extends Domains {
  /** The machine under a virtual one. */
  readonly host: string | undefined
}

export function placeOf({ labels, name }: NodeObject): NodePlace {
  const first = (keys: readonly string[]): string | undefined => keys.map((key) => labels.get(key)).find(Boolean)
  return {
    zone: first(ZONE),
    fabric: first(BLOCK),
    rack: first(RACK),
    nvlinkDomain: first(CLIQUE),
    host: first(HOST) ?? name,
  }
}

/** The label by which a node says which of these it is in; undefined: it does not say. */
export function labelFor(within: Within, labels: Readonly<Record<string, string>>): string | undefined {
  const keys = { zone: ZONE, rack: RACK, nvlink_domain: CLIQUE }[within]
  return keys.find((key) => (labels[key] ?? '') !== '')
}

const ZONE = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone']

/** Cliques are numbered within a cluster of NVLink switches: `<cluster>.<clique>`. */
const CLIQUE = [
  'nvidia.com/gpu.clique',
  'network.topology.nvidia.com/accelerator',
  'cloud.google.com/gce-topology-nvlink',
]

const BLOCK = [
  'cloud.google.com/gce-topology-block',
  'network.topology.nvidia.com/spine',
  'network.topology.nvidia.com/block',
  'topology.k8s.aws/network-node-layer-1',
  'cloud.provider.com/topology-block',
  'oci.oraclecloud.com/rdma.network_block_id',
  'ds.coreweave.com/nvlink.block',
  'backend.coreweave.cloud/superpod',
]

const RACK = [
  'cloud.google.com/gce-topology-subblock',
  'network.topology.nvidia.com/leaf',
  'topology.k8s.aws/network-node-layer-3',
  'cloud.provider.com/topology-rack',
  'oci.oraclecloud.com/rdma.local_block_id',
  'topology.kubernetes.io/rack',
  'topology.rack',
  'rack',
]

const HOST = ['cloud.google.com/gce-topology-host', 'oci.oraclecloud.com/host.id']
