import type { Order } from '../../../core/life/call/order.ts'

/** What is mounted where. */
export interface Mounted {
  readonly volumes: readonly object[]
  readonly mounts: readonly object[]
}

/**
 * Empty volumes: a part of the node's disk, or a claim of the storage class, which comes and goes with the pod. Shared memory is a
 * volume in memory, and counts as memory of the workload.
 */
export function volumesFor(
  { storage, shmGib }: Pick<Order, 'storage' | 'shmGib'>,
  storageClass: string | undefined,
): Mounted {
  const shared = { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: gibText(shmGib ?? 0) } }
  const named = storage.map((volume, index) => ({ ...volume, name: `data-${index}` }))
  return {
    volumes: [
      ...(shmGib === undefined ? [] : [shared]),
      ...named.map(({ name, sizeGib }) => ({ name, ...sourceOf(sizeGib, storageClass) })),
    ],
    mounts: [
      ...(shmGib === undefined ? [] : [{ name: 'shm', mountPath: '/dev/shm' }]),
      ...named.map(({ name, mount, mode }) => ({ name, mountPath: mount, ...(mode === 'ro' && { readOnly: true }) })),
    ],
  }
}

function sourceOf(sizeGib: number | undefined, storageClass: string | undefined): object {
  if (storageClass === undefined || sizeGib === undefined)
    return { emptyDir: sizeGib === undefined ? {} : { sizeLimit: gibText(sizeGib) } }
  const spec = {
    accessModes: ['ReadWriteOnce'],
    storageClassName: storageClass,
    resources: { requests: { storage: gibText(sizeGib) } },
  }
  return { ephemeral: { volumeClaimTemplate: { spec } } }
}

/** In whole mebibytes, rounded up. */
export function gibText(gib: number): string {
  const mib = Math.ceil(gib * 1024)
  return mib % 1024 === 0 ? `${mib / 1024}Gi` : `${mib}Mi`
}
