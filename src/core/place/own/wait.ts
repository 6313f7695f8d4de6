import type { NodeUse } from '../../fleet/use.ts'
import type { Request, Tenant } from '../../fleet/fleet.ts'
import type { HostView } from '../../pack/gang/gang.ts'
import type { Holdup } from '../../pack/gang/holdup.ts'
import { placeGang } from '../../pack/gang/place-gang.ts'
import { CARD_RULES } from '../../pack/proposal/card-rules.ts'
import { proposeMoves, type Moves } from '../../pack/proposal/defragment.ts'
import type { World } from '../../pack/proposal/world.ts'
import type { Choice } from '../choose.ts'
import type { OwnAsk } from './ask.ts'

/** Why a fleet that could serve has no room now, and what would change that. */
export interface FleetWait {
  readonly fleet: number
  /** What each node would have to provide. */
  readonly request: Request
  readonly holdup: Holdup
  /** What each node in use is short of, by node. */
  readonly short: ReadonlyMap<number, Short>
  /** What this plan itself has placed in the fleet. */
  readonly planned: ReadonlySet<Tenant>
  /** Moves after which one more replica fits; undefined: none was found, or the fleet is too large to search. */
  readonly moves: Moves | undefined
}

/** How much more would have to be free. Left out: enough is free. */
interface Short {
  readonly cpu?: number
  readonly memoryGib?: number
  readonly diskGib?: number
  readonly gpus?: number
}

/** On larger fleets, a search for moves would take longer than the rest of the plan. */
const NODES_SEARCHED = 1_000

/** The fleets that would have been used if they had room. Running work is not touched: moves are only proposed. */
export function waitsOf(ask: OwnAsk, choices: readonly Choice[], replicas: number): readonly FleetWait[] {
  if (choices.filter(({ own }) => own !== undefined).length >= replicas) return []
  const busy = ask.own.busy(ask.question.tally, ask.question.need)
  const worst = Math.max(...choices.map(({ standing }) => standing.tier))
  const isShort = choices.length < replicas
  return ask.own.fleets.flatMap(({ provider }, fleet) => {
    const isPreferred = isShort || tierOf(provider, ask) <= worst
    const wait = isPreferred && !ask.hasRoomIn(fleet) ? waitIn(ask, fleet, busy.get(fleet) ?? new Map()) : undefined
    return wait === undefined ? [] : [wait]
  })
}

function tierOf(provider: string, { question }: OwnAsk): number {
  const { fallback } = question.ranking.policy
  const place = fallback.indexOf(provider)
  return place < 0 ? fallback.length : place
}

/** Undefined: no node of the fleet could ever serve. */
function waitIn(ask: OwnAsk, fleet: number, busy: ReadonlyMap<number, Request>): FleetWait | undefined {
  const hosts = ask.hostsIn(fleet)
  // Nodes that had room before this plan took it count as busy, too.
  const asked = new Map([...busy, ...ask.optionsIn(fleet).map(({ node, request }) => [node, request] as const)])
  const kinds = Map.groupBy(asked, ([node]) => ask.kindOf(fleet, node))
  let best: FleetWait | undefined
  for (const [, entries] of [...kinds].sort(([one], [two]) => (one < two ? -1 : 1))) {
    const would = new Map(entries)
    const request = entries[0]?.[1]
    if (request === undefined) continue
    const view: HostView = {
      canHost: (node) => hosts.has(node) && would.has(node) && ask.hasRoomForGang(fleet, node),
      score: (node) => hosts.get(node)?.score ?? Number.NEGATIVE_INFINITY,
      tenancy: {
        wouldHost: (node) => would.has(node),
        tenantsOn: (node) => ask.own.room(fleet).tenantsOn(node),
      },
    }
    const holdup = placeGang(ask.own.room(fleet).tree, ask.gangIn(fleet, request), view)
    if (holdup.kind === 'fits' || !isNearer(holdup, best?.holdup)) continue
    const { planned } = ask.own.room(fleet)
    const blocked = holdup.nearest?.blocked ?? []
    const whole = ask.gangIn(fleet, request).request
    const short = new Map(blocked.map(({ node }) => [node, shortOf(whole, ask.own.room(fleet).useAt(node))]))
    best = { fleet, request, holdup, short, planned, moves: movesFor(ask, fleet, { request, would }) }
  }
  return best
}

