import { createSign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer as createSecureServer } from 'node:https'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Tag } from '../../src/core/life/call/order.ts'
import { nameOf, readTag } from '../../src/providers/kubernetes/names.ts'
import { listAt, mapAt } from '../../src/providers/kubernetes/nodes/object/json.ts'
import { podOf, type RigPod } from '../engines/fakes/pods.ts'
import { authority } from '../engines/rig/certificates.ts'
import type { Rig } from '../engines/rig/rig.ts'
import { sleep, until } from '../plane/plane.ts'
import { readTruth } from '../plane/truth.ts'
import type { PlaneOnClusters } from './clusters.suite.ts'

/** What is launched in the middle of a fault. */
export interface StormWaves {
  /** Begins when the first wave has its first pod; the second is applied when it says so, or at its end. */
  readonly fault: (more: () => Promise<void>) => Promise<void>
  readonly prefix: string
  /** Where the work is to be launched first. */
  readonly provider: { readonly name: string; readonly namespace: string }
}

const WAVE = 10

/** Launches work, lets something go wrong in the middle of it, and checks that all of it runs in the end, once each. */
export async function storm(plane: PlaneOnClusters, rig: Rig, waves: StormWaves): Promise<readonly string[]> {
  const { fault, prefix, provider } = waves
  const names = Array.from({ length: 2 * WAVE }, (_, index) => `${prefix}-${index}`)
  await plane.free([provider.name], 8)
  const watch = new DoubleWatch(plane, rig)
  await plane.apply(names.slice(0, WAVE))
  await until('the first pod is there', { withinMs: 60_000, everyMs: 20 }, async () => {
    const pods = await rig.api.list<RigPod>(`/api/v1/namespaces/${provider.namespace}/pods`)
    return pods.some(isOurs(prefix)) ? { found: true } : `${pods.length} pods`
  })
  let second: Promise<void> | undefined
  const more = (): Promise<void> => (second ??= plane.apply(names.slice(WAVE)))
  await fault(more)
  await more()
  await plane.ready(names, 180_000)
  await until('all is as Berth says', { withinMs: 60_000 }, async () => {
    const wrong = await strays(plane, rig, names)
    return wrong.length === 0 ? { found: true } : wrong.join('; ')
  })
  expect(await watch.end()).toEqual([])
  return names
}

/** Removes the work, and checks that nothing of it is left but names that stay taken. */
export async function calm(plane: PlaneOnClusters, rig: Rig, names: readonly string[]): Promise<void> {
  await plane.remove(names)
  const prefix = names[0]?.replace(/\d+$/, '') ?? ''
  await until('nothing is left behind', { withinMs: 60_000 }, async () => {
    const live = (await alive(plane, rig)).filter(({ tag }) => tag.workload.startsWith(prefix))
    const beside = await Promise.all(
      ['services', 'secrets'].map((kind) =>
        rig.api.list(`/api/v1/${kind}?labelSelector=${encodeURIComponent('app.kubernetes.io/managed-by=berth')}`),
      ),
    )
    const left = [...live.map(({ name }) => name), ...beside.flat().map(({ metadata }) => metadata.name)]
    return left.length === 0 ? { found: true } : left.join()
  })
}

interface LivePlace {
  readonly tag: Pick<Tag, 'workload' | 'uid' | 'slot' | 'attempt'>
  /** Of the pod, or of the rented machine. */
  readonly name: string
}

/** Everything that runs, as the cluster and the cloud themselves tell it. A pod that is being deleted may still run. */
async function alive(plane: PlaneOnClusters, rig: Rig): Promise<readonly LivePlace[]> {
  const pods = await rig.api.list<RigPod>('/api/v1/pods')
  const inCluster = pods.flatMap((pod) => {
    const tag = tagOf(pod)
    const isOver = pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed'
    return tag === undefined || isOver || isUnbound(pod) ? [] : [{ tag, name: pod.metadata.name }]
  })
  const nowMs = Date.now()
  const rented = readTruth(plane.data).flatMap(({ id, slot: path, attempt, endsMs }) => {
    const [workload = '', uid = '', slot = ''] = path.split('/')
    return endsMs <= nowMs ? [] : [{ tag: { workload, uid, slot, attempt }, name: id }]
  })
  return [...inCluster, ...rented]
}

/** Deleted before it had a node: it never runs. */
function isUnbound({ metadata, spec }: RigPod): boolean {
  return spec.nodeName === undefined && 'deletionTimestamp' in metadata
}

function tagOf({ metadata }: Pick<RigPod, 'metadata'>): Tag | undefined {
  const annotations: Readonly<Record<string, string>> = Object(metadata['annotations'])
  return readTag(annotations)
}

function isOurs(prefix: string): (pod: RigPod) => boolean {
  return (pod) => tagOf(pod)?.workload.startsWith(`${prefix}-`) === true
}

