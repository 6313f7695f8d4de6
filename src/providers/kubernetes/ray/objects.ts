import type { Tag } from '../../../core/life/call/order.ts'
import type { Answer, Call } from '../../../ports/provider.ts'
import type { KubeClient } from '../api/client.ts'
import { listAll } from '../api/lists.ts'
import { inGroup } from '../api/paths.ts'
import { FINALIZER, labelsOf, LABELS, ownerSelector } from '../names.ts'
import { textAt } from '../nodes/object/json.ts'
import type { KubeObject } from '../objects/object.ts'
import type { Pods } from '../pods.ts'
import { isOver } from '../read/ending.ts'
import type { Discovery } from '../schedulers/discovery.ts'
import { readRay, type SeenRay } from './instances.ts'
import { RAY_GROUP, RAY_KINDS, RAY_RESOURCES, type RayKind } from './kinds.ts'
import { stoppedAt } from './members.ts'
import { isReleased, type SeenRayService } from './read-service.ts'
import { isRayOver, type SeenRayJob } from './read.ts'

export interface RayParts {
  readonly client: KubeClient
  readonly discovery: Discovery
  readonly namespace: string
  readonly pods: Pods
}

type Stopped = Answer<{ readonly gone: boolean }>

/** Our RayJobs and RayServices in one namespace. In a cluster without KubeRay there are none, and nothing is asked. */
export class RayObjects {
  readonly #parts: RayParts
  readonly #served = new Set<RayKind>()
  /** Of these we have had some: then a right to see them that is missing was taken away. */
  readonly #had = new Set<RayKind>()

  constructor(parts: RayParts) {
    this.#parts = parts
  }

  /** Whether KubeRay was there when it was last asked for. */
  get isServed(): boolean {
    return this.#served.size > 0
  }

  /** The version in which the cluster serves them; undefined: it has no KubeRay. */
  async version(kind: RayKind, call: Call): Promise<Answer<string | undefined>> {
    const version = await this.#parts.discovery.version(RAY_GROUP, RAY_RESOURCES[kind], call)
    if (version.ok && version.value !== undefined) this.#served.add(kind)
    if (version.ok && version.value === undefined) this.#served.delete(kind)
    return version
  }

