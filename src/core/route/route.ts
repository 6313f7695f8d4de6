import { addressText, type PortAddress } from '../life/call/address.ts'
import type { Placement } from '../life/placement.ts'
import { withoutSuccessors } from '../life/seats.ts'
import { groupOf, partOf, roleOf, slotOfSeat } from '../life/slots.ts'
import type { Workload } from '../life/workload.ts'
import type { Manifest, Port } from '../manifest/manifest.ts'

/** Everything that a gateway must know to serve one service. Plain JSON: it travels and is kept in a file. */
export interface ServiceRoute {
  readonly project: string
  readonly name: string
  /** Which requests go to the same replica; left out: none in particular. */
  readonly affinity?: Affinity | undefined
  /** A request that takes longer than this share of the others has a second copy sent; left out: none has. */
  readonly hedge?: number | undefined
  readonly replicas: readonly ReplicaRoute[]
}

/** One entry of the stream of routes: all of them between `start` and `whole`, then what changes. */
export type RouteEntry =
  | { readonly kind: 'start' }
  | { readonly kind: 'route'; readonly route: ServiceRoute }
  | { readonly kind: 'gone'; readonly project: string; readonly name: string }
  | { readonly kind: 'whole' }

type Affinity = 'session' | 'prefix'

/** One replica behind a service. */
export interface ReplicaRoute {
  /** The slot and its attempt: never used twice. */
  readonly id: string
  /** `10.0.0.1:8000`, `tls://pod.example.com:443`. */
  readonly address: string
  /** The path that answers 2xx while it works; left out: it has none. */
  readonly health?: string | undefined
  readonly provider: string
  readonly region: string
  /**
   * `ready`: the control plane has seen it healthy, or cannot tell because it has no health path. `unseen`: its health path
   * has not answered well yet. `ill`: it did, and now fails. `leaving`: it finishes what it has and gets nothing new.
   */
  readonly state: ReplicaState
}

type ReplicaState = 'ready' | 'unseen' | 'ill' | 'leaving'

/** The route of a workload; undefined: it is no service, or callers outside may reach none of its ports. */
export function routeOf(workload: Workload, placements: readonly Placement[]): ServiceRoute | undefined {
  const { project, name, manifest, uid } = workload
  const served = manifest.kind === 'service' ? servedOf(manifest) : undefined
  if (served === undefined || workload.want === 'removed') return undefined
  const own = placements.filter(
    ({ order: { tag } }) => tag.uid === uid && isLeading(tag.slot) && roleOf(manifest, tag.slot) === served.role,
  )
  // A successor gets no requests before it takes over from what is in charge.
  const replicas = withoutSuccessors(own).flatMap((placement) => replicaOf(placement, served.port, workload))
  const { affinity, hedge } = manifest.routing ?? {}
  return { project, name, ...(affinity && { affinity }), ...(hedge !== undefined && { hedge }), replicas }
}

/** One machine of each replica gets its requests: the only one, or the first of several. */
function isLeading(seat: string): boolean {
  const slot = slotOfSeat(seat)
  const group = groupOf(slot)
  return slot === group || slot === `${group}.0`
}

interface Served {
  readonly role: string | undefined
  readonly port: Port
}

/** Whether a gateway has a route to such a workload. */
export function isServed(manifest: Manifest): boolean {
  return manifest.kind === 'service' && servedOf(manifest) !== undefined
}

/** The first port that callers outside may reach: of the workload, or of the first role that has one. */
function servedOf(manifest: Manifest): Served | undefined {
  const roles = manifest.roles.length === 0 ? [undefined] : manifest.roles.map(({ name }) => name)
  for (const role of roles) {
    const port = partOf(manifest, role).ports.find(({ expose }) => expose === 'public')
    if (port !== undefined) return { role, port }
  }
  return undefined
}

function replicaOf(placement: Placement, { name, health }: Port, { want }: Workload): readonly ReplicaRoute[] {
  const { phase, order, ports } = placement
  const address = ports[name]
  if (address === undefined || (phase !== 'running' && phase !== 'stopping')) return []
  const { provider, region } = order.place
  const id = `${order.tag.slot}.${order.tag.attempt}`
  const state = phase === 'stopping' || want !== 'running' ? 'leaving' : stateOf(placement, health)
  return [{ id, address, ...(health !== undefined && { health }), provider, region, state }]
}

/** One that is still starting is named: gateways ask it themselves, and know of it as soon as it is well. */
function stateOf({ healthy, wellMs }: Placement, health: string | undefined): ReplicaState {
  if (health === undefined || healthy === true) return 'ready'
  return healthy === false && wellMs !== undefined ? 'ill' : 'unseen'
}

/** The key of a service in every table of routes. */
export function routeKey({ project, name }: Pick<ServiceRoute, 'project' | 'name'>): string {
  return `${project}/${name}`
}

/** The opposite of `addressText`. Undefined: it is no address. */
export function addressIn(text: string): PortAddress | undefined {
  const [, tls, bracketed, bare, port] = /^(tls:\/\/)?(?:\[([^\]\s]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? bare
  if (host === undefined || Number(port) > 65_535) return undefined
  const address = { host, port: Number(port), tls: tls !== undefined }
  return addressText(address) === text ? address : undefined
}
