import { CAN, type Answer, type Call, type Launched, type Provider, type ProviderDeps } from '../../ports/provider.ts'
import type { CloudApi, CloudStart } from '../cloud/api.ts'
import { CloudProvider } from '../cloud/provider.ts'
import { askRunners } from '../cloud/vm/status.ts'
import { LambdaApi } from './api.ts'
import { LAUNCH_EACH_MS } from './faults.ts'
import { machineOf, machineOfInstance, offersOf, orderOf } from './map.ts'
import type { LambdaSettings } from './settings.ts'

export function openLambda(name: string, settings: LambdaSettings, deps: ProviderDeps): Provider {
  return new CloudProvider(name, cloudApi(settings, deps), { clock: deps.clock, isInternal: settings.isInternal })
}

function cloudApi(settings: LambdaSettings, deps: ProviderDeps): CloudApi {
  const api = new LambdaApi(settings, deps)
  const { isInbound, isInternal, statusPort } = settings
  return {
    kind: 'lambda',
    can: {
      ...CAN,
      secrets: true,
      ports: isInbound,
      settleMs: 180_000,
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
    freshMs: 120_000,
    offers: async (provider, call) => {
      const answer = await api.types(call)
      if (!answer.ok) return answer
      const sale = { provider, seenAtMs: deps.clock.nowMs() }
      const items = answer.value.flatMap((type) => (type === undefined ? [] : offersOf(type, sale, settings)))
      return { ok: true, value: { items, complete: !answer.value.includes(undefined) } }
    },
    refuse: ({ ports }) =>
      isInbound && ports.some(({ port }) => port === statusPort)
        ? `Port ${statusPort} tells Berth how the container is; use another, or set status_port.`
        : undefined,
    create: (start, call) => launched(api, settings, { start, call }),
    machines: async (call) => {
      const answer = await api.instances(call)
      return answer.ok ? { ok: true, value: { items: answer.value.map(machineOf), complete: true } } : answer
    },
    machine: async (id, call) => {
      const answer = await api.instance(id, call)
      if (!answer.ok) return answer
      return { ok: true, value: answer.value === undefined ? undefined : machineOfInstance(answer.value) }
    },
    ...(isInbound && {
      ask: (machines, signal) =>
        askRunners(machines, signal, {
          isInternal,
          hostOf: ({ address }) => (address === undefined ? undefined : { host: address, port: statusPort }),
        }),
    }),
    remove: async (id, call) => {
      const answer = await api.terminate(id, call)
      return answer.ok
        ? { ok: true, value: { gone: answer.value === undefined || answer.value === 'terminated' } }
        : answer
    },
  }
}

/** The reply to a launch has no price, so it is asked for while nothing exists yet. */
async function launched(
  api: LambdaApi,
  settings: LambdaSettings,
  { start, call }: { readonly start: CloudStart; readonly call: Call },
): Promise<Answer<Launched>> {
  const { place, usdPerHourMax } = start.order
  const types = await api.types(call)
  if (!types.ok) return { ok: false, fault: { ...types.fault, created: 'no' } }
  const type = types.value.find((each) => each?.instance_type.name === place.instance)?.instance_type
  if (type === undefined)
    return { ok: false, fault: { class: 'OFFER_GONE', message: `${place.instance} is not sold.` } }
  const usdPerHour = type.price_cents_per_hour / 100
  if (usdPerHour > usdPerHourMax)
    return { ok: false, fault: { class: 'OFFER_GONE', message: `${place.instance} costs $${usdPerHour}/h now.` } }
  const answer = await api.launch(orderOf(start, settings), call)
  return answer.ok ? { ok: true, value: { instance: answer.value, usdPerHour } } : answer
}
