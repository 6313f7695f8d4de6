import { isIP } from 'node:net'
import { addressIn, routeKey, type ReplicaRoute, type ServiceRoute } from '../../core/route/route.ts'

/** How many services HAProxy has room for, and how many replicas of each. Fixed when it starts. */
export interface Room {
  readonly services: number
  readonly replicas: number
}

/** One `server` of HAProxy. `drain`: it finishes what it has. `maint`: it is free. */
export interface ServerSeat {
  readonly state: 'ready' | 'drain' | 'maint'
  /** Left out: none yet. */
  readonly host?: string
  readonly port?: number
}

/** One `backend` of HAProxy, and the service that has it. */
export interface ServiceSeat {
  /** Left out: it is free. */
  readonly key?: string
  /** When the last service left it; left out: it never had one. */
  readonly freedMs?: number
  readonly servers: readonly ServerSeat[]
}

/** Something that found no seat, and why. */
export interface Unseated {
  readonly key: string
  readonly why: string
}

/** Requests that wait in a backend for one service must not meet the servers of the next one: longer than any of them waits. */
export const QUIET_MS = 60_000

const FREE: ServerSeat = { state: 'maint' }

export function emptySeats({ services, replicas }: Room): readonly ServiceSeat[] {
  return Array.from({ length: services }, () => ({ servers: Array.from({ length: replicas }, () => FREE) }))
}

/**
 * Who sits where. Services and replicas that have a seat keep it, so that nothing is told twice and nothing that runs is
 * disturbed; what is gone leaves its seat; what is new takes a free one.
 */
export function seated(
  before: readonly ServiceSeat[],
  routes: readonly ServiceRoute[],
  nowMs: number,
): { readonly seats: readonly ServiceSeat[]; readonly unseated: readonly Unseated[] } {
  const wanted = new Map(routes.map((route) => [routeKey(route), route]))
  const seats = before.map((seat) => (seat.key === undefined || wanted.has(seat.key) ? seat : freed(seat, nowMs)))
  const unseated: Unseated[] = []
  const taken = new Set(seats.map(({ key }) => key))
  for (const key of [...wanted.keys()].filter((one) => !taken.has(one)).toSorted()) {
    const at = longestFree(seats, nowMs)
    const free = seats[at]
    if (free === undefined) unseated.push({ key, why: whyFull(seats) })
    else seats[at] = { ...free, key }
  }
  const filled = seats.map((seat) => {
    const route = seat.key === undefined ? undefined : wanted.get(seat.key)
    if (route === undefined) return seat
    const { servers, left } = serversOf(seat.servers, route.replicas)
    unseated.push(...left.map((why) => ({ key: routeKey(route), why })))
    return { ...seat, servers }
  })
  return { seats: filled, unseated }
}

function whyFull(seats: readonly ServiceSeat[]): string {
  return seats.some(({ key }) => key === undefined)
    ? 'every free backend was used a moment ago: a minute must pass first'
    : 'no backend is free: raise --services and restart HAProxy'
}

function freed({ servers }: ServiceSeat, nowMs: number): ServiceSeat {
  return { freedMs: nowMs, servers: servers.map(() => FREE) }
}

/** The free seat that has been free for longest; -1: there is none. */
function longestFree(seats: readonly ServiceSeat[], nowMs: number): number {
  let best = -1
  for (const [at, { key, freedMs = -Infinity }] of seats.entries()) {
    const isQuiet = key === undefined && nowMs - freedMs >= QUIET_MS
    if (isQuiet && (best === -1 || freedMs < (seats[best]?.freedMs ?? -Infinity))) best = at
  }
  return best
}

/** A replica that is not ready keeps a seat that it has, and gets none that it has not. */
function serversOf(
  before: readonly ServerSeat[],
  replicas: readonly ReplicaRoute[],
): { readonly servers: readonly ServerSeat[]; readonly left: readonly string[] } {
  const left: string[] = []
  const wanted = new Map<string, ServerSeat>()
  for (const { address, state } of replicas) {
    const at = addressIn(address)
    const why = at === undefined ? 'cannot be read' : at.tls ? 'speaks TLS' : isIP(at.host) === 0 ? 'is a name' : ''
    if (at !== undefined && why === '') {
      wanted.set(address, { state: state === 'ready' ? 'ready' : 'drain', host: at.host, port: at.port })
    } else left.push(`${address} ${why}: HAProxy is told of IP addresses without TLS alone`)
  }
  const servers = before.map((server) => {
    const address = textOf(server)
    const kept = address === undefined ? undefined : wanted.get(address)
    if (address !== undefined) wanted.delete(address)
    return kept ?? FREE
  })
  for (const [address, server] of wanted) {
    if (server.state !== 'ready') continue
    // One that was free before, if there is one: what leaves goes on until HAProxy has its successor.
    const free = servers.findIndex(({ state }, seat) => state === 'maint' && before[seat]?.state === 'maint')
    const at = free === -1 ? servers.findIndex(({ state }) => state === 'maint') : free
    if (at === -1) left.push(`${address} has no server: raise --replicas and restart HAProxy`)
    else servers[at] = server
  }
  return { servers, left }
}

function textOf({ host, port }: ServerSeat): string | undefined {
  if (host === undefined) return undefined
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
