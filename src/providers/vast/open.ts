import { CAN, type Answer, type Call, type Launched, type Provider, type ProviderDeps } from '../../ports/provider.ts'
import type { CloudApi, CloudStart } from '../cloud/api.ts'
import { CloudProvider } from '../cloud/provider.ts'
import { VastApi } from './api.ts'
import { LOGS_EACH_MS, readLog } from './logs.ts'
import { askIn, machineOf, offerOf, orderOf, unsayable } from './map.ts'
import type { VastSettings } from './settings.ts'

export function openVast(name: string, settings: VastSettings, deps: ProviderDeps): Provider {
  return new CloudProvider(name, cloudApi(settings, deps), { ...deps, isInternal: settings.isInternal })
}

function cloudApi(settings: VastSettings, deps: ProviderDeps): CloudApi {
  const api = new VastApi(settings, deps)
  return {
    kind: 'vast',
    logs: { eachMs: LOGS_EACH_MS, read: (id, _, call) => readLog(api, id, { settings, deps, call }) },
    // Limits are per endpoint and not published as a table; 429s name thresholds from 1 to 4.5.
    can: {
      ...CAN,
      spot: true,
      ports: true,
      logs: true,
      settleMs: 180_000,
      callsPerSecond: 0.5,
      burst: 2,
      pollMs: 20_000,
    },
    lacks: [
      'no storage: neither volumes nor data from object stores',
      'secrets are not given to machines of strangers',
      'exit codes are not known: a job that ends counts as one that failed',
      'the entry of an image cannot be replaced (command), and variables have no blanks or quotes',
      'logs have their last 5,000 lines, and new ones come every 20 seconds',
    ],
    freshMs: 60_000,
    offers: async (provider, call) => {
      const answer = await api.asks(searchFor(settings), call)
      if (!answer.ok) return answer
      const sale = { provider, seenAtMs: deps.clock.nowMs() }
      const items = answer.value.flatMap((ask) => (ask === undefined ? [] : [offerOf(ask, sale)]))
      const isWhole = answer.value.length < settings.offersMost
      return { ok: true, value: { items, complete: isWhole && !answer.value.includes(undefined) } }
    },
    refuse: (order) =>
      askIn(order.place.instance) === undefined ? `${order.place.instance} is no ask of Vast.` : unsayable(order),
    create: (start, call) => rented(api, settings, { start, call }),
    machines: async (call) => {
      const answer = await api.instances(call)
      return answer.ok ? { ok: true, value: { ...answer.value, items: answer.value.items.map(machineOf) } } : answer
    },
    // The call for a single instance describes it in another form than the list; the list can be asked for one.
    machine: async (id, call) => {
      const answer = await api.instances(call, { id: { eq: Number(id) } })
      if (!answer.ok) return answer
      const found = answer.value.items.map(machineOf).find((machine) => machine.id === id)
      if (found !== undefined || answer.value.complete) return { ok: true, value: found }
      return { ok: false, fault: { class: 'TRANSIENT', message: 'the list of instances is not complete' } }
    },
    remove: async (id, call) => {
      const answer = await api.remove(id, call)
      return answer.ok ? { ok: true, value: { gone: true } } : answer
    },
  }
}

/** A market changes from minute to minute: the ask is read again before it is taken, while nothing exists yet. */
async function rented(
  api: VastApi,
  settings: VastSettings,
  { start, call }: { readonly start: CloudStart; readonly call: Call },
): Promise<Answer<Launched>> {
  const { place, usdPerHourMax } = start.order
  const id = askIn(place.instance) ?? 0
  const now = await api.asks({ ...searchFor(settings), limit: 1, id: { eq: id } }, call)
  if (!now.ok) return { ok: false, fault: { ...now.fault, created: 'no' } }
  const ask = now.value.find((each) => each?.id === id)
  if (ask === undefined || ask.rentable === false)
    return { ok: false, fault: { class: 'OFFER_GONE', message: `The ask ${id} is no longer there.` } }
  const isSpot = place.market === 'spot'
  const usdPerHour = isSpot ? (ask.min_bid ?? Infinity) : ask.dph_total
  if (usdPerHour > usdPerHourMax)
    return { ok: false, fault: { class: 'OFFER_GONE', message: `The ask ${id} costs $${usdPerHour}/h now.` } }
  const answer = await api.rent(id, orderOf(start, settings, isSpot ? usdPerHour : undefined), call)
  return answer.ok ? { ok: true, value: { instance: answer.value, usdPerHour, isQuoted: true } } : answer
}

function searchFor({
  isVerified,
  reliabilityMin,
  offersMost,
  regions,
}: VastSettings): Readonly<Record<string, unknown>> {
  return {
    limit: offersMost,
    type: 'ondemand',
    rentable: { eq: true },
    rented: { eq: false },
    reliability: { gte: reliabilityMin },
    ...(isVerified && { verified: { eq: true } }),
    ...(regions !== undefined && { geolocation: { in: regions } }),
  }
}
