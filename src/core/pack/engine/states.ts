import { assert } from '../../base/assert.ts'
import type { FleetCard, FleetNode } from '../../fleet/fleet.ts'
import { cardTables, type CardTables } from '../../fleet/topology/card-tables.ts'
import { cardKind, IDLE, type CardKind } from './card-code.ts'
import { code, int } from './read.ts'

/** Nodes of one GPU model whose cards can be divided in the same way. Prices and permissions are per pool. */
export interface Pool {
  readonly model: string | undefined
  readonly cards: CardKind
}

/** What never changes about a node and affects how it is filled. */
export interface Shape {
  readonly id: number
  readonly pool: number
  readonly cards: number
  /** Undefined: all cards are equally near to each other. */
  readonly tables: CardTables | undefined
}

/**
 * States of nodes, one per row, as columns. The fast engine keeps one row for all nodes in the same state, the reference one
 * row per node; a policy cannot tell the two apart.
 */
export class States {
  /** Cards of the widest node: the width of a row of `codes`. */
  readonly width: number
  shape: readonly Shape[] = []
  pool: Int32Array
  cards: Int32Array
  cpu: Float64Array
  memory: Float64Array
  disk: Float64Array
  codes: Int16Array
  /** Idle cards. */
  idle: Int32Array
  /** Stored by the policy: how good the row is in its current state. */
  worth: Float64Array
  /** Stored by the policy: what the cards of the row could still hold. */
  value: Float64Array
  #shapes: Shape[]

  constructor(rows: number, width: number) {
    this.width = width
    this.#shapes = Array.from({ length: rows })
    this.shape = this.#shapes
    this.pool = new Int32Array(rows)
    this.cards = new Int32Array(rows)
    this.cpu = new Float64Array(rows)
    this.memory = new Float64Array(rows)
    this.disk = new Float64Array(rows)
    this.codes = new Int16Array(rows * width)
    this.idle = new Int32Array(rows)
    this.worth = new Float64Array(rows)
    this.value = new Float64Array(rows)
  }

  get rows(): number {
    return this.pool.length
  }

  /** Doubles the number of rows; the first half stays as it is. */
  double(): void {
    const rows = this.rows * 2
    this.pool = grown(this.pool, new Int32Array(rows))
    this.cards = grown(this.cards, new Int32Array(rows))
    this.cpu = grown(this.cpu, new Float64Array(rows))
    this.memory = grown(this.memory, new Float64Array(rows))
    this.disk = grown(this.disk, new Float64Array(rows))
    this.codes = grown(this.codes, new Int16Array(rows * this.width))
    this.idle = grown(this.idle, new Int32Array(rows))
    this.worth = grown(this.worth, new Float64Array(rows))
    this.value = grown(this.value, new Float64Array(rows))
  }

  setShape(row: number, shape: Shape): void {
    this.#shapes[row] = shape
    this.pool[row] = shape.pool
    this.cards[row] = shape.cards
  }

  /** Recounts what follows from the cards' codes. */
  countIdle(row: number): void {
    const from = row * this.width
    let idle = 0
    for (let at = from; at < from + int(this.cards, row); at++) if (code(this.codes, at) === IDLE) idle++
    this.idle[row] = idle
  }
}

/** Sets of cards are bits of a number. */
export const CARDS_MAX = 31

/** Pools and shapes of a fleet's nodes. Nodes that differ only in name share a shape. */
export function shapesOf(nodes: readonly FleetNode[]): {
  readonly pools: readonly Pool[]
  readonly shapes: readonly Shape[]
  /** Shape of each node. */
  readonly of: readonly Shape[]
} {
  const pools = new Map<string, { readonly index: number; readonly pool: Pool }>()
  const shapes = new Map<string, Shape>()
  const of: Shape[] = []
  let last: FleetNode | undefined
  for (const node of nodes) {
    const { model, cards, layout } = node
    const same = of.at(-1)
    // Similar machines are often neighbours and share the description of their cards.
    if (same !== undefined && last?.model === model && last?.cards === cards && last?.layout === layout) {
      of.push(same)
      continue
    }
    last = node
    assert(cards.length <= CARDS_MAX, `node ${node.id} has more than ${CARDS_MAX} cards`)
    const parts = partsOf(cards)
    const key = `${model ?? ''} ${parts} ${cards.length} ${layout?.id ?? ''}`
    let shape = shapes.get(key)
    if (shape === undefined) {
      const poolKey = `${model ?? ''} ${parts}`
      const pool = pools.get(poolKey) ?? { index: pools.size, pool: { model, cards: cardKind(model, parts) } }
      pools.set(poolKey, pool)
      const tables = layout === undefined ? undefined : cardTables(layout)
      shape = { id: shapes.size, pool: pool.index, cards: cards.length, tables }
      shapes.set(key, shape)
    }
    of.push(shape)
  }
  return { pools: [...pools.values()].map(({ pool }) => pool), shapes: [...shapes.values()], of }
}

/** A node can be divided only if all its cards are divided in the same way. */
function partsOf(cards: readonly FleetCard[]): CardKind['parts'] {
  const first = cards[0]?.parts ?? 'none'
  for (const { parts } of cards) if (parts !== first) return 'none'
  return first
}

function grown<A extends Int32Array | Float64Array | Int16Array>(from: A, into: A): A {
  into.set(from)
  return into
}
