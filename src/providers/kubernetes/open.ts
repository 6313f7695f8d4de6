import type { Provider, ProviderDeps } from '../../ports/provider.ts'
import { KubeClient } from './api/client.ts'
import { Session } from './api/session.ts'
import { fleetOf } from './nodes/fleet.ts'
import { KubernetesProvider } from './provider.ts'
import type { KubernetesSettings } from './settings.ts'

/** A cluster as a provider. The kubeconfig is checked here; the cluster is not called. */
export async function openKubernetes(
  name: string,
  settings: KubernetesSettings,
  deps: ProviderDeps,
): Promise<Provider> {
  const { credential, clock, timers, log } = deps
  const client = new KubeClient(new Session({ settings, credential, clock }))
  const stated = await client.namespace()
  const namespace = settings.namespace ?? stated ?? 'default'
  return new KubernetesProvider(name, { client, settings, namespace, fleetOf, clock, timers, log })
}
