import type { NodeObject } from '../object/node-object.ts'
import {
  freeOf,
  freeOfParts,
  NO_ASKS,
  PLAIN_CARDS_MAX,
  servedOf,
  suppliesLike,
  type Accelerators,
  type Stocked,
  type Supply,
} from './accelerators.ts'
import { machineOf } from './machine.ts'
import { cardNamed, type CardByName } from './card-by-name.ts'

/** The AMD cards that pods can ask for by a resource; undefined: the node has no such resource. */
export function readAmd(stocked: Stocked): Accelerators | undefined {
  const supplies = suppliesLike(stocked, /^amd\.com\/(gpu|[sdtqc]px_nps\d)$/)
  if (supplies.length === 0) return undefined
  const { served, barred } = servedOf(supplies)
  const named = nameOf(stocked.node)
  const passed = passedThrough(stocked.node)
  const counted = countOf(stocked.node, passed === 'vf' ? [] : served, named)
  const [only, ...others] = served
  const isWhole = counted.sharing === 'none' && only !== undefined && others.length === 0
  const { cards, sharing } = counted
  return {
    vendor: 'amd',
    model: named.facts?.id,
    cards,
    free: isWhole && counted.parts === 1 ? freeOf(cards, only) : freeOfParts(cards, served),
    vramGib: named.facts?.vramGib ?? (counted.sharing === 'none' ? labelledGib(stocked.node) : undefined),
    arch: named.facts?.arch,
    driver: driverOf(stocked.node),
    cuda: undefined,
    sharing,
    mig: new Map(),
    barred: barred ?? (passed && `only virtual machines can have them (amd.com/gpu.mode is ${passed}-passthrough)`),
    asks: isWhole && counted.parts === 1 ? { ...NO_ASKS, whole: only } : NO_ASKS,
    why: [...named.why, ...counted.why],
  }
}

/** Whether whole cards (`pf`) or parts of them (`vf`) are handed to virtual machines; undefined: containers get them. */
function passedThrough({ labels }: NodeObject): 'pf' | 'vf' | undefined {
  const mode = labels.get('amd.com/gpu.mode') ?? labels.get('beta.amd.com/gpu.mode') ?? ''
  return mode === 'vf-passthrough' ? 'vf' : /passthrough/i.test(mode) ? 'pf' : undefined
}

interface Named extends CardByName {
  readonly why: readonly string[]
}

function nameOf(node: NodeObject): Named {
  const products = productsOf(node)
  const ids = deviceIds(node)
  const why = [
    ...(products.length === 0 ? [] : [`amd.com/gpu.product-name is ${products.join(' and ')}.`]),
    ...(products.length === 1 || ids.length === 0 ? [] : [`amd.com/gpu.device-id is ${ids.join(' and ')}.`]),
  ]
  if (why.length > 0) return { ...agreedCard(products, ids), why }
  const machine = machineOf(node)
  return machine?.gpu.vendor === 'amd'
    ? { ...cardNamed(machine.gpu.id), why: [`The instance type ${machine.named} has ${machine.gpu.name}.`] }
    : { ...cardNamed(''), why: [] }
}

/** The card that every name and every device id stands for; names and ids that are not known have no say. */
function agreedCard(products: readonly string[], ids: readonly string[]): CardByName {
  const byName = products.map((product) => cardNamed(product))
  const byId = ids.flatMap((id) => DEVICES[id] ?? [])
  const isKnownById = byId.length > 0 && byId.length === ids.length
  const names = byName.filter(({ facts, among }) => !isKnownById || facts !== undefined || among.length > 0)
  const models = new Set([...names.map(({ facts }) => facts?.id), ...byId])
  if (models.size === 1) return names[0] ?? cardNamed(byId[0] ?? '')
  const [model, ...others] = new Set(byId)
  // Labels of names stay behind when cards are changed: an id that one of the names agrees with decides.
  const isNamed = ids.length === byId.length && byName.some(({ facts }) => facts?.id === model)
  return cardNamed(isNamed && others.length === 0 ? (model ?? '') : '')
}

function productsOf(node: NodeObject): readonly string[] {
  const plain = ['amd.com/gpu.product-name', 'beta.amd.com/gpu.product-name'].map((label) => node.labels.get(label))
  const all = [...plain, ...keyed(node, 'product-name').map(({ value }) => value)]
  return [...new Set(all.filter((product) => product !== undefined))]
}

/** PCI device ids, as the maker's labeller writes them. */
const DEVICES: Readonly<Record<string, string>> = {
  '738c': 'mi100',
  '738e': 'mi100',
  '740f': 'mi210',
  '74a1': 'mi300x',
  '74b5': 'mi300x',
  '74a2': 'mi308x',
  '74a5': 'mi325x',
  '75a0': 'mi350x',
  '75a3': 'mi355x',
}

/** The labeller writes values, and before that wrote them into keys with the number of cards as value. */
function keyed({ labels }: NodeObject, name: string): readonly { readonly value: string; readonly count: number }[] {
  return [...labels].flatMap(([key, count]) => {
    const [, value] = new RegExp(`^(?:beta\\.)?amd\\.com/gpu\\.${name}\\.(.+)$`).exec(key) ?? []
    return value === undefined || !/^\d+$/.test(count) ? [] : [{ value, count: Number(count) }]
  })
}

function deviceIds(node: NodeObject): readonly string[] {
  const plain = node.labels.get('amd.com/gpu.device-id') ?? node.labels.get('beta.amd.com/gpu.device-id')
  const ids = [...(plain === undefined ? [] : [plain]), ...keyed(node, 'device-id').map(({ value }) => value)]
  return [...new Set(ids.map((id) => id.toLowerCase().replace(/^0x/, '')))]
}

