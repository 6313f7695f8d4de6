import type { Provider, ProviderDeps } from '../../ports/provider.ts'
import { CloudProvider } from '../cloud/provider.ts'
import { vmCloud } from '../cloud/vm/vm-cloud.ts'
import { wholeList } from '../rest/pages.ts'
import { ShadeformApi } from './api.ts'
import { machineOf, offersOf, orderOf, shapeOf, systemOf } from './map.ts'
import type { ShadeformSettings } from './settings.ts'

export function openShadeform(name: string, settings: ShadeformSettings, deps: ProviderDeps): Provider {
  const api = new ShadeformApi(settings, deps)
  const cloud = vmCloud(
    {
      kind: 'shadeform',
      called: 'Shadeform',
      // No limits are published.
      can: { callsPerSecond: 1, burst: 3, pollMs: 20_000 },
      lacks: [
        'the end of a job and the health of a service are noticed only where the firewall of the cloud lets Berth ask',
        'secrets are in the start script, which everyone who may read the instances of the account can read',
        'logs are not read',
      ],
      statusPort: settings.statusPort,
      types: async (call, instance) => {
        const shape = instance === undefined ? undefined : shapeOf(instance)
        const query = shape === undefined ? {} : { cloud: shape.cloud, shade_instance_type: shape.type }
        return wholeList(await api.types(call, query))
      },
      offersOf: (type, sale) => offersOf(type, sale, settings),
      nameOf: (type) => `${type.cloud}/${type.shade_instance_type}`,
      usdPerHour: (type) => type.hourly_price / 100,
      refuse: ({ place }) =>
        shapeOf(place.instance) === undefined ? `${place.instance} is no machine of Shadeform.` : undefined,
      create: (start, type, call) => api.create(orderOf(start, settings, systemOf(type)), call),
      list: async (call) => wholeList(await api.instances(call)),
      describe: (id, call) => api.instance(id, call),
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
