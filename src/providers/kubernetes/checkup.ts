import * as z from 'zod'
import type { Call, ProviderCheckup } from '../../ports/provider.ts'
import type { KubeClient } from './api/client.ts'
import { listAll } from './api/lists.ts'
import { inGroup, inNamespace } from './api/paths.ts'
import { deviceApi } from './device-api.ts'
import { DEVICES } from './names.ts'
import { deviceNotes, type ClusterVersion } from './nodes/dra/trust.ts'
import { matters, missingPermissions, PERMISSIONS, ruleText, type MissingPermission } from './permissions.ts'
import type { Batches } from './schedulers/batches.ts'

/** Whether Berth may do there what it has to: nothing is changed. */
export async function checkupOf(
  { client, namespace, batches }: CheckupParts,
  call: Call,
): Promise<readonly ProviderCheckup[]> {
  const groups = await batches.discovery.groups(call)
  const served = new Set(groups.ok ? groups.value.keys() : [])
  const missing = await missingPermissions(client, { namespace, served }, call)
  if (typeof missing === 'string') return [{ check: 'permissions', ok: false, text: missing }]
  return [
    ...rights(missing, { namespace, served }),
    await namespaceThere(client, namespace, call),
    await schedulerUsed(batches, call),
    ...(await devicesIn(client, call)),
  ]
}

/** What is to be known of cards that are devices, where the cluster serves that. */
async function devicesIn(client: KubeClient, call: Call): Promise<readonly ProviderCheckup[]> {
  const api = await deviceApi(client, call)
  const version = api.ok ? api.version : undefined
  return version === undefined ? [] : devicesThere(client, version, call)
}

interface CheckupParts {
  readonly client: KubeClient
  readonly namespace: string
  readonly batches: Batches
}

async function schedulerUsed(batches: Batches, call: Call): Promise<ProviderCheckup> {
  const used = await batches.used(call)
  if (!used.ok) return { check: 'scheduler', ok: false, text: used.fault.message }
  if (used.value === undefined)
    return { check: 'scheduler', ok: true, text: "the cluster's own; gangs are held by Berth" }
  const { scheduler, queue } = used.value
  const text = queue === '' ? `gangs of ${scheduler.title}` : `${scheduler.title}, queue ${queue}`
  return { check: 'scheduler', ok: true, text }
}

function rights(
  missing: readonly MissingPermission[],
  { namespace, served }: { readonly namespace: string; readonly served: ReadonlySet<string> },
): readonly ProviderCheckup[] {
  if (missing.length === 0) {
    const needed = PERMISSIONS.filter((permission) => matters(permission, served))
    const count = needed.reduce((sum, { verbs }) => sum + verbs.length, 0)
    return [{ check: 'permissions', ok: true, text: `all ${count} are granted` }]
  }
  return missing.map((each) => ({
    check: `permission ${each.missing.join(', ')} ${each.resource}`,
    ok: each.isOptional === true,
    text: `without it, ${each.so}. Add ${ruleText(each, namespace)}`,
  }))
}

/** A dry run: the pod is checked by everything that will check real ones, quotas and policies included, and is not created. */
async function namespaceThere(client: KubeClient, namespace: string, call: Call): Promise<ProviderCheckup> {
  const security = {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  }
  const resources = { requests: { cpu: '1m', memory: '1Mi' }, limits: { cpu: '1m', memory: '1Mi' } }
  const containers = [{ name: 'main', image: 'berth-check', securityContext: security, resources }]
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'berth-check-' }, spec: { containers } }
  const query = { dryRun: 'All' }
  const reply = await client.call({ method: 'POST', path: inNamespace(namespace, 'pods'), query, body }, call)
  if (reply.ok) return { check: 'namespace', ok: true, text: `${namespace} takes pods` }
  return { check: 'namespace', ok: false, text: `${namespace}: ${reply.fault.class}: ${reply.fault.message}` }
}

/** What the cluster publishes as devices, and what of it cannot be trusted; nothing where it publishes none. */
async function devicesThere(client: KubeClient, version: string, call: Call): Promise<readonly ProviderCheckup[]> {
  const [slices, server] = await Promise.all([
    listAll(client, inGroup(`${DEVICES}/${version}`, 'resourceslices'), { call }),
    client.call({ method: 'GET', path: '/version' }, call),
  ])
  const notes = slices.ok ? deviceNotes(slices.value.items, server.ok ? versionIn(server.value) : undefined) : []
  return notes.length === 0 ? [] : [{ check: 'cards by claims', ok: true, text: notes.join(' ') }]
}

/** What a server emulates counts, not what it is. */
function versionIn(value: unknown): ClusterVersion | undefined {
  const { data } = versionForm.safeParse(value)
  return data && { major: data.emulationMajor ?? data.major, minor: data.emulationMinor ?? data.minor }
}

/** Clouds write 34+. */
const figure = z
  .string()
  .regex(/^\d+\+?$/)
  .transform((text) => Number(text.replace('+', '')))

const versionForm = z.object({
  major: figure,
  minor: figure,
  emulationMajor: figure.optional().catch(undefined),
  emulationMinor: figure.optional().catch(undefined),
})
