import { refuse } from '../core/base/refuse.ts'
import type { Principal } from '../service/deps.ts'

/** How many streams may be open at once: in all, by one token, and from one address. */
export interface SeatLimits {
  readonly all: number
  readonly token: number
  readonly address: number
  /** Kept free of everybody but administrators of the installation. */
  readonly reserve: number
}

const SEATS: SeatLimits = { all: 512, token: 32, address: 256, reserve: 64 }

export interface Sitter {
  readonly actor: Pick<Principal, 'name' | 'role' | 'projects'>
  readonly address: string
}

/** Open streams, shared out so that no one caller can have them all. */
export class Seats {
  readonly #limits: SeatLimits
  readonly #tokens = new Map<string, number>()
  readonly #addresses = new Map<string, number>()
  #taken = 0

  constructor(limits: SeatLimits = SEATS) {
    this.#limits = limits
  }

  /** Takes one, or throws why not. Answers how to give it back, once. */
  take({ actor, address }: Sitter): () => void {
    const { all, token, reserve, address: fromOne } = this.#limits
    const isAdministrator = actor.role === 'admin' && actor.projects.includes('*')
    if ((this.#tokens.get(actor.name) ?? 0) >= token) throw full(`${actor.name} has ${token} streams open already.`)
    if (!isAdministrator && (this.#addresses.get(address) ?? 0) >= fromOne) {
      throw full(`${fromOne} streams are open from this address already.`)
    }
    if (this.#taken >= (isAdministrator ? all : all - reserve)) throw full(`${this.#taken} streams are open already.`)
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
  return refuse('STREAMS_FULL', message, 'Close a -f command that nobody watches, or ask without following.')
}
