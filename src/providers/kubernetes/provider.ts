import type { Fault } from '../../core/life/call/fault.ts'
import type { Order } from '../../core/life/call/order.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import {
  CAN,
  type Answer,
  type Call,
  type Can,
  type Described,
  type DialledPort,
  type Executed,
  type Hint,
  type InstanceList,
  type InstanceRef,
  type Inventory,
  type LaunchCall,
  type Launched,
  type LogLine,
  type LogWant,
  type Pipe,
  type Provider,
  type ProviderCheckup,
  type ProgramSession,
  type SessionStart,
} from '../../ports/provider.ts'
import type { Timers } from '../../ports/timers.ts'
import type { KubeClient } from './api/client.ts'
import { inCluster, inGroup, inNamespace } from './api/paths.ts'
import { checkupOf } from './checkup.ts'
import { dialIn } from './dial.ts'
import { execIn, sessionIn } from './exec.ts'
import { Couriers } from './couriers.ts'
import { deviceApi } from './device-api.ts'
import { hintsFrom, type WatchEvent, type Watched } from './hints.ts'
import { HOLDING, inventoryOf, lostAmong, type InventoryParts } from './inventory.ts'
import { launchGang } from './gang.ts'
import { launchOrder, type LaunchParts } from './launch.ts'
import { readLogs } from './logs.ts'
import { DEVICES, nameOf, ownerSelector } from './names.ts'
import { holdersNews, nodeNews } from './node-news.ts'
import { NodeReads } from './node-reads.ts'
import type { FleetOf } from './nodes/fleet.ts'
import { PodNews } from './pod-news.ts'
import { Pods } from './pods.ts'
import { isOver } from './read/ending.ts'
import { instanceOf, type PodAround } from './read/instance.ts'
import type { SeenPod } from './read/pod.ts'
import { Batches } from './schedulers/batches.ts'
import type { KubernetesSettings } from './settings.ts'
import { sweepable } from './sweep.ts'

export interface ClusterParts {
  readonly client: KubeClient
  readonly settings: KubernetesSettings
  readonly namespace: string
  readonly fleetOf: FleetOf
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
}

/** A cluster as a provider. Nothing is installed in it: an attempt is a pod, and what is known of it the pod itself says. */
export class KubernetesProvider implements Provider {
  readonly name: string
  readonly kind = 'kubernetes'
  readonly can: Can
  readonly lacks = [
    'what an attempt printed can be read until it is stopped or evicted, and for a day if it ends by itself',
    'storage with `from` is always copied, and never mounted',
  ]
  readonly #parts: ClusterParts
  readonly #pods: Pods
  readonly #batches: Batches
  readonly #nodes: NodeReads
  readonly #news = new PodNews()
  readonly #couriers: Couriers

  constructor(name: string, parts: ClusterParts) {
    this.name = name
    this.#parts = parts
    this.#batches = new Batches(parts)
    this.#nodes = new NodeReads(parts.client, () => parts.clock.tickMs())
    this.#pods = new Pods(parts.client, parts.namespace)
    this.#couriers = new Couriers({ ...parts, pods: this.#pods, tickMs: () => parts.clock.tickMs() })
    this.can = canOf(parts)
  }

