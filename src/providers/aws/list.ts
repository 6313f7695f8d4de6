import type { Instance, SpotInstanceRequest } from '@aws-sdk/client-ec2'
import type { Answer, Call } from '../../ports/provider.ts'
import type { CloudMachine } from '../cloud/api.ts'
import type { PagedList } from '../rest/pages.ts'
import type { AwsApi } from './api.ts'
import { introductions } from './gang/peers.ts'
import { MARK } from './launch.ts'
import { machineOf } from './machines.ts'
import type { AwsSettings } from './settings.ts'

/** Machines of a region that Berth made, of whatever owner: those with its mark, or the one with this id. */
export async function regionMachines(
  api: AwsApi,
  { region, id, settings }: { readonly region: string; readonly id?: string; readonly settings: AwsSettings },
  call: Call,
): Promise<Answer<PagedList<CloudMachine>>> {
  const answer = await api.instances(region, id === undefined ? { 'tag-key': [MARK] } : { 'instance-id': [id] }, call)
  if (!answer.ok) return answer
  const { items, ...rest } = answer.value
  if (id === undefined) await introduce(api, { region, items }, call)
  const requests = await requestsOf(api, { region, items }, call)
  const machines = items.map((instance) =>
    machineOf(instance, { region, request: requests.get(instance.SpotInstanceRequestId ?? ''), settings }),
  )
  return { ok: true, value: { ...rest, items: machines } }
}

/** Members of a gang whose control plane died before it told them of each other are told now. */
async function introduce(
  api: AwsApi,
  { region, items }: { readonly region: string; readonly items: readonly Instance[] },
  call: Call,
): Promise<void> {
  for (const introduction of introductions(items)) await api.tag(region, introduction, call)
}

/** What is said of spot machines, notices above all. Without it, nothing is known of notices. */
async function requestsOf(
  api: AwsApi,
  { region, items }: { readonly region: string; readonly items: readonly Instance[] },
  call: Call,
): Promise<ReadonlyMap<string, SpotInstanceRequest>> {
  const ids = items.flatMap(({ SpotInstanceRequestId }) => SpotInstanceRequestId ?? [])
  if (ids.length === 0) return new Map()
  const answer = await api.spotRequests(region, ids.slice(0, IDS_MOST), call)
  const found = answer.ok ? answer.value.items : []
  return new Map(found.map((request) => [request.SpotInstanceRequestId ?? '', request]))
}

/** A filter takes this many values. */
const IDS_MOST = 200
