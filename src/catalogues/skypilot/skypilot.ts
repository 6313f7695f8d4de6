import { must } from '../../core/base/assert.ts'
import { residencyOfRegion } from '../../core/hardware/residency.ts'
import { modelFacts } from '../../core/hardware/family.ts'
import type { HostArch } from '../../core/hardware/gpu.ts'
import type { CardFinding, SourceClaim, AuditFinding } from '../../core/offer/audit/audit.ts'
import {
  auditCard,
  conclude,
  concludeWithoutCard,
  flatPrices,
  isFlatPrice,
  quarantined,
  vramHabit,
  wholeCards,
} from '../../core/offer/audit/audit.ts'
import { assignIds } from '../../core/offer/identity.ts'
import type { Offer, OfferGpu, RowVerdict } from '../../core/offer/offer.ts'
import { readGpuInfo } from './info.ts'
import type { GpuInfo } from './info.ts'
import type { SaleRow } from './join.ts'
import { listRows } from './join.ts'
import { hostArchOf, plainFamilyOf, trustOf, upstreamOf } from './machines.ts'
import type { CatalogRow } from './row.ts'
import { hasAccelerator } from './row.ts'

/** The text of one `<cloud>/vms.csv`. */
export interface CatalogFile {
  readonly cloud: string
  readonly text: string
}

/** The region when the catalogue leaves it out; it has no known residency. */
const REGION_UNKNOWN = 'unknown'

/**
 * Reads catalogues in the format of SkyPilot: one verdict and one offer for each row. Cards that fit hosts of several
 * sizes are offered in each. On-demand and spot are two prices of the same offer. Offers and their ids do not depend on
 * the order of rows.
 */
export function importSkypilot(files: readonly CatalogFile[]): { readonly rows: readonly RowVerdict[] } {
  const verdicts = files.flatMap(importFile)
  const offers = verdicts.flatMap(({ offer, variants }) => [offer, ...(variants ?? [])])
  const ids = assignIds(offers)
  for (const [index, offer] of offers.entries()) offer.id = must(ids[index], 'every draft gets an id')
  return { rows: verdicts }
}

/** Offers get their ids last: an id depends on what else is sold in the same place. */
type Drafted<T> = { -readonly [Key in keyof T]: T[Key] }
type DraftedVerdict = Omit<RowVerdict, 'offer' | 'variants'> & {
  readonly offer: Drafted<Offer>
  readonly variants?: readonly Drafted<Offer>[]
}

function importFile({ cloud, text }: CatalogFile): readonly DraftedVerdict[] {
  const facts = placeFacts(cloud)
  const verdicts: DraftedVerdict[] = []
  const withCards: SaleRow[] = []
  for (const listing of listRows(cloud, text)) {
    if (hasAccelerator(listing.sold)) withCards.push(listing)
    else verdicts.push(toVerdict(listing, judgePlain(listing), facts))
  }
  const cards = auditCards(cloud, withCards)
  const flat = flatPrices(pricedMachines(withCards, cards))
  for (const [index, listing] of withCards.entries()) {
    const card = must(cards[index], 'every listing with cards has been audited')
    const finding = judgeWithCard(listing, card, flat)
    const variants = variantsOf(listing, finding, facts)
    verdicts.push({ ...toVerdict(listing, finding, facts), ...(variants.length > 0 && { variants }) })
  }
  return verdicts.sort((one, two) => one.line - two.line)
}

function toVerdict({ row, sold }: SaleRow, finding: AuditFinding, facts: PlaceFacts): DraftedVerdict {
  const { verdict, repairs, quarantine, note } = finding
  return {
    source: facts.source,
    line: row.line,
    accelerator: hasAccelerator(row),
    verdict,
    repairs,
    quarantine,
    note,
    named: row.named || row.info || row.instance,
    offer: draftOffer(sold, finding, facts),
  }
}

/** The row in its other sizes, each with a price of its own. A row that is not believed has none. */
function variantsOf({ variants = [] }: SaleRow, finding: AuditFinding, facts: PlaceFacts): readonly Drafted<Offer>[] {
  if (finding.gpu === undefined) return []
  return variants
    .filter(({ usdPerHour, spotUsdPerHour }) => usdPerHour !== undefined || spotUsdPerHour !== undefined)
    .map((size) => {
      const { usdPerHour, spotUsdPerHour } = size
      return draftOffer(size, { ...finding, usdPerHour, spotUsdPerHour }, facts)
    })
}

/** What the cards of each listing are. Equal claims are judged once. */
function auditCards(cloud: string, listings: readonly SaleRow[]): readonly CardFinding[] {
  const keys = listings.map(({ sold }) => keyOf(sold))
  const claims = new Map<string, SourceClaim | CardFinding>()
  for (const [index, { sold }] of listings.entries()) {
    const key = must(keys[index], 'every listing has a key')
    if (!claims.has(key)) claims.set(key, claimOf(cloud, sold))
  }
  const findings = auditClaims(claims)
  return keys.map((key) => must(findings.get(key), 'every key has a finding'))
}

/** The habits of the source are computed only when a claim depends on them. */
function auditClaims(claims: ReadonlyMap<string, SourceClaim | CardFinding>): ReadonlyMap<string, CardFinding> {
  const findings = new Map([...claims].map(([key, claim]) => [key, isClaim(claim) ? auditCard(claim) : claim]))
  const unsettled = [...claims].filter(([key]) => findings.get(key)?.quarantine === 'NAME_AMBIGUOUS')
  const habit = unsettled.length === 0 ? undefined : vramHabit([...claims.values()].filter(isClaim))
  if (habit === undefined) return findings
  for (const [key, claim] of unsettled) if (isClaim(claim)) findings.set(key, auditCard({ ...claim, habit }))
  return findings
}

