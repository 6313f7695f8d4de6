import { printable } from '../../core/document/look-up.ts'
import { fitsOn, type Fits } from './draw/fits.ts'
import { drawNode } from './draw/node.ts'
import type { CutProfile } from '../../core/fleet/slices.ts'
import { mostFree } from './draw/summary.ts'
import type { CardUse, NodeUse } from '../../core/fleet/use.ts'
import { cardsOf } from '../../core/fleet/topology/card-mask.ts'
import { islands, type Island } from '../../core/fleet/topology/islands.ts'
import { cardsText, cut, kindText, nextText, roomText, speedText, type RoomAmounts } from './print.ts'
import { table } from '../terminal/table.ts'
import { quoted } from '../words/words.ts'
import { wrap } from '../terminal/wrap.ts'

/** A drawing of one node: its cards, how they are joined, which tenants hold them and what still fits. */
export function printNode(use: NodeUse, file: string): string {
  const { node, cards } = use
  const states = {
    free: countOf(cards, 'free'),
    partly: countOf(cards, 'partly'),
    full: countOf(cards, 'full'),
    failing: countOf(cards, 'failing'),
  }
  const command = `berth fleet show ${quoted(file)}`
  return [
    cut(`${node.id}: ${cardsText({ cards: cards.length, states })}; ${roomText(amountsOf(use))}`, COLUMNS_MAX),
    ...aboutText(use),
    ...(cards.length === 0 ? [] : ['', ...drawNode(use), '', ...wiringText(use), '', ...cardTable(use)]),
    ...roomWarning(use),
    ...othersText(use),
    '',
    ...nextText([command, `${command} ${quoted(node.id)} -o json`]),
  ].join('\n')
}

const COLUMNS_MAX = 100

function countOf(cards: readonly CardUse[], state: CardUse['state']): number {
  return cards.filter((card) => card.state === state).length
}

function amountsOf({ node, cpuFreeMilli, memoryFreeMib }: NodeUse): RoomAmounts {
  return { cpuMilli: node.cpuMilli, cpuFreeMilli, memoryMib: node.memoryMib, memoryFreeMib }
}

/** What the node is and where it is. */
function aboutText({ node, cards }: NodeUse): readonly string[] {
  const kind = cards.length === 0 ? [] : [kindText({ model: node.model, cardsPerNode: cards.length })]
  const about = [...kind, ...domainsText(node)].join(' · ')
  return about === '' ? [] : wrap(about, COLUMNS_MAX).map((line) => cut(line, COLUMNS_MAX))
}

function domainsText({ domains }: NodeUse['node']): readonly string[] {
  const known = [
    ['zone', domains.zone],
    ['fabric', domains.fabric],
    ['rack', domains.rack],
    ['NVLink domain', domains.nvlinkDomain],
  ] as const
  return known.flatMap(([level, name]) => (name === undefined ? [] : [`${level} ${printable(name)}`]))
}

/** Which cards are near each other, fastest first. */
function wiringText(use: NodeUse): readonly string[] {
  const { layout } = use.node
  const all = layout === undefined ? [] : islands(layout)
  if (use.cards.length === 1) return ['A single card is joined to no other.']
  if (all.length === 0) {
    return [
      'The wiring between its cards is unknown, so no two cards count as nearer than others.',
      'Add `wiring` to the node: a keyword, or the output of nvidia-smi topo -m.',
    ]
  }
  const rows = [...Map.groupBy(all, ({ gbps }) => gbps)].map(([gbps, group]) => [
    speedText(gbps),
    String(mostFree(use, group)),
    cut(group.map(({ mask }) => ranges(cardsOf(mask))).join(' · '), ISLANDS_WIDTH),
  ])
  return table(
    [{ head: 'ANY TWO AT', align: 'right' }, { head: 'MOST FREE', align: 'right' }, { head: 'ISLANDS' }],
    rows,
  )
}

const ISLANDS_WIDTH = 72

/** `0-3 6` */
export function ranges(numbers: readonly number[]): string {
  const parts: string[] = []
  for (let at = 0; at < numbers.length;) {
    let end = at
    while (numbers[end + 1] === (numbers[end] ?? 0) + 1) end++
    parts.push(end - at > 1 ? `${numbers[at]}-${numbers[end]}` : numbers.slice(at, end + 1).join(' '))
    at = end + 1
  }
  return parts.join(' ')
}

