import type { Order } from '../../../core/life/call/order.ts'
import { DATA, GIVEN, WORK } from '../../storage/courier/pod.ts'
import { COURIER } from '../../storage/courier.ts'
import { entryName, storageFiles } from '../../storage/files.ts'
import { inOrder, type StoragePlan } from '../../storage/plan.ts'
import { FETCH, KEEP } from '../names.ts'
import type { KubernetesSettings } from '../settings.ts'
import { gibText } from './volumes.ts'

/** What brings data to a pod: containers before and beside the workload's, and the volumes that only they have. */
interface Couriers {
  readonly initContainers: readonly object[]
  readonly volumes: readonly object[]
}

/**
 * One container fetches before the workload starts. Another one saves while it runs, and is ended by the cluster after it: a native
 * sidecar. What gives access to the stores lies in a secret that only they mount.
 */
export function couriersFor(order: Order, settings: KubernetesSettings, name: string): Couriers {
  if (!hasData(order)) return { initContainers: [], volumes: [] }
  const fetch = { ...courierOf(order, settings, 'fetch'), name: FETCH, resources: shareOf(order) }
  const keep = { ...courierOf(order, settings, 'keep'), name: KEEP, restartPolicy: 'Always', resources: KEEPS }
  return {
    initContainers: keepsData(order) ? [fetch, keep] : [fetch],
    volumes: [
      { name: 'berth-given', secret: { secretName: storageName(name), defaultMode: READABLE } },
      { name: 'berth-work', emptyDir: {} },
    ],
  }
}

/** Whether anything of its storage is fetched. */
export function hasData({ storage }: Pick<Order, 'storage'>): boolean {
  return storage.some(({ from }) => from !== undefined)
}

/** Whether anything that it writes is saved. */
export function keepsData({ storage }: Pick<Order, 'storage'>): boolean {
  return storage.some(({ from, mode }) => from !== undefined && mode === 'rw')
}

/** The secret that the couriers of a pod read. */
export function storageName(pod: string): string {
  return `${pod}-storage`
}

/** What is in it, by key: the keys of a secret have no slashes. */
export function storageData(plan: StoragePlan): Readonly<Record<string, string>> {
  const files = storageFiles(plan).map(({ path, content }) => [path.replaceAll('/', '.'), content] as const)
  return { ...Object.fromEntries(files), 'courier.sh': COURIER }
}

/** Any user may read it: it is in no container but these. */
const READABLE = 0o444

/** Requests equal limits, as with the workload. */
const KEEPS = alike({ cpu: '250m', memory: '512Mi' })

function courierOf(order: Order, settings: KubernetesSettings, task: 'fetch' | 'keep'): object {
  const sorted = inOrder(order.storage)
  const data = order.storage.flatMap((volume, index) => {
    const mountPath = `${DATA}/${entryName(sorted.indexOf(volume))}`
    return volume.from === undefined ? [] : [{ name: `data-${index}`, mountPath }]
  })
  return {
    image: settings.storageImage,
    command: ['/bin/sh', `${GIVEN}/courier.sh`, 'pod', WORK, task],
    volumeMounts: [
      { name: 'berth-given', mountPath: GIVEN, readOnly: true },
      { name: 'berth-work', mountPath: WORK },
      ...data,
    ],
    securityContext: securityOf(settings),
  }
}

/** What the workload gets once it runs: as long as it does not, that is free, and asking for it asks for no more in all. */
function shareOf({ cpu, memoryGib }: Order): object {
  return alike({
    ...(cpu !== undefined && { cpu: `${Math.ceil(cpu * 1000)}m` }),
    ...(memoryGib !== undefined && { memory: gibText(memoryGib) }),
  })
}

function alike(amounts: Readonly<Record<string, string>>): object {
  return { requests: amounts, limits: amounts }
}

/** The user of the workload where that is known; root, who may read everything, where that may be; else nobody in particular. */
function securityOf({ security, runAsUser }: KubernetesSettings): object {
  if (security === 'baseline') return { runAsUser: runAsUser ?? 0 }
  return {
    runAsNonRoot: true,
    runAsUser: runAsUser ?? NOBODY,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
  }
}

const NOBODY = 65_532
