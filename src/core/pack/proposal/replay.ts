import { must } from '../../base/assert.ts'
import type { Spot } from '../../fleet/fleet.ts'
import { fitsAt, freeStateOf, withLodger, without, type FreeState } from './free-state.ts'
import type { World } from './world.ts'

/** The part of a move that is needed to carry it out. */
export interface Played {
  readonly name: string
  readonly to: Spot
  readonly how: 'start-first' | 'stop-first'
}

/** What is left of a fleet after moves in this order; undefined: one of them does not fit at its moment. */
export function replay({ fleet, tenants, rules }: World, moves: readonly Played[]): FreeState | undefined {
  const byName = new Map(tenants.map((tenant) => [tenant.name, tenant]))
  let state = freeStateOf(fleet, tenants, rules)
  for (const { name, to, how } of moves) {
    const tenant = must(byName.get(name), `${name} runs`)
    const moved = { ...tenant, spot: to }
    const alone = without(state, tenant)
    if (!fitsAt(how === 'start-first' ? state : alone, tenant.request, to)) return undefined
    state = withLodger(alone, moved)
    byName.set(name, moved)
  }
  return state
}
