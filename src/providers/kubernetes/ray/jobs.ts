import type { Tag } from '../../../core/life/call/order.ts'
import type { Answer, Call } from '../../../ports/provider.ts'
import type { KubeClient } from '../api/client.ts'
import { listAll } from '../api/lists.ts'
import { inGroup } from '../api/paths.ts'
import { labelsOf, LABELS, ownerSelector } from '../names.ts'
import type { KubeObject } from '../objects/object.ts'
import type { Discovery } from '../schedulers/discovery.ts'
import { RAY_JOBS } from './job.ts'
import { stoppedAt } from './members.ts'
import { isRayOver, readRayJob, type SeenRayJob } from './read.ts'

export interface RayParts {
  readonly client: KubeClient
  readonly discovery: Discovery
  readonly namespace: string
}

/** Our RayJobs in one namespace. In a cluster without KubeRay there are none, and nothing is asked. */
export class RayJobs {
  readonly #parts: RayParts
  #isServed = false
  /** We have had some: then a right to see them that is missing was taken away. */
  #hasSome = false

  constructor(parts: RayParts) {
    this.#parts = parts
  }

  /** Whether KubeRay was there when it was last asked for. */
  get isServed(): boolean {
    return this.#isServed
  }

  /** The version in which the cluster serves them; undefined: it has no KubeRay. */
  async version(call: Call): Promise<Answer<string | undefined>> {
    const version = await this.#parts.discovery.version(RAY_JOBS.group, RAY_JOBS.resource, call)
    if (version.ok) this.#isServed = version.value !== undefined
    return version
  }

  async all(owner: string, call: Call): Promise<Answer<RayJobList>> {
    return this.#list(owner, ownerSelector(owner), call)
  }

  /** The one that has this attempt among its nodes. */
  async find(tag: Tag, call: Call): Promise<Answer<SeenRayJob | undefined>> {
    const { 'berth.dev/workload': workload, [LABELS.owner]: owner } = labelsOf(tag)
    const selector = `${LABELS.owner}=${owner},berth.dev/workload=${workload}`
    const list = await this.#list(tag.owner, selector, call)
    if (!list.ok) return list
    return {
      ok: true,
      value: list.value.jobs.find(({ members }) => members.some((one) => one.tag.attempt === tag.attempt)),
    }
  }

  /** The one whose head this attempt is: the command runs there. */
  async headed(tag: Tag, call: Call): Promise<SeenRayJob | undefined> {
    if (!this.#isServed) return undefined
    const found = await this.find(tag, call)
    const job = found.ok ? found.value : undefined
    return job?.members[0]?.tag.attempt === tag.attempt ? job : undefined
  }

  /** Creates it, or finds that its name is taken: an attempt is made once, whatever became of it. */
  async create(job: KubeObject, call: Call): Promise<Answer<SeenRayJob>> {
    const query = { fieldManager: 'berth', fieldValidation: 'Strict' }
    const path = inGroup(job.apiVersion, 'namespaces', this.#parts.namespace, RAY_JOBS.resource)
    const reply = await this.#parts.client.call({ method: 'POST', path, query, body: job, creates: true }, call)
    if (!reply.ok && reply.reason !== 'AlreadyExists') return reply
    this.#hasSome = true
    const there = reply.ok
      ? reply
      : await this.#parts.client.call({ method: 'GET', path: `${path}/${job.metadata.name}` }, call)
    const seen = there.ok ? readRayJob(there.value) : undefined
    if (seen !== undefined) return { ok: true, value: seen }
    return { ok: false, fault: { class: 'AMBIGUOUS', message: `The RayJob ${job.metadata.name} cannot be read.` } }
  }

  /** Ends it and its cluster. The object stays, so that its name stays taken; whether the cluster is gone. */
  async stop(job: SeenRayJob, nowMs: number, call: Call): Promise<Answer<{ readonly gone: boolean }>> {
    if (isRayOver(job)) return { ok: true, value: { gone: true } }
    const path = await this.#path(job.name, call)
    if (path === undefined) return { ok: true, value: { gone: true } }
    const body = { metadata: { uid: job.uid, annotations: stoppedAt(job.stoppedMs ?? nowMs) }, spec: { suspend: true } }
    const type = 'application/merge-patch+json'
    const reply = await this.#parts.client.call({ method: 'PATCH', path, body, type }, call)
    if (!reply.ok) return reply.status === 404 || reply.status === 409 ? { ok: true, value: { gone: true } } : reply
    const seen = readRayJob(reply.value)
    return { ok: true, value: { gone: seen !== undefined && isRayOver(seen) } }
  }

  /** Gives up its name. */
  async remove({ name, uid }: SeenRayJob, call: Call): Promise<void> {
    const path = await this.#path(name, call)
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } }
    if (path !== undefined) await this.#parts.client.call({ method: 'DELETE', path, body }, call)
  }

  async #list(owner: string, labelSelector: string, call: Call): Promise<Answer<RayJobList>> {
    const version = await this.version(call)
    if (!version.ok) return version
    if (version.value === undefined) return NO_JOBS
    const { client, namespace } = this.#parts
    const path = inGroup(`${RAY_JOBS.group}/${version.value}`, 'namespaces', namespace, RAY_JOBS.resource)
    const answer = await listAll(client, path, { query: { labelSelector }, call })
    if (!answer.ok) return this.#hasSome || !FORBIDDEN.test(answer.fault.message) ? answer : NO_JOBS
    const read = answer.value.items.map(readRayJob)
    const jobs = read.filter((job) => job !== undefined)
    this.#hasSome ||= read.length > 0
    const own = jobs.filter(({ members }) => members[0]?.tag.owner === owner)
    return { ok: true, value: { jobs: own, complete: answer.value.complete && jobs.length === read.length } }
  }

  async #path(name: string, call: Call): Promise<string | undefined> {
    const version = await this.version(call)
    if (!version.ok || version.value === undefined) return undefined
    return inGroup(`${RAY_JOBS.group}/${version.value}`, 'namespaces', this.#parts.namespace, RAY_JOBS.resource, name)
  }
}

/** Without the right to see them there are none: none could have been made. */
const FORBIDDEN = /cannot list resource "rayjobs"/
const NO_JOBS = { ok: true, value: { jobs: [], complete: true } } as const

interface RayJobList {
  readonly jobs: readonly SeenRayJob[]
  /** Every one of the owner is among them. */
  readonly complete: boolean
}
