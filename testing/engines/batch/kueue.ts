import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { RACK } from '../fakes/nodes.ts'
import type { RigObject } from '../rig/api.ts'
import { answers, applySoon, installResources, namespaceOf, type EngineHost } from '../rig/host.ts'
import { portOf, programOf, type RigPlace } from '../rig/place.ts'

/** The queue, in the namespace `default`, that tests may use. It has 16 cards. */
export const KUEUE_QUEUE = 'team-a'
const KUEUE_CARDS = 16

/** The folder in which it wants its certificate is compiled into it. So it sees an /etc of its own, and the machine's is left alone. */
const IN_ITS_OWN_ETC = [
  'mount -t tmpfs tmpfs /etc',
  'mkdir -p /etc/kueue/metrics/certs',
  'cp "$1"/tls.* /etc/kueue/metrics/certs/',
  'shift',
  'exec "$@"',
].join(' && ')

/** Kueue without its webhooks: what they would fill in has to be written into the objects. */
export async function bringUpKueue(host: EngineHost): Promise<void> {
  await installResources(host, 'kueue')
  await applySoon(host, SETUP)
  const { folder } = host.place
  const certificates = join(folder, 'kueue')
  const config = join(folder, 'kueue.yaml')
  mkdirSync(certificates, { recursive: true })
  for (const kind of ['crt', 'key']) copyFileSync(join(folder, `server.${kind}`), join(certificates, `tls.${kind}`))
  writeFileSync(config, stringify(configOf(host.place, certificates)))
  await host.ensure({
    name: 'kueue',
    program: 'unshare',
    argv: [
      '--mount',
      '--',
      'sh',
      '-c',
      IN_ITS_OWN_ETC,
      'sh',
      certificates,
      programOf('kueue'),
      `--config=${config}`,
      '--zap-log-level=2',
    ],
    env: { KUBECONFIG: host.kubeconfig },
  })
  await host.until('Kueue answers', () => answers(`http://127.0.0.1:${portOf(host.place, 'kueue-health')}/readyz`))
}

function configOf(place: RigPlace, certDir: string): object {
  const at = (name: 'kueue-health' | 'kueue-metrics'): string => `127.0.0.1:${portOf(place, name)}`
  return {
    apiVersion: 'config.kueue.x-k8s.io/v1beta2',
    kind: 'Configuration',
    health: { healthProbeBindAddress: at('kueue-health') },
    metrics: { bindAddress: at('kueue-metrics') },
    webhook: { port: portOf(place, 'kueue-webhooks'), host: '127.0.0.1', certDir },
    leaderElection: { leaderElect: false },
    clientConnection: { qps: 500, burst: 1000 },
    internalCertManagement: { enable: false },
    featureGates: { VisibilityOnDemand: false },
    manageJobsWithoutQueueName: false,
    integrations: { frameworks: ['batch/job', 'pod'] },
  }
}

const HEAD = { apiVersion: 'kueue.x-k8s.io/v1beta2' }

const SETUP: readonly RigObject[] = [
  namespaceOf('kueue-system'),
  {
    ...HEAD,
    kind: 'Topology',
    metadata: { name: 'racks' },
    spec: { levels: [{ nodeLabel: RACK }, { nodeLabel: 'kubernetes.io/hostname' }] },
  },
  {
    ...HEAD,
    kind: 'ResourceFlavor',
    metadata: { name: 'h100' },
    spec: { nodeLabels: { 'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3' }, topologyName: 'racks' },
  },
  {
    ...HEAD,
    kind: 'ClusterQueue',
    metadata: { name: 'cards' },
    spec: {
      namespaceSelector: {},
      resourceGroups: [
        {
          coveredResources: ['cpu', 'memory', 'nvidia.com/gpu'],
          flavors: [
            {
              name: 'h100',
              resources: [
                { name: 'cpu', nominalQuota: '1000' },
                { name: 'memory', nominalQuota: '10000Gi' },
                { name: 'nvidia.com/gpu', nominalQuota: String(KUEUE_CARDS) },
              ],
            },
          ],
        },
      ],
    },
  },
  kueueQueue('default'),
]

/** The queue in another namespace, with the same cards. */
export function kueueQueue(namespace: string): RigObject {
  return { ...HEAD, kind: 'LocalQueue', metadata: { name: KUEUE_QUEUE, namespace }, spec: { clusterQueue: 'cards' } }
}
