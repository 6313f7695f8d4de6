import { nodeAt, placeOf } from '../../core/document/look-up.ts'
import { nearest } from '../../core/document/nearest.ts'
import type { FleetCard, FleetNode } from '../../core/fleet/fleet.ts'
import type { Layout } from '../../core/fleet/layout.ts'
import type { GpuModel } from '../../core/hardware/gpu.ts'
import { cardNamed } from './cards.ts'
import { NODES_MAX } from './names.ts'
import { complain, complainOfKey, lineOf, type Complaints } from './problems.ts'
import type { FleetFileText, GpuText, NodeText } from './schema.ts'
import { readWiring } from './wiring.ts'

/** The nodes of a file in its order; those of a range one after the other. */
export function readNodes(file: FleetFileText, complaints: Complaints): readonly FleetNode[] {
  const count = file.nodes.reduce((sum, { name }) => sum + name.count, 0)
  if (count > NODES_MAX) {
    const message = `There are ${count} nodes here; the limit for one file is ${NODES_MAX}.`
    complain(complaints, ['nodes'], { code: 'VALUE_RANGE', message, hint: 'Split the file.' })
    return []
  }
  const nodes = new Map<string, FleetNode>()
  const lines = new Map<string, number>()
  const layouts = new Map<string, Layout>()
  for (const [index, text] of file.nodes.entries()) {
    const node = readNode(text, { index, complaints, layouts })
    const line = lineOf(complaints.document, ['nodes', index])
    for (const id of text.name.each()) {
      const before = lines.get(id)
      if (before === undefined) {
        lines.set(id, line)
        nodes.set(id, { ...node, id })
      } else repeated(complaints, index, { id, before })
    }
  }
  // The health of one card overrides the health of all cards of a node, whatever their order in the file.
  const health = Object.entries(file.health ?? {}).sort(([one], [two]) => Number(isCard(one)) - Number(isCard(two)))
  for (const [key, state] of health) setHealth(nodes, { key, health: state }, complaints)
  return [...nodes.values()]
}

function repeated(complaints: Complaints, index: number, twin: { readonly id: string; readonly before: number }): void {
  const message = `There is already a node ${twin.id}, on line ${twin.before}.`
  complain(complaints, ['nodes', index, 'name'], { code: 'KEY_REPEATED', message, hint: 'Rename one of the two.' })
}

interface Reading {
  readonly index: number
  readonly complaints: Complaints
  /** By id: nodes with the same wiring share one object. */
  readonly layouts: Map<string, Layout>
}

/** Capacities are rounded down, so that nothing is placed on memory that does not exist. */
function readNode(text: NodeText, reading: Reading): Omit<FleetNode, 'id'> {
  const facts = text.gpu === undefined ? undefined : readModel(text.gpu, reading)
  if (text.gpu === undefined) refuseWithoutCards(text, reading)
  return {
    model: facts?.id,
    cpuMilli: Math.round(text.cpu * 1000),
    memoryMib: Math.floor(text.memory * 1024),
    diskMib: text.disk === undefined ? undefined : Math.floor(text.disk * 1024),
    cards: text.gpu === undefined ? [] : readCards(text.gpu, text.health, { ...reading, facts }),
    layout: facts === undefined ? undefined : readLayout(text, facts, reading),
    domains: { zone: text.zone, fabric: text.fabric, rack: text.rack, nvlinkDomain: text.nvlink_domain },
  }
}

function readModel({ model, count = 1 }: GpuText, { index, complaints }: Reading): GpuModel | undefined {
  const named = cardNamed(model, count)
  if ('facts' in named) return named.facts
  complain(complaints, ['nodes', index, 'gpu', 'model'], named.complaint)
  return undefined
}

function refuseWithoutCards(text: NodeText, { index, complaints }: Reading): void {
  if (text.wiring === undefined) return
  const hint = 'State which cards the node has, for example gpu: { model: h100-sxm, count: 8 }, or remove it.'
  const message = '`wiring` needs cards, and the node has none.'
  complainOfKey(complaints, ['nodes', index, 'wiring'], { code: 'KEY_NEEDS', message, hint })
}

type Parts = FleetCard['parts']

function readCards(
  { count = 1, sharing = 'none' }: GpuText,
  health: FleetCard['health'],
  reading: Reading & { readonly facts: GpuModel | undefined },
): readonly FleetCard[] {
  const parts = typeof sharing === 'string' ? partsOf(count, { [sharing]: 'all' }) : readParts(sharing, count, reading)
  const { facts, index, complaints } = reading
  if (facts !== undefined && facts.mig.length === 0 && parts.includes('mig')) {
    const message = `${facts.name} does not support MIG slices.`
    const hint = 'Write sharing: share if shares of the card are enforced, or sharing: none.'
    complain(complaints, ['nodes', index, 'gpu', 'sharing'], { code: 'VALUE_CONFLICT', message, hint })
  }
  return parts.map((part) => ({ health, parts: part }))
}

type Numbers = readonly number[] | 'all' | undefined