interface Counted {
  readonly cards: number | undefined
  readonly sharing: 'none' | 'partition' | undefined
  /** Of a resource, how many are one card. */
  readonly parts: number
  readonly why: readonly string[]
}

function countOf(node: NodeObject, served: readonly Supply[], named: CardByName): Counted {
  const total = served.reduce((sum, supply) => sum + supply.total, 0)
  const says = served.map((supply) => `status.capacity has ${supply.total} ${supply.resource}.`)
  if (total === 0) return { cards: undefined, sharing: undefined, parts: 0, why: [] }
  const modes = modesOf(node, served)
  const [mode, ...others] = modes
  if (others.length > 0) return { cards: undefined, sharing: 'partition', parts: 0, why: [...says, 'Modes differ.'] }
  const partitions = partitionsOf(node, mode, named)
  if (partitions === undefined) {
    const why = [...says, `How many make a card in mode ${mode} is not known.`]
    return { cards: undefined, sharing: 'partition', parts: 0, why }
  }
  if (partitions > 1 && total === MOST_OAM && named.facts?.form === 'oam') {
    const why = [...says, `In mode ${mode} these are parts of fewer cards, or cards of which the parts are not shown.`]
    return { cards: undefined, sharing: 'partition', parts: 0, why }
  }
  if (partitions > 1) {
    const cards = total % partitions === 0 ? total / partitions : undefined
    return {
      cards,
      sharing: 'partition',
      parts: partitions,
      why: [...says, `Each card is ${partitions} in mode ${mode}.`],
    }
  }
  const isPair = isPaired(node, named)
  if (isPair) {
    const why = [...says, 'Each MI250 shows as two.']
    return { cards: total % 2 === 0 ? total / 2 : undefined, sharing: 'none', parts: 2, why }
  }
  if (isOfParts(node, named)) {
    const why = [...says, 'Each has less memory than the card: these are partitions of fewer cards.']
    return { cards: undefined, sharing: undefined, parts: 0, why }
  }
  const isPlain = total <= PLAIN_CARDS_MAX && !(mode === undefined && total > MOST_OAM && named.facts?.form === 'oam')
  if (isPlain) return { cards: total, sharing: 'none', parts: 1, why: says }
  return { cards: undefined, sharing: undefined, parts: 0, why: [...says, 'These may be partitions of fewer cards.'] }
}

const MOST_OAM = 8

/** Partitions of a card in a compute mode; undefined: as many as it has dies, which is not known. */
function partitionsOf(node: NodeObject, mode: string | undefined, { facts }: CardByName): number | undefined {
  if (mode !== 'cpx') return mode === undefined ? 1 : (PARTITIONS[mode] ?? 1)
  if (productsOf(node).some((product) => /MI300A/i.test(product))) return 6
  return DIES[facts?.id ?? '']
}

const PARTITIONS: Readonly<Record<string, number>> = { spx: 1, dpx: 2, tpx: 3, qpx: 4 }

const DIES: Readonly<Record<string, number>> = { mi300x: 8, mi308x: 4, mi325x: 8, mi350x: 8, mi355x: 8 }

/** The labeller divides the memory of a card by the number of its partitions. */
function isOfParts(node: NodeObject, { facts }: CardByName): boolean {
  return facts !== undefined && labelledSizes(node).some((gib) => gib < facts.vramGib * MOST_OF_CARD)
}

/** The memory of cards that cannot be partitioned, which the labeller tells for cards that nobody knows, too. */
function labelledGib(node: NodeObject): number | undefined {
  const [gib, ...others] = new Set(labelledSizes(node))
  const isRadeon = productsOf(node).length > 0 && productsOf(node).every((product) => RADEON_CARD.test(product))
  return isRadeon && others.length === 0 ? gib : undefined
}

/** What ends in `Graphics` is a part of a processor, and its memory is the machine's. */
const RADEON_CARD = /Radeon(?!.*Graphics$)/i

function labelledSizes(node: NodeObject): readonly number[] {
  const plain = node.labels.get('amd.com/gpu.vram') ?? node.labels.get('beta.amd.com/gpu.vram')
  const told = [...(plain === undefined ? [] : [plain]), ...keyed(node, 'vram').map(({ value }) => value)]
  return told.flatMap((text) => /^([1-9]\d{0,2})G$/.exec(text)?.[1] ?? []).map(Number)
}

/** Labels round, and drivers keep some memory for themselves. */
const MOST_OF_CARD = 0.75

function modesOf({ labels }: NodeObject, served: readonly Supply[]): readonly string[] {
  const words = [
    ...served.map(({ resource }) => resource),
    ...[...labels].filter(([key]) => /(^|\.)amd\.com\//.test(key) && !/supported/.test(key)).flat(),
  ]
  return [...new Set(words.flatMap((word) => /(?:^|[./-])([sdtqc]px)_nps\d$/i.exec(word)?.[1]?.toLowerCase() ?? []))]
}

/** An MI250 has two dies that the driver shows as two cards of half the memory. */
function isPaired(node: NodeObject, { facts, among }: CardByName): boolean {
  const ids = deviceIds(node)
  if (ids.some((id) => id === '7408' || id === '740c')) return true
  return (
    [facts?.id ?? '', ...among].some((id) => id.startsWith('mi250')) ||
    /MI250/i.test(node.labels.get('amd.com/gpu.product-name') ?? '')
  )
}

function driverOf({ labels }: NodeObject): string | undefined {
  const driver = labels.get('amd.com/gpu.driver-version')
  return driver !== undefined && /^\d+(\.\d+)+$/.test(driver) ? driver : undefined
}
