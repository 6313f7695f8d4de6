import type { Order } from '../../../core/life/call/order.ts'
import type { CardDevice, ClaimAsk } from '../nodes/fleet/view.ts'

/** The devices that an order is to get by a claim. */
export interface DeviceChoice {
  /** The version of resource.k8s.io to write the claim in. */
  readonly version: string
  readonly count: number
  /** The cards that were chosen, each whole or with one slice of it. */
  readonly cards: readonly CardDevice[]
  /** The slice of each card; undefined: all of it. */
  readonly profile: string | undefined
  /** Slices that exist are alike: which of them it gets does not matter. */
  readonly isAny: boolean
  /** The attribute that makes other cards as near to each other as these; undefined: these have nothing in common. */
  readonly near: string | undefined
}

/** What a node says about devices. */
export interface DeviceGround {
  readonly claims: ClaimAsk | undefined
  /** Undefined: the cluster serves no version of resource.k8s.io that we know. */
  readonly version: string | undefined
}

/** The devices behind the cards of an order; undefined: the node has no such devices. */
export function devicesFor(
  { gpus, place }: Pick<Order, 'gpus' | 'place'>,
  { claims, version }: DeviceGround,
): DeviceChoice | undefined {
  const { cards: indices = [], taken } = place.node?.spot ?? {}
  if (claims === undefined || version === undefined || taken?.kind === 'share' || indices.length === 0) return undefined
  const cards = indices.flatMap((index) => claims.cards[index] ?? [])
  const profile = taken?.profile
  const isAny = claims.form === 'cut'
  const among = isAny ? claims.cards : cards
  const has = ({ parts }: CardDevice): boolean => parts.some((part) => part.profile === profile)
  const isThere = profile === undefined ? !isAny : isAny ? among.some(has) : among.every(has)
  if (cards.length < indices.length || !isThere) return undefined
  return { version, count: gpus, cards, profile, isAny, near: nearOf(claims, indices) }
}

/** The nearest tie that all of these cards share. A single card is near to itself. */
function nearOf({ ties }: ClaimAsk, [first, ...others]: readonly number[]): string | undefined {
  if (first === undefined || others.length === 0) return undefined
  return ties.find(({ values }) => {
    const shared = values[first]
    return shared !== undefined && others.every((other) => values[other] === shared)
  })?.attribute
}