function partsOf(
  count: number,
  { share, mig }: { readonly share?: Numbers; readonly mig?: Numbers },
): readonly Parts[] {
  const has = (numbers: Numbers, card: number): boolean => numbers === 'all' || (numbers?.includes(card) ?? false)
  return Array.from({ length: count }, (_, card): Parts =>
    has(mig, card) ? 'mig' : has(share, card) ? 'share' : 'none',
  )
}

function readParts(
  sharing: Exclude<GpuText['sharing'], string | undefined>,
  count: number,
  { index, complaints }: Reading,
): readonly Parts[] {
  const path = ['nodes', index, 'gpu', 'sharing']
  for (const kind of ['share', 'mig'] as const) {
    for (const [at, card] of (sharing[kind] ?? []).entries()) {
      if (card >= count) complain(complaints, [...path, kind, at], noSuchCard(card, count))
      else if (kind === 'mig' && sharing.share?.includes(card) === true) {
        const message = `Card ${card} is also listed under share.`
        complain(complaints, [...path, kind, at], { code: 'VALUE_CONFLICT', message, hint: 'Keep one of the two.' })
      }
    }
  }
  return partsOf(count, sharing)
}

/** The complaint about a card that a node does not have. */
export function noSuchCard(card: number, count: number): { code: 'VALUE_RANGE'; message: string; hint: string } {
  const numbers = count === 1 ? 'the only card is number 0' : `cards are numbered from 0 to ${count - 1}`
  const message = count === 0 ? 'The node has no cards.' : `There is no card ${card}: ${numbers}.`
  return { code: 'VALUE_RANGE', message, hint: 'The numbers are those of nvidia-smi.' }
}

function readLayout(text: NodeText, facts: GpuModel, { index, complaints, layouts }: Reading): Layout | undefined {
  const path = ['nodes', index, 'wiring']
  const wired = readWiring(text.wiring, facts, text.gpu?.count ?? 1)
  if ('layout' in wired) {
    if (wired.layout === undefined) return undefined
    const same = layouts.get(wired.layout.id) ?? wired.layout
    layouts.set(same.id, same)
    return same
  }
  const line = wired.line === undefined ? undefined : lineInside(complaints, path, wired.line)
  if (line === undefined) complain(complaints, path, wired.complaint)
  else {
    const text = complaints.document.lines[line - 1] ?? ''
    const column = text.length - text.trimStart().length + 1
    const mark = { line, column, length: Math.max(1, text.trim().length) }
    complaints.problems.push({ ...wired.complaint, place: placeOf(complaints.document, mark) })
  }
  return undefined
}

/** A text below `|` starts on the next line. The lines of a quoted text cannot be located. */
function lineInside({ document }: Complaints, path: readonly (string | number)[], line: number): number | undefined {
  const mark = nodeAt(document, path)?.at
  if (mark === undefined) return undefined
  const lead = document.lines[mark.line - 1]?.slice(mark.column - 1) ?? ''
  return /^[|>]/.test(lead) ? mark.line + line : undefined
}

interface HealthText {
  readonly key: string
  readonly health: FleetCard['health']
}

/** `dgx-007` stands for all its cards, `dgx-007/3` for one. */
function setHealth(nodes: Map<string, FleetNode>, { key, health }: HealthText, complaints: Complaints): void {
  const path = ['health', key]
  const [, id = '', card] = /^([^/]+)(?:\/(\d{1,4}))?$/.exec(key) ?? []
  const node = nodes.get(id)
  if (node === undefined) complainOfKey(complaints, path, noSuchNode(id === '' ? key : id, nodes, complaints))
  else if (card !== undefined && node.cards[Number(card)] === undefined) {
    complainOfKey(complaints, path, noSuchCard(Number(card), node.cards.length))
  } else {
    const cards = node.cards.map((old, at) => (card === undefined || Number(card) === at ? { ...old, health } : old))
    nodes.set(id, { ...node, cards })
  }
}

function isCard(key: string): boolean {
  return key.includes('/')
}

/** The complaint about a node that is not in the fleet. */
export function noSuchNode(
  id: string,
  nodes: ReadonlyMap<string, unknown>,
  { problems }: Complaints,
): { code: 'VALUE_INVALID'; message: string; hint: string } {
  // Suggestions take time, and after many problems they no longer help.
  const isWorthIt = problems.length < SUGGESTIONS_MAX
  const known = [...nodes.keys().take(isWorthIt ? SEARCHED_MAX : NAMES_SHOWN)]
  const meant = isWorthIt ? nearest(id, known) : undefined
  const hint = meant === undefined ? `Nodes here: ${some(known, nodes.size)}.` : `Did you mean ${meant}?`
  return { code: 'VALUE_INVALID', message: `There is no node ${id} in the fleet.`, hint }
}

const SUGGESTIONS_MAX = 20
const SEARCHED_MAX = 5_000
const NAMES_SHOWN = 6

function some(names: readonly string[], count: number): string {
  const more = count > NAMES_SHOWN ? `, and ${count - NAMES_SHOWN} more` : ''
  return `${names.slice(0, NAMES_SHOWN).join(', ')}${more}`
}
