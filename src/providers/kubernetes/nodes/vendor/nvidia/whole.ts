import { must } from '../../../../../core/base/assert.ts'
import { freeOf, freeOfParts, NO_ASKS, PLAIN_CARDS_MAX, type Accelerators, type Supply } from '../accelerators.ts'
import { doubtOn } from './doubt.ts'
import { wholeCard, type CardIdentity } from './identity.ts'
import type { NvidiaNode } from './nvidia-node.ts'

/** Cards that nothing says are divided: the resource counts them, if labels and the machine do not contradict. */
export function plainCards(seen: NvidiaNode): Accelerators {
  const whole = must(seen.whole, 'a node without shares and slices has whole cards')
  const named = wholeCard(seen)
  const counted = named.isPart ? PART : countOf(seen, whole)
  const identity = counted.isMixed ? MIXED : named
  const { cards } = counted
  const { driver, cuda } = seen.labels
  return {
    vendor: 'nvidia',
    model: identity.model,
    cards,
    free: counted.sharing === 'none' ? freeOf(cards, whole) : freeOfParts(cards, [whole]),
    vramGib: identity.vramGib,
    arch: identity.arch,
    driver,
    cuda,
    sharing: counted.sharing,
    mig: new Map(),
    barred: undefined,
    asks: counted.sharing === 'none' ? { ...NO_ASKS, whole } : NO_ASKS,
    why: [...identity.why, ...counted.why],
  }
}

interface Counted {
  readonly cards: number | undefined
  readonly sharing: 'none' | undefined
  readonly isMixed: boolean
  readonly why: readonly string[]
}

function countOf(seen: NvidiaNode, whole: Supply): Counted {
  const { labels, machine, most } = seen
  const { resource, total } = whole
  const says = `status.capacity has ${total} ${resource}`
  if (most !== undefined && total > most) {
    const why = [
      `${says}, but ${machine === undefined ? 'the machine' : `a ${machine.named}`} has ${cardsOf(most)}: they are shares.`,
    ]
    return { cards: total % most === 0 ? most : undefined, sharing: undefined, isMixed: false, why }
  }
  const { count } = labels
  if (count !== undefined && count > 0 && total > count)
    return moreThanLabelled({ count, total, says, isMachineKnown: most !== undefined })
  if (count !== undefined && count > total) {
    const why = [`${says}, while nvidia.com/gpu.count is ${count}: only those that are offered count.`]
    return { cards: total, sharing: 'none', isMixed: false, why }
  }
  const doubt = count === total || most !== undefined ? undefined : doubtOn(seen, whole)
  if (doubt !== undefined) {
    const why = [
      `${says}, which may be shares: nothing else says how many cards there are, and ${doubt}. GPU feature discovery would say it (nvidia.com/gpu.count).`,
    ]
    return { cards: undefined, sharing: undefined, isMixed: false, why }
  }
  return { cards: total, sharing: 'none', isMixed: false, why: [`${says}.`] }
}

/** More than feature discovery counted: cards of another model, or shares. */
function moreThanLabelled(found: {
  readonly count: number
  readonly total: number
  readonly says: string
  readonly isMachineKnown: boolean
}): Counted {
  const { count, total, says, isMachineKnown } = found
  const named = `nvidia.com/gpu.count is ${count}`
  if (total % count !== 0 || isMachineKnown) {
    const isTold = total <= PLAIN_CARDS_MAX
    const why = [`${says}, but ${named}: the others are of another model.`]
    return { cards: isTold ? total : undefined, sharing: isTold ? 'none' : undefined, isMixed: true, why }
  }
  const why = [`${says}, but ${named}: the others are shares, or cards of another model.`]
  return { cards: undefined, sharing: undefined, isMixed: true, why }
}

/** A card with less memory than it is made with is a part of one. */
const PART: Counted = { cards: undefined, sharing: undefined, isMixed: false, why: [] }

/** Labels describe one of several models, so they say nothing about all cards. */
const MIXED: CardIdentity = {
  facts: undefined,
  model: undefined,
  vramGib: undefined,
  arch: undefined,
  isPart: false,
  why: [],
}

function cardsOf(count: number): string {
  return count === 1 ? 'one card' : `${count} cards`
}
