import { residencyOfRegion } from '../../core/hardware/residency.ts'
import type { PortAddress } from '../../core/life/call/address.ts'
import type { Order } from '../../core/life/call/order.ts'
import { versionNumber } from '../../core/base/version.ts'
import type { OfferDraft } from '../../core/offer/identity.ts'
import type { Stock } from '../../core/offer/offer.ts'
import type { Instance } from '../../ports/provider.ts'
import type { CloudMachine, CloudStart } from '../cloud/api.ts'
import { machineName, noteText, readNoteText } from '../cloud/note.ts'
import { cloudOffer } from '../cloud/offer.ts'
import { isWanted } from '../cloud/settings.ts'
import { readPod, readStray, type RunpodGpu, type RunpodOrder, type RunpodPod } from './api.ts'
import type { RunpodCloud, RunpodSettings } from './settings.ts'

/** How many cards a pod is offered with. */
export const COUNTS: readonly number[] = [1, 2, 4, 8]

/** Where a pod goes when its data centre is not chosen. */
const ANYWHERE = 'anywhere'

interface Sale {
  readonly provider: string
  readonly cloud: RunpodCloud
  readonly count: number
  readonly seenAtMs: number
}

/** The offers of one type of card: one for each data centre that has it. */
export function offersOf(gpu: RunpodGpu, sale: Sale, settings: RunpodSettings): readonly OfferDraft[] {
  const side = sale.cloud === 'SECURE' ? 'secure' : 'community'
  if (sale.count > gpu.maxCount[side] || gpu.price[side] === 0) return []
  const places = gpu.dataCenters ?? [{ id: ANYWHERE, availability: gpu.availability ?? 'NONE' }]
  return places
    .filter(({ id }) => isWanted(settings, id))
    .map(({ id, availability }) => {
      const residency = residencyOfRegion(id)
      return cloudOffer({
        provider: sale.provider,
        region: id,
        instance: `${sale.count}x ${gpu.id} (${side})`,
        cards: { cloud: 'runpod', named: gpu.id, describedAs: gpu.name, count: sale.count, vramGb: gpu.memory },
        cuda: surelyCuda(gpu),
        inbound: true,
        usdPerHour: gpu.price[side] * sale.count,
        stock: stockOf(availability, sale.seenAtMs),
        residency,
        trust: side === 'secure' ? 'secure-cloud' : 'community',
      })
    })
}

/** The CUDA version that every host with room has: the newest one may be on a host that is not chosen. */
function surelyCuda({ cudaVersions = [] }: RunpodGpu): string | undefined {
  const there = cudaVersions.filter(({ available, version }) => available && versionNumber(version) !== undefined)
  return there.toSorted((one, two) => (versionNumber(one.version) ?? 0) - (versionNumber(two.version) ?? 0))[0]?.version
}

function stockOf(level: 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH', seenAtMs: number): Stock {
  const levels = { NONE: 'sold_out', LOW: 'low', MEDIUM: 'available', HIGH: 'available' } as const
  return { level: levels[level], units: level === 'NONE' ? 0 : undefined, seenAtMs }
}

/** What an offer's name says; undefined: it is no name of ours. */
export function shapeOf(
  instance: string,
): { readonly count: number; readonly gpu: string; readonly cloud: RunpodCloud } | undefined {
  const match = /^(\d{1,2})x (.{1,100}) \((secure|community)\)$/.exec(instance)
  if (match === null) return undefined
  return { count: Number(match[1]), gpu: match[2] ?? '', cloud: match[3] === 'secure' ? 'SECURE' : 'COMMUNITY' }
}

/** Holds the note of a pod. */
const NOTE = 'BERTH_NOTE'

export function orderOf(start: CloudStart, settings: RunpodSettings): RunpodOrder | undefined {
  const { order, note, env } = start
  const shape = shapeOf(order.place.instance)
  if (shape === undefined) return undefined
  const args = argsOf(order)
  const { region } = order.place
  return {
    name: machineName(order.tag),
    image: order.image,
    ...(args !== undefined && { args }),
    disk: Math.ceil(Math.max(1, order.diskGib ?? settings.diskGb)),
    env: { ...env, [NOTE]: noteText(note) },
    ports: order.ports.map(({ port }) => `${port}/${settings.ports === 'proxy' ? 'http' : 'tcp'}`),
    ...(settings.registry !== undefined && { registry: settings.registry }),
    gpu: { id: shape.gpu, count: shape.count },
    cloud: shape.cloud,
    ...(region !== ANYWHERE && { dataCenterIds: [region] }),
  }
}

/**
 * Arguments are one text. Plain words mean the same however it is taken apart; for anything else, and for a command in place
 * of the image's own, RunPod reads a JSON object with lists, which leaves nothing to take apart.
 */
function argsOf({ command, args }: Pick<Order, 'command' | 'args'>): string | undefined {
  if (command.length === 0 && args.length === 0) return undefined
  const isPlain = command.length === 0 && args.every((word) => /^[\w@%+=:,./-]+$/.test(word))
  if (isPlain) return args.join(' ')
  return JSON.stringify({ ...(command.length > 0 && { entrypoint: command }), cmd: args })
}

/** Every entry of a list; one that cannot be read still has its name. */
export function machineOf(value: unknown, settings: RunpodSettings): CloudMachine {
  const pod = readPod(value)
  return pod === undefined ? { ...readStray(value), note: undefined, state: 'unclear' } : machineOfPod(pod, settings)
}

export function machineOfPod(pod: RunpodPod, settings: RunpodSettings): CloudMachine {
  const state = STATES[pod.status] ?? 'unclear'
  const isFailed = pod.status === 'ERROR'
  const neverRan = isFailed && (pod.startedAt === undefined || pod.startedAt === null)
  const written = pod.env[NOTE]
  return {
    id: pod.id,
    name: pod.name,
    note: written === undefined ? undefined : readNoteText(written),
    state,
    ...(neverRan && { exit: { kind: 'start', why: 'RunPod says that it is in an error state' } }),
    endedItself: pod.status === 'EXITED',
    ports: portsOf(pod, settings),
    usdPerHour: pod.cost,
    lingers: state === 'ended' && pod.status !== 'TERMINATED',
  }
}

const STATES: Readonly<Partial<Record<string, Instance['state']>>> = {
  PROVISIONING: 'starting',
  STARTING: 'starting',
  RUNNING: 'up',
  EXITED: 'ended',
  ERROR: 'ended',
  TERMINATED: 'ended',
}

function portsOf(pod: RunpodPod, { ports }: RunpodSettings): ReadonlyMap<number, PortAddress> {
  if (ports === 'direct') {
    const mapped = (pod.runtime?.ports ?? []).flatMap(({ private: inner, public: outer, ip }) => {
      if (typeof outer !== 'number' || typeof ip !== 'string') return []
      return [[inner, { host: ip, port: outer, tls: false }] as const]
    })
    return new Map(mapped)
  }
  const note = readNoteText(pod.env[NOTE] ?? '')
  return new Map(
    (note?.ports ?? []).map(({ port }) => [port, { host: `${pod.id}-${port}.proxy.runpod.net`, port: 443, tls: true }]),
  )
}
