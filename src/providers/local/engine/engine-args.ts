import type { Order } from '../../../core/keep/order.ts'
import { writeNote } from '../note.ts'
import { berthVariables, portVariables } from '../process/environment.ts'
import { instanceOf, type Start } from '../runtime.ts'

export const NOTE_LABEL = 'berth.note'

/** The arguments that run an order. Names of secrets are in them, values never. */
export function runArgs(start: Start, program: 'podman' | 'docker', flags: readonly string[]): readonly string[] {
  const { order, note } = start
  const [entry, ...rest] = order.command
  return [
    'run',
    '--detach',
    ...flags,
    ...pairs('--name', [instanceOf(note.tag.attempt)]),
    ...pairs('--label', [`${NOTE_LABEL}=${writeNote(note)}`]),
    ...logArgs(program),
    ...pairs(
      '--publish',
      order.ports.map(({ port }) => `127.0.0.1::${port}`),
    ),
    ...pairs('--env', variables(order)),
    ...pairs('--env', [...start.secrets.keys()]),
    ...(order.memoryGib === undefined ? [] : ['--memory', `${Math.ceil(order.memoryGib * 1024)}m`]),
    ...(order.cpu === undefined ? [] : ['--cpus', String(order.cpu)]),
    ...cardArgs(start.cards ?? [], program),
    ...pairs(
      '--mount',
      order.storage.map(({ mount, mode }) => `type=volume,destination=${mount}${mode === 'ro' ? ',readonly' : ''}`),
    ),
    ...(entry === undefined ? [] : ['--entrypoint', entry]),
    order.image,
    ...rest,
    ...order.args,
  ]
}

/** Why an order cannot run in a container of this host; undefined: it can. */
export function refuseOrder({ image, storage, secrets }: Order): string | undefined {
  if (!/^[A-Za-z0-9][^\s]*$/.test(image)) return `image: ${image.slice(0, 80)} is not the name of an image.`
  const fetched = storage.find(({ from }) => from !== undefined)
  if (fetched !== undefined)
    return `storage: this host cannot fetch ${fetched.from}: leave out \`from\`, and fetch it in the workload.`
  const odd = storage.find(({ mount }) => !/^\/[^,\0]*$/.test(mount))
  if (odd !== undefined) return `storage: ${odd.mount.slice(0, 80)} cannot be mounted.`
  const clash = secrets.find((name) => ENGINES_OWN.test(name))
  return clash === undefined
    ? undefined
    : `secrets: ${clash} means something to the container engine: give it another name.`
}

/** Secrets go through the environment of the engine's command: these would change what it does. */
const ENGINES_OWN =
  /^(PATH|HOME|USER|TMPDIR|SHELL|(LD|XDG|DOCKER|CONTAINERS?|PODMAN|STORAGE|BUILDAH|GO|HTTPS?_PROXY|NO_PROXY)(_.*)?)$/i

function variables(order: Order): readonly string[] {
  const ports = portVariables(order.ports.map(({ name, port }) => ({ name, port, host: undefined })))
  const all = { ...order.env, ...ports, ...berthVariables(order) }
  return Object.entries(all).map(([name, value]) => `${name}=${value}`)
}

/** Kept by the engine itself in a file of limited size: other drivers cannot be read back. */
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