/** Everything `claimOf` reads; rows with equal keys make equal claims. */
function keyOf({ named, info, instance, count, upstreamId }: CatalogRow): string {
  return [named, info, instance, count, upstreamId].join('\n')
}

function isClaim(claim: SourceClaim | CardFinding): claim is SourceClaim {
  return 'provider' in claim
}

function claimOf(cloud: string, row: CatalogRow): SourceClaim | CardFinding {
  const info = readGpuInfo(row.info)
  switch (info.kind) {
    case 'unreadable':
      return { gpu: undefined, quarantine: 'ROW_UNREADABLE', note: 'GpuInfo cannot be parsed' }
    case 'mixed':
      return { gpu: undefined, quarantine: 'NAME_AMBIGUOUS', note: 'more than one kind of card' }
    case 'info':
      return claimFrom(cloud, row, info)
  }
}

function claimFrom(cloud: string, row: CatalogRow, info: Extract<GpuInfo, { kind: 'info' }>): SourceClaim {
  return {
    provider: cloud,
    instance: row.instance,
    named: row.named,
    describedAs: info.name,
    upstream: upstreamOf(row.instance, row.upstreamId),
    plainFamily: plainFamilyOf(row.named),
    count: row.count,
    countAgain: info.count,
    cardMib: info.cardMib,
    totalMib: info.totalMib,
    habit: undefined,
  }
}

function* pricedMachines(listings: readonly SaleRow[], cards: readonly CardFinding[]) {
  for (const [index, { sold }] of listings.entries()) {
    const gpu = cards[index]?.gpu
    if (gpu !== undefined) yield { ...sold, key: machineKey(sold, gpu), cards: wholeCards(gpu) }
  }
}

/** Sizes of one machine: the same card in the same place. */
function machineKey({ region, zone }: CatalogRow, { model }: OfferGpu): string {
  return `${region}|${zone}|${model}`
}

function judgePlain({ row, sold, broken }: SaleRow): AuditFinding {
  if (row.fault !== undefined) return quarantined('ROW_UNREADABLE', row.fault, sold)
  return broken === undefined ? concludeWithoutCard(sold) : quarantined(broken.code, broken.note, sold)
}

function judgeWithCard(listing: SaleRow, card: CardFinding, flat: ReadonlySet<string>): AuditFinding {
  const { row, sold, repair, broken } = listing
  if (row.fault !== undefined) return quarantined('ROW_UNREADABLE', row.fault, sold)
  if (card.gpu === undefined) return quarantined(card.quarantine, card.note, sold)
  if (broken !== undefined) return quarantined(broken.code, broken.note, sold)
  const { usdPerHour, spotUsdPerHour } = sold
  const isFlat = isFlatPrice(flat, { key: machineKey(sold, card.gpu), usdPerHour, spotUsdPerHour })
  const finding = conclude(card, { usdPerHour, spotUsdPerHour, isFlat })
  if (repair === undefined || finding.verdict === 'quarantined') return finding
  const note = [finding.note, 'price of cards and host together'].filter((part) => part !== undefined).join('; ')
  return { ...finding, verdict: 'repaired', repairs: [...finding.repairs, repair], note }
}

/** What a cloud's names of machines and regions reveal. */
interface PlaceFacts {
  readonly cloud: string
  readonly source: string
  readonly hostArch: (instance: string) => HostArch | undefined
  readonly trust: (instance: string) => string | undefined
  readonly residency: (region: string) => string | undefined
}

function placeFacts(cloud: string): PlaceFacts {
  return {
    cloud,
    source: `${cloud}/vms.csv`,
    hostArch: remembered((instance) => hostArchOf(cloud, instance)),
    trust: remembered((instance) => trustOf(cloud, instance)),
    residency: remembered(residencyOfRegion),
  }
}

/** A catalogue repeats its few names thousands of times. */
function remembered<T>(compute: (name: string) => T): (name: string) => T {
  const answers = new Map<string, { readonly value: T }>()
  return (name) => {
    const known = answers.get(name)
    if (known !== undefined) return known.value
    const value = compute(name)
    answers.set(name, { value })
    return value
  }
}

function draftOffer(row: CatalogRow, finding: AuditFinding, facts: PlaceFacts): Drafted<Offer> {
  const { gpu, usdPerHour, spotUsdPerHour, quarantine } = finding
  return {
    id: '',
    provider: facts.cloud,
    region: row.region === '' ? REGION_UNKNOWN : row.region,
    zone: row.zone === '' ? undefined : row.zone,
    instance: row.instance,
    capacity: 'rented',
    gpu,
    cpu: row.cpu,
    memoryGib: row.memoryGib,
    diskGib: row.diskGib,
    volumeGib: undefined,
    hostArch: (gpu === undefined ? undefined : modelFacts(gpu.model)?.hostArch) ?? facts.hostArch(row.instance),
    driver: undefined,
    cuda: undefined,
    inbound: undefined,
    domain: undefined,
    usdPerHour,
    spotUsdPerHour,
    stock: undefined,
    quotaLeft: undefined,
    health: undefined,
    startSeconds: undefined,
    reliability: undefined,
    egressUsdPerGib: undefined,
    residency: facts.residency(row.region),
    trust: facts.trust(row.instance),
    quarantine,
  }
}
