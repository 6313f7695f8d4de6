import type { Order } from '../../core/life/call/order.ts'
import type { Volume } from '../../core/manifest/manifest.ts'
import type { Secret } from '../../ports/secret.ts'
import { accessOf } from './access.ts'
import { sourceOf, type HubSource } from './source.ts'

/** What is done with `storage` beside one attempt, as data. It holds credentials: it is handed to the courier and to nobody else. */
export interface StoragePlan {
  readonly entries: readonly StorageEntry[]
  /** Which replica this is: each publishes apart from the others. */
  readonly slot: string
  /** How often what the workload writes is looked at. */
  readonly everySeconds: number
  /** How long a store that does not answer is tried again. */
  readonly patienceSeconds: number
  /** More than this is not copied where it can be mounted. */
  readonly copyKib: number
}

interface StorageEntry {
  readonly mount: string
  /** For messages. */
  readonly from: string
  readonly remote: string
  readonly mode: Volume['mode']
  /**
   * `empty`: a folder of the machine. `copy`: fetched before the workload starts; with `rw`, what it writes is published while it runs and
   * at its end. `mount`: read over the network when it is used. `either`: copied up to `copyKib`, otherwise mounted.
   */
  readonly how: 'empty' | 'copy' | 'mount' | 'either'
  /** The folder of checkpoints in it, from its root; undefined: they are elsewhere. */
  readonly checkpoint: string | undefined
  /** The address of the list of its files, and what of them is wanted; undefined: it is no repository of a hub. */
  readonly hub?: HubSource
  /** The environment of rclone. */
  readonly access: Readonly<Record<string, string>>
}

export type StorageSecrets = ReadonlyMap<string, Secret>

const EVERY_SECONDS = 15
const PATIENCE_SECONDS = 600
/** A copy is read at the speed of the disk, and does not need the network again. Beyond this the start takes too long. */
const COPY_GIB = 50

/** Undefined: there is no storage. A text: why it cannot be done, without any value of a secret. */
export function storagePlan(
  { storage, tag, checkpoint }: Pick<Order, 'storage' | 'tag' | 'checkpoint'>,
  secrets: StorageSecrets,
): StoragePlan | string | undefined {
  if (storage.length === 0) return undefined
  const entries: StorageEntry[] = []
  for (const volume of inOrder(storage)) {
    const entry = entryOf(volume, checkpoint?.path, secrets)
    if (typeof entry === 'string') return entry
    entries.push(entry)
  }
  return {
    entries,
    slot: tag.slot,
    everySeconds: Math.max(1, Math.min(EVERY_SECONDS, checkpoint?.everySeconds ?? EVERY_SECONDS)),
    patienceSeconds: PATIENCE_SECONDS,
    copyKib: COPY_GIB * 1024 * 1024,
  }
}

/** A mount inside another one comes after it. */
export function inOrder(storage: readonly Volume[]): readonly Volume[] {
  return storage.toSorted((one, two) => (one.mount < two.mount ? -1 : 1))
}

function entryOf(volume: Volume, saved: string | undefined, secrets: StorageSecrets): StorageEntry | string {
  const { mount, from, mode, sizeGib, secret: name } = volume
  if (/[\n\r\0,:]/.test(mount)) return `storage: ${JSON.stringify(mount).slice(0, 80)} cannot be mounted.`
  if (from === undefined)
    return { mount, from: mount, remote: '', mode, how: 'empty', checkpoint: undefined, access: {} }
  const source = sourceOf(from)
  if (source === undefined || /[\n\r\0]/.test(from))
    return `storage: ${from.slice(0, 200)} cannot be fetched: there is no way to read such an address here.`
  const secret = name === undefined ? undefined : secrets.get(name)
  if (name !== undefined && secret === undefined) return `storage: the value of the secret ${name} is missing.`
  const { hub } = source
  if (hub !== undefined && mode === 'rw')
    return `storage: ${from.slice(0, 200)} can be read, but not written: write mode: ro.`
  const access = accessOf(source, secret?.reveal())
  if ('problem' in access) return `storage: ${from.slice(0, 200)}: ${whose(name)} ${access.problem}.`
  return {
    mount,
    from,
    remote: `berth:${source.path}`,
    mode,
    how:
      mode === 'rw' || hub !== undefined
        ? 'copy'
        : sizeGib === undefined
          ? 'either'
          : sizeGib <= COPY_GIB
            ? 'copy'
            : 'mount',
    checkpoint: mode === 'rw' && saved !== undefined ? within(saved, mount) : undefined,
    ...(hub !== undefined && { hub: { ...hub, list: `${access.env['RCLONE_CONFIG_BERTH_URL'] ?? ''}${hub.list}` } }),
    access: access.env,
  }
}

function whose(name: string | undefined): string {
  return name === undefined ? 'it needs a secret, and' : `the secret ${name} cannot be used:`
}

/** The rest of a path inside a folder, with its first slash; undefined: it is not inside. */
export function within(path: string, folder: string): string | undefined {
  const [inner, outer] = [path, folder].map((each) => each.replace(/\/+$/, ''))
  if (inner === outer) return ''
  return inner?.startsWith(`${outer}/`) === true ? inner.slice(outer?.length) : undefined
}
