import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { BRIDGE, NODE_IP } from '../rig/namespace.ts'
import type { EngineHost } from '../rig/host.ts'
import { portOf, programOf, type RigPlace } from '../rig/place.ts'
import { makeCgroup } from './cgroups.ts'
import { PAUSE_IMAGE, writeImages } from './image.ts'

/** The node that is real, and how many cards its device plugin pretends to have. */
export const REAL_NODE = 'real'
const CARDS = 8

/** What Debian has and a real node needs: the runtime of containers and the plugins of their network. */
export const NODE_NEEDS = [
  { file: '/usr/sbin/runc', from: 'apt-get install runc' },
  { file: '/usr/lib/cni/bridge', from: 'apt-get install containernetworking-plugins' },
  { file: '/bin/busybox', from: 'apt-get install busybox-static' },
] as const

/**
 * A real kubelet with containerd, as a node beside the fake ones. It sees folders of its own where it would write into the
 * machine's (the path of device plugins is compiled into it), and its pods are in its process namespace, so that they end with it.
 */
export async function bringUpKubelet(host: EngineHost): Promise<void> {
  const missing = NODE_NEEDS.find(({ file }) => !existsSync(file))
  if (missing !== undefined) throw new Error(`a real node needs ${missing.file}: ${missing.from}`)
  const files = writeFiles(host)
  await host.ensure({
    name: 'kubelet',
    program: 'unshare',
    argv: ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--', 'bash', '-c', START, 'bash', ...files],
    env: {
      PATH: [...['containerd', 'kubelet'].map((name) => dirname(programOf(name))), process.env['PATH']].join(delimiter),
    },
  })
  await host.until('the real node has its cards', async () => {
    const node = await host.api.find<NodeSeen>(`/api/v1/nodes/${REAL_NODE}`)
    const isReady = node?.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
    return isReady && node?.status.allocatable?.['nvidia.com/gpu'] === String(CARDS)
  })
}

interface NodeSeen {
  readonly status: {
    readonly allocatable?: Readonly<Record<string, string>>
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  }
}

const RUN = '/run/berth-node'
const PLUGINS = '/var/lib/kubelet/device-plugins'
const CONTAINERD = `${RUN}/containerd.sock`

/** Arguments: containerd's configuration, the images, the kubelet's configuration, a kubeconfig, Node, the device plugin. */
const START = `
set -e
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/lib
mkdir -p ${RUN}
containerd -c "$1" > containerd.log 2>&1 &
for _ in $(seq 300); do ctr -a ${CONTAINERD} version > /dev/null 2>&1 && break; sleep 0.1; done
ctr -a ${CONTAINERD} -n k8s.io images import "$2" > /dev/null
kubelet --config="$3" --kubeconfig="$4" --hostname-override=${REAL_NODE} --node-ip=${NODE_IP} --cert-dir=/run/kubelet-certificates &
for _ in $(seq 300); do [ -S ${PLUGINS}/kubelet.sock ] && break; sleep 0.1; done
"$5" "$6" ${PLUGINS} ${CARDS} &
wait -n
`

function writeFiles({ place, kubeconfig }: EngineHost): readonly string[] {
  const folder = join(place.folder, 'node')
  mkdirSync(join(folder, 'cni'), { recursive: true })
  const files = {
    containerd: join(folder, 'containerd.toml'),
    images: join(folder, 'images.tar'),
    kubelet: join(folder, 'kubelet.yaml'),
  }
  makeCgroup(cgroupOf(place.ports))
  writeImages(files.images)
  writeFileSync(files.containerd, containerdConfig(folder))
  writeFileSync(files.kubelet, stringify(kubeletConfig(place)))
  writeFileSync(join(folder, 'cni/10-rig.conflist'), JSON.stringify(NETWORK))
  const plugin = join(import.meta.dirname, 'device-plugin-run.ts')
  return [files.containerd, files.images, files.kubelet, kubeconfig, process.execPath, plugin]
}

/** The group in which the pods of a rig are. */
export function cgroupOf(ports: number): string {
  return `berth-rig-${ports}`
}

/** A machine that may not make a process less likely to be killed for want of memory is enough. */
function containerdConfig(folder: string): string {
  const cri = 'io.containerd.cri.v1'
  return `version = 3
root = "${folder}/containers"
state = "${RUN}/state"
[grpc]
  address = "${CONTAINERD}"
[plugins."${cri}.images".pinned_images]
  sandbox = "${PAUSE_IMAGE}"
[plugins."${cri}.runtime"]
  restrict_oom_score_adj = true
[plugins."${cri}.runtime".cni]
  bin_dirs = ["/usr/lib/cni"]
  conf_dir = "${folder}/cni"
[plugins."${cri}.runtime".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
  [plugins."${cri}.runtime".containerd.runtimes.runc.options]
    BinaryName = "/usr/sbin/runc"
    SystemdCgroup = false
`
}

/** Machines with the first version of control groups are in use, too. */
function kubeletConfig(place: RigPlace): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: NODE_IP,
    port: portOf(place, 'kubelet'),
    healthzPort: portOf(place, 'kubelet-health'),
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${cgroupOf(place.ports)}`,
    failCgroupV1: false,
    failSwapOn: false,
    containerRuntimeEndpoint: `unix://${CONTAINERD}`,
    resolvConf: '',
    evictionHard: { 'memory.available': '50Mi' },
    podLogsDir: '/run/pod-logs',
  }
}

/** Pods of the real node are on a bridge inside of the rig's network. */
const NETWORK = {
  cniVersion: '1.0.0',
  name: 'rig',
  plugins: [
    {
      type: 'bridge',
      bridge: BRIDGE,
      isGateway: true,
      ipam: { type: 'host-local', dataDir: '/run/addresses', ranges: [[{ subnet: '10.64.0.0/24' }]] },
    },
  ],
}
