import { must } from '../../../core/base/assert.ts'
import { defaultUnit } from './unit.ts'
import type { CloudStart } from '../api.ts'
import { dataOf, storageFiles } from '../../storage/files.ts'
import { COURIER } from '../../storage/courier.ts'
import type { StoragePlan } from '../../storage/plan.ts'
import { RUNNER } from './runner.ts'

/** A file on a virtual machine. */
interface VmFile {
  readonly path: string
  /** As `chmod` writes it. */
  readonly mode: string
  readonly content: string
}

/** What a virtual machine is given: files, and the fixed commands that begin with them. */
export interface VmPlan {
  readonly files: readonly VmFile[]
  readonly commands: readonly (readonly string[])[]
}

/** Where the runner tells its state. */
export const STATUS_PORT = 9931

const FOLDER = '/var/lib/berth'
const STORAGE = `${FOLDER}/storage`
const COURIER_PATH = `${FOLDER}/courier.sh`
const CONTAINER = 'berth'

/** `status`: the port at which the state is told; 0: it is not told. */
export function vmPlan(start: CloudStart, { status }: { readonly status: number }): VmPlan {
  return planOf(workOf(start, status), storedFiles(start.storage, STORAGE))
}

/**
 * One plan for all machines of a gang, which are started with one call and told the same. Each finds out which member it is.
 * `hosts`: the names of the members, by rank.
 */
export function gangPlan(
  starts: readonly CloudStart[],
  { status, hosts }: { readonly status: number; readonly hosts: readonly string[] },
): VmPlan {
  const members = starts.map((start, rank) => workOf(start, status, { storage: `${STORAGE}-${rank}`, isGang: true }))
  const stored = starts.flatMap(({ storage }, rank) => storedFiles(storage, `${STORAGE}-${rank}`))
  const files = [...new Map(stored.map((file) => [file.path, file])).values()]
  return planOf({ ...must(members[0], 'a gang has members'), gang: { hosts, members } }, files)
}

function planOf(work: VmWork, stored: readonly VmFile[]): VmPlan {
  return {
    files: [
      { path: `${FOLDER}/work.json`, mode: '0600', content: JSON.stringify(work) },
      { path: `${FOLDER}/runner.py`, mode: '0700', content: RUNNER },
      ...stored,
      { path: '/etc/systemd/system/berth.service', mode: '0644', content: defaultUnit(`${FOLDER}/runner.py`) },
    ],
    commands: [
      ['systemctl', 'daemon-reload'],
      ['systemctl', 'enable', '--now', 'berth.service'],
    ],
  }
}

/** What the courier of the machine reads. Only root may, and the container sees no more than the data. */
function storedFiles(plan: StoragePlan | undefined, folder: string): readonly VmFile[] {
  if (plan === undefined) return []
  const files = storageFiles(plan).map(({ path, content }) => ({ path: `${folder}/${path}`, mode: '0600', content }))
  return [...files, { path: COURIER_PATH, mode: '0700', content: COURIER }]
}

/** What the runner reads. */
export interface VmWork {
  readonly attempt: string
  readonly name: string
  /** Which image to fetch. Without a tag, docker would fetch all of them. */
  readonly pull: { readonly fromImage: string; readonly tag?: string }
  /** What docker is asked to create, in the words of its API. */
  readonly create: Readonly<Record<string, unknown>>
  /** Where the state is told; 0: nowhere. */
  readonly port: number
  /** The courier of its storage, and whether rclone is needed for it; left out: there is none. */
  readonly storage?: { readonly courier: string; readonly folder: string; readonly isFetched: boolean }
  /** How long it waits before it tries again, in times the usual. */
  readonly patience: number
  /** It is a member of a gang: the names of all members and the work of each, by rank. */
  readonly gang?: { readonly hosts: readonly string[]; readonly members: readonly VmWork[] }
}

interface OnMachine {
  /** The folder of its storage. */
  readonly storage: string
  /** Members of a gang open ports to each other as they like: they have the network of their machines. */
  readonly isGang: boolean
}

const ALONE: OnMachine = { storage: STORAGE, isGang: false }

export function workOf(
  { order, env, storage }: Pick<CloudStart, 'order' | 'env' | 'storage'>,
  port: number,
  at: OnMachine = ALONE,
): VmWork {
  const isTagged = /[:@]/.test(order.image.slice(order.image.lastIndexOf('/') + 1))
  return {
    attempt: order.tag.attempt,
    name: CONTAINER,
    pull: { fromImage: order.image, ...(!isTagged && { tag: 'latest' }) },
    create: containerOf(order, env, { storage, at }),
    port,
    ...(storage !== undefined && {
      storage: {
        courier: COURIER_PATH,
        folder: at.storage,
        isFetched: storage.entries.some(({ how }) => how !== 'empty'),
      },
    }),
    patience: 1,
  }
}

/** Data lies on the disk of the machine, and is shown to the container where the manifest says. */
function bindsOf({ entries }: StoragePlan, folder: string): readonly string[] {
  return entries.map(({ mount, mode }, index) => `${folder}/${dataOf(index)}:${mount}:${mode}`)
}

function containerOf(
  order: CloudStart['order'],
  env: CloudStart['env'],
  { storage, at }: { readonly storage: StoragePlan | undefined; readonly at: OnMachine },
): Readonly<Record<string, unknown>> {
  const ports = order.ports.map(({ port }) => `${port}/tcp`)
  const bindings = order.ports.map(({ port }) => [`${port}/tcp`, [{ HostPort: `${port}` }]] as const)
  return {
    Image: order.image,
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...(order.command.length > 0 && { Entrypoint: order.command }),
    ...((order.command.length > 0 || order.args.length > 0) && { Cmd: order.args }),
    ExposedPorts: Object.fromEntries(ports.map((port) => [port, {}])),
    HostConfig: {
      ...(at.isGang ? { NetworkMode: 'host' } : { PortBindings: Object.fromEntries(bindings) }),
      RestartPolicy: { Name: 'no' },
      ...(storage !== undefined && { Binds: bindsOf(storage, at.storage) }),
      Ulimits: [{ Name: 'memlock', Soft: -1, Hard: -1 }],
      ...(order.shmGib === undefined ? { IpcMode: 'host' } : { ShmSize: Math.ceil(order.shmGib * 2 ** 30) }),
      ...(order.gpus > 0 && { DeviceRequests: [{ Driver: '', Count: -1, Capabilities: [['gpu']] }] }),
    },
  }
}
