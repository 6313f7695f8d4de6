import type { Call, ProviderCheckup } from '../../ports/provider.ts'
import type { KubeClient } from './api/client.ts'
import { inNamespace } from './api/paths.ts'
import { missingPermissions, PERMISSIONS, ruleText, type MissingPermission } from './permissions.ts'

/** Whether Berth may do there what it has to: nothing is changed. */
export async function checkupOf(
  { client, namespace }: { readonly client: KubeClient; readonly namespace: string },
  call: Call,
): Promise<readonly ProviderCheckup[]> {
  const missing = await missingPermissions(client, namespace, call)
  if (typeof missing === 'string') return [{ check: 'permissions', ok: false, text: missing }]
  return [...rights(missing, namespace), await namespaceThere(client, namespace, call)]
}

function rights(missing: readonly MissingPermission[], namespace: string): readonly ProviderCheckup[] {
  if (missing.length === 0) {
    const count = PERMISSIONS.reduce((sum, { verbs }) => sum + verbs.length, 0)
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
