import * as z from 'zod'
import type { Offer } from '../../core/offer/offer.ts'
import { readFleets, type SimFleet } from './fleets.ts'
import { unknownText } from '../settings.ts'
import { readOffers } from './offers.ts'
import { FATES, type Fate } from './whims.ts'

/** A simulated cloud as its settings describe it. */
export interface SimSettings {
  readonly seed: number
  readonly tokens: boolean
  readonly minds: 'ceilings' | 'nothing'
  readonly quota: number | undefined
  readonly startMs: readonly [number, number]
  readonly stopMs: readonly [number, number]
  /** How long an order waits in the queue before its start. */
  readonly queueMs: readonly [number, number] | undefined
  readonly groups: boolean
  readonly watch: boolean
  readonly settleMs: number
  readonly lagMs: number
  readonly keepMs: number
  readonly callsPerSecond: number
  /** Share of calls by fate. */
  readonly faults: Readonly<Partial<Record<Fate, number>>>
  readonly offers: OffersFrom
  readonly fleets: readonly SimFleet[]
}

/** Offers in the settings themselves, or the path of an inventory file; both are read once the provider's name is known. */
type OffersFrom =
  | { readonly kind: 'list'; readonly read: (provider: string) => readonly Offer[] }
  | { readonly kind: 'file'; readonly path: string }

const SPAN = 'must be a number of seconds such as 5, or two such as [2, 5]'
const FAULTS_FORM = 'must map faults to shares of calls, such as { lost: 0.05, throttled: 0.1 }'
const INVENTORY = 'must be the path of an inventory file, without `offers` beside it'

const span = z
  .union([z.number().min(0), z.tuple([z.number().min(0), z.number()])], { error: SPAN })
  .transform((written, context): readonly [number, number] => {
    const [least, most] = typeof written === 'number' ? [written, written] : written
    if (most >= least) return [least * 1000, most * 1000]
    context.addIssue(SPAN)
    return z.NEVER
  })

const faults = z.record(z.string(), z.unknown(), { error: FAULTS_FORM }).transform((written, context) => {
  const rates: Partial<Record<Fate, number>> = {}
  for (const [key, rate] of Object.entries(written)) {
    const fate = FATES.find((each) => each === key && each !== 'answered')
    const isRate = typeof rate === 'number' && rate >= 0 && rate <= 1
    if (fate !== undefined && isRate) rates[fate] = rate
    else {
      const message =
        fate === undefined ? unknownText(key, 'fault', FATES.slice(1)) : 'must be a share of calls from 0 to 1'
      context.addIssue({ code: 'custom', path: [key], message })
    }
  }
  const sum = Object.values(rates).reduce((total, rate) => total + rate, 0)
  if (sum > 1) context.addIssue(`the shares add up to ${sum}; they may add up to 1 at most`)
  return rates
})

/** Settings as users write them. */
export const simSettings = z
  .strictObject({
    seed: number(0).default(1),
    tokens: flag(true),
    price_ceilings: flag(true),
    quota: number(0).optional(),
    start_seconds: span.prefault([2, 5]),
    stop_seconds: span.prefault([0, 1]),
    queue_seconds: span.optional(),
    groups: flag(false),
    watch: flag(false),
    settle_seconds: number(0).default(10),
    lag_seconds: number(0).default(0),
    keep_seconds: number(0).default(3600),
    calls_per_second: number(0.1).default(20),
    faults: faults.default({}),
    offers: listed((offers, problems) => isEmpty(offers) || readOffers(offers, 'sim', problems)),
    fleets: listed(readFleets),
    inventory: z.string({ error: INVENTORY }).min(1, { error: INVENTORY }).optional(),
  })
  .superRefine((written, context) => {
    if (written.inventory !== undefined && written.offers !== undefined)
      context.addIssue({ code: 'custom', path: ['inventory'], message: INVENTORY })
    if (written.fleets !== undefined || !isEmpty(written.offers) || written.offers === undefined) return
    context.addIssue({ code: 'custom', path: ['offers'], message: 'must have at least one offer' })
  })
  .transform((written): SimSettings => {
    const settleMs = written.settle_seconds * 1000
    return {
      seed: written.seed,
      tokens: written.tokens,
      minds: written.price_ceilings ? 'ceilings' : 'nothing',
      quota: written.quota,
      startMs: written.start_seconds,
      stopMs: written.stop_seconds,
      queueMs: written.queue_seconds,
      groups: written.groups,
      watch: written.watch,
      settleMs,
      lagMs: Math.min(written.lag_seconds * 1000, settleMs / 2),
      keepMs: written.keep_seconds * 1000,
      callsPerSecond: written.calls_per_second,
      faults: written.faults,
      offers: offersFrom(written),
      fleets: readFleets(written.fleets, []),
    }
  })

interface Stated {
  readonly offers?: unknown
  readonly fleets?: unknown
  readonly inventory?: string | undefined
}

function offersFrom(written: Stated): OffersFrom {
  if (written.inventory !== undefined) return { kind: 'file', path: written.inventory }
  const offers = offersOf(written)
  return { kind: 'list', read: (provider) => (offers === undefined ? [] : readOffers(offers, provider, [])) }
}

/** Undefined: none are stated. Settings with fleets alone offer nothing for rent. */
function offersOf({ offers, fleets, inventory }: Stated): unknown {
  if (inventory !== undefined) return undefined
  return fleets !== undefined && isEmpty(offers) ? undefined : (offers ?? DEFAULT_OFFERS)
}

function number(least: number) {
  const error = `must be a number of at least ${least}`
  return z.number({ error }).min(least, { error }).max(1e9, { error })
}

function flag(usual: boolean) {
  return z.boolean({ error: 'must be true or false' }).default(usual)
}

/** A list that is checked as a whole. */
function listed(check: (written: unknown, problems: string[]) => unknown) {
  return z
    .unknown()
    .superRefine((written, context) => {
      const problems: string[] = []
      if (written !== undefined) check(written, problems)
      for (const problem of problems) context.addIssue({ code: 'custom', ...spotted(problem) })
    })
    .optional()
}

function isEmpty(offers: unknown): boolean {
  return offers === undefined || (Array.isArray(offers) && offers.length === 0)
}

/** `offers[0].gpu.model: is not known` with its path apart, below the list. */
function spotted(problem: string): { readonly path: (string | number)[]; readonly message: string } {
  const [at = '', ...message] = problem.split(': ')
  const path = at.split(/[.[]/).map((step) => (step.endsWith(']') ? Number(step.slice(0, -1)) : step))
  return { path: path.slice(1), message: message.join(': ') }
}

const DEFAULT_OFFERS = [
  { instance: 'small-1', gpu: { model: 'l4', count: 1 }, usd_per_hour: 0.7, spot_usd_per_hour: 0.3, stock: 8 },
  { instance: 'large-1', gpu: { model: 'h100-sxm', count: 1 }, usd_per_hour: 2.5, spot_usd_per_hour: 1.1, stock: 4 },
  { instance: 'large-8', gpu: { model: 'h100-sxm', count: 8 }, usd_per_hour: 20, stock: 2 },
  { instance: 'plain', cpu: 8, memory: '32Gi', usd_per_hour: 0.2, stock: 16 },
]
