import { gib, usd } from '../../core/requirement/need/print.ts'
import type { OfferReport } from '../../core/place/explain/offer-report.ts'
import { table } from '../terminal/table.ts'
import { hardware, where } from '../words/words.ts'

/** Offers as a table, and what its prices mean. `?` means unknown, `-` means not sold on these terms. */
export function offerTable(offers: readonly OfferReport[]): readonly string[] {
  const columns = [
    { head: 'WHERE' },
    { head: 'MACHINE' },
    { head: 'HARDWARE' },
    { head: 'CPU', align: 'right' as const },
    { head: 'MEMORY', align: 'right' as const },
    { head: '$/h', align: 'right' as const },
    { head: 'SPOT $/h', align: 'right' as const },
    { head: 'STOCK' },
  ]
  const isPriced = ({ shared, on_demand_usd_per_hour: usdPerHour = 0 }: OfferReport): boolean =>
    shared === true && usdPerHour > 0
  return [...table(columns, offers.map(cells)), ...(offers.some(isPriced) ? WHOLE_NODES : [])]
}

const WHOLE_NODES = ['', 'Of your own nodes, $/h is what all cards of a node cost: work pays for those that it takes.']

function cells(offer: OfferReport): readonly string[] {
  return [
    where(offer),
    offer.instance,
    offer.gpu_name === undefined ? 'no GPU' : hardware(offer),
    offer.cpu === undefined ? '?' : String(offer.cpu),
    offer.memory_gib === undefined ? '?' : gib(offer.memory_gib),
    price(offer.on_demand_usd_per_hour),
    price(offer.spot_usd_per_hour),
    offer.stock?.replace('_', ' ') ?? '?',
  ]
}

function price(value: number | undefined): string {
  return value === undefined ? '-' : usd(value).slice(1)
}
