import { fleetWaits } from '../../place/explain/explain.ts'
import { reasonsOf } from '../../place/explain/report.ts'
import type { Plan } from '../../place/plan.ts'
import { reasonSeenBy, waitSeenBy } from '../../place/explain/seen-by.ts'
import { reportWait, shortText, type WaitReport } from '../../place/own/wait-report.ts'

/**
 * Why some replicas have no place, in one line; `berth explain NAME` has the rest. Many workloads may wait, so only what the
 * line says is worked out.
 */
export function whyNoPlace(
  plan: Plan,
  placed: number,
  project: string,
): { readonly code: string; readonly text: string } {
  const short = plan.asks.find((ask) => ask.shortage !== undefined)
  if (short?.shortage === 'one-domain-only') {
    return { code: 'SPREAD', text: `only one ${short.ask.spread} has room, and replicas must be spread` }
  }
  const full = whereFull(plan, project)
  if (full !== undefined) return { code: 'HOST_FULL', text: full }
  if (short?.shortage === 'not-enough-left') {
    const text = placed > 0 ? `no more of what fits is left (${placed} placed)` : 'everything that fits is taken'
    return { code: 'NOT_ENOUGH_LEFT', text }
  }
  const reasons = plan.asks.flatMap((ask) => reasonsOf(ask, plan)).filter(({ offers }) => offers > 0)
  const [found] = reasons.toSorted((one, two) => rank(two) - rank(one) || two.offers - one.offers)
  const reason = found && reasonSeenBy(found, project)
  if (reason === undefined) return { code: 'NO_OFFERS', text: 'no provider offers anything now' }
  const offers = reason.offers === 1 ? '1 offer' : `${reason.offers} offers`
  return { code: reason.code, text: `${offers} turned down: ${reason.because}` }
}

/** The node of our own that has no room for what is short. */
function whereFull(plan: Plan, project: string): string | undefined {
  const { fleets } = plan.snapshot
  const waits = fleetWaits(plan).flatMap((each, index) => (plan.asks[index]?.shortage === undefined ? [] : each))
  return waits.map((wait) => waitSeenBy(reportWait(wait, fleets), project)).flatMap(fullText)[0]
}

/** What runs on the node of our own that is full, and how much is missing; empty if the node could never fit. */
function fullText({ nearest }: WaitReport): readonly string[] {
  const [first] = nearest?.blocked ?? []
  if (first === undefined || first.tenants.length === 0) return []
  const names = [...new Set(first.tenants.map(({ name }) => name))]
  const shown = names.slice(0, NAMES_SHOWN).join(', ')
  const rest = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : ''
  const lack = first.short === undefined ? '' : `, ${shortText(first.short)} short`
  return [`${first.node} is full: ${shown}${rest} ${names.length === 1 ? 'runs' : 'run'} there${lack}`]
}

const NAMES_SHOWN = 3

/**
 * A reason that time or a policy can change is more useful than one that never changes. That the workload's own policy leaves out a
 * provider is meant so, and says the least of those.
 */
function rank({ waiting, code }: { readonly waiting: 'helps' | 'never' | 'policy'; readonly code: string }): number {
  if (waiting === 'policy') return code === 'PROVIDER_NOT_ALLOWED' ? 1 : 2
  return waiting === 'helps' ? 3 : 0
}
