import type { FleetNode, Request, Spot } from '../../fleet/fleet.ts'
import { domainTree, enclosing } from '../../fleet/domain-tree.ts'
import { maskOf } from '../../fleet/mig/cut.ts'
import { migRules, profileName, smallestProfile } from '../../fleet/mig/rules.ts'
import type { Pending, Places, PackingProblem } from './problem.ts'

/**
 * What is wrong with a set of places; empty: they fit together and with everything that runs. It knows nothing about models
 * and solvers, only about what a node can hold.
 */
export function checkPlaces(problem: PackingProblem, places: Places): readonly string[] {
  const { fleet, pending } = problem
  const placed = pending.flatMap(({ request }, index) => (places[index] ?? []).map((spot) => ({ request, spot })))
  const touched = new Set(placed.map(({ spot }) => spot.node))
  return [
    ...pending.flatMap((each, index) => checkWorkers(problem, each, places[index])),
    ...placed.flatMap(({ request, spot }) => checkSpot(fleet.nodes[spot.node], request, spot)),
    ...[...touched].flatMap((node) => {
      const isHere = ({ spot }: Lodger): boolean => spot.node === node
      return checkNode(fleet.nodes[node], problem.tenants.filter(isHere), placed.filter(isHere))
    }),
  ]
}

type Lodger = PackingProblem['tenants'][number]

/** All workers of a gang or none, each on its own node, in one domain. */
function checkWorkers(
  { fleet }: PackingProblem,
  { gang }: Pending,
  spots: readonly Spot[] | undefined,
): readonly string[] {
  if (spots === undefined) return []
  const workers = gang?.nodes ?? 1
  if (spots.length !== workers) return [`${spots.length} workers of ${workers}`]
  if (new Set(spots.map(({ node }) => node)).size < workers) return ['two workers of a gang on one node']
  const within = gang?.within
  if (within === undefined || workers === 1) return []
  const tree = domainTree(fleet)
  const domains = new Set(spots.map(({ node }) => enclosing(tree, tree.home[node] ?? 0, within)))
  return domains.size === 1 && !domains.has(undefined) ? [] : [`a gang is not within one ${within}`]
}

/** What can be checked about a spot without its neighbours. */
function checkSpot(node: FleetNode | undefined, request: Request, { cards, taken }: Spot): readonly string[] {
  if (node === undefined) return ['a node that does not exist']
  const wrong: string[] = []
  const say = (isWrong: boolean, what: string): unknown => isWrong && wrong.push(`${node.id}: ${what}`)
  const { count, part, models } = request
  say(models !== undefined && !models.includes(node.model ?? ''), `its model ${node.model} was not requested`)
  say(cards.length !== count, `${cards.length} cards instead of ${count}`)
  say(new Set(cards).size !== cards.length, 'a card twice')
  say(
    cards.some((card) => node.cards[card] === undefined || node.cards[card].health === 'failing'),
    'a card that is not there or fails',
  )
  if (count === 0) return wrong
  const wanted = part.kind === 'share' && part.milli < 1000 ? `share ${part.milli}` : wantedSlice(node, request)
  const found = taken === undefined ? 'whole' : taken.kind === 'share' ? `share ${taken.milli}` : taken.profile
  say(wanted !== found, `${found} instead of ${wanted}`)
  say(taken?.kind === 'share' && cards.some((card) => node.cards[card]?.parts !== 'share'), 'a card that is not shared')
  return wrong
}

function wantedSlice({ model, cards }: FleetNode, { count, part }: Request): string {
  const rules = model === undefined || cards.some(({ parts }) => parts !== 'mig') ? undefined : migRules(model)
  if (part.kind !== 'slice' || count > 1 || rules === undefined) return 'whole'
  const profile = smallestProfile(rules, part.vramGib)
  return profile === undefined ? 'nothing' : profileName(rules, profile)
}

/** Everything on a node, together. If the size of the disk is not known, no work may request any. */
function checkNode(
  node: FleetNode | undefined,
  tenants: readonly Lodger[],
  placed: readonly Lodger[],
): readonly string[] {
  if (node === undefined) return []
  const wrong: string[] = []
  for (const key of ['cpuMilli', 'memoryMib', 'diskMib'] as const) {
    const here = node[key] === undefined ? placed : [...tenants, ...placed]
    const sum = here.reduce((total, { request }) => total + request[key], 0)
    if (sum > (node[key] ?? 0)) wrong.push(`${node.id}: ${sum} ${key} of ${node[key] ?? 0}`)
  }
  for (const card of new Set(placed.flatMap(({ spot }) => spot.cards))) {
    const here = [...tenants, ...placed].filter(({ spot }) => spot.cards.includes(card))
    const parts = here.map(({ spot }) => spot.taken)
    if (!fitTogether(node, parts)) wrong.push(`${node.id}: card ${card} is taken more than once`)
  }
  return wrong
}

function fitTogether({ model }: FleetNode, parts: readonly Spot['taken'][]): boolean {
  if (parts.includes(undefined)) return parts.length === 1
  const shares = parts.flatMap((part) => (part?.kind === 'share' ? [part.milli] : []))
  const slices = parts.flatMap((part) => (part?.kind === 'slice' ? [part] : []))
  if (slices.length === 0) return shares.reduce((sum, milli) => sum + milli, 0) <= 1000
  const rules = model === undefined ? undefined : migRules(model)
  return shares.length === 0 && rules !== undefined && maskOf(rules, slices) !== undefined
}
