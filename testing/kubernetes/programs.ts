import type { Rig } from '../engines/rig/rig.ts'
import type { RigObject } from '../engines/rig/api.ts'

/** Fake nodes run no programs. These stand in: what a pod printed lies in a file, and a program beside it runs on this host. */
const GROUP = 'kwok.x-k8s.io'

/** Kinds by which KWOK is told what its nodes answer. */
const KINDS = [
  { kind: 'Logs', plural: 'logs', scope: 'Namespaced' },
  { kind: 'ClusterExec', plural: 'clusterexecs', scope: 'Cluster' },
] as const

/** Fake nodes answer for logs and programs. To be called before the first node is there: a new KWOK waits for leases of an old one. */
export async function answerForPrograms(rig: Rig): Promise<void> {
  await rig.api.apply(...KINDS.map(definitionOf))
  await rig.until('the kinds of KWOK are served', async () => {
    const served = await rig.api.find<Served>(`/apis/${GROUP}/v1alpha1`)
    return KINDS.every(({ plural }) => served?.resources.some(({ name }) => name === plural))
  })
  await rig.kill('kwok')
  await rig.start('kwok', [`--enable-crds=${KINDS.map(({ kind }) => kind).join(',')}`])
  const execs = [{ local: { workDir: '/' } }]
  await rig.api.apply({
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'ClusterExec',
    metadata: { name: 'all' },
    spec: { execs },
  })
}

interface Served {
  readonly resources: readonly { readonly name: string }[]
}

/** What a pod printed, as a file in the form that container runtimes write. */
export function printed(pod: { readonly name: string; readonly namespace: string }, logsFile: string): RigObject {
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'Logs',
    metadata: pod,
    spec: { logs: [{ containers: ['main'], logsFile, follow: true }] },
  }
}

function definitionOf({ kind, plural, scope }: (typeof KINDS)[number]): RigObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: 'v1alpha1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  }
}