  /** Where those of each kind are that the cluster has. */
  async paths(call: Call): Promise<readonly string[]> {
    const all = await Promise.all(RAY_KINDS.map((kind) => this.#path(kind, call)))
    return all.flatMap((path) => (path.ok ? (path.value ?? []) : []))
  }

  async all(owner: string, call: Call): Promise<Answer<RayList>> {
    return this.#list(owner, ownerSelector(owner), call)
  }

  /** The one that has this attempt among its nodes. */
  async find(tag: Tag, call: Call): Promise<Answer<SeenRay | undefined>> {
    const { 'berth.dev/workload': workload, [LABELS.owner]: owner } = labelsOf(tag)
    const selector = `${LABELS.owner}=${owner},berth.dev/workload=${workload}`
    const list = await this.#list(tag.owner, selector, call)
    if (!list.ok) return list
    return {
      ok: true,
      value: list.value.all.find(({ members }) => members.some((one) => one.tag.attempt === tag.attempt)),
    }
  }

  /** The RayJob whose head this attempt is: the command runs there. */
  async headed(tag: Tag, call: Call): Promise<SeenRayJob | undefined> {
    if (!this.isServed) return undefined
    const found = await this.find(tag, call)
    const job = found.ok && found.value?.kind === 'RayJob' ? found.value : undefined
    return job?.members[0]?.tag.attempt === tag.attempt ? job : undefined
  }

  /** Creates it, or finds that its name is taken: an attempt is made once, whatever became of it. */
  async create(kind: RayKind, object: KubeObject, call: Call): Promise<Answer<SeenRay>> {
    const { name } = object.metadata
    const query = { fieldManager: 'berth', fieldValidation: 'Strict' }
    const path = inGroup(object.apiVersion, 'namespaces', this.#parts.namespace, RAY_RESOURCES[kind])
    const reply = await this.#parts.client.call({ method: 'POST', path, query, body: object, creates: true }, call)
    if (!reply.ok && reply.reason !== 'AlreadyExists') return reply
    this.#had.add(kind)
    const there = reply.ok ? reply : await this.#parts.client.call({ method: 'GET', path: `${path}/${name}` }, call)
    const seen = there.ok ? readRay(kind, there.value) : undefined
    if (seen !== undefined) return { ok: true, value: seen }
    return { ok: false, fault: { class: 'AMBIGUOUS', message: `The ${kind} ${name} cannot be read.` } }
  }

  /** Ends it and its cluster. The object stays, so that its name stays taken; whether the cluster is gone. */
  async stop(seen: SeenRay, nowMs: number, call: Call): Promise<Stopped> {
    return seen.kind === 'RayJob' ? this.#suspend(seen, nowMs, call) : this.#end(seen, call)
  }

  async #suspend(job: SeenRayJob, nowMs: number, call: Call): Promise<Stopped> {
    if (isRayOver(job)) return GONE
    const body = { metadata: { uid: job.uid, annotations: stoppedAt(job.stoppedMs ?? nowMs) }, spec: { suspend: true } }
    const stopped = await this.#change(job, { method: 'PATCH', body }, call)
    if (!stopped.ok || stopped.value === 'gone') return stopped.ok ? GONE : stopped
    const seen = stopped.value === 'unread' ? undefined : stopped.value
    return { ok: true, value: { gone: seen?.kind === 'RayJob' && isRayOver(seen) } }
  }

  /** A RayService cannot be suspended: KubeRay takes its cluster away once it is deleted. */
  async #end(service: SeenRayService, call: Call): Promise<Stopped> {
    if (service.deletedMs === undefined) {
      // What belongs to it goes at once, although its name is held.
      const body = { ...DELETE, preconditions: { uid: service.uid }, propagationPolicy: 'Foreground' }
      const deleted = await this.#change(service, { method: 'DELETE', body }, call)
      return deleted.ok ? { ok: true, value: { gone: deleted.value === 'gone' } } : deleted
    }
    if (!isReleased(service)) return { ok: true, value: { gone: false } }
    const pods = await Promise.all(service.members.map(({ tag }) => this.#parts.pods.findOfRay(tag, call)))
    const unread = pods.find((found) => !found.ok)
    if (unread !== undefined && !unread.ok) return unread
    return {
      ok: true,
      value: { gone: pods.every((found) => found.ok && (found.pod === undefined || isOver(found.pod))) },
    }
  }

  /** Gives up its name. */
  async remove(seen: SeenRay, call: Call): Promise<void> {
    const { uid } = seen
    if (seen.kind === 'RayJob') {
      await this.#change(seen, { method: 'DELETE', body: { ...DELETE, preconditions: { uid } } }, call)
      return
    }
    const rest = seen.finalizers.filter((one) => one !== FINALIZER)
    const body = { metadata: { uid, finalizers: rest.length === 0 ? null : rest } }
    await this.#change(seen, { method: 'PATCH', body }, call)
  }

  /** What has become of this very object. */
  async #change(
    { kind, name }: SeenRay,
    change: { readonly method: 'PATCH' | 'DELETE'; readonly body: object },
    call: Call,
  ): Promise<Answer<SeenRay | 'gone' | 'unread'>> {
    const path = await this.#path(kind, call, name)
    if (!path.ok) return path
    if (path.value === undefined) return { ok: true, value: 'gone' }
    const type = change.method === 'PATCH' ? ({ type: 'application/merge-patch+json' } as const) : {}
    const reply = await this.#parts.client.call({ ...change, ...type, path: path.value }, call)
    if (!reply.ok) return reply.status === 404 || reply.status === 409 ? { ok: true, value: 'gone' } : reply
    const isGone = change.method === 'DELETE' && textAt(reply.value, 'kind') === 'Status'
    return { ok: true, value: isGone ? 'gone' : (readRay(kind, reply.value) ?? 'unread') }
  }

  async #list(owner: string, labelSelector: string, call: Call): Promise<Answer<RayList>> {
    const lists = await Promise.all(RAY_KINDS.map((kind) => this.#listOf(kind, labelSelector, call)))
    const all: SeenRay[] = []
    let complete = true
    for (const list of lists) {
      if (!list.ok) return list
      all.push(...list.value.all)
      complete &&= list.value.complete
    }
    return { ok: true, value: { all: all.filter(({ members }) => members[0]?.tag.owner === owner), complete } }
  }

  async #listOf(kind: RayKind, labelSelector: string, call: Call): Promise<Answer<RayList>> {
    const path = await this.#path(kind, call)
    if (!path.ok) return path
    if (path.value === undefined) return NONE
    const answer = await listAll(this.#parts.client, path.value, { query: { labelSelector }, call })
    // Without the right to see them there are none: none could have been made.
    const isHidden = !answer.ok && answer.fault.message.includes(`cannot list resource "${RAY_RESOURCES[kind]}"`)
    if (!answer.ok) return isHidden && !this.#had.has(kind) ? NONE : answer
    const read = answer.value.items.map((item) => readRay(kind, item))
    const all = read.filter((one) => one !== undefined)
    if (read.length > 0) this.#had.add(kind)
    return { ok: true, value: { all, complete: answer.value.complete && all.length === read.length } }
  }

  /** Where those of a kind are, or one of them; undefined: the cluster has none. */
  async #path(kind: RayKind, call: Call, ...name: readonly string[]): Promise<Answer<string | undefined>> {
    const version = await this.version(kind, call)
    if (!version.ok || version.value === undefined) return version
    const group = `${RAY_GROUP}/${version.value}`
    return {
      ok: true,
      value: inGroup(group, 'namespaces', this.#parts.namespace, RAY_RESOURCES[kind], ...name),
    }
  }
}

const DELETE = { apiVersion: 'v1', kind: 'DeleteOptions' } as const
const GONE = { ok: true, value: { gone: true } } as const
const NONE = { ok: true, value: { all: [], complete: true } } as const

interface RayList {
  readonly all: readonly SeenRay[]
  /** Every one of the owner is among them. */
  readonly complete: boolean
}
