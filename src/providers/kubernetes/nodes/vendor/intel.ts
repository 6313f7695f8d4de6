import type { NodeObject } from '../object/node-object.ts'
import {
  freeOf,
  freeOfParts,
  NO_ASKS,
  NOTHING_KNOWN,
  PLAIN_CARDS_MAX,
  servedOf,
  suppliesLike,
  type Accelerators,
  type Stocked,
} from './accelerators.ts'
import { cardNamed } from './card-by-name.ts'

/** Intel GPUs that pods can ask for by a resource; undefined: the node has no such resource. */
export function readIntelGpu(stocked: Stocked): Accelerators | undefined {
  const supplies = suppliesLike(stocked, /^gpu\.intel\.com\/(i915|xe)$/)
  if (supplies.length === 0) return undefined
  const { served, barred } = servedOf(supplies)
  const total = served.reduce((sum, supply) => sum + supply.total, 0)
  const labelled = labelledCards(stocked.node)
  const product = stocked.node.labels.get('gpu.intel.com/product')
  // One is one card, though several pods may share it; more may be shares of fewer.
  const cards =
    labelled !== undefined && labelled > 0 && total > 0 && total % labelled === 0
      ? labelled
      : total === 1
        ? 1
        : undefined
  const sharing = labelled === undefined || cards === undefined ? undefined : total === cards ? 'none' : 'share'
  const [only] = served
  const isWhole = sharing === 'none' && served.length === 1
  return {
    ...NOTHING_KNOWN,
    vendor: 'intel',
    cards,
    free: isWhole && only !== undefined ? freeOf(cards, only) : freeOfParts(cards, served),
    sharing,
    barred,
    asks: isWhole ? { ...NO_ASKS, whole: only } : NO_ASKS,
    why: [
      `Intel GPU: status.capacity has ${served.map((supply) => `${supply.total} ${supply.resource}`).join(' and ')}.`,
      ...(product === undefined ? [] : [`gpu.intel.com/product ${product} is not in the hardware table.`]),
      ...(sharing === 'share' ? [`Labels count ${labelled}: they are shares.`] : []),
      ...(cards === undefined ? ['How many of them share a card is not known.'] : []),
    ],
  }
}

/** Cards that feature discovery counted by PCI device. */
function labelledCards({ labels }: NodeObject): number | undefined {
  const all = Number(labels.get('gpu.intel.com/device.count') ?? Number.NaN)
  if (Number.isInteger(all)) return all
  const counts = [...labels].filter(([key]) => /^gpu\.intel\.com\/device-id\.03\d\d-.+\.count$/.test(key))
  return counts.length === 0 ? undefined : counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Gaudi cards; undefined: the node has none. */
export function readGaudi(stocked: Stocked): Accelerators | undefined {
  const supplies = suppliesLike(stocked, /^habana\.ai\/(gaudi\d?|goya)$/)
  if (supplies.length === 0) return undefined
  const { served, barred } = servedOf(supplies)
  const [only, ...others] = served
  const { labels } = stocked.node
  const named = cardNamed(
    [...labels].map(([, value]) => /\bgaudi-?[23]\b/i.exec(value)?.[0].replace('-', '')).find(Boolean) ?? '',
  )
  const isPlain = only !== undefined && others.length === 0 && only.total <= PLAIN_CARDS_MAX
  const cards = isPlain ? only.total : undefined
  return {
    ...NOTHING_KNOWN,
    vendor: 'intel',
    model: named.facts?.id,
    vramGib: named.facts?.vramGib,
    arch: named.facts?.arch,
    cards,
    free: only === undefined ? 0 : freeOf(cards, only),
    sharing: isPlain ? 'none' : undefined,
    barred,
    asks: isPlain ? { ...NO_ASKS, whole: only } : NO_ASKS,
    why: [`Gaudi: status.capacity has ${only?.total ?? 0} ${only?.resource ?? 'of them'}.`],
  }
}
