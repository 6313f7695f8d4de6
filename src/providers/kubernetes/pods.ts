import type { Fault } from '../../core/life/call/fault.ts'
import type { Tag } from '../../core/life/call/order.ts'
import type { Call } from '../../ports/provider.ts'
import type { KubeClient, KubeReply } from './api/client.ts'
import { listAll, listEach } from './api/lists.ts'
import { inNamespace, ofKind } from './api/paths.ts'
import { deviceApi } from './device-api.ts'
import { DEVICES, FINALIZER, LABELS, labelValue, MAIN, ownerSelector, readTag } from './names.ts'
import { storageName } from './objects/courier.ts'
import type { KubeObject } from './objects/object.ts'
import { RAY_CLUSTER } from './ray/members.ts'
import { isOver } from './read/ending.ts'
import { readPod, type SeenPod } from './read/pod.ts'

/** For a program that is to end, and for what it wrote last. */
const STOP_SECONDS = 60

type OnCall = Pick<Call, 'signal' | 'requestId'>
type Refused = { readonly ok: false; readonly fault: Fault }

/** What a read of one pod found. */
export type FoundPod = { readonly ok: true; readonly pod: SeenPod | undefined } | Refused

/** Our pods in one namespace, and what belongs to them. */
export class Pods {
  readonly #client: KubeClient
  readonly #namespace: string

  constructor(client: KubeClient, namespace: string) {
    this.#client = client
    this.#namespace = namespace
  }

  /** A pod of this owner; undefined: there is none. What another owner has under that name is nobody's business. */
  async find(name: string, owner: string, call: OnCall): Promise<FoundPod> {
    const found = await this.any(name, call)
    if (!found.ok || found.pod === undefined) return found
    return isOf(found.pod, owner) ? found : { ok: true, pod: undefined }
  }

  /** A pod of any owner. */
  async any(name: string, call: OnCall): Promise<FoundPod> {
    const reply = await this.#client.call({ method: 'GET', path: this.#path('pods', name) }, call)
    if (!reply.ok) return reply.status === 404 && reply.reason === 'NotFound' ? { ok: true, pod: undefined } : reply
    return foundIn(reply)
  }