function shortOf(request: Request, use: NodeUse): Short {
  const idle = use.cards.filter(({ state }) => state === 'free').length
  const cpu = (request.cpuMilli - use.cpuFreeMilli) / 1000
  const memoryGib = (request.memoryMib - use.memoryFreeMib) / 1024
  const diskGib = use.diskFreeMib === undefined ? 0 : (request.diskMib - use.diskFreeMib) / 1024
  const gpus = request.part.kind === 'whole' ? request.count - idle : 0
  return {
    ...(cpu > 0 && { cpu }),
    ...(memoryGib > 0 && { memoryGib }),
    ...(diskGib > 0 && { diskGib }),
    ...(gpus > 0 && { gpus }),
  }
}

/** Fewer nodes are missing, and all of them could become free. */
function isNearer(one: Holdup, two: Holdup | undefined): boolean {
  if (two === undefined) return true
  const missing = ({ nearest }: Holdup): number => nearest?.missing ?? Number.POSITIVE_INFINITY
  return Number(one.fitsWhenEmpty) - Number(two.fitsWhenEmpty) > 0 || missing(one) < missing(two)
}

interface Wanted {
  readonly request: Request
  /** Nodes that may host. */
  readonly would: ReadonlyMap<number, Request>
}

function movesFor(ask: OwnAsk, fleet: number, { request, would }: Wanted): Moves | undefined {
  const room = ask.own.room(fleet)
  const { nodes } = room.owned.fleet
  if (nodes.length > NODES_SEARCHED || ask.isStacked(fleet)) return undefined
  const models = [...new Set([...would.keys()].flatMap((node) => room.nodeAt(node).model ?? []))]
  const { need } = ask.question
  const goal = {
    kind: 'fit' as const,
    request: { ...request, models: need.gpu === undefined ? undefined : models },
    nodes: need.nodes,
    within: need.nodes === 1 ? undefined : need.within,
  }
  const proposed = proposeMoves(worldOf(room.allTenants(), room.owned.fleet), goal)
  if (proposed.kind === 'no-moves') return undefined
  // The search for moves knows no requirements beyond the model, so its result is checked here.
  return proposed.spots.every(({ node }) => would.has(node)) ? proposed : undefined
}

/**
 * One name may run on several nodes: if it is training, it counts as a gang, and no member moves alone. Work that does not
 * state which other cards would do only moves to cards of its own model.
 */
function worldOf(all: readonly Tenant[], fleet: World['fleet']): World {
  const counts = Map.groupBy(all, ({ name }) => name)
  const gangs = new Map<string, string>()
  const names = new Map<string, number>()
  const tenants = all.map((tenant): Tenant => {
    const node = fleet.nodes[tenant.spot.node]
    const isAlone = (counts.get(tenant.name)?.length ?? 0) < 2
    const base = isAlone ? tenant.name : `${tenant.name} on ${node?.id ?? '?'}`
    const count = (names.get(base) ?? 0) + 1
    names.set(base, count)
    const name = count === 1 ? base : `${base} (${count})`
    if (!isAlone && tenant.restart === 'training') gangs.set(name, tenant.name)
    const models =
      tenant.request.models ?? (tenant.spot.cards.length > 0 && node?.model !== undefined ? [node.model] : undefined)
    return { ...tenant, name, request: { ...tenant.request, models } }
  })
  return { fleet, tenants, rules: CARD_RULES, gangOf: ({ name }) => gangs.get(name) }
}
