import { connect } from 'node:net'
import { backendName, mapKeys, serverName } from './config.ts'
import type { ServerSeat, ServiceSeat } from './seats.ts'

/** What a running HAProxy has: its servers by `backend/server`, and its map. */
export interface HaproxyState {
  readonly servers: ReadonlyMap<string, Required<ServerSeat>>
  readonly map: ReadonlyMap<string, string>
}

const ANSWER_MS = 5000
/** HAProxy reads so much of one line of commands. */
const LINE_MAX = 12_000
/** Bits of `srv_admin_state`. Another one, 0x04, says only how a server began. */
const MAINTENANCE = 0x01 | 0x02 | 0x20
const DRAINING = 0x08 | 0x10

/** Everything that is to be known of a running HAProxy; undefined: none answers. */
export async function readRunning(socket: string, map: string): Promise<HaproxyState | undefined> {
  const servers = await ask(socket, 'show servers state')
  const entries = await ask(socket, `show map ${map}`)
  return servers === undefined || entries === undefined
    ? undefined
    : { servers: serversIn(servers), map: mapIn(entries) }
}

/** Sends commands, some at a time; what HAProxy says to them is not believed: the next look shows what came of it. */
export async function tell(socket: string, commands: readonly string[]): Promise<void> {
  let line = ''
  for (const command of commands) {
    if (line.length + command.length > LINE_MAX) {
      await ask(socket, line)
      line = ''
    }
    line = line === '' ? command : `${line}; ${command}`
  }
  if (line !== '') await ask(socket, line)
}

/**
 * The commands that make a running HAProxy what the seats say, in an order in which no request ever meets the servers of
 * another service: a service leaves the map before its backend changes, and enters it after.
 */
export function commandsFor(seats: readonly ServiceSeat[], running: HaproxyState, map: string): readonly string[] {
  const backends = new Map(
    seats.flatMap(({ key }, seat) =>
      key === undefined ? [] : mapKeys(key).map((each) => [each, backendName(seat)] as const),
    ),
  )
  const leave = [...running.map].filter(([key, backend]) => backends.get(key) !== backend)
  const enter = [...backends].filter(([key, backend]) => running.map.get(key) !== backend)
  return [
    ...leave.map(([key]) => `del map ${map} ${key}`),
    ...seats.flatMap(({ servers }, seat) => {
      const changes = servers.map((server, at) => changesOf(`${backendName(seat)}/${serverName(at)}`, server, running))
      // What comes comes first, so that a service is never without any.
      const isComing = (_: readonly string[], at: number): boolean => servers[at]?.state === 'ready'
      return [...changes.filter(isComing), ...changes.filter((each, at) => !isComing(each, at))].flat()
    }),
    ...enter.map(([key, backend]) => `add map ${map} ${key} ${backend}`),
  ]
}

/** How many servers of the seats this HAProxy does not have: it was started with another configuration. */
export function missingServers(seats: readonly ServiceSeat[], { servers }: HaproxyState): number {
  const names = seats.flatMap((seat, at) => seat.servers.map((_, each) => `${backendName(at)}/${serverName(each)}`))
  return names.filter((name) => !servers.has(name)).length
}

function changesOf(name: string, { state, host, port }: ServerSeat, running: HaproxyState): readonly string[] {
  const is = running.servers.get(name)
  if (is === undefined) return []
  const isElsewhere = host !== undefined && (is.host !== host || is.port !== port)
  if (isElsewhere && state !== 'maint') {
    const moved = [`set server ${name} addr ${host} port ${port}`, `set server ${name} state ${state}`]
    return is.state === 'maint' ? moved : [`set server ${name} state maint`, ...moved]
  }
  return is.state === state ? [] : [`set server ${name} state ${state}`]
}

function serversIn(text: string): HaproxyState['servers'] {
  const lines = text.split('\n')
  const columns =
    lines
      .find((line) => line.startsWith('# '))
      ?.slice(2)
      .split(' ') ?? []
  const rows = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(' '))
  const of = (row: readonly string[], column: string): string => row[columns.indexOf(column)] ?? ''
  return new Map(
    rows
      .filter((row) => row.length >= columns.length && columns.length > 0)
      .map((row) => {
        const admin = Number(of(row, 'srv_admin_state'))
        const state = (admin & MAINTENANCE) !== 0 ? 'maint' : (admin & DRAINING) !== 0 ? 'drain' : 'ready'
        const at = { host: of(row, 'srv_addr'), port: Number(of(row, 'srv_port')) }
        return [`${of(row, 'be_name')}/${of(row, 'srv_name')}`, { state, ...at }] as const
      }),
  )
}

function mapIn(text: string): HaproxyState['map'] {
  const rows = text.split('\n').map((line) => line.split(' '))
  return new Map(rows.flatMap(([, key, value]) => (key === undefined || value === undefined ? [] : [[key, value]])))
}

/** One line of commands and what HAProxy answers; undefined: nobody does. */
function ask(path: string, line: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path)
    let text = ''
    let isWhole = false
    socket.setTimeout(ANSWER_MS, () => socket.destroy())
    socket.on('connect', () => socket.write(`${line}\n`))
    socket.on('data', (bytes) => (text += bytes.toString('utf8')))
    socket.on('end', () => (isWhole = true))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(isWhole ? text : undefined))
  })
}
