import { tpuChips } from '../../core/hardware/resolve.ts'
import type { QuarantineCode, RepairCode } from '../../core/offer/offer.ts'
import type { CardHost } from './hosts.ts'
import {
  cardFor,
  hostFor,
  HOSTS_INCLUDED,
  isHostOfCards,
  isLarger,
  isNeverSoldAlone,
  joinedName,
  otherHosts,
  SPLIT_PROVIDER,
} from './hosts.ts'
import type { CatalogRow } from './row.ts'
import { hasAccelerator, readCatalog } from './row.ts'

/** What a row sells: the row itself, or the row joined with the one that contains the rest of its price. */
export interface SaleRow {
  /** As in the file. */
  readonly row: CatalogRow
  /** The machine that is for sale. */
  readonly sold: CatalogRow
  readonly repair: RepairCode | undefined
  /** The same cards in larger hosts; left out: there are none. */
  readonly variants?: readonly CatalogRow[]
  /** Set when the rest of the price cannot be found. */
  readonly broken: { readonly code: QuarantineCode; readonly note: string } | undefined
}

/**
 * What the rows of a catalogue sell, one listing for each row. For the provider that prices cards and hosts separately,
 * the two are joined, which takes two passes over its rows. Rows of other providers are listed as they are.
 */
export function* listRows(cloud: string, text: string): Generator<SaleRow> {
  const isSplit = cloud === SPLIT_PROVIDER
  const places = isSplit ? cheapest(readCatalog(text)) : NO_PLACES
  for (const row of readCatalog(text)) {
    if (isSplit && row.instance === '') yield withHost(row, places)
    else if (isSplit && !hasAccelerator(row) && isNeverSoldAlone(row.instance)) yield withCard(row, places)
    else yield asItIs(row)
  }
}

function asItIs(row: CatalogRow): SaleRow {
  // The machine around a slice of a TPU pod has no name; the slice is ordered by its own name.
  const sold = row.instance === '' ? { ...row, instance: nameOfCards(row) } : row
  return { row, sold, repair: undefined, broken: undefined }
}

function nameOfCards({ named, count }: CatalogRow): string {
  return tpuChips(named) === undefined ? `${count ?? '?'} × ${named === '' ? 'unnamed card' : named}` : named
}

/** Rows by `zone|machine` and, for cards without a machine, by `zone|2xT4`. */
type RowsByPlace = ReadonlyMap<string, CatalogRow>

const NO_PLACES: RowsByPlace = new Map()

/** One row for each name and zone: the cheapest of several, so that their order does not matter. */
function cheapest(rows: Iterable<CatalogRow>): RowsByPlace {
  const found = new Map<string, CatalogRow>()
  for (const row of rows) {
    if (row.instance !== '' && !isHostOfCards(row.instance)) continue
    const place = `${row.zone}|${row.instance === '' ? `${row.count}x${row.named}` : row.instance}`
    const other = found.get(place)
    if (other === undefined || isCheaper(row, other)) found.set(place, row)
  }
  return found
}

/** Orders by price first. The other columns only make the choice between different rows unique. */
function isCheaper(one: CatalogRow, two: CatalogRow): boolean {
  for (const column of ['usdPerHour', 'spotUsdPerHour', 'cpu', 'memoryGib'] as const) {
    const [first, second] = [one[column] ?? Infinity, two[column] ?? Infinity]
    if (first !== second) return first < second
  }
  return one.info < two.info
}

function withHost(row: CatalogRow, places: RowsByPlace): SaleRow {
  if (tpuChips(row.named) !== undefined) return asItIs(row)
  const join = row.count === undefined ? undefined : hostFor(row.named, row.count)
  if (join === undefined) {
    return { ...asItIs(row), broken: { code: 'HOST_NOT_PRICED', note: 'no known machine has these cards' } }
  }
  const host = places.get(`${row.zone}|${join.host}`)
  if (host === undefined) {
    const sold = { ...row, instance: joinedName(join) }
    return { row, sold, repair: undefined, broken: { code: 'HOST_NOT_PRICED', note: `no ${join.host} in this zone` } }
  }
  const sale = { row, sold: joined(join, row, host), repair: 'HOST_JOINED', broken: undefined } as const
  const variants = otherHosts(join).flatMap((other) => {
    const larger = places.get(`${row.zone}|${other.host}`)
    return larger !== undefined && isLarger(join, larger, host) ? [joined(other, row, larger)] : []
  })
  return variants.length === 0 ? sale : { ...sale, variants }
}

function withCard(row: CatalogRow, places: RowsByPlace): SaleRow {
  const join = cardFor(row.instance)
  const card = join === undefined ? undefined : places.get(`${row.zone}|${join.count}x${join.card}`)
  if (join === undefined || card === undefined) {
    return { ...asItIs(row), broken: { code: 'NOT_SOLD_ALONE', note: 'the price is for the host only' } }
  }
  return { row, sold: joined(join, card, row), repair: 'GPU_JOINED', broken: undefined }
}

/** The whole machine: the cards from one row, CPU and memory from the row of the host. */
function joined(join: CardHost, card: CatalogRow, host: CatalogRow): CatalogRow {
  const isIncluded = HOSTS_INCLUDED.has(join.host)
  return {
    ...card,
    instance: joinedName(join),
    cpu: host.cpu,
    memoryGib: host.memoryGib,
    usdPerHour: sum(card.usdPerHour, isIncluded ? 0 : sold(host.usdPerHour)),
    spotUsdPerHour: sum(card.spotUsdPerHour, isIncluded ? 0 : sold(host.spotUsdPerHour)),
  }
}

function sold(usd: number | undefined): number | undefined {
  return usd === 0 ? undefined : usd
}

/** Rounds to a ten-thousandth of a cent, to remove the noise of binary fractions. */
function sum(cards: number | undefined, host: number | undefined): number | undefined {
  if (cards === undefined || cards === 0 || host === undefined) return undefined
  return Math.round((cards + host) * 1e6) / 1e6
}
