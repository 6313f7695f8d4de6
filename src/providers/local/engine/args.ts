import { existsSync } from 'node:fs'
import type { Order } from '../../../core/life/call/order.ts'
import type { Can } from '../../../ports/provider.ts'
import { writeNote } from '../note.ts'
import { berthVariables, portVariables } from '../process/environment.ts'
import { instanceOf, type StartOrder } from '../runtime.ts'

export const NOTE_LABEL = 'berth.note'

/** Folders of the host as the engine is to show them to a container. */
export interface Bind {
  readonly source: string
  readonly mount: string
  readonly mode: 'ro' | 'rw'
}

/** How a container is run on this host. */
export interface RunWith {
  readonly program: 'podman' | 'docker'
  readonly flags: readonly string[]
  /** A file with the values of secrets, and the names of those that cannot be in a file. */
  readonly secretFile: string | undefined
  readonly inherited: readonly string[]
  /** Data that a courier brings; undefined: there is none, and the container starts at once. */
  readonly binds?: readonly Bind[] | undefined
}

/** The arguments that run an order. They may contain names of secrets, never values. */
export function runArgs(
  start: StartOrder,
  { program, flags, secretFile, inherited, binds }: RunWith,
): readonly string[] {
  const { order, note } = start
  const [entry, ...rest] = order.command
  return [
    ...(binds === undefined ? ['run', '--detach'] : ['create']),
    ...flags,
    ...pairs('--name', [instanceOf(note.tag.attempt)]),
    ...pairs('--label', [`${NOTE_LABEL}=${writeNote(note)}`]),
    ...logArgs(program),
    ...pairs(
      '--publish',
      order.ports.map(({ port }) => `127.0.0.1::${port}`),
    ),
    ...pairs('--env', variables(start)),
    ...pairs('--env', inherited),
    ...(secretFile === undefined ? [] : ['--env-file', secretFile]),
    ...(order.memoryGib === undefined ? [] : ['--memory', `${Math.ceil(order.memoryGib * 1024)}m`]),
    ...(order.shmGib === undefined ? [] : ['--shm-size', `${Math.ceil(order.shmGib * 1024)}m`]),
    ...(order.cpu === undefined ? [] : ['--cpus', String(order.cpu)]),
    ...cardArgs(start.cards ?? [], program),
    ...pairs(
      '--mount',
      order.storage
        .filter(({ from }) => from === undefined)
        .map(({ mount, mode }) => `type=volume,destination=${mount}${mode === 'ro' ? ',readonly' : ''}`),
    ),
    ...pairs(
      '--volume',
      (binds ?? []).map(({ source, mount, mode }) => `${source}:${mount}:${mode}${existsSync(SELINUX) ? ',z' : ''}`),
    ),
    ...(entry === undefined ? [] : ['--entrypoint', entry]),
    order.image,
    ...rest,
    ...order.args,
  ]
}

/** Where labels decide what a container may read, folders of the host need one that containers have. */
const SELINUX = '/sys/fs/selinux/enforce'

/** Why an order cannot run in a container of this host; undefined: it can. */
export function refuseOrder(
  { image, storage, secrets }: Order,
  { objectStorage }: Pick<Can, 'objectStorage'>,
): string | undefined {
  if (!/^[A-Za-z0-9][^\s]*$/.test(image)) return `image: ${image.slice(0, 80)} is not the name of an image.`
  const fetched = storage.find(({ from }) => from !== undefined)
  if (fetched !== undefined && !objectStorage)
    return `storage: this host cannot fetch ${fetched.from}: run Berth as root, with rclone installed, or fetch it in the workload.`
  const odd = storage.find(({ mount }) => !/^\/[^,\0]*$/.test(mount))
  if (odd !== undefined) return `storage: ${odd.mount.slice(0, 80)} cannot be mounted.`
  const clash = secrets.find((name) => ENGINES_OWN.test(name))
  return clash === undefined ? undefined : `secrets: ${clash} has a meaning for the container engine: rename it.`
}

/** Multi-line secrets pass through the environment of the engine's command. These names would change what the engine does. */
const ENGINES_OWN = new RegExp(
  `^(${[
    'PATH|HOME|USER|TMPDIR|SHELL|KUBECONFIG|NOTIFY_SOCKET|LISTEN_(FDS|PID)|REGISTRY_AUTH_FILE|SSL_CERT_(FILE|DIR)',
    'GO(DEBUG|TRACEBACK|MAXPROCS|GC|MEMLIMIT|COVERDIR)|DBUS_SESSION_BUS_ADDRESS|CONMON|NETAVARK_FW',
    '_?(LD|XDG|DOCKER|CONTAINERS?|PODMAN|STORAGE|BUILDAH|BUILDKIT|GO|(HTTPS?|FTP|ALL|NO)_PROXY)(_.*)?',
  ].join('|')})$`,
  'i',
)

/** A secret takes precedence over a variable of the same name in the manifest. */
function variables({ order, secrets }: StartOrder): readonly string[] {
  const ports = portVariables(order.ports.map(({ name, port }) => ({ name, port, host: undefined })))
  const all = { ...order.env, ...ports, ...berthVariables(order) }
  return Object.entries(all).flatMap(([name, value]) => (secrets.has(name) ? [] : [`${name}=${value}`]))
}

/** The engine keeps logs in files of limited size: logs of other drivers cannot be read back. */
function logArgs(program: 'podman' | 'docker'): readonly string[] {
  const driver = program === 'podman' ? 'k8s-file' : 'json-file'
  return ['--log-driver', driver, '--log-opt', 'max-size=16m']
}

function cardArgs(cards: readonly string[], program: 'podman' | 'docker'): readonly string[] {
  if (cards.length === 0) return []
  if (program === 'docker') return ['--gpus', `"device=${cards.join(',')}"`]
  return pairs(
    '--device',
    cards.map((card) => `nvidia.com/gpu=${card}`),
  )
}

function pairs(flag: string, values: readonly string[]): readonly string[] {
  return values.flatMap((value) => [flag, value])
}
