import { InvalidArgumentError } from 'commander'
import { parseShare } from '../../core/base/units.ts'
import type { PlanReport } from '../../core/place/explain/report.ts'
import type { AgreedPrice } from '../../ports/berth.ts'
import { UserError } from '../../core/base/problem.ts'
import { perHour } from '../words/words.ts'

/** Prices move by a few percent between the question and the answer; that much more is not worth another question. */
const TOLERANCE = 0.05

export interface PriceFlags {
  readonly priceTolerance?: number
  readonly maxPrice?: number
}

/**
 * What the user agrees to by confirming a plan: the prices that it shows and the tolerance, or up to `--max-price` in all.
 * Undefined: the plan shows no price.
 */
export function agreedIn(plan: PlanReport, flags: PriceFlags): AgreedPrice | undefined {
  const { maxPrice } = flags
  if (maxPrice !== undefined && plan.usd_per_hour > maxPrice) throw tooDear(plan, maxPrice)
  const shown = plan.asks.flatMap((ask) => {
    const prices = pricesOf(plan, ask.role)
    if (prices.length === 0 || prices.some((price) => price === undefined)) return []
    const known = prices.flatMap((price) => price ?? [])
    const sum = known.reduce((total, price) => total + price, 0)
    return [
      { ...roleOf(ask.role), replicas: known.length, usd_per_hour: sum, replica_usd_per_hour: Math.max(...known) },
    ]
  })
  if (maxPrice === undefined) {
    return shown.length === 0 ? undefined : { tolerance: flags.priceTolerance ?? TOLERANCE, roles: shown }
  }
  if (shown.length === plan.asks.length && plan.usd_per_hour > 0)
    return { tolerance: maxPrice / plan.usd_per_hour - 1, roles: shown }
  const roles = plan.asks.map(({ role, replicas }) => {
    return { ...roleOf(role), replicas, usd_per_hour: maxPrice, replica_usd_per_hour: maxPrice }
  })
  return { tolerance: 0, roles }
}

/** The price of each replica of a role that has a place; undefined: its provider does not say. */
function pricesOf({ chosen }: PlanReport, role: string | undefined): readonly (number | undefined)[] {
  const replicas = Map.groupBy(
    chosen.filter((one) => one.role === role),
    ({ replica }) => replica,
  )
  return [...replicas.values()].map((machines) =>
    machines.reduce<number | undefined>((sum, { offer }) => {
      return sum === undefined || offer.usd_per_hour === undefined ? undefined : sum + offer.usd_per_hour
    }, 0),
  )
}

function roleOf(role: string | undefined): { readonly role?: string } {
  return role === undefined ? {} : { role }
}

function tooDear({ workload, usd_per_hour: price }: PlanReport, maxPrice: number): UserError {
  const message = `${workload} would cost ${perHour(price)}, which is more than --max-price ${maxPrice}.`
  return new UserError([
    {
      code: 'PRICE_TOO_HIGH',
      message,
      hint: 'Nothing was changed. Raise --max-price, or loosen what the manifest requires.',
    },
  ])
}

/** `30%` as 0.3. */
export function tolerance(text: string): number {
  const read = parseShare(text)
  if (read.kind !== 'amount') throw new InvalidArgumentError('Write a percentage from 0% to 100%, for example 30%.')
  return read.value
}

export function dollars(text: string): number {
  const value = Number(text)
  if (!/^\d+(?:\.\d+)?$/.test(text) || !Number.isFinite(value))
    throw new InvalidArgumentError('Write an amount in dollars per hour, for example 4.50.')
  return value
}
