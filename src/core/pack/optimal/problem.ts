import { assert } from '../../base/assert.ts'
import type { Fleet, Request, Spot, Tenant } from '../../fleet/fleet.ts'
import type { Gang } from '../gang/gang.ts'
import { milliOf } from './milli.ts'

/** The input of an exact plan. */
export interface PackingProblem {
  readonly fleet: Fleet
  /** What runs, and stays where it is. */
  readonly tenants: readonly Pick<Tenant, 'request' | 'spot'>[]
  readonly pending: readonly Pending[]
}

/** Work that waits for a place. */
export interface Pending {
  readonly request: Request
  /** Workers that each request this, each on its own node, all or none; left out: one, anywhere. */
  readonly gang?: Pick<Gang, 'nodes' | 'within'>
  /** How often it counts, a whole number above 0; left out: once. */
  readonly weight?: number
}

/** For each piece of pending work, a spot for each of its workers; undefined: it was not accepted. */
export type Places = readonly (readonly Spot[] | undefined)[]

/**
 * What accepting it is worth: thousandths of cards, wherever it is placed, for all workers and by weight. Work without cards
 * counts as one thousandth, so that it is not left out for nothing.
 */
export function worthOf({ request, gang, weight = 1 }: Pending): number {
  assert(Number.isInteger(weight) && weight > 0, `a weight is a whole number above 0, not ${weight}`)
  return weight * (gang?.nodes ?? 1) * Math.max(1, milliOf(request))
}

/** What was accepted, in the same unit. */
export function worthPlaced(pending: readonly Pending[], places: Places): number {
  return pending.reduce((sum, each, index) => (places[index] === undefined ? sum : sum + worthOf(each)), 0)
}
