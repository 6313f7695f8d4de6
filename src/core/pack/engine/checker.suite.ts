import { must } from '../../base/assert.ts'
import type { CutSlice, Fleet, FleetNode, Request, Spot } from '../../fleet/fleet.ts'
import { forbidden, PUBLISHED } from '../../fleet/mig/published.suite.ts'

// What may be placed where, in plain terms and from printed lists. It shares no code with the engine and its rules.

export interface Lodger {
  readonly request: Request
  readonly spot: Spot
}

/** What is wrong with the work on one node; empty: nothing. */
export function complaints(fleet: Fleet, lodgers: readonly Lodger[], index: number): readonly string[] {
  const node = must(fleet.nodes[index], 'a node')
  const here = lodgers.filter(({ spot }) => spot.node === index)
  return [
    ...here.flatMap((lodger) => aboutLodger(node, lodger)),
    ...node.cards.flatMap((_, card) => aboutCard(node, card, here)),
    ...aboutHost(node, here),
  ].map((complaint) => `${node.id}: ${complaint}`)
}

function aboutLodger(node: FleetNode, { request, spot }: Lodger): readonly string[] {
  const { cards } = spot
  const wrong: string[] = []
  const { models } = request
  if (models !== undefined && !models.includes(node.model ?? '')) wrong.push(`${node.model} is none of ${models}`)
  if (cards.length !== request.count) wrong.push(`${cards.length} cards instead of ${request.count}`)
  if (cards.some((card, at) => node.cards[card] === undefined || card <= (cards[at - 1] ?? -1)))
    wrong.push(`cards ${cards}`)
  if (cards.some((card) => node.cards[card]?.health === 'failing')) wrong.push(`cards ${cards} are failing`)
  if (cards.length > 0) wrong.push(...aboutTaken(node, request, spot.taken))
  else if (spot.taken !== undefined) wrong.push('something was taken of no card')
  return wrong
}

/** Whether what was taken of each card is what was requested, and is possible there at all. */
function aboutTaken(node: FleetNode, { part, count }: Request, taken: Spot['taken']): readonly string[] {
  const isCut = node.cards.every(({ parts }) => parts === 'mig') && PUBLISHED.has(node.model ?? '')
  switch (part.kind) {
    case 'whole':
      return taken === undefined ? [] : ['less than a whole card']
    case 'share':
      if (part.milli >= 1000) return taken === undefined ? [] : ['less than a whole card']
      if (node.cards.some(({ parts }) => parts !== 'share')) return ['these cards are not shared']
      return taken?.kind === 'share' && taken.milli === part.milli ? [] : [`not a share of ${part.milli}`]
    case 'slice':
      if (!isCut || count > 1) return taken === undefined ? [] : ['not the whole of a card that cannot be cut']
      return taken?.kind === 'slice' && taken.profile === smallest(node.model, part.vramGib)
        ? []
        : [`${taken?.kind === 'slice' ? taken.profile : 'no slice'} for ${part.vramGib} GiB`]
  }
}

/** The first that is large enough: lists begin with the smallest profile, and among equals with the least compute. */
function smallest(model: string | undefined, vramGib: number): string | undefined {
  const names = PUBLISHED.get(model ?? '')?.map(({ name }) => name) ?? []
  return names.find((name) => Number(/\.(\d+)gb$/.exec(name)?.[1]) >= vramGib)
}

function aboutCard(node: FleetNode, card: number, here: readonly Lodger[]): readonly string[] {
  const taken = here.flatMap(({ spot }) => (spot.cards.includes(card) ? [spot.taken] : []))
  const slices = taken.filter((one): one is CutSlice => one?.kind === 'slice')
  const milli = taken.reduce((sum, one) => sum + (one === undefined ? 1000 : one.kind === 'share' ? one.milli : 0), 0)
  if (milli > 1000) return [`card ${card} has ${milli} milli taken`]
  if (slices.length === 0) return []
  if (milli > 0) return [`card ${card} is cut and has ${milli} milli taken`]
  const why = forbidden(node.model ?? '', slices)
  return why === undefined ? [] : [`card ${card}: ${why}`]
}

function aboutHost({ cpuMilli, memoryMib, diskMib }: FleetNode, here: readonly Lodger[]): readonly string[] {
  const sum = (of: (request: Request) => number): number => here.reduce((total, one) => total + of(one.request), 0)
  const over = [
    ['CPU', cpuMilli - sum((request) => request.cpuMilli)],
    ['memory', memoryMib - sum((request) => request.memoryMib)],
    ['disk', (diskMib ?? 0) - sum((request) => request.diskMib)],
  ] as const
  return over.flatMap(([what, left]) => (left < 0 ? [`${-left} too much ${what} is taken`] : []))
}
