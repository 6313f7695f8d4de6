import type { CardPart, Request } from '../../fleet/fleet.ts'
import { demandOn, type CardKind, type Demand } from './card-code.ts'
import type { Pool } from './states.ts'

/** One kind of work: equal requests are the same kind and share everything that is known about it. */
export interface Kind {
  readonly id: number
  readonly request: Request
  readonly cpu: number
  readonly memory: number
  readonly disk: number
  readonly count: number
  /** How each pool would meet it; undefined: not in that pool. Without cards every pool will do, and the demand is empty. */
  readonly on: readonly (Demand | undefined)[]
  /** Index of its list of allowed pools; kinds with the same pools share a list. */
  readonly list: number
}

/** Kinds of work, identified by their request. */
export class Kinds {
  readonly all: Kind[] = []
  /** The lists of pools that kinds may use. */
  readonly lists: (readonly boolean[])[] = []
  readonly #byText = new Map<string, Kind>()
  readonly #listByText = new Map<string, number>()
  readonly #pools: readonly Pool[]
  readonly #demands = new Map<string, readonly (Demand | undefined)[]>()
  readonly #tables = new Map<string, Demand | undefined>()

  constructor(pools: readonly Pool[]) {
    this.#pools = pools
  }

  of(request: Request): Kind {
    const text = textOf(request)
    const known = this.#byText.get(text)
    if (known !== undefined) return known
    const on = this.#demandsOf(request)
    const kind: Kind = {
      id: this.all.length,
      request,
      cpu: request.cpuMilli,
      memory: request.memoryMib,
      disk: request.diskMib,
      count: request.count,
      on,
      list: this.#listOf(on),
    }
    this.#byText.set(text, kind)
    this.all.push(kind)
    return kind
  }

  #demandsOf({ count, part, models }: Request): readonly (Demand | undefined)[] {
    // Slices of two cards cannot communicate: a request for several slices gets whole cards.
    const asked: CardPart = count === 0 || (count > 1 && part.kind === 'slice') ? { kind: 'whole' } : part
    const key = `${JSON.stringify(asked)} ${models?.join('|') ?? '*'}`
    const known = this.#demands.get(key)
    if (known !== undefined) return known
    const demands = this.#pools.map(({ model, cards }) => {
      const allowed = models === undefined || (model !== undefined && models.includes(model))
      return allowed ? this.#demandOn(cards, asked) : undefined
    })
    this.#demands.set(key, demands)
    return demands
  }

  /** Like `demandOn`, computed once for all pools and kinds with the same demand and cards. */
  #demandOn(cards: CardKind, part: CardPart): Demand | undefined {
    const key = `${cards.parts} ${cards.rules?.model ?? ''} ${JSON.stringify(part)}`
    if (!this.#tables.has(key)) this.#tables.set(key, demandOn(cards, part))
    return this.#tables.get(key)
  }

  #listOf(on: readonly (Demand | undefined)[]): number {
    const allowed = on.map((demand) => demand !== undefined)
    const text = allowed.join()
    const known = this.#listByText.get(text) ?? this.lists.length
    if (known === this.lists.length) this.lists.push(allowed)
    this.#listByText.set(text, known)
    return known
  }
}

function textOf({ cpuMilli, memoryMib, diskMib, count, part, models }: Request): string {
  const size = part.kind === 'whole' ? '' : part.kind === 'share' ? part.milli : `${part.vramGib}Gi`
  return `${cpuMilli} ${memoryMib} ${diskMib} ${count} ${part.kind} ${size} ${models?.join('|') ?? '*'}`
}
