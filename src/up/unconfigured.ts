import { unconfiguredProviders } from '../service/providers.ts'
import type { ServiceDeps } from '../service/deps.ts'

/** Providers that hold work but are not configured, one line each. They are also logged. */
export async function tellOfUnconfigured({
  store,
  log,
  providers,
}: Pick<ServiceDeps, 'store' | 'log' | 'providers'>): Promise<readonly string[]> {
  const known = new Set(providers.views().map(({ name }) => name))
  const lost = await unconfiguredProviders(store, (name) => known.has(name))
  return lost.map(({ name, instances, hint = '' }) => {
    log.warn('a provider that holds work is not configured', { provider: name, instances, hint })
    return `${name}: ${hint}`
  })
}
