import { must } from '../../core/base/assert.ts'
import type { Path } from '../../core/document/document.ts'
import type { CutSlice, FleetNode, Request, Spot } from '../../core/fleet/fleet.ts'
import { cutProfile, cutProfiles, cutsAgree } from '../../core/fleet/slices.ts'
import { modelFacts } from '../../core/hardware/family.ts'
import type { Problem } from '../../core/base/problem.ts'
import { printCpu, printMemory } from '../../core/base/units.ts'
import { noSuchCard } from './nodes.ts'
import { complain, lineOf, type Complaint, type Complaints } from './problems.ts'

/** What one tenant takes of one node. */
export interface Taking {
  readonly name: string
  /** Its entry under `running`. */
  readonly index: number
  readonly node: number
  readonly request: Request
  /** Ascending; undefined when the file does not say which. */
  readonly cards: readonly number[] | undefined
  readonly taken: Spot['taken']
}

interface Holder {
  readonly name: string
  readonly index: number
  readonly taken: Spot['taken']
}

interface NodeUse {
  cpuMilli: number
  memoryMib: number
  diskMib: number
  readonly cards: Map<number, Holder[]>
}

/** What each tenant uses, while a file is read. */
export interface FleetUse {
  readonly nodes: readonly FleetNode[]
  readonly complaints: Complaints
  /** Warnings. */
  readonly warnings: Problem[]
  readonly uses: Map<number, NodeUse>
}

/** Takes the named cards, and CPU, memory and disk with them; reports contradictions. */
export function take(use: FleetUse, taking: Taking): void {
  const node = takeRoom(use, taking)
  for (const [at, card] of (taking.cards ?? []).entries()) takeCard(use, taking, { node, card, at })
}

/** Takes the lowest free whole cards, with a warning, because the file does not say which they are. */
export function takeAny(use: FleetUse, taking: Taking): readonly number[] {
  const node = takeRoom(use, taking)
  const { cards } = useOf(use, taking.node)
  const free = node.cards.flatMap((_, card) => (cards.has(card) ? [] : [card]))
  const sound = free.filter((card) => node.cards[card]?.health !== 'failing')
  const chosen = (sound.length < taking.request.count ? free : sound).slice(0, taking.request.count)
  const path = ['running', taking.index, 'gpus']
  if (chosen.length < taking.request.count) {
    const held = node.cards.length - free.length
    const message = `${taking.name} holds ${taking.request.count} cards, but ${node.id} has ${node.cards.length} and others hold ${held}.`
    const hint = 'Correct the number, or the other entries on this node.'
    complain(use.complaints, path, { code: 'VALUE_CONFLICT', message, hint })
    return []
  }
  for (const card of chosen) hold(use, taking, card)
  const message = `The file does not say which cards ${taking.name} uses; Berth assumes ${chosen.join(', ')} of ${node.id}.`
  warn(use, path, { code: 'VALUE_INVALID', message, hint: `If you know them: cards: [${chosen.join(', ')}]` })
  return chosen
}

function takeRoom(use: FleetUse, { index, node: at, request }: Taking): FleetNode {
  const node = must(use.nodes[at], 'a taking names a node of the fleet')
  const used = useOf(use, at)
  for (const { key, amount, print } of ROOMS) {
    const before = used[amount]
    used[amount] += request[amount]
    const room = node[amount]
    // Only the first entry that exceeds the node is reported.
    if (room === undefined || used[amount] <= room || before > room) continue
    const message = `With this, ${print(used[amount])} are in use on ${node.id}, which has ${print(room)}.`
    const hint = 'Correct one of the amounts, or the node.'
    complain(use.complaints, ['running', index, key], { code: 'VALUE_CONFLICT', message, hint })
  }
  return node
}

const ROOMS = [
  { key: 'cpu', amount: 'cpuMilli', print: (milli: number) => `${printCpu(milli / 1000)} CPUs` },
  { key: 'memory', amount: 'memoryMib', print: (mib: number) => `${printMemory(mib / 1024)} of memory` },
  { key: 'disk', amount: 'diskMib', print: (mib: number) => `${printMemory(mib / 1024)} of disk` },
] as const

interface CardAt {
  readonly node: FleetNode
  readonly card: number
  /** Its index in the tenant's list. */
  readonly at: number
}

