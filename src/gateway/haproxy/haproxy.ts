import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../core/base/problem.ts'
import { routeKey, type ServiceRoute } from '../../core/route/route.ts'
import type { Log } from '../../ports/log.ts'
import type { RouteTaker } from '../feed.ts'
import { renderConfig, renderMap } from './config.ts'
import { commandsFor, missingServers, readRunning, tell } from './runtime.ts'
import { emptySeats, seated, type Room, type ServiceSeat, type Unseated } from './seats.ts'

/** Where HAProxy listens, how much room it has, and the folder of its files. */
export interface HaproxySetup extends Room {
  readonly folder: string
  readonly listen: string
  readonly log: Log
  readonly nowMs: () => number
}

/** The longest path of a socket is a little longer. */
const PATH_MAX = 100

/**
 * Keeps a HAProxy in line with the routes: its files for its next start, and the running one through its socket, without a
 * reload. HAProxy is looked at again and again, so one that was restarted, or that missed something, is put right.
 */
export class Haproxy implements RouteTaker {
  readonly #setup: HaproxySetup
  readonly #routes = new Map<string, ServiceRoute>()
  readonly #at: { readonly config: string; readonly map: string; readonly socket: string; readonly seats: string }
  #seats: readonly ServiceSeat[]
  #written = ''
  #said = ''
  #told: 'nothing' | 'up' | 'away' = 'nothing'

  constructor(setup: HaproxySetup) {
    this.#setup = setup
    const at = (name: string): string => join(setup.folder, name)
    this.#at = { config: at('berth.cfg'), map: at('berth.map'), socket: at('haproxy.sock'), seats: at('seats.json') }
    refuseUnusable(setup.folder, this.#at.socket)
    mkdirSync(setup.folder, { recursive: true, mode: 0o700 })
    this.#seats = readSeats(this.#at.seats, setup)
  }

  /** The file that HAProxy is started with. */
  get config(): string {
    return this.#at.config
  }

  take(route: ServiceRoute): void {
    this.#routes.set(routeKey(route), route)
  }

  drop(key: string): void {
    this.#routes.delete(key)
  }

  /** Writes what changed, and puts a running HAProxy right. Answers how many commands it took; undefined: none runs. */
  async look(): Promise<number | undefined> {
    const { seats, unseated } = seated(this.#seats, [...this.#routes.values()], this.#setup.nowMs())
    this.#seats = seats
    this.#write()
    this.#say(unseated)
    const running = await readRunning(this.#at.socket, this.#at.map)
    this.#noticed(running !== undefined)
    if (running === undefined) return undefined
    const commands = commandsFor(seats, running, this.#at.map)
    await tell(this.#at.socket, commands)
    const missing = missingServers(seats, running)
    if (missing > 0) this.#say([...unseated, { key: 'HAProxy', why: 'runs an older configuration: restart it' }])
    return commands.length
  }

  /** Seats first: after a crash in between, nobody sits where HAProxy still has somebody else. */
  #write(): void {
    const seats = JSON.stringify(this.#seats)
    if (seats === this.#written) return
    try {
      replace(this.#at.seats, seats)
      replace(this.#at.map, renderMap(this.#seats))
      replace(this.#at.config, renderConfig(this.#seats, { ...this.#setup, ...this.#at }))
      this.#written = seats
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#setup.log.error('the files of HAProxy could not be written; its restart would begin with older routes', {
        why,
      })
    }
  }

  /** Once, until something else is to be said. */
  #say(unseated: readonly Unseated[]): void {
    const said = JSON.stringify(unseated)
    if (said === this.#said) return
    this.#said = said
    for (const { key, why } of unseated) this.#setup.log.warn('not served by HAProxy', { service: key, why })
  }

  #noticed(isUp: boolean): void {
    const told = isUp ? 'up' : 'away'
    if (told === this.#told) return
    this.#told = told
    if (isUp) this.#setup.log.info('HAProxy answers; it is kept up to date', { services: this.#routes.size })
    else
      this.#setup.log.warn('no HAProxy answers; its files are kept up to date', { start: `haproxy -f ${this.config}` })
  }
}

function refuseUnusable(folder: string, socket: string): void {
  // HAProxy splits its lines at these, and this is where its files are named.
  const isOdd = !/^[A-Za-z0-9_./-]+$/.test(folder)
  if (!isOdd && socket.length <= PATH_MAX) return
  const why = isOdd ? 'has characters that HAProxy cannot read in a path' : 'is too long for the path of a socket'
  const hint = 'Use a short folder of letters, digits, `.`, `_` and `-`, such as /var/lib/berth/haproxy'
  throw new UserError([{ code: 'LISTEN_INVALID', message: `The folder ${folder} ${why}.`, found: folder, hint }])
}

/** A seat that was freed may still have requests that wait. Its time is of another process: it rests as if freed now. */
function readSeats(file: string, { services, replicas, nowMs }: HaproxySetup): readonly ServiceSeat[] {
  const empty = emptySeats({ services, replicas })
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    // Written by `#write` alone; whatever else it may be is found out below.
    const kept = Array.isArray(read) ? (read as readonly ServiceSeat[]) : []
    return empty.map((seat, at) => {
      const { key, freedMs, servers = [] } = kept[at] ?? {}
      if (key === undefined) return freedMs === undefined ? seat : { ...seat, freedMs: nowMs() }
      return { key, servers: seat.servers.map((server, each) => servers[each] ?? server) }
    })
  } catch {
    return empty
  }
}

function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
