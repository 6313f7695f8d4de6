import { refuse } from '../core/base/refuse.ts'
import type { Principal } from '../service/deps.ts'

/** How many streams may be open at once: in all, by one token, and from one address. */
export interface SeatLimits {
  readonly all: number
  readonly token: number
  readonly address: number
  /** Reserved for administrators of the installation. */
  readonly reserve: number
}

const SEATS: SeatLimits = { all: 512, token: 32, address: 256, reserve: 64 }

export interface Sitter {
  readonly actor: Pick<Principal, 'name' | 'role' | 'projects'>
  readonly address: string
}

/** Limits open streams so that no caller can use them all. */
export class Seats {
  readonly #limits: SeatLimits
  readonly #tokens = new Map<string, number>()
  readonly #addresses = new Map<string, number>()
  #taken = 0

  constructor(limits: SeatLimits = SEATS) {
    this.#limits = limits
  }

  /** Takes a stream, or throws the reason why not. Returns a function that gives it back; further calls do nothing. */
  take({ actor, address }: Sitter): () => void {
    const { all, token, reserve, address: fromOne } = this.#limits
    const isAdministrator = actor.role === 'admin' && actor.projects.includes('*')
    if ((this.#tokens.get(actor.name) ?? 0) >= token) throw full(`${actor.name} already has ${token} streams open.`)
    if (!isAdministrator && (this.#addresses.get(address) ?? 0) >= fromOne) {
      throw full(`${fromOne} streams from this address are already open.`)
    }
    if (this.#taken >= (isAdministrator ? all : all - reserve)) throw full(`${this.#taken} streams are already open.`)
    this.#change({ actor, address }, 1)
    let isTaken = true
    return () => {
      if (isTaken) this.#change({ actor, address }, -1)
      isTaken = false
    }
  }

  #change({ actor, address }: Sitter, by: 1 | -1): void {
    this.#taken += by
    count(this.#tokens, actor.name, by)
    count(this.#addresses, address, by)
  }
}

function count(counts: Map<string, number>, name: string, by: number): void {
  const after = (counts.get(name) ?? 0) + by
  if (after === 0) counts.delete(name)
  else counts.set(name, after)
}

function full(message: string) {
  return refuse('STREAMS_FULL', message, 'Close a -f command that is no longer needed, or run the command without -f.')
}
