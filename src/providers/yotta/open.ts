import { CAN, type Provider, type ProviderDeps } from '../../ports/provider.ts'
import type { CloudApi } from '../cloud/api.ts'
import { CloudProvider } from '../cloud/provider.ts'
import { YottaApi } from './api.ts'
import { machineOf, machineOfPod, offersOf, orderOf, shapeOf, unsayable } from './map.ts'
import type { YottaSettings } from './settings.ts'

export function openYotta(name: string, settings: YottaSettings, deps: ProviderDeps): Provider {
  return new CloudProvider(name, cloudApi(settings, deps), { ...deps, isInternal: settings.isInternal })
}

function cloudApi(settings: YottaSettings, deps: ProviderDeps): CloudApi {
  const api = new YottaApi(settings, deps)
  return {
    kind: 'yotta',
    logs: {
      why: 'the API of Yotta has logs of serverless workers only, not of pods.',
      instead: 'Its console shows them under the pod {instance}; or have the workload send its output elsewhere.',
    },
    // No limits are published.
    can: { ...CAN, secrets: true, settleMs: 180_000, callsPerSecond: 1, burst: 3, pollMs: 20_000 },
    lacks: [
      'no storage: neither volumes nor data from object stores',
      'prices are not told by its API: they are what the setting prices says',
      'ports cannot be reached: its API does not tell their addresses',
      'arguments of an image cannot be given (command, args)',
      'exit codes are not known, and logs are not read',
    ],
    freshMs: 120_000,
    offers: async (provider, call) => {
      const answer = await api.types(call)
      if (!answer.ok) return answer
      const sale = { provider, seenAtMs: deps.clock.nowMs() }
      const items = answer.value.flatMap((card) => (card === undefined ? [] : offersOf(card, sale, settings)))
      return { ok: true, value: { items, complete: !answer.value.includes(undefined) } }
    },
    refuse: unsayable,
    create: async (start, call) => {
      const { place, usdPerHourMax } = start.order
      const shape = shapeOf(place.instance)
      const usdPerHour = (settings.prices[shape?.card ?? ''] ?? Infinity) * (shape?.count ?? 1)
      if (usdPerHour > usdPerHourMax)
        return { ok: false, fault: { class: 'OFFER_GONE', message: `${place.instance} has another price by now.` } }
      const answer = await api.create(orderOf(start, settings), call)
      return answer.ok ? { ok: true, value: { instance: answer.value, usdPerHour } } : answer
    },
    machines: async (call) => {
      const answer = await api.pods(call)
      return answer.ok ? { ok: true, value: { items: answer.value.map(machineOf), complete: true } } : answer
    },
    machine: async (id, call) => {
      const answer = await api.pod(id, call)
      if (!answer.ok) return answer
      return { ok: true, value: answer.value === undefined ? undefined : machineOfPod(answer.value) }
    },
    remove: async (id, call) => {
      const answer = await api.remove(id, call)
      return answer.ok ? { ok: true, value: { gone: true } } : answer
    },
  }
}