/** What runs and has no owner, and what is said to run and does not. */
async function strays(plane: PlaneOnClusters, rig: Rig, names: readonly string[]): Promise<readonly string[]> {
  const live = new Map((await alive(plane, rig)).map(({ tag, name }) => [tag.attempt, name]))
  const views = await Promise.all(names.map((name) => plane.client.workload({ project: 'default', name })))
  const owned = views.flatMap(({ slots }) => slots).filter(({ phase }) => phase !== 'gone')
  const attempts = new Set(owned.map(({ attempt }) => attempt))
  return [
    ...[...live].filter(([attempt]) => !attempts.has(attempt)).map(([, name]) => `${name} runs and is an orphan`),
    ...owned.filter(({ attempt }) => !live.has(attempt)).map(({ attempt }) => `${nameOf(attempt)} does not run`),
  ]
}

const LOOK_MS = 250

/** Looks all the time whether some slot has two places at once, for as long as anything answers. */
class DoubleWatch {
  readonly #found = new Set<string>()
  readonly #control = new AbortController()
  readonly #looking: Promise<void>

  constructor(plane: PlaneOnClusters, rig: Rig) {
    this.#looking = this.#look(plane, rig)
  }

  async end(): Promise<readonly string[]> {
    this.#control.abort()
    await this.#looking
    return [...this.#found]
  }

  async #look(plane: PlaneOnClusters, rig: Rig): Promise<void> {
    while (!this.#control.signal.aborted) {
      const live = await alive(plane, rig).catch(() => [])
      for (const [slot, same] of Map.groupBy(live, ({ tag }) => `${tag.workload}/${tag.uid}/${tag.slot}`)) {
        if (same.length > 1) this.#found.add(`${slot}: ${same.map(({ name }) => name).join(' and ')}`)
      }
      await sleep(LOOK_MS)
    }
  }
}

/** Something between a control plane and its cluster that can break every connection at once. */
export class ResettingRelay {
  readonly #sockets = new Set<Socket>()
  readonly #server: Server

  constructor(to: number) {
    this.#server = createServer((inner) => {
      const outer = connect(to, '127.0.0.1')
      for (const [one, other] of [
        [inner, outer],
        [outer, inner],
      ] as const) {
        this.#sockets.add(one)
        one.on('error', () => other.destroy()).on('close', () => this.#gone(one, other))
        one.pipe(other)
      }
    })
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    // A server that listens on a port has such an address.
    return (this.#server.address() as AddressInfo).port
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  close(): void {
    this.#server.close()
    this.reset()
  }

  #gone(one: Socket, other: Socket): void {
    this.#sockets.delete(one)
    other.destroy()
  }
}

/** An admission webhook that refuses every pod of Berth in a namespace, for as long as something is done. */
export async function whileRefused(rig: Rig, namespace: string, during: () => Promise<void>): Promise<number> {
  const { folder } = rig.place
  const pair = { key: readFileSync(join(folder, 'server.key')), cert: readFileSync(join(folder, 'server.crt')) }
  let refused = 0
  const server = createSecureServer(pair, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { uid } = JSON.parse(Buffer.concat(parts).toString()).request
      refused++
      const answer = { uid, allowed: false, status: { code: 403, message: 'no pods on Wednesdays' } }
      const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // As above.
  const { port } = server.address() as AddressInfo
  const caBundle = readFileSync(authority(folder).certificate).toString('base64')
  await rig.api.apply({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'refusing' },
    webhooks: [
      {
        name: 'refusing.berth.test',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        timeoutSeconds: 5,
        clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
    ],
  })
  try {
    await until('it refuses', { withinMs: 60_000 }, async () => (refused > 0 ? { found: true } : tried(rig, namespace)))
    await during()
  } finally {
    await rig.api.delete('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/refusing')
    server.close()
    server.closeAllConnections()
  }
  return refused
}

/** Asks for a pod without meaning it, one that Pod Security lets through to the webhook; what the API server says to that. */
async function tried(rig: Rig, namespace: string): Promise<string> {
  const { spec, ...probe } = podOf('probe', { cards: 1 })
  const securityContext = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }
  const own = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }
  const containers = listAt(spec, 'containers').map((each) => ({ ...mapAt(each), securityContext: own }))
  const body = { ...probe, spec: { ...mapAt(spec), securityContext, containers } }
  const path = `/api/v1/namespaces/${namespace}/pods?dryRun=All`
  return rig.api.ask({ method: 'POST', path, body }).then(() => 'it is accepted', String)
}

/** The API server takes a token for a minute longer than it is valid. */
const GRACE_S = 60

/** A token of an account that the API server will soon refuse as expired: it never gives out such short ones itself. */
export async function shortToken(rig: Rig, account: string, seconds: number): Promise<string> {
  const { metadata } = await rig.api.get(`/api/v1/namespaces/berth/serviceaccounts/${account}`)
  const issuer = 'https://kubernetes.default.svc'
  const exp = Math.floor(Date.now() / 1000) - GRACE_S + seconds
  const claims = {
    iss: issuer,
    aud: [issuer],
    sub: `system:serviceaccount:berth:${account}`,
    exp,
    iat: exp - 600,
    nbf: exp - 600,
    'kubernetes.io': { namespace: 'berth', serviceaccount: { name: account, uid: metadata['uid'] } },
  }
  const text = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const key = readFileSync(join(rig.place.folder, 'accounts.key'))
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
}
