import type { Fault } from '../../core/life/call/fault.ts'
import type { Answer, Call, Inventory } from '../../ports/provider.ts'
import * as z from 'zod'
import type { KubeClient } from './api/client.ts'
import { deviceApi } from './device-api.ts'
import { listAll } from './api/lists.ts'
import { inCluster, inGroup } from './api/paths.ts'
import { DEVICES, MAIN, readCards, readTag } from './names.ts'
import type { ClusterView, FleetOf, OurPod } from './nodes/fleet.ts'
import type { NodeAsk } from './nodes/fleet/view.ts'
import type { GroundNode } from './objects/ground.ts'
import type { NodeReads } from './node-reads.ts'
import { readPod } from './read/pod.ts'
import type { KubernetesSettings } from './settings.ts'

const FRESH_MS = 30_000

export interface InventoryParts {
  readonly client: KubeClient
  readonly provider: string
  readonly settings: KubernetesSettings
  readonly nowMs: () => number
  readonly fleetOf: FleetOf
}

/** What it takes to look at one node. */
export interface GroundParts extends InventoryParts {
  readonly nodes: NodeReads
}

/** Pods that hold something: bound, and not ended. */
export const HOLDING = 'spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed'

/** The cluster as it is now. */
export async function inventoryOf(parts: InventoryParts, call: Call): Promise<Answer<Inventory>> {
  const { client, settings } = parts
  const selector = Object.entries(settings.nodes).map(([key, value]) => `${key}=${value}`)
  const query = selector.length === 0 ? {} : { labelSelector: selector.join(',') }
  const [nodes, pods, dra] = await Promise.all([
    listAll(client, inCluster('nodes'), { query, call }),
    listAll(client, inCluster('pods'), { query: { fieldSelector: HOLDING }, call }),
    devicesOf(client, call),
  ])
  if (!nodes.ok) return nodes
  if (!pods.ok) return pods
  const cluster = { nodes: nodes.value.items, pods: pods.value.items, ...dra.seen }
  const { fleet, offers } = parts.fleetOf(viewOf(cluster, parts))
  // Without all pods, what seems free may be taken.
  const complete = nodes.value.complete && pods.value.complete && dra.isComplete
  return { ok: true, value: { offers, fleets: [fleet], complete, freshMs: FRESH_MS } }
}

/** Whether a pod can ask for its cards by a resource. */
function isByResource(ask: NodeAsk): boolean {
  return ask.whole !== undefined || ask.share !== undefined || ask.slices.size > 0
}

/** One node, and how pods ask for its cards; a text: it is not there, or takes no work. */
export async function groundNode(
  { name, gpus }: { readonly name: string; readonly gpus: number },
  parts: GroundParts,
  call: Call,
): Promise<Answer<GroundNode | string>> {
  const reply = await parts.nodes.read(name, call)
  if (!reply.ok && reply.status === 404) return { ok: true, value: `The cluster has no node ${name} any more.` }
  if (!reply.ok) return { ok: false, fault: reply.fault }
  const alone = { nodes: [reply.value], pods: [] }
  const byResource = parts.nodes.once(reply, () => parts.fleetOf(viewOf(alone, parts)).asks.get(name))
  const labels = nodeForm.safeParse(reply.value).data?.metadata.labels ?? {}
  if (byResource !== undefined && (gpus === 0 || isByResource(byResource)))
    return { ok: true, value: { name, labels, ask: byResource, deviceApi: undefined } }
  const devices = await devicesAt(name, parts.client, call)
  if (!devices.ok) return devices
  const { slices, version } = devices
  const { asks, left } = parts.fleetOf(viewOf({ ...alone, slices, claims: [] }, parts))
  const ask = asks.get(name)
  if (ask !== undefined) return { ok: true, value: { name, labels, ask, deviceApi: version } }
  return { ok: true, value: `The node ${name} takes no work now: ${left[0]?.why ?? 'it cannot be read'}.` }
}

type DevicesAt =
  | { readonly ok: true; readonly slices: readonly unknown[]; readonly version: string | undefined }
  | { readonly ok: false; readonly fault: Fault }

/** The devices of one node. */
async function devicesAt(name: string, client: KubeClient, call: Call): Promise<DevicesAt> {
  const api = await deviceApi(client, call)
  if (!api.ok || api.version === undefined) return api.ok ? { ok: true, slices: [], version: undefined } : api
  const path = inGroup(`${DEVICES}/${api.version}`, 'resourceslices')
  const own = await listAll(client, path, { query: { fieldSelector: `spec.nodeName=${name}` }, call })
  // A slice that names nodes device by device is found only among all of them.
  const found = own.ok && own.value.items.length === 0 ? await listAll(client, path, { call }) : own
  return found.ok ? { ok: true, slices: found.value.items, version: api.version } : found
}

/** Nodes among these that the cluster has lost contact with, or that are gone. */
export async function lostAmong(
  names: ReadonlySet<string>,
  client: KubeClient,
  call: Call,
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    [...names].slice(0, LOOKED_AT_MOST).map(async (name) => {
      const reply = await client.call({ method: 'GET', path: inCluster('nodes', name) }, call)
      if (!reply.ok) return reply.status === 404 ? [name] : []
      const ready = nodeForm.safeParse(reply.value).data?.status.conditions.find(({ type }) => type === 'Ready')
      return ready?.status === 'True' ? [] : [name]
    }),
  )
  return new Set(found.flat())
}

const LOOKED_AT_MOST = 50

function viewOf(
  cluster: Pick<ClusterView, 'nodes' | 'pods' | 'slices' | 'claims'>,
  { provider, settings, nowMs }: InventoryParts,
): ClusterView {
  return {
    ...cluster,
    provider,
    region: settings.region ?? provider,
    prices: settings.prices,
    tolerated: settings.tolerations.map(({ key }) => key),
    isDivisible: settings.hasFractions,
    ours: ourPod,
    nowMs: nowMs(),
  }
}

function ourPod(value: unknown): OurPod | undefined {
  const annotations = readPod(value, MAIN)?.annotations
  const attempt = readTag(annotations)?.attempt
  const cards = readCards(annotations)
  return attempt === undefined ? undefined : { attempt, ...(cards !== undefined && { cards }) }
}

/** Cards as devices, where the cluster serves that; in which version, it says itself. */
async function devicesOf(
  client: KubeClient,
  call: Call,
): Promise<{ readonly seen: Pick<ClusterView, 'slices' | 'claims'>; readonly isComplete: boolean }> {
  const api = await deviceApi(client, call)
  if (!api.ok || api.version === undefined) return { seen: {}, isComplete: api.ok }
  const [slices, claims] = await Promise.all(
    ['resourceslices', 'resourceclaims'].map((kind) =>
      listAll(client, inGroup(`${DEVICES}/${api.version}`, kind), { call }),
    ),
  )
  if (slices?.ok !== true || claims?.ok !== true) return { seen: {}, isComplete: false }
  return {
    seen: { slices: slices.value.items, claims: claims.value.items },
    isComplete: slices.value.complete && claims.value.complete,
  }
}

const nodeForm = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()).catch({}) }),
  status: z
    .object({ conditions: z.array(z.object({ type: z.string(), status: z.string() })).catch([]) })
    .catch({ conditions: [] }),
})
