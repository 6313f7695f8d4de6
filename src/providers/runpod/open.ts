import type { OfferDraft } from '../../core/offer/identity.ts'
import { CAN, type Answer, type Call, type Provider, type ProviderDeps } from '../../ports/provider.ts'
import type { CloudApi } from '../cloud/api.ts'
import type { CloudLogs } from '../cloud/logs.ts'
import { CloudProvider } from '../cloud/provider.ts'
import type { PagedList } from '../rest/pages.ts'
import { readGpu, RunpodApi } from './api.ts'
import { eventOf, linesInEvents } from './logs.ts'
import { COUNTS, machineOf, machineOfPod, offersOf, orderOf, shapeOf } from './map.ts'
import type { RunpodSettings } from './settings.ts'

export function openRunpod(name: string, settings: RunpodSettings, deps: ProviderDeps): Provider {
  return new CloudProvider(name, cloudApi(settings, deps), { ...deps, isInternal: settings.isInternal })
}

function cloudApi(settings: RunpodSettings, deps: ProviderDeps): CloudApi {
  const api = new RunpodApi(settings, deps)
  const machine = (value: unknown) => machineOf(value, settings)
  return {
    kind: 'runpod',
    logs: logsOf(api),
    // 60 calls a minute, 3,000 an hour and 50,000 a day are published; one call for offers is several requests.
    can: {
      ...CAN,
      secrets: true,
      ports: true,
      settleMs: 120_000,
      logs: true,
      callsPerSecond: 0.5,
      burst: 10,
      pollMs: 15_000,
    },
    lacks: [
      'no storage: neither volumes nor data from object stores',
      'exit codes are not known: a job that ends counts as one that failed',
      'logs have their last 5,000 lines, and new ones come every five seconds',
      'secrets are variables of the pod, which everyone who may read the pods of the account can read',
    ],
    freshMs: 120_000,
    offers: async (provider, call) => {
      const seenAtMs = deps.clock.nowMs()
      return everySale(settings, async (cloud, count) => {
        const answer = await api.gpus(cloud, count, call)
        if (!answer.ok) return answer
        const read = answer.value.map(readGpu)
        const sale = { provider, cloud, count, seenAtMs }
        const items = read.flatMap((gpu) => (gpu === undefined ? [] : offersOf(gpu, sale, settings)))
        return { ok: true, value: { items, complete: !read.includes(undefined) } }
      })
    },
    refuse: ({ place, ports }) => {
      if (shapeOf(place.instance) === undefined) return `${place.instance} is no machine of RunPod.`
      return ports.length > 10 ? 'RunPod exposes at most 10 ports.' : undefined
    },
    create: async (start, call) => {
      const body = orderOf(start, settings)
      if (body === undefined) return { ok: false, fault: { class: 'BAD_REQUEST', message: 'no machine of RunPod' } }
      const answer = await api.create(body, call)
      return answer.ok ? { ok: true, value: { instance: answer.value.id, usdPerHour: answer.value.cost } } : answer
    },
    machines: async (call) => {
      const answer = await api.pods(call)
      return answer.ok ? { ok: true, value: { items: answer.value.map(machine), complete: true } } : answer
    },
    machine: async (id, call) => {
      const answer = await api.pod(id, call)
      if (!answer.ok) return answer
      return { ok: true, value: answer.value === undefined ? undefined : machineOfPod(answer.value, settings) }
    },
    remove: async (id, call: Call) => {
      const answer = await api.remove(id, call)
      return answer.ok ? { ok: true, value: { gone: true } } : answer
    },
  }
}

function logsOf(api: RunpodApi): CloudLogs {
  return {
    eachMs: LOGS_EACH_MS,
    read: async (id, { after, sinceMs }, call) => {
      const answer = await api.logs(id, { after: after === undefined ? undefined : eventOf(after), sinceMs }, call)
      if (!answer.ok) throw new Error(`RunPod does not show the log of ${id}: ${answer.fault.message}`)
      return linesInEvents(answer.value ?? '', after)
    },
  }
}

/** 60 calls a minute are for everything. */
const LOGS_EACH_MS = 5000

/** What is sold in each cloud, by number of cards. The first failure is a fault; a later one leaves offers out. */
async function everySale(
  { clouds }: RunpodSettings,
  read: (cloud: RunpodSettings['clouds'][number], count: number) => Promise<Answer<PagedList<OfferDraft>>>,
): Promise<Answer<PagedList<OfferDraft>>> {
  const items: OfferDraft[] = []
  let complete = true
  for (const [index, { cloud, count }] of clouds
    .flatMap((cloud) => COUNTS.map((count) => ({ cloud, count })))
    .entries()) {
    const answer = await read(cloud, count)
    if (!answer.ok && index === 0) return answer
    complete &&= answer.ok && answer.value.complete
    if (answer.ok) items.push(...answer.value.items)
  }
  return { ok: true, value: { items, complete } }
}
