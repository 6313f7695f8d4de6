import { noLogsOfVm } from '../cloud/vm/no-logs.ts'
import { CAN, type Answer, type Call, type Can, type Provider, type ProviderDeps } from '../../ports/provider.ts'
import type { CloudApi } from '../cloud/api.ts'
import { CloudProvider } from '../cloud/provider.ts'
import { askRunners } from '../cloud/vm/status.ts'
import type { PagedList } from '../rest/pages.ts'
import { AwsApi } from './api.ts'
import { gangLaunched } from './gang/start.ts'
import { MARK } from './launch.ts'
import { regionMachines } from './list.ts'
import { readMachineId } from './machines.ts'
import { regionOffers } from './market.ts'
import type { AwsSettings } from './settings.ts'
import { launched } from './start.ts'
import { emptyGroups, LEFT_AFTER_MS, leftBehind } from './sweep.ts'

export async function openAws(name: string, settings: AwsSettings, deps: ProviderDeps): Promise<Provider> {
  const api = await AwsApi.open(settings, deps)
  return new CloudProvider(name, cloudApi(api, settings, deps), { ...deps, isInternal: mayBePrivate(settings) })
}

function mayBePrivate({ isInternal, reach }: AwsSettings): boolean {
  return isInternal || reach === 'private'
}

function cloudApi(api: AwsApi, settings: AwsSettings, deps: ProviderDeps): CloudApi {
  const { regions, isInbound, statusPort } = settings
  const sweep = sweeper(api, settings, deps)
  const nowMs = (): number => deps.clock.nowMs()
  return {
    kind: 'aws',
    logs: noLogsOfVm('EC2'),
    can: canOf(settings),
    lacks: [
      ...(isInbound
        ? []
        : ['the end of a job and the health of a service are not noticed; inbound: true lets Berth ask']),
      'logs are not read',
      'volumes are not attached yet',
    ],
    freshMs: 600_000,
    offers: (provider, call) =>
      ofAll(regions, (region) => regionOffers(api, settings, { ...call, provider, region, nowMs: nowMs() })),
    refuse: ({ ports }) =>
      isInbound && ports.some(({ port }) => port === statusPort)
        ? `Port ${statusPort} tells Berth how the container is; use another, or set status_port.`
        : undefined,
    create: (start, call) => launched(start, { api, settings, call, nowMs: nowMs() }),
    createGroup: (starts, call) => gangLaunched(starts, { api, settings, call, nowMs: nowMs() }),
    machines: async (call) => {
      const answer = await ofAll(regions, (region) => regionMachines(api, { region, settings }, call))
      if (answer.ok) await sweep(call)
      return answer
    },
    machine: async (name, call) => {
      const at = readMachineId(name)
      if (at === undefined) return { ok: true, value: undefined }
      const answer = await regionMachines(api, { ...at, settings }, call)
      return answer.ok ? { ok: true, value: answer.value.items[0] } : answer
    },
    ...(isInbound && {
      ask: (machines, signal) =>
        askRunners(machines, signal, {
          network: deps.network,
          isInternal: mayBePrivate(settings),
          port: statusPort,
        }),
    }),
    remove: async (name, call) => {
      const at = readMachineId(name)
      if (at === undefined) return { ok: true, value: { gone: true } }
      const answer = await api.terminate(at.region, at.id, call)
      if (!answer.ok) return answer
      return { ok: true, value: { gone: answer.value === undefined || answer.value === 'terminated' } }
    },
  }
}

function canOf({ isInbound }: AwsSettings): Can {
  return {
    ...CAN,
    secrets: true,
    volumes: true,
    objectStorage: true,
    spot: true,
    multiNode: true,
    groups: true,
    // What they are called in each other's containers, once they know their addresses.
    rendezvous: { kind: 'names', pattern: '{gang}-{rank}.berth.internal' },
    ports: isInbound,
    settleMs: 60_000,
    // A call of Berth is several of EC2, whose buckets hold 50 to 100 and gain 5 to 20 a second.
    callsPerSecond: 2,
    burst: 10,
    deadlineMs: 60_000,
    pollMs: 20_000,
  }
}

/** What all regions say. One that does not answer makes the list incomplete; if none does, that is the answer. */
async function ofAll<T>(
  regions: readonly string[],
  ask: (region: string) => Promise<Answer<PagedList<T>>>,
): Promise<Answer<PagedList<T>>> {
  const answers = await Promise.all(regions.map(ask))
  const lists = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  const [refused] = answers.flatMap((answer) => (answer.ok ? [] : [answer]))
  if (lists.length === 0 && refused !== undefined) return refused
  const fault = refused?.fault ?? lists.find((list) => list.fault !== undefined)?.fault
  return {
    ok: true,
    value: {
      items: lists.flatMap(({ items }) => items),
      complete: refused === undefined && lists.every(({ complete }) => complete),
      ...(fault !== undefined && { fault }),
    },
  }
}

/** Deletes templates and placement groups that were left behind, now and then. What does not work now works later. */
function sweeper(
  api: AwsApi,
  { regions }: AwsSettings,
  deps: Pick<ProviderDeps, 'clock' | 'log'>,
): (call: Call) => Promise<void> {
  let nextMs = 0
  return async (call) => {
    const nowMs = deps.clock.nowMs()
    if (nowMs < nextMs) return
    nextMs = nowMs + LEFT_AFTER_MS
    for (const region of regions) {
      const found = await api.templates(region, MARK, call)
      const ids = found.ok ? leftBehind(found.value.items, nowMs) : []
      for (const id of ids) await api.deleteTemplate(region, id, call)
      const groups = await api.groups(region, MARK, call)
      for (const name of groups.ok ? emptyGroups(groups.value.items, nowMs) : [])
        await api.deleteGroup(region, name, call)
      if (ids.length > 0)
        deps.log.info('launch templates that were left behind are deleted', { region, count: ids.length })
    }
  }
}
