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
import { hintsOfOthers, hintsOfOwn } from './holder-news.ts'
import { hintsFrom, type WatchEvent, type Watched } from './hints.ts'
import { HOLDING, inventoryOf, lostAmong, type InventoryParts } from './inventory.ts'
import { launchGang } from './gang.ts'
import { launchOrder, type LaunchParts } from './launch.ts'
import { readLogs } from './logs.ts'
import { DEVICES, nameOf, othersSelector, ownerSelector } from './names.ts'
import { hintsOfNodes } from './node-news.ts'
import { NodeReads } from './node-reads.ts'
import type { FleetOf } from './nodes/fleet.ts'
import { PodNews } from './pod-news.ts'
import { Pods, type AllPods, type FoundPod } from './pods.ts'
import { isOver } from './read/ending.ts'
import { instanceOf, type PodAround } from './read/instance.ts'
import type { SeenPod } from './read/pod.ts'
import { rayInstances, type SeenRay } from './ray/instances.ts'
import { launchRay, rayWayOf, type RayLaunchParts } from './ray/launch.ts'
import { readRayLog } from './ray/logs.ts'
import { RayObjects } from './ray/objects.ts'
import { Batches } from './schedulers/batches.ts'
import type { KubernetesSettings } from './settings.ts'
import { sweepable, sweepableRays } from './sweep.ts'

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
    'what a RayJob printed can be read while it runs, and of a RayService what its head prints',
  ]
  readonly #parts: ClusterParts
  readonly #pods: Pods
  readonly #batches: Batches
  readonly #rays: RayObjects
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
    this.#rays = new RayObjects({ ...parts, discovery: this.#batches.discovery, pods: this.#pods })
    this.can = canOf(parts)
  }

  async offers(call: Call): Promise<Answer<Inventory>> {
    const [read, ray] = await Promise.all([inventoryOf(this.#inventory(), call), this.#rays.version('RayJob', call)])
    // Whether there is KubeRay, the cluster says; what cannot be told is tried.
    if (!read.ok || !ray.ok || ray.value !== undefined) return read
    const offers = read.value.offers.map((offer) => ({ ...offer, lacks: ['ray' as const] }))
    return { ok: true, value: { ...read.value, offers } }
  }

  async launch(order: Order, call: LaunchCall): Promise<Answer<Launched>> {
    const ray = await rayWayOf(order, this.#rays, call)
    if (!ray.ok) return ray
    if (ray.value === undefined) return launchOrder(order, call, this.#launching())
    const launched = await launchRay([order], ray.value, { call, parts: this.#launchingRay() })
    const [first] = launched.ok ? launched.value : []
    return first === undefined ? unlaunched(launched) : { ok: true, value: first }
  }

  async launchGroup(orders: readonly Order[], call: LaunchCall): Promise<Answer<readonly Launched[]>> {
    const [first, ...rest] = orders
    const ray = await rayWayOf(first, this.#rays, call)
    if (!ray.ok) return ray
    if (first === undefined || ray.value === undefined) return launchGang(orders, call, this.#launching())
    return launchRay([first, ...rest], ray.value, { call, parts: this.#launchingRay() })
  }

  async describe({ tag }: InstanceRef, call: Call): Promise<Answer<Described>> {
    const found = await this.#pods.find(nameOf(tag.attempt), tag.owner, call)
    if (!found.ok) return found
    if (found.pod === undefined) return this.#describeRay(tag, call)
    const described = instanceOf(found.pod, await this.#around([found.pod], call))
    return described === undefined ? unread(found.pod.name) : { ok: true, value: described }
  }

  async list(owner: string, call: Call): Promise<Answer<InstanceList>> {
    const all = await this.#pods.all(owner, call)
    if (!all.ok) return all
    const around = await this.#around(all.pods, call)
    const instances = all.pods.flatMap((pod) => instanceOf(pod, around) ?? [])
    if (all.complete) this.#couriers.keepOnly(all.pods)
    const rays = await this.#rays.all(owner, call)
    if (!rays.ok) return rays
    await this.#sweep(all, rays.value.all, call)
    const complete = all.complete && rays.value.complete && instances.length === all.pods.length
    const aroundRay = { domain: around.domain, lost: await this.#lost(all.ofRay, call) }
    const ofRay = rays.value.all.flatMap((seen) => rayInstances(seen, all.ofRay, aroundRay))
    return { ok: true, value: { instances: [...instances, ...ofRay], complete } }
  }

  /** One that has ended by itself is kept, so that its log can be read; it holds nothing of the cluster any more. */
  async stop({ tag }: InstanceRef, call: Call): Promise<Answer<{ readonly gone: boolean }>> {
    const found = await this.#pods.find(nameOf(tag.attempt), tag.owner, call)
    if (!found.ok) return found
    const { pod } = found
    if (pod === undefined) return this.#stopRay(tag, call)
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
    const rays = (await this.#rays.paths(call)).map((path) => ({ path, query: own, what: 'instances' }) as const)
    const watched = [
      { path: inNamespace(namespace, 'pods'), query: own, what: 'instances', tells: this.#heard },
      { path: inCluster('nodes'), what: 'offers', tells: hintsOfNodes() },
      {
        path: inCluster('pods'),
        query: { fieldSelector: HOLDING, labelSelector: othersSelector(owner) },
        what: 'offers',
        tells: hintsOfOthers,
      },
      ...slices,
      ...rays,
    ] as const
    yield* hintsFrom(watched, { client, timers, log, provider: this.name }, call)
  }

  async *logs({ tag }: InstanceRef, want: LogWant, call: Call): AsyncGenerator<LogLine> {
    const { client, timers, namespace } = this.#parts
    const look = async (on: Call): Promise<SeenPod | undefined> => {
      const found = await this.#podOf(tag, on)
      return found.ok ? found.pod : undefined
    }
    const ray = await this.#rays.headed(tag, call)
    if (ray !== undefined) return yield* readRayLog(want, call, { tag, client, timers, namespace, rays: this.#rays })
    const name = (await look(call))?.name
    if (name === undefined) return
    const isGoingOn = async (on: Call): Promise<boolean> => {
      const pod = await look(on)
      return pod !== undefined && !isOver(pod) && pod.main?.ended === undefined
    }
    yield* readLogs(want, call, { name, client, timers, namespace, isGoingOn })
  }

  async exec({ tag }: InstanceRef, argv: readonly string[], call: Call): Promise<Answer<Executed>> {
    const running = await this.#running({ tag, argv }, call)
    if (!running.ok) return running
    const { client, namespace } = this.#parts
    return execIn({ client, namespace, name: running.value }, argv, call)
  }

  async session({ tag }: InstanceRef, start: SessionStart, call: Call): Promise<Answer<ProgramSession>> {
    const running = await this.#running({ tag, argv: start.argv }, call)
    if (!running.ok) return running
    const { client, namespace } = this.#parts
    return sessionIn({ client, namespace, name: running.value }, start, call)
  }

  async dial({ tag }: InstanceRef, { port }: DialledPort, call: Call): Promise<Answer<Pipe>> {
    const running = await this.#running({ tag, argv: ['none'] }, call)
    if (!running.ok) return { ok: false, fault: { ...running.fault, class: 'TRANSIENT' } }
    const { client, namespace } = this.#parts
    return dialIn({ client, namespace, name: running.value }, port, call)
  }

  check(call: Call): Promise<readonly ProviderCheckup[]> {
    return checkupOf({ ...this.#parts, batches: this.#batches }, call)
  }

  async close(): Promise<void> {
    this.#parts.client.close()
  }

  /** Whatever happens to a pod of ours may matter, most of all to a launch that waits for it. */
  readonly #heard = (event: WatchEvent): readonly Hint['what'][] => {
    this.#news.tell(event.object)
    return hintsOfOwn(event)
  }

  #launching(): LaunchParts {
    const { settings, namespace, timers } = this.#parts
    const inventory = { ...this.#inventory(), nodes: this.#nodes }
    return { pods: this.#pods, news: this.#news, batches: this.#batches, inventory, settings, namespace, timers }
  }

  #launchingRay(): RayLaunchParts {
    const { clock, settings } = this.#parts
    const launching = this.#launching()
    const batches = new Batches({ ...this.#parts, settings: { ...settings, scheduler: 'none', queue: undefined } })
    return { rays: this.#rays, launching, plain: { ...launching, batches }, nowMs: () => clock.nowMs() }
  }

  #inventory(): InventoryParts {
    const { client, settings, fleetOf, clock } = this.#parts
    return { client, settings, fleetOf, provider: this.name, nowMs: () => clock.nowMs() }
  }

  /** Only pods that should be ready and are not make it worth asking about their nodes. */
  async #around(pods: readonly SeenPod[], call: Call): Promise<PodAround> {
    const lost = await this.#lost(pods, call)
    const queued = await this.#batches.reasons(pods.filter(isWaiting), call)
    const checkpoints = await this.#couriers.attend(pods, call)
    return { domain: this.#domain, lost, queued, checkpoints }
  }

  async #lost(pods: readonly SeenPod[], call: Call): Promise<ReadonlySet<string>> {
    const doubtful = pods.filter((pod) => !isOver(pod) && isDoubtful(pod)).flatMap(({ node }) => node ?? [])
    return lostAmong(new Set(doubtful), this.#parts.client, call)
  }

  get #domain(): string {
    const { namespace, settings } = this.#parts
    return `${namespace}.svc.${settings.domain}`
  }

  async #gone(pod: SeenPod, call: Call): Promise<Answer<{ readonly gone: boolean }>> {
    await this.#pods.tidy(pod, call)
    return { ok: true, value: { gone: true } }
  }

  async #sweep({ pods, ofRay }: AllPods, rays: readonly SeenRay[], call: Call): Promise<void> {
    const nowMs = this.#parts.clock.nowMs()
    await Promise.all([
      ...sweepable(pods, nowMs).map((pod) => this.#pods.release(pod, call)),
      ...sweepableRays(rays, ofRay, nowMs).map((seen) => this.#rays.remove(seen, call)),
    ])
  }

  /** The name of the pod in which a program can run. */
  async #running(
    { tag, argv }: { readonly tag: InstanceRef['tag']; readonly argv: readonly string[] },
    call: Call,
  ): Promise<Answer<string>> {
    if (argv.length === 0) return { ok: false, fault: { class: 'BAD_REQUEST', message: 'Name the program to run.' } }
    const found = await this.#podOf(tag, call)
    if (!found.ok) return found
    const isUp = found.pod !== undefined && !isOver(found.pod) && found.pod.main?.isRunning === true
    if (isUp) return { ok: true, value: found.pod.name }
    return { ok: false, fault: { class: 'BAD_REQUEST', message: 'It is not running.' } }
  }

  /** The pod of an attempt, whoever has made it. */
  async #podOf(tag: InstanceRef['tag'], call: Call): Promise<FoundPod> {
    const found = await this.#pods.find(nameOf(tag.attempt), tag.owner, call)
    const isElsewhere = found.ok && found.pod === undefined && this.#rays.isServed
    return isElsewhere ? this.#pods.findOfRay(tag, call) : found
  }

  async #describeRay(tag: InstanceRef['tag'], call: Call): Promise<Answer<Described>> {
    const found = await this.#rays.find(tag, call)
    if (!found.ok) return found
    if (found.value === undefined) return { ok: true, value: { state: 'absent' } }
    const pod = await this.#pods.findOfRay(tag, call)
    if (!pod.ok) return pod
    const pods = pod.pod === undefined ? [] : [pod.pod]
    const around = { domain: this.#domain, lost: await this.#lost(pods, call) }
    const all = rayInstances(found.value, pods, around)
    return { ok: true, value: all.find((one) => one.tag.attempt === tag.attempt) ?? { state: 'absent' } }
  }

  /** The nodes of a Ray cluster end together. */
  async #stopRay(tag: InstanceRef['tag'], call: Call): Promise<Answer<{ readonly gone: boolean }>> {
    const found = await this.#rays.find(tag, call)
    if (!found.ok) return found
    if (found.value === undefined) return { ok: true, value: { gone: true } }
    return this.#rays.stop(found.value, this.#parts.clock.nowMs(), call)
  }
}

function unlaunched(launched: Answer<readonly Launched[]>): Answer<Launched> {
  return launched.ok ? { ok: false, fault: { class: 'AMBIGUOUS', message: 'Nothing was started.' } } : launched
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

/** An API server protects itself, and launches are held back as soon as it is late: this only bounds what a bug could do. */
const CALLS_PER_SECOND = 1000

function canOf({ settings, namespace }: Pick<ClusterParts, 'settings' | 'namespace'>): Can {
  return {
    ...CAN,
    tokens: true,
    completeLists: true,
    settleMs: SETTLE_MS,
    multiNode: true,
    ray: true,
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
    callsPerSecond: CALLS_PER_SECOND,
    burst: CALLS_PER_SECOND,
    pollMs: 15_000,
  }
}
