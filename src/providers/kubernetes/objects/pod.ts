import type { Order } from '../../../core/life/call/order.ts'
import {
  CARDS_ANNOTATION,
  FINALIZER,
  labelsOf,
  LABELS,
  MAIN,
  nameOf,
  PORTS_ANNOTATION,
  PRICE_ANNOTATION,
  TAG_ANNOTATION,
  writePorts,
  writeTag,
} from '../names.ts'
import type { KubernetesSettings } from '../settings.ts'
import { affinityFor, tolerationsFor } from './affinity.ts'
import { CARDS } from './claim.ts'
import { containerFor } from './container.ts'
import { couriersFor, keepsData } from './courier.ts'
import type { Ground } from './ground.ts'
import type { KubeObject } from './object.ts'
import { volumesFor } from './volumes.ts'

/** How long a workload has between SIGTERM and SIGKILL. */
const GRACE_SECONDS = 30

/** The last of what it writes may be large. A stop has a limit of its own. */
const SAVING_SECONDS = 600

/** An attempt as a pod. It restarts nothing by itself: an attempt runs once, and what follows its end Berth decides. */
export function podFor(order: Order, ground: Ground, { settings, namespace, more = {} }: PodWith): KubeObject {
  const name = nameOf(order.tag.attempt)
  const { volumes, mounts } = volumesFor(order, settings.storageClass)
  const { maxDurationSeconds } = order
  const couriers = couriersFor(order, settings, name)
  const all = [...volumes, ...couriers.volumes]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels: { ...labelsOf(order.tag), ...gangLabel(order), ...more.labels },
      annotations: { ...annotationsOf(order), ...more.annotations },
      finalizers: [FINALIZER],
    },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: keepsData(order) ? SAVING_SECONDS : GRACE_SECONDS,
      ...(maxDurationSeconds !== undefined && { activeDeadlineSeconds: Math.ceil(maxDurationSeconds) }),
      automountServiceAccountToken: settings.serviceAccount !== undefined,
      enableServiceLinks: false,
      ...addressIn(order),
      ...namedIn(settings),
      securityContext: securityOf(settings),
      affinity: affinityFor(ground, settings),
      tolerations: tolerationsFor(ground, settings.tolerations),
      ...(ground.devices !== undefined && { resourceClaims: [{ name: CARDS, resourceClaimName: name }] }),
      ...(couriers.initContainers.length > 0 && { initContainers: couriers.initContainers }),
      containers: [containerFor(order, { name, ground, mounts, security: settings.security })],
      ...(all.length > 0 && { volumes: all }),
      ...more.spec,
    },
  }
}

/** What the pod says about itself to whoever reads it later, other control planes included. */
function annotationsOf({ tag, ports, place, usdPerHourMax }: Order): Readonly<Record<string, string>> {
  const cards = place.node?.spot.cards ?? []
  return {
    [TAG_ANNOTATION]: writeTag(tag),
    ...(ports.length > 0 && { [PORTS_ANNOTATION]: writePorts(ports) }),
    ...(cards.length > 0 && { [CARDS_ANNOTATION]: cards.join(',') }),
    ...(usdPerHourMax > 0 && { [PRICE_ANNOTATION]: `${usdPerHourMax}` }),
    'kubectl.kubernetes.io/default-container': MAIN,
  }
}

export interface PodWith {
  readonly settings: KubernetesSettings
  readonly namespace: string
  /** What a batch scheduler wants of it. */
  readonly more?: PodAddition
}

/** What a pod says beyond the usual. */
export interface PodAddition {
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly spec?: Readonly<Record<string, unknown>>
}

/** Where members of a gang meet, as the name that each of them answers to: `r0.GANG.NAMESPACE.svc.cluster.local`. */
export function gangAddress(order: Pick<Order, 'meeting' | 'tag'>): GangAddress | undefined {
  const rank = /\.(\d+)$/.exec(order.tag.slot)?.[1]
  const host = rank === undefined ? undefined : order.meeting?.hosts[Number(rank)]
  const [hostname, subdomain] = host?.split('.') ?? []
  return hostname === undefined || subdomain === undefined ? undefined : { hostname, subdomain }
}

interface GangAddress {
  readonly hostname: string
  /** The name of the headless service, too. */
  readonly subdomain: string
}

function addressIn(order: Order): Partial<GangAddress> {
  return gangAddress(order) ?? {}
}

function gangLabel(order: Order): Readonly<Record<string, string>> {
  const gang = gangAddress(order)
  return gang === undefined ? {} : { [LABELS.gang]: gang.subdomain }
}

/** What the namespace has that pods are to use. */
function namedIn({ pullSecrets, serviceAccount, runtimeClass, priorityClass }: KubernetesSettings): object {
  return {
    ...(pullSecrets.length > 0 && { imagePullSecrets: pullSecrets.map((name) => ({ name })) }),
    ...(serviceAccount !== undefined && { serviceAccountName: serviceAccount }),
    ...(runtimeClass !== undefined && { runtimeClassName: runtimeClass }),
    ...(priorityClass !== undefined && { priorityClassName: priorityClass }),
  }
}

/** Passes the Pod Security level of its name. Volumes belong to the group of the user, who can then write to them. */
function securityOf({ security, runAsUser }: KubernetesSettings): object {
  return {
    ...(security === 'restricted' && { runAsNonRoot: true }),
    ...(runAsUser !== undefined && { runAsUser, runAsGroup: runAsUser, fsGroup: runAsUser }),
    seccompProfile: { type: 'RuntimeDefault' },
  }
}
