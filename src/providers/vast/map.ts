import { residencyOfRegion } from '../../core/hardware/residency.ts'
import type { PortAddress } from '../../core/life/call/address.ts'
import type { Exit } from '../../core/life/call/exit.ts'
import type { Order } from '../../core/life/call/order.ts'
import type { OfferDraft } from '../../core/offer/identity.ts'
import type { Instance } from '../../ports/provider.ts'
import type { CloudMachine, CloudStart } from '../cloud/api.ts'
import { machineName, noteText, readNoteText } from '../cloud/note.ts'
import { cloudOffer } from '../cloud/offer.ts'
import { readInstance, readLabelled, type VastAsk, type VastInstance, type VastOrder } from './api.ts'
import type { VastSettings } from './settings.ts'

const GB_IN_GIB = 1e9 / 2 ** 30

interface Sale {
  readonly provider: string
  readonly seenAtMs: number
}

/** Each ask is an offer of its own, of which there is one. */
export function offerOf(ask: VastAsk, { provider, seenAtMs }: Sale): OfferDraft {
  const share = ask.gpu_frac ?? 1
  const link = ask.num_gpus < 2 || typeof ask.bw_nvlink !== 'number' ? undefined : ask.bw_nvlink > 0 ? 'nvlink' : 'pcie'
  const region = countryOf(ask.geolocation)
  return cloudOffer({
    provider,
    region,
    instance: `${ask.num_gpus}x ${ask.gpu_name} (ask ${ask.id})`,
    cards:
      ask.num_gpus === 0
        ? undefined
        : {
            cloud: 'vast',
            named: ask.gpu_name.replaceAll('_', ' '),
            count: ask.num_gpus,
            vramGb: ask.gpu_ram / 1024,
            ...(link !== undefined && { link }),
          },
    cpu: ask.cpu_cores_effective ?? undefined,
    memoryGib: typeof ask.cpu_ram === 'number' ? (ask.cpu_ram / 1024) * share : undefined,
    diskGib: typeof ask.disk_space === 'number' ? ask.disk_space * GB_IN_GIB : undefined,
    hostArch: ask.cpu_arch === 'amd64' || ask.cpu_arch === 'arm64' ? ask.cpu_arch : undefined,
    driver: ask.driver_version ?? undefined,
    cuda: typeof ask.cuda_max_good === 'number' ? ask.cuda_max_good.toFixed(1) : undefined,
    inbound: typeof ask.direct_port_count === 'number' ? ask.direct_port_count > 0 : undefined,
    usdPerHour: ask.dph_total,
    spotUsdPerHour: ask.min_bid ?? undefined,
    stock: {
      level: ask.rentable === false ? 'sold_out' : 'available',
      units: ask.rentable === false ? 0 : 1,
      seenAtMs,
    },
    reliability: ask.reliability2 ?? undefined,
    egressUsdPerGib: typeof ask.inet_up_cost === 'number' ? ask.inet_up_cost / GB_IN_GIB : undefined,
    residency: residencyOfRegion(region),
    trust: 'community',
  })
}

/** `SE` of `Sweden, SE`. */
function countryOf(place: string | null | undefined): string {
  return /(?:^|, ?)([A-Z]{2})$/.exec(place ?? '')?.[1] ?? 'unknown'
}

/** The number of the ask in the name of an offer; undefined: it is no name of ours. */
export function askIn(instance: string): number | undefined {
  const match = /\(ask (\d{1,15})\)$/.exec(instance)
  return match === null ? undefined : Number(match[1])
}

const NOTE = 'BERTH_NOTE'

/** What cannot be said in the one text that Vast takes variables in, in words; undefined: it can. */
export function unsayable({ env, command, ports }: Order): string | undefined {
  if (command.length > 0) return 'Vast cannot replace the entry of an image: use args instead of command.'
  const odd = Object.entries(env).find(([, value]) => !SAFE.test(value))?.[0]
  if (odd !== undefined)
    return `env.${odd}: Vast takes variables in one text, so values have no blanks, quotes or signs of a shell.`
  return ports.length > 60 ? 'Vast exposes at most 60 ports.' : undefined
}

const SAFE = /^[\w@%+:,./=-]*$/

export function orderOf(
  { order, note, env }: CloudStart,
  settings: VastSettings,
  price: number | undefined,
): VastOrder {
  const written = Buffer.from(noteText(note)).toString('base64url')
  const variables = Object.entries({ ...env, [NOTE]: written }).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const ports = order.ports.flatMap(({ port }) => ['-p', `${port}:${port}`])
  return {
    image: order.image,
    label: machineName(order.tag),
    disk: Math.ceil(order.diskGib ?? settings.diskGb),
    runtype: 'args',
    target_state: 'running',
    // An ask that cannot start now is of no use: another one may.
    cancel_unavail: true,
    env: [...variables, ...ports].join(' '),
    ...(order.args.length > 0 && { args: order.args }),
    ...(price !== undefined && { price }),
  }
}

/** Every entry of a list; one that cannot be read still has its label. */
export function machineOf(value: unknown): CloudMachine {
  const instance = readInstance(value)
  return instance === undefined
    ? { ...readLabelled(value), note: undefined, state: 'unclear' }
    : machineOfInstance(instance)
}

function machineOfInstance(instance: VastInstance): CloudMachine {
  const [, written] = instance.extra_env?.find(([name]) => name === NOTE) ?? []
  const { state, exit } = stateOf(instance)
  return {
    id: String(instance.id),
    // Those that others started have no label, or another one.
    name: instance.label ?? 'nameless',
    note: written === undefined ? undefined : readNoteText(Buffer.from(written, 'base64url').toString('utf8')),
    state,
    ...(exit !== undefined && { exit }),
    ports: portsOf(instance),
    ...(typeof instance.dph_total === 'number' && { usdPerHour: instance.dph_total }),
    endedItself: instance.actual_status === 'exited',
    lingers: state === 'ended',
  }
}

/** An instance that was outbid is stopped in every respect, and costs what its disk costs. */
function stateOf(instance: VastInstance): { readonly state: Instance['state']; readonly exit?: Exit } {
  const {
    actual_status: actual,
    cur_state: now,
    next_state: next,
    intended_status: intended,
    status_msg: said,
  } = instance
  if (now === 'stopped' && next === 'stopped' && intended === 'stopped') {
    return instance.is_bid === true ? { state: 'ended', exit: { kind: 'preempted' } } : { state: 'ended' }
  }
  if (actual === 'created' && (said ?? '').includes('OCI runtime create failed'))
    return { state: 'ended', exit: { kind: 'start', why: (said ?? '').slice(0, 300) } }
  if (actual === null || actual === undefined) return { state: 'starting' }
  return { state: STATES[actual] ?? 'unclear' }
}

const STATES: Readonly<Partial<Record<string, Instance['state']>>> = {
  created: 'starting',
  loading: 'starting',
  running: 'up',
  exited: 'ended',
}

function portsOf({ ports, public_ipaddr: host }: VastInstance): ReadonlyMap<number, PortAddress> {
  if (typeof host !== 'string') return new Map()
  const mapped = Object.entries(ports ?? {}).flatMap(([inner, [outer]]) => {
    const port = Number(outer?.HostPort)
    return Number.isInteger(port)
      ? [[Number(inner.split('/')[0]), { host: host.trim(), port, tls: false }] as const]
      : []
  })
  return new Map(mapped)
}
