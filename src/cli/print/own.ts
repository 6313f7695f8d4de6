import type { OwnReport } from '../../core/place/own/report.ts'
import type { OfferReport } from '../../core/place/explain/offer-report.ts'
import type { AskReport, ChosenReport, PlanReport } from '../../core/place/explain/report.ts'
import { gib, trim } from '../../core/requirement/need/print.ts'
import { ranges } from '../fleet/node.ts'
import { table } from '../terminal/table.ts'
import { hardware } from '../words/words.ts'
import { many } from '../../core/base/words.ts'

/** `cards 4-7 of 8 × H100 SXM 80 GB`, `1g.10gb at 2 on card 3 of 8 × A100 SXM 80 GB`, `30 % of card 0 of 3 × RTX A6000`. */
export function ownHardware(own: OwnReport, offer: OfferReport): string {
  if (own.cards.length === 0) return hardware(offer)
  const all = `${own.cards_in_node} × ${offer.gpu_name ?? '?'}`
  return `${cardsText(own)} of ${all}`
}

/** Which cards of a node, or which part of a card. */
export function cardsText({ cards, slice, share }: Pick<OwnReport, 'cards' | 'slice' | 'share'>): string {
  const which = `${cards.length === 1 ? 'card' : 'cards'} ${ranges(cards)}`
  if (slice !== undefined) return `${slice.profile} at ${slice.start} on ${which}`
  if (share !== undefined) return `${trim(share * 100)} % of ${which}`
  return cards.length === 0 ? 'no cards' : which
}

/** Why these nodes and cards, and what stays free: a line for each place in a fleet. */
export function ownLines(plan: PlanReport, label: (chosen: ChosenReport) => string, all: boolean): readonly string[] {
  const placed = plan.chosen.flatMap((chosen) => (chosen.own === undefined ? [] : [{ chosen, own: chosen.own }]))
  if (placed.length === 0) return []
  const shown = all ? placed : placed.slice(0, SHOWN)
  const rest = placed.length - shown.length
  const rows = shown.map(({ chosen, own }) => [label(chosen), own.node, `${whyText(own)}; ${leavesText(own)}`])
  return [
    'On your own machines:',
    ...table([{ head: '' }, { head: '' }, { head: '' }], rows).slice(1),
    ...(rest === 0 ? [] : [`  and ${many(rest, 'more place')} (--all)`]),
    ...togetherLines(placed.map(({ own }) => own)),
  ]
}

const SHOWN = 8

/** The capacity kept free for each role. */
export function reserveLines(asks: readonly AskReport[]): readonly string[] {
  return asks.flatMap(({ role, reserve }) => {
    if (reserve === undefined) return []
    const { wanted, kept } = reserve
    const head = `Reserve of ${role ?? 'the workload'}:`
    const where = kept.map((own) => `${own.fleet} ${own.node} (${cardsText(own)})`).join(', ')
    if (kept.length === wanted) return [`${head} room for ${many(wanted, 'more replica')} is kept free, ${where}`]
    if (kept.length === 0) return [`${head} cannot be kept free, no fleet has room for ${many(wanted, 'more replica')}`]
    return [
      `${head} room for ${kept.length} of ${many(wanted, 'more replica')} is kept free, ${where}; there is none for the rest`,
    ]
  })
}

function togetherLines(places: readonly OwnReport[]): readonly string[] {
  const [first] = places
  if (first?.together === undefined) return []
  const { level, name } = first.together
  const where = name === undefined ? `one fleet, ${first.fleet}` : `one ${LEVELS[level]}, ${name}`
  return [`  All nodes of the gang are in ${where}.`]
}

/** The levels of domains, in words. */
export const LEVELS: Readonly<Record<string, string>> = {
  fleet: 'fleet',
  zone: 'zone',
  fabric: 'fabric',
  rack: 'rack',
  nvlink_domain: 'NVLink domain',
}

function whyText(own: OwnReport): string {
  if (own.cards.length === 0) return 'no card is needed'
  const parts = [partText(own), joinText(own), numaText(own), nicText(own)].filter((part) => part !== undefined)
  return parts.join(', ')
}

function partText({ slice, share, cards }: OwnReport): string | undefined {
  if (slice !== undefined) return 'the smallest slice that fits'
  if (share !== undefined) return 'a share is enough'
  return cards.length === 1 ? 'a single card' : undefined
}

function joinText({ cards, wiring, island, gbps }: OwnReport): string | undefined {
  if (cards.length < 2) return undefined
  if (wiring !== 'known') return 'wiring unknown'
  if (island === undefined) return gbps === undefined ? 'wiring of these cards unknown' : `${trim(gbps)} GB/s`
  return `an island of ${island.cards.length} at ${trim(island.gbps)} GB/s`
}

function numaText({ wiring, numa }: OwnReport): string | undefined {
  if (wiring === 'alone') return undefined
  if (numa === undefined) return 'NUMA node unknown'
  return numa.length === 1 ? `NUMA node ${numa[0]}` : `across NUMA nodes ${numa.join(' and ')}`
}

function nicText({ nic }: OwnReport): string | undefined {
  if (nic === undefined) return undefined
  switch (nic.shares) {
    case 'switch':
      return `${nic.name} on the same switch`
    case 'numa':
      return `${nic.name} on the same NUMA node`
    case 'machine':
      return `${nic.name} further away`
  }
}

function leavesText({ leaves, node, cards, slice, share }: OwnReport): string {
  if (cards.length === 0) return `leaves ${trim(leaves.cpu)} CPU and ${gib(leaves.memory_gib)}`
  if (leaves.is_full) return `fills ${node}`
  const short = leaves.cpu <= 0 ? ', but no CPU for them' : leaves.memory_gib <= 0 ? ', but no memory for them' : ''
  if (slice !== undefined) return `leaves ${leaves.slices[0] ?? 'nothing'} on the card${short}`
  if (share !== undefined) return `leaves ${trim((leaves.share ?? 0) * 100)} % of the card${short}`
  const { idle_cards: idle, whole_island: island } = leaves
  if (idle === 0) return 'leaves no whole card'
  if (island !== undefined && island > 1 && island === idle) return `leaves an island of ${island} whole${short}`
  const whole = island === undefined ? '' : `, an island of ${island} whole`
  return `leaves ${many(idle, 'card')} free${whole}${short}`
}
