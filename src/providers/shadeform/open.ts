import { CAN, type Answer, type Call, type Launched, type Provider, type ProviderDeps } from '../../ports/provider.ts'
import type { CloudApi, CloudStart } from '../cloud/api.ts'
import { CloudProvider } from '../cloud/provider.ts'
import { askRunners } from '../cloud/vm/status.ts'
import { ShadeformApi } from './api.ts'
import { machineOf, machineOfInstance, offersOf, orderOf, shapeOf, systemOf } from './map.ts'
import type { ShadeformSettings } from './settings.ts'

export function openShadeform(name: string, settings: ShadeformSettings, deps: ProviderDeps): Provider {
  return new CloudProvider(name, cloudApi(settings, deps), { clock: deps.clock, isInternal: settings.isInternal })
}

function cloudApi(settings: ShadeformSettings, deps: ProviderDeps): CloudApi {
  const api = new ShadeformApi(settings, deps)
  const { isInternal, statusPort } = settings
  return {
    kind: 'shadeform',
    // No limits are published.
    can: { ...CAN, secrets: true, ports: true, settleMs: 180_000, callsPerSecond: 1, burst: 3, pollMs: 20_000 },
    lacks: [
      'the end of a job and the health of a service are noticed only where the firewall of the cloud lets Berth ask',
      'secrets are in the start script, which everyone who may read the instances of the account can read',
      'logs are not read',
    ],
    freshMs: 120_000,
    offers: async (provider, call) => {
      const answer = await api.types(call)
      if (!answer.ok) return answer
      const sale = { provider, seenAtMs: deps.clock.nowMs() }
      const items = answer.value.flatMap((type) => (type === undefined ? [] : offersOf(type, sale, settings)))
      return { ok: true, value: { items, complete: !answer.value.includes(undefined) } }
    },
    refuse: ({ place, ports }) => {
      if (shapeOf(place.instance) === undefined) return `${place.instance} is no machine of Shadeform.`
      return ports.some(({ port }) => port === statusPort)
        ? `Port ${statusPort} tells Berth how the container is; use another, or set status_port.`
        : undefined
    },
    create: (start, call) => created(api, settings, { start, call }),
    machines: async (call) => {
      const answer = await api.instances(call)
      return answer.ok ? { ok: true, value: { items: answer.value.map(machineOf), complete: true } } : answer
    },
    machine: async (id, call) => {
      const answer = await api.instance(id, call)
      if (!answer.ok) return answer
      return { ok: true, value: answer.value === undefined ? undefined : machineOfInstance(answer.value) }
    },
    ask: (machines, signal) =>
      askRunners(machines, signal, {
        isInternal,
        hostOf: ({ address }) => (address === undefined ? undefined : { host: address, port: statusPort }),
      }),
    remove: async (id, call) => {
      const answer = await api.remove(id, call)
      return answer.ok ? { ok: true, value: { gone: answer.value === 'absent' } } : answer
    },
  }
}

/** The reply to a create has no price, so it is asked for while nothing exists yet. */
async function created(
  api: ShadeformApi,
  settings: ShadeformSettings,
  { start, call }: { readonly start: CloudStart; readonly call: Call },
): Promise<Answer<Launched>> {
  const { place, usdPerHourMax } = start.order
  const shape = shapeOf(place.instance)
  const query = { cloud: shape?.cloud ?? '', shade_instance_type: shape?.type ?? '' }
  const types = await api.types(call, query)
  if (!types.ok) return { ok: false, fault: { ...types.fault, created: 'no' } }
  const type = types.value.find((each) => each?.cloud === shape?.cloud && each?.shade_instance_type === shape?.type)
  if (type === undefined)
    return { ok: false, fault: { class: 'OFFER_GONE', message: `${place.instance} is not sold.` } }
  const usdPerHour = type.hourly_price / 100
  if (usdPerHour > usdPerHourMax)
    return { ok: false, fault: { class: 'OFFER_GONE', message: `${place.instance} costs $${usdPerHour}/h now.` } }
  const answer = await api.create(orderOf(start, settings, systemOf(type)), call)
  return answer.ok ? { ok: true, value: { instance: answer.value, usdPerHour } } : answer
}
