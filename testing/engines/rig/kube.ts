import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { folderOf } from '../build/cache.ts'
import { RECIPES } from '../build/recipes.ts'
import { authority, makeCertificates } from './certificates.ts'
import type { DaemonPlan } from './daemon.ts'
import { NODE_IP, RANGES } from './namespace.ts'
import { portOf, programOf, type RigPlace } from './place.ts'
import { stagesOf } from './stages.ts'

/** What the administrator of every rig is known by. */
export const ADMIN_TOKEN = 'rig-admin'

export function kubeconfigOf({ folder }: RigPlace): string {
  return join(folder, 'kubeconfig.yaml')
}

/** Certificates, tokens, kubeconfig and KWOK's stages; what is there stays. */
export function writeKubeFiles(place: RigPlace): void {
  const { folder } = place
  makeCertificates(folder, ['127.0.0.1', NODE_IP, 'localhost', 'kubernetes.default.svc'])
  writeFileSync(join(folder, 'tokens.csv'), `${ADMIN_TOKEN},admin,1,"system:masters"\n`, { mode: 0o600 })
  writeFileSync(join(folder, 'stages.yaml'), stagesOf(kwokFolder()))
  if (existsSync(kubeconfigOf(place))) return
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'rig',
    clusters: [
      {
        name: 'rig',
        cluster: {
          server: `https://127.0.0.1:${portOf(place, 'api')}`,
          'certificate-authority': authority(folder).certificate,
        },
      },
    ],
    users: [{ name: 'admin', user: { token: ADMIN_TOKEN } }],
    contexts: [{ name: 'rig', context: { cluster: 'rig', user: 'admin', namespace: 'default' } }],
  }
  writeFileSync(kubeconfigOf(place), stringify(config), { mode: 0o600 })
}

export function etcdPlan(place: RigPlace): DaemonPlan {
  const clients = `http://127.0.0.1:${portOf(place, 'etcd')}`
  const peers = `http://127.0.0.1:${portOf(place, 'etcd-peers')}`
  return planOf('etcd', {
    'data-dir': join(place.folder, 'etcd'),
    'listen-client-urls': clients,
    'advertise-client-urls': clients,
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': `default=${peers}`,
    'unsafe-no-fsync': 'true',
  })
}

/** As a cluster of today is run: RBAC, accounts for pods, Pod Security. The limits are those of a large cluster. */
export function apiServerPlan(place: RigPlace): DaemonPlan {
  const { folder } = place
  return planOf('kube-apiserver', {
    'etcd-servers': `http://127.0.0.1:${portOf(place, 'etcd')}`,
    'bind-address': '127.0.0.1',
    'advertise-address': NODE_IP,
    'secure-port': String(portOf(place, 'api')),
    'tls-cert-file': join(folder, 'server.crt'),
    'tls-private-key-file': join(folder, 'server.key'),
    'client-ca-file': authority(folder).certificate,
    'token-auth-file': join(folder, 'tokens.csv'),
    'authorization-mode': 'RBAC',
    'allow-privileged': 'true',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': join(folder, 'accounts.pub'),
    'service-account-signing-key-file': join(folder, 'accounts.key'),
    'service-cluster-ip-range': RANGES.services,
    // Endpoints must not be on loopback, and nothing in here looks for the server by its Service.
    'endpoint-reconciler-type': 'none',
    // Names of nodes mean nothing in here.
    'kubelet-preferred-address-types': 'InternalIP',
    'max-requests-inflight': '2000',
    'max-mutating-requests-inflight': '2000',
  })
}

/** What runs on the API server and may be started in any order. */
export function followerPlans(place: RigPlace): readonly DaemonPlan[] {
  return [controllersPlan(place), schedulerPlan(place), kwokPlan(place)]
}

function controllersPlan(place: RigPlace): DaemonPlan {
  return planOf('kube-controller-manager', {
    ...clientFlags(place),
    'service-account-private-key-file': join(place.folder, 'accounts.key'),
    'root-ca-file': authority(place.folder).certificate,
    'kube-api-qps': '500',
    'kube-api-burst': '1000',
    'secure-port': String(portOf(place, 'controllers')),
  })
}

function schedulerPlan(place: RigPlace): DaemonPlan {
  return planOf('kube-scheduler', {
    ...clientFlags(place),
    'kube-api-qps': '2000',
    'kube-api-burst': '4000',
    'secure-port': String(portOf(place, 'scheduler')),
  })
}

function clientFlags(place: RigPlace): Readonly<Record<string, string>> {
  const kubeconfig = kubeconfigOf(place)
  return {
    kubeconfig,
    'authentication-kubeconfig': kubeconfig,
    'authorization-kubeconfig': kubeconfig,
    'leader-elect': 'false',
    'bind-address': '127.0.0.1',
    'tls-cert-file': join(place.folder, 'server.crt'),
    'tls-private-key-file': join(place.folder, 'server.key'),
  }
}

/** It is the kubelet of every fake node, logs and exec included. */
function kwokPlan(place: RigPlace): DaemonPlan {
  return planOf('kwok', {
    kubeconfig: kubeconfigOf(place),
    config: join(place.folder, 'stages.yaml'),
    'manage-nodes-with-annotation-selector': 'kwok.x-k8s.io/node=fake',
    cidr: RANGES.pods.replace('.0/', '.1/'),
    'node-ip': NODE_IP,
    'node-port': String(portOf(place, 'kwok')),
    'server-address': `${NODE_IP}:${portOf(place, 'kwok')}`,
    'tls-cert-file': join(place.folder, 'server.crt'),
    'tls-private-key-file': join(place.folder, 'server.key'),
    'node-lease-duration-seconds': '40',
  })
}

function planOf(name: string, flags: Readonly<Record<string, string>>): DaemonPlan {
  return { name, program: programOf(name), argv: Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`) }
}

function kwokFolder(): string {
  const recipe = RECIPES.kube.find(({ name }) => name === 'kwok')
  if (recipe === undefined) throw new Error('the control plane has no KWOK')
  return folderOf(recipe)
}
