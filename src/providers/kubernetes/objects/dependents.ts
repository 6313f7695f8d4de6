import type { Order } from '../../../core/life/call/order.ts'
import type { Secret } from '../../../ports/secret.ts'
import { DEVICES, labelsOf, LABELS, labelValue, nameOf } from '../names.ts'
import type { KubernetesSettings } from '../settings.ts'
import { claimSpec } from './claim.ts'
import type { StoragePlan } from '../../storage/plan.ts'
import { storageData, storageName } from './courier.ts'
import type { DeviceChoice } from './devices.ts'
import type { KubeObject, ObjectMeta, OwnerReference } from './object.ts'
import { gangAddress } from './pod.ts'

/** A pod, by what makes it the one it is. */
interface PodOwner {
  readonly name: string
  readonly uid: string
}

/** What the pod needs beside itself. */
export interface PodBeside {
  readonly order: Order
  readonly namespace: string
  /** What it belongs to, and with which it goes. */
  readonly owner: OwnerReference
}

/** The values of the secrets that the order names; undefined: it names none. */
export function secretFor(beside: PodBeside, secrets: ReadonlyMap<string, Secret>): KubeObject | undefined {
  const { order } = beside
  if (order.secrets.length === 0) return undefined
  const data = encoded(Object.fromEntries(order.secrets.map((name) => [name, secrets.get(name)?.reveal() ?? ''])))
  const metadata = metaOf(beside, nameOf(order.tag.attempt))
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', immutable: true, data }
}

/** What the couriers of the pod read, access to object stores included. */
export function storageSecretFor(beside: PodBeside, plan: StoragePlan): KubeObject {
  const metadata = metaOf(beside, storageName(nameOf(beside.order.tag.attempt)))
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    type: 'Opaque',
    immutable: true,
    data: encoded(storageData(plan)),
  }
}

function encoded(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const all = Object.entries(values).map(([name, value]) => [name, Buffer.from(value, 'utf8').toString('base64')])
  return Object.fromEntries(all)
}

/** The claim for its cards. Which devices it gets, the cluster writes into it, and nobody else. */
export function claimFor(
  beside: PodBeside,
  choice: DeviceChoice,
  settings: Pick<KubernetesSettings, 'pick'>,
): KubeObject {
  const metadata = metaOf(beside, nameOf(beside.order.tag.attempt))
  const apiVersion = `${DEVICES}/${choice.version}`
  return { apiVersion, kind: 'ResourceClaim', metadata, spec: claimSpec(choice, settings) }
}

/** A stable name and address inside the cluster; undefined: it has no ports. */
export function serviceFor(beside: PodBeside): KubeObject | undefined {
  const { order } = beside
  if (order.ports.length === 0) return undefined
  const spec = {
    type: 'ClusterIP',
    selector: { [LABELS.owner]: labelValue(order.tag.owner), [LABELS.attempt]: labelValue(order.tag.attempt) },
    ports: order.ports.map(({ port, name }) => ({ name, port, targetPort: port, protocol: 'TCP' })),
  }
  return { apiVersion: 'v1', kind: 'Service', metadata: metaOf(beside, nameOf(order.tag.attempt)), spec }
}

/**
 * The names by which members of a gang find each other, from before they are ready. Every member writes it, each as an owner of its
 * own: it stays as long as any of them is there. Undefined: it is no gang.
 */
export function gangServiceFor(beside: PodBeside): KubeObject | undefined {
  const { order, namespace, owner } = beside
  const gang = gangAddress(order)
  if (gang === undefined) return undefined
  const { [LABELS.attempt]: _attempt, 'berth.dev/slot': _slot, ...labels } = labelsOf(order.tag)
  const metadata = { name: gang.subdomain, namespace, labels, ownerReferences: [owner] }
  const spec = {
    clusterIP: 'None',
    publishNotReadyAddresses: true,
    selector: { [LABELS.owner]: labelValue(order.tag.owner), [LABELS.gang]: gang.subdomain },
  }
  return { apiVersion: 'v1', kind: 'Service', metadata, spec }
}

function metaOf({ order, namespace, owner }: PodBeside, name: string): ObjectMeta {
  return { name, namespace, labels: labelsOf(order.tag), ownerReferences: [owner] }
}

export function referenceTo({ name, uid }: PodOwner): OwnerReference {
  return { apiVersion: 'v1', kind: 'Pod', name, uid }
}
