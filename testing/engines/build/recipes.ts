/** How one engine is built from its Go module, and what else of the module is needed to run it. */
export interface Recipe {
  readonly name: string
  readonly module: string
  readonly version: string
  /** What stands in for the folders that the module's own go.mod refers to, which its archive does not hold. */
  readonly staging?: string
  /** Package of each program, by the program's name. */
  readonly programs: Readonly<Record<string, string>>
  /** Values of variables that a released program has from its linker. */
  readonly variables?: Readonly<Record<string, string>>
  /** Folders of the module that are kept beside the programs, by the name they get there. */
  readonly files?: Readonly<Record<string, string>>
}

const KUBE = 'k8s.io/kubernetes'
const KAI = 'github.com/NVIDIA/KAI-scheduler'
const VOLCANO = 'volcano.sh/volcano'
const KUEUE = 'sigs.k8s.io/kueue'
const RAY = 'github.com/ray-project/kuberay/ray-operator'
const CONTAINERD = 'github.com/containerd/containerd/v2'
const VERSION = 'k8s.io/component-base/version'

/** Kubernetes 1.36 needs what etcd 3.4 and 3.5 do not have: with them watches die over and over. */
const ETCD: Recipe = {
  name: 'etcd',
  module: 'go.etcd.io/etcd/server/v3',
  version: 'v3.6.11',
  programs: { etcd: 'go.etcd.io/etcd/server/v3' },
}

/** Without a version in the API server Kueue does not start. */
const KUBERNETES: Recipe = {
  name: 'kubernetes',
  module: KUBE,
  version: 'v1.36.4',
  staging: 'v0.36.4',
  programs: {
    'kube-apiserver': `${KUBE}/cmd/kube-apiserver`,
    'kube-scheduler': `${KUBE}/cmd/kube-scheduler`,
    'kube-controller-manager': `${KUBE}/cmd/kube-controller-manager`,
    kubectl: `${KUBE}/cmd/kubectl`,
  },
  variables: {
    [`${VERSION}.gitVersion`]: 'v1.36.4',
    [`${VERSION}.gitMajor`]: '1',
    [`${VERSION}.gitMinor`]: '36',
    [`${VERSION}.gitTreeState`]: 'clean',
    [`${VERSION}.gitCommit`]: '0'.repeat(40),
  },
}

const KWOK: Recipe = {
  name: 'kwok',
  module: 'sigs.k8s.io/kwok',
  version: 'v0.8.0',
  programs: { kwok: 'sigs.k8s.io/kwok/cmd/kwok' },
  files: {
    'node-fast': 'kustomize/stage/node/fast',
    'node-heartbeat': 'kustomize/stage/node/heartbeat-with-lease',
    'pod-fast': 'kustomize/stage/pod/fast',
  },
}

const KAI_SCHEDULER: Recipe = {
  name: 'kai',
  module: KAI,
  version: 'v0.12.0',
  programs: {
    'kai-scheduler': `${KAI}/cmd/scheduler`,
    'kai-binder': `${KAI}/cmd/binder`,
    'kai-podgrouper': `${KAI}/cmd/podgrouper`,
    'kai-podgroupcontroller': `${KAI}/cmd/podgroupcontroller`,
    'kai-queuecontroller': `${KAI}/cmd/queuecontroller`,
  },
  files: { crds: 'deployments/kai-scheduler/crds' },
}

/** 1.15 does not compile with any of its libraries that can be had as a module. */
const VOLCANO_SCHEDULER: Recipe = {
  name: 'volcano',
  module: VOLCANO,
  version: 'v1.14.1',
  staging: 'v1.14.0',
  programs: {
    'volcano-scheduler': `${VOLCANO}/cmd/scheduler`,
    'volcano-controller-manager': `${VOLCANO}/cmd/controller-manager`,
  },
  files: { crds: 'config/crd/volcano/bases', 'crds-jobflow': 'config/crd/jobflow/bases' },
}

/** 0.19 needs a library whose checksum nobody can look up. */
const KUEUE_MANAGER: Recipe = {
  name: 'kueue',
  module: KUEUE,
  version: 'v0.18.3',
  programs: { kueue: `${KUEUE}/cmd/kueue` },
  files: { crds: 'config/components/crd/bases' },
}

const KUBERAY: Recipe = {
  name: 'kuberay',
  module: RAY,
  version: 'v1.6.2',
  programs: { 'kuberay-operator': RAY },
  files: { crds: 'config/crd/bases' },
}

/** The same sources as the control plane: a program of its own, because few rigs need it. */
const KUBELET: Recipe = { ...KUBERNETES, name: 'kubelet', programs: { kubelet: `${KUBE}/cmd/kubelet` } }

/** Debian 12 has 1.6, which is older than anything that a kubelet of 1.36 is meant for. */
const CONTAINERD_RUNTIME: Recipe = {
  name: 'containerd',
  module: CONTAINERD,
  version: 'v2.2.4',
  programs: Object.fromEntries(
    ['containerd', 'containerd-shim-runc-v2', 'ctr'].map((name) => [name, `${CONTAINERD}/cmd/${name}`]),
  ),
}

/** What can be brought up; `kube` is the control plane with KWOK, which every other one needs, and `kubelet` a node that is real. */
export const ENGINES = ['kube', 'kai', 'volcano', 'kueue', 'kuberay', 'kubelet'] as const
export type Engine = (typeof ENGINES)[number]

/** What an engine is made of. */
export const RECIPES: Readonly<Record<Engine, readonly Recipe[]>> = {
  kube: [ETCD, KUBERNETES, KWOK],
  kai: [KAI_SCHEDULER],
  volcano: [VOLCANO_SCHEDULER],
  kueue: [KUEUE_MANAGER],
  kuberay: [KUBERAY],
  kubelet: [KUBELET, CONTAINERD_RUNTIME],
}

/** The engines together with the control plane they run on, in the order they are started. */
export function withKube(engines: readonly Engine[]): readonly Engine[] {
  return ENGINES.filter((engine) => engine === 'kube' || engines.includes(engine))
}