  /** Every pod of an owner; `unread` is how many could not be read. */
  async all(owner: string, call: OnCall): Promise<AllPods | Refused> {
    const query = { labelSelector: ownerSelector(owner) }
    const answer = await listEach(this.#client, this.#path('pods'), {
      query,
      call,
      read: (item) => readPod(item, MAIN),
    })
    if (!answer.ok) return answer
    const read = answer.value.items
    const pods = read.filter((pod) => pod !== undefined)
    const tagged = pods.filter(({ annotations }) => readTag(annotations) !== undefined)
    const isWhole = answer.value.complete && tagged.length === read.length
    const own = tagged.filter((pod) => isOf(pod, owner))
    const [ofRay, alone] = [own.filter(isOfRay), own.filter((pod) => !isOfRay(pod))]
    return { ok: true, pods: alone, ofRay, complete: isWhole }
  }

  /** The pod that KubeRay runs for an attempt now; undefined: there is none. */
  async findOfRay({ owner, attempt }: Pick<Tag, 'owner' | 'attempt'>, call: OnCall): Promise<FoundPod> {
    const labelSelector = `${RAY_CLUSTER},${LABELS.attempt}=${labelValue(attempt)}`
    const answer = await listAll(this.#client, this.#path('pods'), { query: { labelSelector }, call })
    if (!answer.ok) return answer
    const pods = answer.value.items.flatMap((item) => readPod(item, MAIN) ?? [])
    const own = pods.filter((pod) => isOf(pod, owner) && readTag(pod.annotations)?.attempt === attempt)
    return { ok: true, pod: own.find((pod) => !isOver(pod)) ?? own[0] }
  }

  /** Creates it, or finds that its name is taken: an attempt is made once, whatever became of it. */
  async create(pod: KubeObject, call: OnCall): Promise<Created> {
    const query = { fieldManager: 'berth', fieldValidation: 'Strict' }
    const reply = await this.#client.call(
      { method: 'POST', path: this.#path('pods'), query, body: pod, creates: true },
      call,
    )
    if (!reply.ok) return reply.reason === 'AlreadyExists' ? { ok: true, pod: 'taken' } : reply
    const found = foundIn(reply)
    if (!found.ok) return found
    return found.pod === undefined ? unreadable() : { ok: true, pod: found.pod }
  }

  /** Something beside the pod. That it is there already is fine: it was written for the same attempt. */
  async beside(object: KubeObject, call: OnCall): Promise<KubeReply> {
    const path = ofKind(object, this.#namespace)
    const query = { fieldManager: 'berth', fieldValidation: 'Strict' }
    const reply = await this.#client.call({ method: 'POST', path, query, body: object }, call)
    return !reply.ok && reply.reason === 'AlreadyExists' ? { ok: true, value: undefined } : reply
  }

  /** Something that several pods share: each writes its own part of it. */
  async shared(object: KubeObject, manager: string, call: OnCall): Promise<KubeReply> {
    const path = ofKind(object, this.#namespace, object.metadata.name)
    const query = { fieldManager: manager, force: true, fieldValidation: 'Strict' }
    return this.#client.call({ method: 'PATCH', path, query, body: object, type: 'application/apply-patch+yaml' }, call)
  }

  /** Deletes this very pod. It stays, as ended, until its name is given up. */
  async remove({ name, uid, isKept }: Pick<SeenPod, 'name' | 'uid' | 'isKept'>, call: OnCall): Promise<FoundPod> {
    const limit = isKept ? { gracePeriodSeconds: STOP_SECONDS } : {}
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid }, ...limit }
    const reply = await this.#client.call({ method: 'DELETE', path: this.#path('pods', name), body }, call)
    if (!reply.ok) return reply.status === 404 || reply.status === 409 ? { ok: true, pod: undefined } : reply
    return foundIn(reply)
  }

  /** Gives up what belongs to a pod that has ended: nothing but the pod itself is needed any more. */
  async tidy(pod: SeenPod, call: OnCall): Promise<void> {
    const left = [
      ...(pod.hasSecret ? [this.#path('secrets', pod.name)] : []),
      ...(pod.hasData ? [this.#path('secrets', storageName(pod.name))] : []),
      ...(pod.hasPorts ? [this.#path('services', pod.name)] : []),
      ...pod.claims.map((claim) => this.#path('persistentvolumeclaims', claim)),
      ...(pod.hasDevices ? await this.#deviceClaim(pod.name, call) : []),
    ]
    await Promise.all(left.map((path) => this.#client.call({ method: 'DELETE', path }, call)))
  }

  async #deviceClaim(name: string, call: OnCall): Promise<readonly string[]> {
    const api = await deviceApi(this.#client, call)
    if (!api.ok || api.version === undefined) return []
    return [ofKind({ apiVersion: `${DEVICES}/${api.version}`, kind: 'ResourceClaim' }, this.#namespace, name)]
  }

  /** Gives up the name of an attempt: the pod goes for good. */
  async release({ name, uid, isKept, finalizers, deletedMs }: SeenPod, call: OnCall): Promise<void> {
    const rest = finalizers.filter((one) => one !== FINALIZER)
    const body = { metadata: { uid, finalizers: rest.length === 0 ? null : rest } }
    const path = this.#path('pods', name)
    await this.#client.call({ method: 'PATCH', path, body, type: 'application/merge-patch+json' }, call)
    if (deletedMs === undefined) await this.remove({ name, uid, isKept }, call)
  }

  /** Where objects of its kind are. */
  #path(...parts: readonly string[]): string {
    return inNamespace(this.#namespace, ...parts)
  }
}

export interface AllPods {
  readonly ok: true
  readonly pods: readonly SeenPod[]
  /** Those that KubeRay has made for us: they have other names, and stand for no attempt by themselves. */
  readonly ofRay: readonly SeenPod[]
  /** Every pod of the owner is among them. */
  readonly complete: boolean
}

type Created = { readonly ok: true; readonly pod: SeenPod | 'taken' } | Refused

function isOfRay({ labels }: SeenPod): boolean {
  return Object.hasOwn(labels, RAY_CLUSTER)
}

function isOf({ annotations }: SeenPod, owner: string): boolean {
  return readTag(annotations)?.owner === owner
}

function foundIn(reply: KubeReply): FoundPod {
  if (!reply.ok) return reply
  const pod = readPod(reply.value, MAIN)
  return pod === undefined ? unreadable() : { ok: true, pod }
}

function unreadable(): Refused {
  return { ok: false, fault: { class: 'AMBIGUOUS', message: 'The API server answered with something that is no pod.' } }
}