/** Cards with the same holders and the same room left share a row. */
function cardTable(use: NodeUse): readonly string[] {
  const described = use.cards.map((card, index) => ({
    index,
    held: heldText(card),
    fits: fitsText(fitsOn(card, use.node.model), card),
  }))
  const groups = [...Map.groupBy(described, ({ held, fits }) => `${held}\n${fits}`).values()]
  const rows = groups.flatMap((group) => {
    const held = folded(group[0]?.held ?? '', HELD_WIDTH)
    const fits = folded(group[0]?.fits ?? '', FITS_WIDTH)
    const cards = folded(ranges(group.map(({ index }) => index)), CARDS_WIDTH)
    const height = Math.max(cards.length, held.length, fits.length)
    return Array.from({ length: height }, (_, line) => [cards[line] ?? '', held[line] ?? '', fits[line] ?? ''])
  })
  return table([{ head: 'CARD' }, { head: 'HELD BY' }, { head: 'STILL FITS' }], rows)
}

const CARDS_WIDTH = 12
const HELD_WIDTH = 40
const FITS_WIDTH = 42

/** The lines of a cell; text passed through `kept` stays on one line. */
function folded(text: string, width: number): readonly string[] {
  return wrap(text, width).map((line) => cut(line.replaceAll(NO_BREAK, ' '), width))
}

const NO_BREAK = '\u00a0'

function kept(text: string): string {
  return text.replaceAll(' ', NO_BREAK)
}

function heldText({ holders }: CardUse): string {
  if (holders.length === 0) return '-'
  return holders
    .map(({ name, taken }) => {
      if (taken === undefined) return printable(name)
      const part = taken.kind === 'share' ? `${taken.milli / 10} %` : `${taken.profile} at ${taken.start}`
      return kept(`${printable(name)} (${part})`)
    })
    .join(', ')
}

function fitsText(fits: Fits, { card }: CardUse): string {
  switch (fits.kind) {
    case 'nothing':
      return card.health === 'failing' ? 'nothing, it is failing' : '-'
    case 'card':
      return fits.slices.length > 0 ? `a whole card, or ${slicesText(fits.slices)}` : WHOLE[card.parts]
    case 'share':
      return `a share of ${fits.milli / 10} %`
    case 'slices':
      return slicesText(fits.slices)
  }
}

const WHOLE: Readonly<Record<CardUse['card']['parts'], string>> = {
  none: 'a whole card',
  share: 'a whole card, or shares of it',
  mig: 'a whole card',
}

function slicesText(slices: readonly CutProfile[]): string {
  return slices
    .map(({ name, starts }) => kept(`${name} at ${ranges(starts)};`))
    .join(' ')
    .slice(0, -1)
}

/** Free cards are of no use without free CPU and memory on the same node. */
function roomWarning({ cards, cpuFreeMilli, memoryFreeMib }: NodeUse): readonly string[] {
  const out = [...(cpuFreeMilli <= 0 ? ['CPU'] : []), ...(memoryFreeMib <= 0 ? ['memory'] : [])]
  if (out.length === 0) return []
  const what = cards.length === 0 ? 'nothing more can be placed here' : 'no card here can take more work'
  return ['', `No ${out.join(' and no ')} is left: ${what}.`]
}

function othersText({ tenants }: NodeUse): readonly string[] {
  const names = tenants.filter(({ spot }) => spot.cards.length === 0).map(({ name }) => printable(name))
  if (names.length === 0) return []
  return ['', cut(`Without cards: ${names.join(', ')}`, COLUMNS_MAX)]
}

/** The same for scripts. */
export function reportNode(use: NodeUse): unknown {
  const { node, cards, tenants } = use
  return {
    node: node.id,
    model: node.model,
    domains: { ...node.domains, nvlink_domain: node.domains.nvlinkDomain, nvlinkDomain: undefined },
    cpu: node.cpuMilli / 1000,
    cpu_free: use.cpuFreeMilli / 1000,
    memory_gib: node.memoryMib / 1024,
    memory_free_gib: use.memoryFreeMib / 1024,
    disk_gib: gibOf(node.diskMib),
    disk_free_gib: gibOf(use.diskFreeMib),
    cards: cards.map((card, index) => ({
      card: index,
      state: card.state,
      health: card.card.health,
      sharing: card.card.parts,
      numa: node.layout?.numa[index],
      pcie_switch: node.layout?.pcieSwitch[index],
      held_by: card.holders,
      still_fits: fitsOn(card, node.model),
    })),
    wiring:
      node.layout === undefined ? undefined : reportWiring(node.layout.id, islands(node.layout), node.layout.nics),
    tenants: tenants.map(({ name, priority, restart, checkpointAgeS, request, spot }) => ({
      name,
      cards: spot.cards,
      cpu: request.cpuMilli / 1000,
      memory_gib: request.memoryMib / 1024,
      restart,
      priority,
      checkpoint_age_s: checkpointAgeS,
    })),
  }
}

function gibOf(mib: number | undefined): number | undefined {
  return mib === undefined ? undefined : mib / 1024
}

function reportWiring(id: string, all: readonly Island[], nics: readonly unknown[]): unknown {
  return { id, islands: all.map(({ mask, gbps }) => ({ cards: cardsOf(mask), gbps })), nics }
}
