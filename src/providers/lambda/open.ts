import type { Provider, ProviderDeps } from '../../ports/provider.ts'
import { CloudProvider } from '../cloud/provider.ts'
import { vmCloud } from '../cloud/vm/vm-cloud.ts'
import { wholeList } from '../rest/pages.ts'
import { LambdaApi } from './api.ts'
import { LAUNCH_EACH_MS } from './faults.ts'
import { machineOf, offersOf, orderOf } from './map.ts'
import type { LambdaSettings } from './settings.ts'

export function openLambda(name: string, settings: LambdaSettings, deps: ProviderDeps): Provider {
  const api = new LambdaApi(settings, deps)
  const { isInbound, isInternal, statusPort } = settings
  const cloud = vmCloud(
    {
      kind: 'lambda',
      called: 'Lambda',
      can: {
        // One request a second is published, and one launch in twelve; a launch asks for the price first.
        callsPerSecond: 0.4,
        burst: 1,
        launchEachMs: LAUNCH_EACH_MS,
        pollMs: 30_000,
      },
      lacks: [
        ...(isInbound
          ? []
          : ['the end of a job and the health of a service are not noticed; inbound: true lets Berth ask']),
        'logs are not read',
        'volumes are not attached yet',
      ],
      statusPort: isInbound ? statusPort : 0,
      types: async (call) => wholeList(await api.types(call)),
      offersOf: (type, sale) => offersOf(type, sale, settings),
      nameOf: (type) => type.instance_type.name,
      usdPerHour: (type) => type.instance_type.price_cents_per_hour / 100,
      create: (start, _, call) => api.launch(orderOf(start, settings), call),
      list: async (call) => wholeList(await api.instances(call)),
      describe: (id, call) => api.instance(id, call),
      machineOf,
      remove: async (id, call) => {
        const answer = await api.terminate(id, call)
        if (!answer.ok) return answer
        return { ok: true, value: { gone: answer.value === undefined || answer.value === 'terminated' } }
      },
    },
    settings,
    deps,
  )
  return new CloudProvider(name, cloud, { ...deps, isInternal })
}
