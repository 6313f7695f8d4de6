import type { UserError } from '../core/base/problem.ts'
import { refuse } from '../core/base/refuse.ts'
import type { Placement } from '../core/life/placement.ts'
import { byEpoch } from '../core/life/seats.ts'
import { slotOfSeat } from '../core/life/slots.ts'
import { howToReach } from '../core/life/view/reach.ts'
import type { At } from '../ports/berth.ts'
import type { ServiceDeps } from './deps.ts'
import { knownOf } from './workload/known.ts'
import { mustGet } from './workload/views.ts'

/** The requested slot, or the only one that runs. */
export async function runningSlot(
  { store }: ServiceDeps,
  { at, slot }: { readonly at: At; readonly slot?: string | undefined },
): Promise<Placement> {
  const { body } = await mustGet(store, at)
  const { placements } = await knownOf(store, at)
  const running = placements
    .filter(({ phase, order }) => phase === 'running' && order.tag.uid === body.uid)
    .toSorted(byEpoch)
  const isAsked = (one: string): boolean => slot === undefined || one === slot || slotOfSeat(one) === slot
  const [first] = running.filter(({ order }) => isAsked(order.tag.slot))
  // A replica and its successor are in one slot: the first is meant.
  const names = [...new Set(running.map(({ order }) => slotOfSeat(order.tag.slot)))].toSorted()
  if (first === undefined) {
    const what = slot === undefined ? `No slot of ${at.name} runs now.` : `Slot ${slot} of ${at.name} does not run now.`
    const hint = names.length === 0 ? `See why: berth explain ${at.name}` : `Running slots: ${names.join(', ')}`
    throw refuse('EXEC_IMPOSSIBLE', what, hint)
  }
  if (slot === undefined && names.length > 1) {
    throw refuse(
      'EXEC_IMPOSSIBLE',
      `${at.name} runs in ${names.length} slots.`,
      `Choose one with --slot: ${names.slice(0, 20).join(', ')}`,
    )
  }
  return first
}

/** Says what the provider of a slot cannot do, or that this control plane does not have it. */
export function cannot({ providers }: ServiceDeps, placement: Placement, what: string): UserError {
  const { place, tag } = placement.order
  const where = `${place.provider}, where slot ${tag.slot} runs,`
  if (providers.views().some(({ name }) => name === place.provider))
    return refuse('EXEC_IMPOSSIBLE', `${where} ${what}.`)
  const hint = `To reach it again, ${howToReach(place.provider, placement)}.`
  return refuse('EXEC_IMPOSSIBLE', `${where} is not configured, so Berth cannot reach it.`, hint)
}
