import type { Provider, ProviderDeps } from '../../ports/provider.ts'
import { findHost } from './host.ts'
import { openRuntime } from './open-runtime.ts'
import { LocalProvider } from './provider.ts'
import type { LocalSettings } from './settings.ts'

/** This host as a provider, with the runtime that its settings name. */
export async function openLocal(name: string, settings: LocalSettings, deps: ProviderDeps): Promise<Provider> {
  const runtime = await openRuntime(settings, deps)
  const host = await findHost(settings, deps)
  for (const lack of runtime.lacks) deps.log.info(`${name}: ${lack}`, { runtime: runtime.name })
  return new LocalProvider(name, { runtime, host }, deps)
}
