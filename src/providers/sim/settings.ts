import { nearest } from '../../core/document/nearest.ts'
import type { Offer } from '../../core/offer/offer.ts'
import { readFleets, type SimFleet } from './fleets.ts'
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

export type SimSettingsRead =
  | { readonly ok: true; readonly settings: SimSettings }
  | { readonly ok: false; readonly problems: readonly string[] }

const KEYS = [
  'seed',
  'tokens',
  'price_ceilings',
  'quota',
  'start_seconds',
  'stop_seconds',
  'settle_seconds',
  'lag_seconds',
  'keep_seconds',
  'calls_per_second',
  'faults',
  'offers',
  'inventory',
  'fleets',
]

/** Reads settings as users write them; reports all problems at once. */
export function readSettings(written: Readonly<Record<string, unknown>>): SimSettingsRead {
  const problems: string[] = []
  const number = (key: string, least: number, usual: number): number => {
    const value = written[key]
    if (value === undefined) return usual
    if (typeof value === 'number' && Number.isFinite(value) && value >= least && value <= 1e9) return value
    problems.push(`${key}: must be a number of at least ${least}`)
    return usual
  }
  const flag = (key: string, usual: boolean): boolean => {
    const value = written[key]
    if (value === undefined || typeof value === 'boolean') return value ?? usual
    problems.push(`${key}: must be true or false`)
    return usual
  }
  const settleMs = number('settle_seconds', 0, 10) * 1000
  const settings: SimSettings = {
    seed: number('seed', 0, 1),
    tokens: flag('tokens', true),
    minds: flag('price_ceilings', true) ? 'ceilings' : 'nothing',
    quota: written.quota === undefined ? undefined : number('quota', 0, 0),
    startMs: span('start_seconds', written.start_seconds ?? [2, 5], problems),
    stopMs: span('stop_seconds', written.stop_seconds ?? [0, 1], problems),
    settleMs,
    lagMs: Math.min(number('lag_seconds', 0, 0) * 1000, settleMs / 2),
    keepMs: number('keep_seconds', 0, 3600) * 1000,
    callsPerSecond: number('calls_per_second', 0.1, 20),
    faults: faultsOf(written.faults ?? {}, problems),
    offers: offersFrom(written, problems),
    fleets: readFleets(written.fleets, problems),
  }
  problems.push(...strangers(written))
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings }
}

/** One number, or a minimum and a maximum. */
function span(key: string, value: unknown, problems: string[]): readonly [number, number] {
  const pair: readonly unknown[] = Array.isArray(value) ? value : [value, value]
  const [least, most] = pair
  const isSpan =
    pair.length === 2 && typeof least === 'number' && typeof most === 'number' && least >= 0 && most >= least
  if (isSpan && Number.isFinite(most)) return [least * 1000, most * 1000]
  problems.push(`${key}: must be a number of seconds such as 5, or two such as [2, 5]`)
  return [0, 0]
}

function faultsOf(value: unknown, problems: string[]): Readonly<Partial<Record<Fate, number>>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push('faults: must map faults to shares of calls, such as { lost: 0.05, throttled: 0.1 }')
    return {}
  }
  const rates: Partial<Record<Fate, number>> = {}
  for (const [key, rate] of Object.entries(value)) {
    const fate = FATES.find((each) => each === key && each !== 'answered')
    if (fate === undefined) problems.push(`faults.${key}: there is no such fault${meant(key, FATES.slice(1))}`)
    else if (typeof rate === 'number' && rate >= 0 && rate <= 1) rates[fate] = rate
    else problems.push(`faults.${key}: must be a share of calls from 0 to 1`)
  }
  const sum = Object.values(rates).reduce((total, rate) => total + rate, 0)
  if (sum > 1) problems.push(`faults: the shares add up to ${sum}; they may add up to 1 at most`)
  return rates
}

function offersFrom(written: Readonly<Record<string, unknown>>, problems: string[]): OffersFrom {
  const { inventory, fleets } = written
  // Settings with fleets alone offer nothing for rent.
  const offers = written.offers ?? (fleets === undefined || inventory !== undefined ? undefined : [])
  if (Array.isArray(offers) && offers.length === 0 && fleets !== undefined) return { kind: 'list', read: () => [] }
  if (typeof inventory === 'string' && inventory !== '' && offers === undefined)
    return { kind: 'file', path: inventory }
  const list = { kind: 'list', read: (provider: string) => readOffers(offers ?? DEFAULT_OFFERS, provider, []) } as const
  if (inventory !== undefined)
    problems.push('inventory: must be the path of an inventory file, without `offers` beside it')
  else readOffers(offers ?? DEFAULT_OFFERS, 'sim', problems)
  return list
}

const DEFAULT_OFFERS = [
  { instance: 'small-1', gpu: { model: 'l4', count: 1 }, usd_per_hour: 0.7, spot_usd_per_hour: 0.3, stock: 8 },
  { instance: 'large-1', gpu: { model: 'h100-sxm', count: 1 }, usd_per_hour: 2.5, spot_usd_per_hour: 1.1, stock: 4 },
  { instance: 'large-8', gpu: { model: 'h100-sxm', count: 8 }, usd_per_hour: 20, stock: 2 },
  { instance: 'plain', cpu: 8, memory: '32Gi', usd_per_hour: 0.2, stock: 16 },
]

function strangers(written: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(written)
    .filter((key) => !KEYS.includes(key))
    .map((key) => `${key}: there is no such setting${meant(key, KEYS)}`)
}

function meant(key: string, keys: readonly string[]): string {
  const near = nearest(key, keys)
  return near === undefined ? `; the keys are ${keys.join(', ')}` : `; did you mean ${near}?`
}
