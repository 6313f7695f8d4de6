import { randomFleet } from '../engine/world.suite.ts'
import type { Fleet, FleetCard, FleetNode, CardPart, Request, Tenant } from '../../fleet/fleet.ts'
import { CARD_RULES } from '../proposal/card-rules.ts'
import { fitsOn, freeStateOf, withLodger, type FreeState } from '../proposal/free-state.ts'
import { Dice } from '../../base/dice.ts'
import type { OwnedFleet } from '../../fleet/owned-fleet.ts'

/** A fleet with racks and zones, some nodes with mixed cards, and running work. */
export function randomOwned(seed: number): OwnedFleet {
  const dice = new Dice(seed)
  const nodes = randomFleet(dice).nodes.map((node) => standing(mixed(cuttable(node), dice), dice))
  const fleet = { nodes }
  return { provider: 'harbor', region: 'hamburg', fleet, tenants: randomTenants(fleet, dice) }
}

/** What is left beside running work, by the plain model that proposals use. */
export function freeIn({ fleet, tenants }: Pick<OwnedFleet, 'fleet' | 'tenants'>): FreeState {
  return freeStateOf(fleet, tenants, CARD_RULES)
}

export function randomRequest(dice: Dice): Request {
  const part = dice.pick<CardPart>([
    { kind: 'whole' },
    { kind: 'share', milli: 50 * (1 + dice.roll(19)) },
    { kind: 'slice', vramGib: dice.pick([5, 10, 20, 40]) },
  ])
  return {
    cpuMilli: 500 * dice.roll(20),
    memoryMib: 512 * dice.roll(40),
    diskMib: 0,
    count: part.kind === 'whole' ? dice.pick([0, 1, 1, 2, 2, 4, 8]) : 1,
    part,
    models: undefined,
  }
}

/** A fleet file never says that a card is cut if its model cannot be. */
function cuttable(node: FleetNode): FleetNode {
  const parts = (card: FleetCard): FleetCard['parts'] => (card.parts === 'mig' ? 'share' : card.parts)
  return node.model === 'l40s' ? { ...node, cards: node.cards.map((card) => ({ ...card, parts: parts(card) })) } : node
}

/** Some cards of some nodes are divided differently from the rest. */
function mixed(node: FleetNode, dice: Dice): FleetNode {
  if (!dice.oneIn(3) || node.cards.length < 2) return node
  const from = 1 + dice.roll(node.cards.length - 1)
  const parts: FleetCard['parts'] = node.model === 'l40s' ? 'share' : dice.pick(['mig', 'share', 'none'])
  return { ...node, cards: node.cards.map((card, index) => (index < from ? card : { ...card, parts })) }
}

function standing(node: FleetNode, dice: Dice): FleetNode {
  const zone = dice.pick(['a', 'b', undefined])
  const rack = zone === undefined ? undefined : dice.pick([`${zone}1`, `${zone}2`, undefined])
  return { ...node, domains: { zone, fabric: undefined, rack, nvlinkDomain: undefined } }
}

function randomTenants(fleet: Fleet, dice: Dice): readonly Tenant[] {
  const tenants: Tenant[] = []
  let state = freeIn({ fleet, tenants })
  const steps = dice.roll(fleet.nodes.length * 6)
  for (let step = 0; step < steps; step++) {
    const request = randomRequest(dice)
    const spot = fitsOn(state, dice.roll(fleet.nodes.length), request)
    if (spot === undefined) continue
    const tenant: Tenant = {
      name: `t${dice.roll(steps)}`,
      request,
      spot,
      priority: dice.roll(3),
      restart: dice.pick(['inference', 'training']),
      checkpointAgeS: dice.pick([undefined, 600]),
    }
    tenants.push(tenant)
    state = withLodger(state, tenant)
  }
  return tenants
}
