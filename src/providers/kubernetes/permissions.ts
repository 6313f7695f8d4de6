import * as z from 'zod'
import type { Call } from '../../ports/provider.ts'
import type { KubeClient } from './api/client.ts'
import { DEVICES } from './names.ts'
import type { Permission } from './permission.ts'
import { BATCH_PERMISSIONS } from './schedulers/permissions.ts'

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
  {
    group: '',
    resource: 'pods/exec',
    verbs: ['get', 'create'],
    so: 'berth exec and berth sync do not work, and the last results of jobs with storage are not saved',
  },
  { group: '', resource: 'pods/portforward', verbs: ['get', 'create'], so: 'berth port does not work' },
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
    group: DEVICES,
    resource: 'resourceslices',
    verbs: ['list', 'watch'],
    isWide: true,
    so: 'cards that claims get (DRA) are not seen',
    isOptional: true,
  },
  {
    group: DEVICES,
    resource: 'resourceclaims',
    verbs: ['list'],
    isWide: true,
    so: 'which of those cards are taken is not known',
    isOptional: true,
  },
  {
    group: DEVICES,
    resource: 'resourceclaims',
    verbs: ['create', 'delete'],
    so: 'nothing can be started on those cards',
    isOptional: true,
  },
  ...BATCH_PERMISSIONS,
  {
    group: 'ray.io',
    resource: 'rayjobs',
    verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    so: 'jobs with `framework: ray` cannot run',
    isOptional: true,
  },
  {
    group: 'ray.io',
    resource: 'rayservices',
    verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    so: 'services with `framework: ray` cannot run',
    isOptional: true,
  },
  {
    group: '',
    resource: 'services/proxy',
    verbs: ['get'],
    so: 'what jobs with `framework: ray` print cannot be read',
    isOptional: true,
    servedWith: 'ray.io',
  },
]

/** Whether it matters in a cluster that serves these groups: without a scheduler, nothing is asked of it. */
export function matters({ group, isOptional, servedWith = group }: Permission, served: ReadonlySet<string>): boolean {
  return isOptional !== true || served.has(servedWith)
}

/** A permission that is missing, with the verbs that are. */
export interface MissingPermission extends Permission {
  readonly missing: readonly string[]
}

/** What may not be done. The API server is asked for each verb; it decides by its own rules, whatever they are. */
export async function missingPermissions(
  client: KubeClient,
  { namespace, served }: { readonly namespace: string; readonly served: ReadonlySet<string> },
  call: Call,
): Promise<readonly MissingPermission[] | string> {
  const needed = PERMISSIONS.filter((permission) => matters(permission, served))
  const asked = needed.flatMap((permission) => permission.verbs.map((verb) => ({ permission, verb })))
  const answers = await Promise.all(
    asked.map(({ permission, verb }) => mayI(client, { permission, verb, namespace }, call)),
  )
  const failed = answers.find((answer) => typeof answer === 'string')
  if (failed !== undefined) return failed
  return needed.flatMap((permission) => {
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
