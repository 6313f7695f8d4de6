import * as z from 'zod'
import type { Call } from '../../ports/provider.ts'
import type { KubeClient } from './api/client.ts'

/** Something that Berth must be allowed to do. */
export interface Permission {
  readonly group: string
  readonly resource: string
  readonly verbs: readonly string[]
  /** In the whole cluster, and not only in the namespace. */
  readonly isWide?: boolean
  /** What cannot be done without it. */
  readonly so: string
  /** Berth works without it, with less. */
  readonly isOptional?: boolean
}

/** The least that Berth needs. `deploy/kubernetes/rbac.yaml` has the same, and a test compares the two. */
export const PERMISSIONS: readonly Permission[] = [
  {
    group: '',
    resource: 'nodes',
    verbs: ['get', 'list', 'watch'],
    isWide: true,
    so: 'the machines of the cluster cannot be seen',
  },
  {
    group: '',
    resource: 'pods',
    verbs: ['list', 'watch'],
    isWide: true,
    so: 'what others run cannot be counted, so that nothing is known to be free',
  },
  {
    group: '',
    resource: 'pods',
    verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    so: 'nothing can be started, seen or stopped',
  },
  { group: '', resource: 'pods/log', verbs: ['get'], so: 'logs cannot be read' },
  { group: '', resource: 'pods/exec', verbs: ['get', 'create'], so: 'berth exec does not work' },
  { group: '', resource: 'secrets', verbs: ['create', 'delete'], so: 'workloads with secrets cannot start' },
  {
    group: '',
    resource: 'services',
    verbs: ['create', 'patch', 'delete'],
    so: 'ports have no address, and gangs cannot meet',
  },
  {
    group: '',
    resource: 'persistentvolumeclaims',
    verbs: ['delete'],
    so: 'volumes of a storage class outlive their workload for an hour',
  },
  {
    group: 'resource.k8s.io',
    resource: 'resourceslices',
    verbs: ['list'],
    isWide: true,
    so: 'cards of clusters with dynamic resource allocation are not seen',
    isOptional: true,
  },
  {
    group: 'resource.k8s.io',
    resource: 'resourceclaims',
    verbs: ['list'],
    isWide: true,
    so: 'which of those cards are taken is not known',
    isOptional: true,
  },
]

/** A permission that is missing, with the verbs that are. */
export interface MissingPermission extends Permission {
  readonly missing: readonly string[]
}

/** What may not be done. The API server is asked for each verb; it decides by its own rules, whatever they are. */
export async function missingPermissions(
  client: KubeClient,
  namespace: string,
  call: Call,
): Promise<readonly MissingPermission[] | string> {
  const asked = PERMISSIONS.flatMap((permission) => permission.verbs.map((verb) => ({ permission, verb })))
  const answers = await Promise.all(
    asked.map(({ permission, verb }) => mayI(client, { permission, verb, namespace }, call)),
  )
  const failed = answers.find((answer) => typeof answer === 'string')
  if (failed !== undefined) return failed
  return PERMISSIONS.flatMap((permission) => {
    const missing = asked
      .filter((each, index) => each.permission === permission && answers[index] === false)
      .map(({ verb }) => verb)
    return missing.length === 0 ? [] : [{ ...permission, missing }]
  })
}

async function mayI(
  client: KubeClient,
  {
    permission,
    verb,
    namespace,
  }: { readonly permission: Permission; readonly verb: string; readonly namespace: string },
  call: Call,
): Promise<boolean | string> {
  const [resource, subresource] = permission.resource.split('/')
  const resourceAttributes = {
    group: permission.group,
    resource,
    verb,
    ...(subresource !== undefined && { subresource }),
    ...(permission.isWide !== true && { namespace }),
  }
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } }
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
  const reply = await client.call({ method: 'POST', path, body }, call)
  if (!reply.ok) return `${reply.fault.class}: ${reply.fault.message}`
  return reviewForm.safeParse(reply.value).data?.status.allowed ?? false
}

const reviewForm = z.object({ status: z.object({ allowed: z.boolean() }) })

/** The rule to add, as it stands in a Role or a ClusterRole. */
export function ruleText({ group, resource, missing, isWide }: MissingPermission, namespace: string): string {
  const rule = `{apiGroups: ["${group}"], resources: ["${resource}"], verbs: [${missing.join(', ')}]}`
  return `${isWide === true ? 'a ClusterRole' : `a Role in ${namespace}`} with ${rule}`
}