  offers(call: Call): Promise<Answer<Inventory>> {
    return inventoryOf(this.#inventory(), call)
  }

  launch(order: Order, call: LaunchCall): Promise<Answer<Launched>> {
    return launchOrder(order, call, this.#launching())
  }

  launchGroup(orders: readonly Order[], call: LaunchCall): Promise<Answer<readonly Launched[]>> {
    return launchGang(orders, call, this.#launching())
  }

  async describe({ tag }: InstanceRef, call: Call): Promise<Answer<Described>> {
    const found = await this.#pods.find(nameOf(tag.attempt), tag.owner, call)
    if (!found.ok) return found
    if (found.pod === undefined) return { ok: true, value: { state: 'absent' } }
    const described = instanceOf(found.pod, await this.#around([found.pod], call))
    return described === undefined ? unread(found.pod.name) : { ok: true, value: described }
  }

  async list(owner: string, call: Call): Promise<Answer<InstanceList>> {
    const all = await this.#pods.all(owner, call)
    if (!all.ok) return all
    const around = await this.#around(all.pods, call)
    const instances = all.pods.flatMap((pod) => instanceOf(pod, around) ?? [])
    if (all.complete) this.#couriers.keepOnly(all.pods)
    await this.#sweep(all.pods, call)
    return { ok: true, value: { instances, complete: all.complete && instances.length === all.pods.length } }
  }

  /** One that has ended by itself is kept, so that its log can be read; it holds nothing of the cluster any more. */
  async stop({ tag }: InstanceRef, call: Call): Promise<Answer<{ readonly gone: boolean }>> {
    const found = await this.#pods.find(nameOf(tag.attempt), tag.owner, call)
    if (!found.ok) return found
    const { pod } = found
    if (pod === undefined) return { ok: true, value: { gone: true } }
    if (isOver(pod)) return this.#gone(pod, call)
    const removed = await this.#pods.remove(pod, call)
    if (!removed.ok) return removed
    await this.#batches.release(pod, call)
    if (removed.pod === undefined) return { ok: true, value: { gone: true } }
    return isOver(removed.pod) ? this.#gone(removed.pod, call) : { ok: true, value: { gone: false } }
  }

  async *watch(owner: string, call: Call): AsyncGenerator<Hint> {
    const { client, timers, log, namespace } = this.#parts
    const devices = await deviceApi(client, call)
    const slices = devices.ok && devices.version !== undefined ? [sliceWatch(devices.version)] : []
    const own = { labelSelector: ownerSelector(owner) }
    const watched = [
      { path: inNamespace(namespace, 'pods'), query: own, what: 'instances', matters: this.#heard },
      { path: inCluster('nodes'), what: 'offers', matters: nodeNews() },
      {
        path: inCluster('pods'),
        query: { fieldSelector: HOLDING },
        what: 'offers',
        matters: holdersNews(owner),
      },
      ...slices,
    ] as const
    yield* hintsFrom(watched, { client, timers, log, provider: this.name }, call)
  }

  async *logs({ tag }: InstanceRef, want: LogWant, call: Call): AsyncGenerator<LogLine> {
    const { client, timers, namespace } = this.#parts
    const name = nameOf(tag.attempt)
    const look = async (on: Call): Promise<SeenPod | undefined> => {
      const found = await this.#pods.find(name, tag.owner, on)
      return found.ok ? found.pod : undefined
    }
    if ((await look(call)) === undefined) return
    const isGoingOn = async (on: Call): Promise<boolean> => {
      const pod = await look(on)
      return pod !== undefined && !isOver(pod) && pod.main?.ended === undefined
    }
    yield* readLogs(want, call, { name, client, timers, namespace, isGoingOn })
  }

  async exec({ tag }: InstanceRef, argv: readonly string[], call: Call): Promise<Answer<Executed>> {
    const fault = await this.#whyNoProgram({ tag, argv }, call)
    if (fault !== undefined) return { ok: false, fault }
    const { client, namespace } = this.#parts
    return execIn({ client, namespace, name: nameOf(tag.attempt) }, argv, call)
  }

  async session({ tag }: InstanceRef, start: SessionStart, call: Call): Promise<Answer<ProgramSession>> {
    const fault = await this.#whyNoProgram({ tag, argv: start.argv }, call)
    if (fault !== undefined) return { ok: false, fault }
    const { client, namespace } = this.#parts
    return sessionIn({ client, namespace, name: nameOf(tag.attempt) }, start, call)
  }

  async dial({ tag }: InstanceRef, { port }: DialledPort, call: Call): Promise<Answer<Pipe>> {
    const fault = await this.#whyNoProgram({ tag, argv: ['none'] }, call)
    if (fault !== undefined) return { ok: false, fault: { ...fault, class: 'TRANSIENT' } }
    const { client, namespace } = this.#parts
    return dialIn({ client, namespace, name: nameOf(tag.attempt) }, port, call)
  }

  check(call: Call): Promise<readonly ProviderCheckup[]> {
    return checkupOf({ ...this.#parts, batches: this.#batches }, call)
  }

  async close(): Promise<void> {
    this.#parts.client.close()
  }

  /** Whatever happens to a pod of ours may matter, most of all to a launch that waits for it. */
  readonly #heard = ({ object }: WatchEvent): boolean => {
    this.#news.tell(object)
    return true
  }

  #launching(): LaunchParts {
    const { settings, namespace, timers } = this.#parts
    const inventory = { ...this.#inventory(), nodes: this.#nodes }
    return { pods: this.#pods, news: this.#news, batches: this.#batches, inventory, settings, namespace, timers }
  }

  #inventory(): InventoryParts {
    const { client, settings, fleetOf, clock } = this.#parts
    return { client, settings, fleetOf, provider: this.name, nowMs: () => clock.nowMs() }
  }

  /** Only pods that should be ready and are not make it worth asking about their nodes. */
  async #around(pods: readonly SeenPod[], call: Call): Promise<PodAround> {
    const { client, namespace, settings } = this.#parts
    const doubtful = pods.filter((pod) => !isOver(pod) && isDoubtful(pod)).flatMap(({ node }) => node ?? [])
    const lost = await lostAmong(new Set(doubtful), client, call)
    const queued = await this.#batches.reasons(pods.filter(isWaiting), call)
    const checkpoints = await this.#couriers.attend(pods, call)
    return { domain: `${namespace}.svc.${settings.domain}`, lost, queued, checkpoints }
  }

  async #gone(pod: SeenPod, call: Call): Promise<Answer<{ readonly gone: boolean }>> {
    await this.#pods.tidy(pod, call)
    return { ok: true, value: { gone: true } }
  }

  async #sweep(pods: readonly SeenPod[], call: Call): Promise<void> {
    const old = sweepable(pods, this.#parts.clock.nowMs())
    await Promise.all(old.map((pod) => this.#pods.release(pod, call)))
  }

  async #whyNoProgram(
    { tag, argv }: { readonly tag: InstanceRef['tag']; readonly argv: readonly string[] },
    call: Call,
  ): Promise<Fault | undefined> {
    if (argv.length === 0) return { class: 'BAD_REQUEST', message: 'Name the program to run.' }
    const found = await this.#pods.find(nameOf(tag.attempt), tag.owner, call)
    if (!found.ok) return found.fault
    const isUp = found.pod !== undefined && !isOver(found.pod) && found.pod.main?.isRunning === true
    return isUp ? undefined : { class: 'BAD_REQUEST', message: 'It is not running.' }
  }
}

function isWaiting(pod: SeenPod): boolean {
  return pod.node === undefined && !isOver(pod)
}

/** Devices come, go and fall sick. */
function sliceWatch(version: string): Watched {
  return { path: inGroup(`${DEVICES}/${version}`, 'resourceslices'), what: 'offers' }
}

/** Bound, and the cluster does not say that it is ready: its node may be out of reach. */
function isDoubtful({ node, conditions, deletedMs }: SeenPod): boolean {
  const ready = conditions.find(({ type }) => type === 'Ready')
  return node !== undefined && (deletedMs !== undefined || ready?.status === 'False' || ready?.status === 'Unknown')
}

function unread(name: string): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault: { class: 'TRANSIENT', message: `The pod ${name} has lost its annotation with the tag.` } }
}

/** A request that the API server has begun may be carried out within its own limit, even if nobody waits for it. */
const SETTLE_MS = 60_000

function canOf({ settings, namespace }: Pick<ClusterParts, 'settings' | 'namespace'>): Can {
  return {
    ...CAN,
    tokens: true,
    completeLists: true,
    settleMs: SETTLE_MS,
    multiNode: true,
    groups: true,
    queues: settings.pick === 'cluster' || settings.scheduler !== 'none',
    watch: true,
    volumes: true,
    objectStorage: true,
    rendezvous: { kind: 'names', pattern: `r{rank}.berth-{gang}.${namespace}.svc.${settings.domain}` },
    logs: true,
    endedLogs: true,
    exec: true,
    terminals: true,
    ports: settings.isReachable,
    secrets: true,
    callsPerSecond: 200,
    burst: 200,
    pollMs: 15_000,
  }
}