function takeCard(use: FleetUse, taking: Taking, { node, card, at }: CardAt): void {
  const tenant = ['running', taking.index]
  const path = [...tenant, 'cards', at]
  const there = node.cards[card]
  if (there === undefined) {
    complain(use.complaints, path, noSuchCard(card, node.cards.length))
    return
  }
  const holders = useOf(use, taking.node).cards.get(card) ?? []
  const wrong = wrongPart(taking, { node, card }) ?? wrongBeside(taking, holders, { node, card, use })
  if (wrong !== undefined) {
    complain(use.complaints, wrong.at === 'card' ? path : [...tenant, ...wrong.at], wrong.complaint)
    return
  }
  hold(use, taking, card)
  if (there.health !== 'failing') return
  const message = `${taking.name} is on card ${card} of ${node.id}, which is failing.`
  warn(use, path, { code: 'VALUE_CONFLICT', message, hint: 'Move it, or correct `health`.' })
}

interface Wrong {
  /** The card, or a key of the tenant. */
  readonly at: 'card' | Path
  readonly complaint: Complaint
}

/** Whether the card can be used in such parts. */
function wrongPart({ taken }: Taking, { node, card }: Omit<CardAt, 'at'>): Wrong | undefined {
  if (taken === undefined) return undefined
  const wanted = taken.kind === 'share' ? 'share' : 'mig'
  if (node.cards[card]?.parts !== wanted) {
    const message = `Card ${card} of ${node.id} is not ${wanted === 'mig' ? 'in MIG mode' : 'shared'}.`
    const hint = `Write sharing: ${wanted} for it, or leave \`${taken.kind}\` out.`
    return { at: [taken.kind], complaint: { code: 'VALUE_CONFLICT', message, hint } }
  }
  return taken.kind === 'slice' ? wrongSlice(taken, node) : undefined
}

function wrongSlice({ profile, start }: CutSlice, { model }: FleetNode): Wrong | undefined {
  const name = modelFacts(model ?? '')?.name ?? 'This card'
  const known = cutProfile(model, profile)
  const names = cutProfiles(model).map((one) => one.name)
  if (known === undefined) {
    const message = `${name} has no slice ${profile}.`
    const hint = `It has ${names.join(', ')}.`
    return { at: ['slice', 'profile'], complaint: { code: 'VALUE_INVALID', message, hint } }
  }
  if (known.starts.includes(start)) return undefined
  const message = `${profile} cannot begin at ${start} on ${name}.`
  const hint = `It begins at ${known.starts.join(', ')}.`
  return { at: ['slice', 'start'], complaint: { code: 'VALUE_INVALID', message, hint } }
}

interface Beside {
  readonly node: FleetNode
  readonly card: number
  readonly use: FleetUse
}

/** Whether there is still room next to what already uses the card. */
function wrongBeside({ taken }: Taking, holders: readonly Holder[], { node, card, use }: Beside): Wrong | undefined {
  const inTheWay = holders.find((holder) => !getsAlong(holder, taken, node))
  if (inTheWay !== undefined) {
    const line = lineOf(use.complaints.document, ['running', inTheWay.index])
    const message = `Card ${card} of ${node.id} is already used by ${inTheWay.name}${partWords(inTheWay)} (line ${line}).`
    return { at: 'card', complaint: { code: 'VALUE_CONFLICT', message, hint: 'Correct the card of one of the two.' } }
  }
  const shares = [taken, ...holders.map((holder) => holder.taken)]
  const milli = shares.reduce((sum, share) => sum + (share?.kind === 'share' ? share.milli : 0), 0)
  if (milli <= 1000) return undefined
  const message = `With this, ${milli / 10} % of card ${card} of ${node.id} is in use.`
  return { at: ['share'], complaint: { code: 'VALUE_CONFLICT', message, hint: 'Correct one of the shares.' } }
}

/** A card can have several shares, or several slices that do not overlap. */
function getsAlong({ taken: one }: Holder, two: Spot['taken'], node: FleetNode): boolean {
  if (one === undefined || two === undefined || one.kind !== two.kind) return false
  return one.kind === 'share' || two.kind === 'share' || cutsAgree(node.model, [one, two])
}

function partWords({ taken }: Holder): string {
  if (taken === undefined) return ''
  return taken.kind === 'slice' ? ` with ${taken.profile} at ${taken.start}` : ' in part'
}

function hold(use: FleetUse, { name, index, node, taken }: Taking, card: number): void {
  const { cards } = useOf(use, node)
  const holders = cards.get(card) ?? []
  holders.push({ name, index, taken })
  cards.set(card, holders)
}

function useOf({ uses }: FleetUse, node: number): NodeUse {
  const used = uses.get(node) ?? { cpuMilli: 0, memoryMib: 0, diskMib: 0, cards: new Map() }
  uses.set(node, used)
  return used
}

function warn({ complaints, warnings }: FleetUse, path: Path, complaint: Complaint): void {
  complain({ document: complaints.document, problems: warnings }, path, complaint)
}
