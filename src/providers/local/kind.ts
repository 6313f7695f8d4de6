import { PROVIDER_CONTRACT, type ProviderKind } from '../../ports/provider.ts'
import { findHost } from './host.ts'
import { openRuntime } from './open-runtime.ts'
import { LocalProvider } from './provider.ts'
import { readSettings } from './settings.ts'

/** This host: plain processes, or containers through podman or docker. */
export const localKind: ProviderKind = {
  contract: PROVIDER_CONTRACT,
  kind: 'local',
  about: 'This host: real processes, or containers through podman or docker; cards as nvidia-smi finds them.',
  harmless: ['cpu', 'memory', 'ports', 'log'],
  configure(written) {
    const read = readSettings(written)
    if (!read.ok) return read
    return {
      ok: true,
      async open(name, deps) {
        const runtime = await openRuntime(read.settings, deps)
        const host = await findHost(read.settings, deps)
        for (const lack of runtime.lacks) deps.log.info(`${name}: ${lack}`, { runtime: runtime.name })
        return new LocalProvider(name, { runtime, host }, deps)
      },
    }
  },
}
