import { normalizeArea } from '../../core/hardware/residency.ts'
import { familyOf, modelFacts } from '../../core/hardware/family.ts'
import type { GpuHints, GpuModel, Resolution, Slice } from '../../core/hardware/gpu.ts'
import { resolveGpu } from '../../core/hardware/resolve.ts'
import { auditPrices } from '../../core/offer/audit/price.ts'
import type { OfferDraft } from '../../core/offer/identity.ts'
import { defaultLink } from '../../core/offer/link.ts'
import type { OfferGpu, QuarantineCode, Stock } from '../../core/offer/offer.ts'
import type { Link } from '../../core/hardware/link.ts'
import { printMemory } from '../../core/base/units.ts'
import type { GpuFile, OfferFile, SliceFile, StockFile } from './schema.ts'

/** An offer of an inventory, with the reason if it is not trusted. */
export interface Judged {
  readonly draft: OfferDraft
  readonly quarantine: QuarantineCode | undefined
  readonly note: string | undefined
}

/** Turns a well-formed offer into what the planner uses. An offer that contradicts the hardware table is not trusted. */
export function judgeOffer(file: OfferFile, observedAtMs: number | undefined): Judged {
  const cards = file.gpu === undefined ? undefined : judgeCards(file.gpu, file)
  const prices = judgePrices(file, cards)
  const doubt = cards?.doubt ?? prices.doubt
  return {
    quarantine: doubt?.quarantine,
    note: doubt?.note,
    draft: {
      provider: file.provider,
      region: file.region,
      zone: file.zone,
      instance: file.instance,
      capacity: file.capacity ?? 'rented',
      gpu: cards?.gpu,
      cpu: file.cpu,
      memoryGib: file.memory,
      diskGib: file.disk,
      volumeGib: file.volume,
      hostArch: file.host_arch ?? cards?.facts?.hostArch,
      driver: file.driver,
      cuda: file.cuda,
      inbound: file.inbound,
      domain: file.domain,
      usdPerHour: prices.usdPerHour,
      spotUsdPerHour: prices.spotUsdPerHour,
      stock: file.stock === undefined ? undefined : toStock(file.stock, observedAtMs),
      quotaLeft: file.quota_left,
      health: file.health,
      startSeconds: file.start,
      reliability: file.reliability,
      egressUsdPerGib: file.egress_usd_per_gib,
      residency: file.residency === undefined ? undefined : normalizeArea(file.residency),
      trust: file.trust,
      quarantine: doubt?.quarantine,
    },
  }
}

interface Doubt {
  readonly quarantine: QuarantineCode
  readonly note: string
}

interface Cards {
  readonly gpu: OfferGpu | undefined
  readonly facts: GpuModel | undefined
  readonly doubt: Doubt | undefined
}

function judgeCards(file: GpuFile, { provider, instance, host_arch }: OfferFile): Cards {
  const count = file.count ?? 1
  const resolved = resolveName(file.model, { provider, instance, count })
  if (resolved.kind === 'unknown') return doubted('NAME_UNKNOWN', `${file.model} is not a known card`)

  // A name that leaves only the form factor open stands for the family; anything wider is no answer.
  const models = resolved.kind === 'gpu' ? [resolved.gpu] : resolved.candidates
  const facts = resolved.kind === 'gpu' ? resolved.gpu : modelFacts(familyOf(models) ?? '')
  if (facts === undefined) return doubted('NAME_AMBIGUOUS', `${file.model} is ${listed(models)}`)

  const slice = file.slice === undefined ? resolved.slice : sliceOf(file.slice, facts)
  if (slice === 'impossible') return doubted('VRAM_CONTRADICTS', `${facts.name} has no slice ${sliceText(file.slice)}`)

  const linked: Link | undefined = resolved.linked && count > 1 ? 'nvlink' : defaultLink(facts, count)
  const link = file.link ?? (slice === undefined ? linked : 'pcie')
  const gpu = { model: facts.id, count, slice, link }
  return { gpu, facts, doubt: contradiction(file, facts, host_arch) }
}

/** An id of the hardware table is taken literally, whatever the name of the machine. */
function resolveName(model: string, hints: GpuHints): Resolution {
  const gpu = modelFacts(model.trim().toLowerCase())
  return gpu === undefined ? resolveGpu(model, hints) : { kind: 'gpu', gpu, slice: undefined, linked: false }
}

function doubted(quarantine: QuarantineCode, note: string): Cards {
  return { gpu: undefined, facts: undefined, doubt: { quarantine, note } }
}

function listed(models: readonly GpuModel[]): string {
  return models
    .map((model) => model.name)
    .toSorted()
    .join(' or ')
}

/** A slice is plausible when the card supports it, or when the card is at least as large as the share. */
function sliceOf(stated: SliceFile, facts: GpuModel): Slice | 'impossible' {
  if (typeof stated === 'number') {
    return stated <= facts.vramGib ? { kind: 'share', profile: undefined, gib: stated } : 'impossible'
  }
  const profile = facts.mig.find((candidate) => candidate.name === stated)
  return profile === undefined ? 'impossible' : { kind: 'mig', profile: profile.name, gib: profile.gib }
}

function sliceText(stated: SliceFile | undefined): string {
  return typeof stated === 'number' ? `of ${printMemory(stated)}` : String(stated)
}

/** What the offer says about the host or the link that cannot be true of this card. */
function contradiction({ link }: GpuFile, facts: GpuModel, hostArch: OfferFile['host_arch']): Doubt | undefined {
  if (facts.link === 'none' && link !== undefined && link !== 'pcie') {
    return { quarantine: 'ROW_UNREADABLE', note: `gpu.link: ${facts.name} is never joined by ${link}` }
  }
  if (facts.hostArch !== undefined && hostArch !== undefined && hostArch !== facts.hostArch) {
    return { quarantine: 'ROW_UNREADABLE', note: `host_arch: ${facts.name} exists only with ${facts.hostArch} hosts` }
  }
  return undefined
}

interface Prices {
  readonly usdPerHour: number | undefined
  readonly spotUsdPerHour: number | undefined
  readonly doubt: Doubt | undefined
}

/** Owned machines cost nothing more; rented machines need a plausible price. */
function judgePrices(file: OfferFile, cards: Cards | undefined): Prices {
  const stated = { usdPerHour: file.usd_per_hour, spotUsdPerHour: file.spot_usd_per_hour }
  if (file.capacity === 'owned') return { ...stated, usdPerHour: stated.usdPerHour ?? 0, doubt: undefined }

  const {
    usdPerHour,
    spotUsdPerHour,
    quarantine,
    note = '',
  } = auditPrices(stated, { cards: cardsOf(cards), isFlat: false })
  return { usdPerHour, spotUsdPerHour, doubt: quarantine === undefined ? undefined : { quarantine, note } }
}

/** How many whole cards the slices of a machine amount to. */
function cardsOf(cards: Cards | undefined): number {
  if (cards?.gpu === undefined || cards.facts === undefined) return 0
  const { count, slice } = cards.gpu
  return slice === undefined ? count : (count * slice.gib) / cards.facts.vramGib
}

function toStock(stated: StockFile, observedAtMs: number | undefined): Stock {
  const { level, units, seen } = typeof stated === 'object' ? stated : stockOf(stated)
  return {
    level: level ?? (units === 0 ? 'sold_out' : 'available'),
    units,
    seenAtMs: seen === undefined ? observedAtMs : Date.parse(seen),
  }
}

function stockOf(stated: Extract<StockFile, string | number>): Exclude<StockFile, string | number> {
  return typeof stated === 'number' ? { units: stated } : { level: stated }
}
