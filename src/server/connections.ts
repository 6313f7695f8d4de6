import { readFileSync } from 'node:fs'
import type { Server as NetServer, Socket } from 'node:net'
import type { Log } from '../ports/log.ts'

export interface ConnectionLimits {
  /** All open connections: well below the system's limit for a process, so that the store and providers have theirs. */
  readonly all: number
  /** Connections from one address that have not shown a valid token yet. */
  readonly unproven: number
  /** Connections with one token. */
  readonly token: number
}

interface Connection {
  readonly socket: Socket
  readonly address: string
}

/** The shortest time between two warnings that connections were closed to make room. */
const TELL_MS = 60_000
/** File descriptors kept for other uses. */
const OTHERS = 128
const CONNECTIONS_MAX = 4096

/** The limits for this process, derived from the system's limit on open files. */
export function connectionLimits(limits = '/proc/self/limits'): ConnectionLimits {
  const most = descriptorsMax(limits)
  const all = Math.max(32, Math.min(CONNECTIONS_MAX, most - OTHERS, Math.floor(most / 2)))
  return { all, unproven: Math.max(8, Math.min(64, Math.floor(all / 4))), token: Math.floor(all / 4) }
}

/** The soft limit on open files; where it is unknown, the lowest common default. */
function descriptorsMax(file: string): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync(file, 'utf8')) ?? []
    return soft === undefined ? 1024 : Number(soft)
  } catch {
    return 1024
  }
}

/**
 * The connections of a server. Those that have shown no token give way to newer ones, oldest first. A client that opens
 * thousands of incomplete requests pushes out its own, and a caller that sends its token at once gets through.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #log: Log
  readonly #tickMs: () => number
  readonly #unproven = new Map<string, Connection>()
  readonly #proven = new Set<string>()
  readonly #ofToken = new Map<string, Set<Socket>>()
  readonly #fromOne = new Map<string, Set<string>>()
  #ended = 0
  #toldMs = Number.NEGATIVE_INFINITY

  constructor(limits: ConnectionLimits, { log, tickMs }: { readonly log: Log; readonly tickMs: () => number }) {
    this.#limits = limits
    this.#log = log
    this.#tickMs = tickMs
  }

  watch(server: NetServer): void {
    // Node refuses connections above this number. It is not reached, because room is made before.
    server.maxConnections = this.#limits.all + 16
    server.on('connection', (socket: Socket) => this.#open(socket))
    server.on('drop', () => this.#count())
  }

  /** Marks a connection as one with a valid token. Each token has a limit; beyond it the oldest connection is closed. */
  prove(socket: Socket, token: string): void {
    const name = nameOf(socket)
    if (!this.#forget(name)) return
    this.#proven.add(name)
    const mine = this.#ofToken.get(token) ?? new Set()
    this.#ofToken.set(token, mine.add(socket))
    socket.once('close', () => {
      mine.delete(socket)
      if (mine.size === 0) this.#ofToken.delete(token)
    })
    if (mine.size <= this.#limits.token) return
    mine.values().next().value?.destroy()
    this.#count()
  }

  /** How many connections were closed to make room since the start. */
  get ended(): number {
    return this.#ended
  }

  #open(socket: Socket): void {
    const name = nameOf(socket)
    const address = socket.remoteAddress ?? ''
    this.#unproven.set(name, { socket, address })
    const siblings = this.#fromOne.get(address) ?? new Set()
    this.#fromOne.set(address, siblings.add(name))
    socket.once('close', () => {
      this.#proven.delete(name)
      this.#forget(name)
    })
    const isCrowded = siblings.size > this.#limits.unproven
    const oldest = isCrowded ? siblings.values().next().value : this.#oldestIfFull()
    if (oldest !== undefined) this.#end(oldest)
  }

  #oldestIfFull(): string | undefined {
    if (this.#unproven.size + this.#proven.size <= this.#limits.all) return undefined
    return this.#unproven.keys().next().value
  }

  #end(name: string): void {
    this.#unproven.get(name)?.socket.destroy()
    this.#forget(name)
    this.#count()
  }

  #count(): void {
    this.#ended++
    const nowMs = this.#tickMs()
    if (nowMs - this.#toldMs < TELL_MS) return
    this.#toldMs = nowMs
    this.#log.warn('connections were closed to make room for others', { ended_since_start: this.#ended })
  }

  #forget(name: string): boolean {
    const address = this.#unproven.get(name)?.address
    if (address === undefined) return false
    const siblings = this.#fromOne.get(address)
    siblings?.delete(name)
    if (siblings?.size === 0) this.#fromOne.delete(address)
    return this.#unproven.delete(name)
  }
}

/** A key that is the same for a connection and for the TLS socket on top of it. */
function nameOf({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`
}
