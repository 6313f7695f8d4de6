import type { Provider, ProviderDeps } from '../../ports/provider.ts'
import { CloudProvider } from '../cloud/provider.ts'
import { vmCloud } from '../cloud/vm/vm-cloud.ts'
import { DigitaloceanApi } from './api.ts'
import { machineOf, offersOf, orderOf } from './map.ts'
import type { DigitaloceanSettings } from './settings.ts'

export function openDigitalocean(name: string, settings: DigitaloceanSettings, deps: ProviderDeps): Provider {
  const api = new DigitaloceanApi(settings, deps)
  const cloud = vmCloud(
    {
      kind: 'digitalocean',
      called: 'DigitalOcean',
      // 5,000 requests an hour and 250 a minute are published; a launch is two of them.
      can: { callsPerSecond: 0.5, burst: 10, pollMs: 20_000 },
      lacks: [
        'the end of a job and the health of a service are noticed only where the firewall lets Berth ask',
        'secrets are in the user data of the machine',
        'logs are not read',
        'sizes without cards are not offered',
      ],
      statusPort: settings.statusPort,
      types: (call) => api.types(call),
      offersOf: (type, sale) => offersOf(type, sale, settings),
      nameOf: ({ slug }) => slug,
      usdPerHour: ({ price_hourly: usd }) => usd,
      create: (start, _, call) => api.create(orderOf(start, settings), call),
      list: (call) => api.machines(call),
      describe: (id, call) => api.machine(id, call),
      machineOf,
      remove: async (id, call) => {
        const answer = await api.remove(id, call)
        return answer.ok ? { ok: true, value: { gone: answer.value === 'absent' } } : answer
      },
    },
    settings,
    deps,
  )
  return new CloudProvider(name, cloud, { ...deps, isInternal: settings.isInternal })
}
