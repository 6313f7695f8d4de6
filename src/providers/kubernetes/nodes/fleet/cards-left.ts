import type { CardPart, CutSlice, FleetNode, Spot } from '../../../../core/fleet/fleet.ts'
import { cutsLeft } from '../../../../core/fleet/slices.ts'

/** What a pod has of the cards: so many of one kind. */
export interface Holding {
  readonly count: number
  readonly part: CardPart
  /** MIG profile, where it is a slice. */
  readonly profile?: string
  /** Where on its card a slice begins, where that is known. */
  readonly start?: number
  /** Indices of cards, where a claim names them. */
  readonly cards?: readonly number[]
  /** All of the same group are on one card, which nothing else has. */
  readonly group?: string
}

/** What is left of the cards of a node while pods are sorted onto them. Nothing is given out twice. */
export class CardsLeft {
  readonly #node: FleetNode
  readonly #whole = new Set<number>()
  readonly #slices = new Map<number, CutSlice[]>()
  readonly #milli = new Map<number, number>()
  readonly #groups = new Map<string, number>()

  constructor(node: FleetNode, closed: readonly number[]) {
    this.#node = node
    for (const card of closed) this.#whole.add(card)
  }

  /** Where a holding is: on the cards that are named if they are free, else on the first that are. */
  take(holding: Holding, chosen: readonly number[] | undefined, node: number): Spot {
    const { part, count, profile } = holding
    const wanted = holding.cards ?? chosen ?? []
    switch (part.kind) {
      case 'whole':
        return { node, cards: this.#takeWhole(count, wanted), taken: undefined }
      case 'slice':
        return { node, ...this.#takeSlice({ ...holding, profile: profile ?? '' }, wanted) }
      case 'share':
        return { node, ...this.#takeShare(part.milli, wanted, holding.group) }
    }
  }

  /** Cards that are well come first; a pod may still hold one that has failed. */
  #order(wanted: readonly number[]): readonly number[] {
    const all = [...this.#node.cards.keys()]
    const isWell = (card: number): boolean => this.#node.cards[card]?.health !== 'failing'
    const rest = [...all.filter(isWell), ...all.filter((card) => !isWell(card))]
    return [...new Set([...wanted.filter((card) => all.includes(card)), ...rest])]
  }

  #takeWhole(count: number, wanted: readonly number[]): readonly number[] {
    const cards = this.#order(wanted)
      .filter((card) => this.#isIdle(card))
      .slice(0, count)
    for (const card of cards) this.#whole.add(card)
    return cards.toSorted((one, two) => one - two)
  }

  #isIdle(card: number): boolean {
    return !this.#whole.has(card) && !this.#slices.has(card) && !this.#milli.has(card)
  }

  #takeSlice(
    { profile, start: known }: Pick<Holding, 'start'> & { readonly profile: string },
    wanted: readonly number[],
  ): Omit<Spot, 'node'> {
    for (const card of this.#order(wanted)) {
      if (this.#whole.has(card)) continue
      const cut = this.#slices.get(card) ?? []
      const starts = cutsLeft(this.#node.model, cut).find(({ name }) => name === profile)?.starts ?? []
      const start = starts.find((each) => each === known) ?? starts[0]
      if (start === undefined) continue
      const taken: CutSlice = { kind: 'slice', profile, start }
      this.#slices.set(card, [...cut, taken])
      return { cards: [card], taken }
    }
    // A slice that cannot be drawn takes a whole card: too little is offered rather than too much.
    return { cards: this.#takeWhole(1, wanted), taken: undefined }
  }

  #takeShare(milli: number, wanted: readonly number[], group: string | undefined): Omit<Spot, 'node'> {
    const own = group === undefined ? undefined : this.#groups.get(group)
    const order = this.#order(wanted).filter((card) => !this.#whole.has(card) && this.#left(card) >= milli)
    const [most] = order.toSorted((one, two) => this.#left(two) - this.#left(one))
    const card = group === undefined ? most : (own ?? order.find((each) => this.#isIdle(each)))
    if (card === undefined || this.#left(card) < milli) return { cards: [], taken: undefined }
    if (group !== undefined) this.#groups.set(group, card)
    this.#milli.set(card, (this.#milli.get(card) ?? 0) + milli)
    return { cards: [card], taken: { kind: 'share', milli } }
  }

  #left(card: number): number {
    return 1000 - (this.#milli.get(card) ?? 0)
  }
}
