import { resolveGpu } from '../../core/hardware/resolve.ts'
import { assignIds, type OfferDraft } from '../../core/offer/identity.ts'
import type { Offer, Stock } from '../../core/offer/offer.ts'
import type { Link } from '../../core/hardware/link.ts'
import { parseMemoryGib } from '../../core/base/units.ts'

type Written = Readonly<Record<string, unknown>>

/**
 * Offers with the keys of an inventory file: `instance`, `region`, `zone`, `gpu: { model, count, link }`, `cpu`, `memory`,
 * `disk`, `usd_per_hour`, `spot_usd_per_hour`, `stock` (a number: how many there are in total). Other keys are ignored.
 */
export function readOffers(written: unknown, provider: string, problems: string[]): readonly Offer[] {
  if (!Array.isArray(written) || written.length === 0) {
    problems.push(
      'offers: must be a list of at least one offer, such as [{ instance: large, gpu: { model: h100-sxm, count: 1 }, usd_per_hour: 2.5 }]',
    )
    return []
  }
  const drafts = written.flatMap((each: unknown, index) => {
    const draft = isMap(each) ? draftOf(each, provider, { problems, at: `offers[${index}]` }) : undefined
    if (draft === undefined && !isMap(each)) problems.push(`offers[${index}]: must be a map`)
    return draft === undefined ? [] : [draft]
  })
  const ids = assignIds(drafts)
  return drafts.map((draft, index) => ({ ...draft, id: ids[index] ?? '' }))
}

interface Spot {
  readonly problems: string[]
  readonly at: string
}

function draftOf(written: Written, provider: string, spot: Spot): OfferDraft | undefined {
  const { problems, at } = spot
  const before = problems.length
  const gpu = written.gpu === undefined || written.gpu === null ? undefined : gpuOf(written.gpu, spot)
  const instance = written.instance
  if (typeof instance !== 'string' || instance === '') problems.push(`${at}.instance: must be the name of a machine`)
  const usdPerHour = numberOf(written.usd_per_hour)
  if (usdPerHour === undefined) problems.push(`${at}.usd_per_hour: must be a price in dollars an hour`)
  if (problems.length > before) return undefined
  return {
    provider,
    region: textOf(written.region) ?? 'sim',
    zone: textOf(written.zone),
    instance: String(instance),
    capacity: 'rented',
    gpu,
    cpu: numberOf(written.cpu) ?? 8 * (gpu?.count ?? 1),
    memoryGib: gibOf(written.memory) ?? 64 * (gpu?.count ?? 1),
    diskGib: gibOf(written.disk) ?? 500,
    volumeGib: gibOf(written.volume) ?? 10_000,
    hostArch: written.host_arch === 'arm64' ? 'arm64' : 'amd64',
    driver: textOf(written.driver) ?? '570.86.15',
    cuda: textOf(written.cuda) ?? '12.8',
    inbound: true,
    domain: 'rack',
    usdPerHour,
    spotUsdPerHour: numberOf(written.spot_usd_per_hour),
    stock: stockOf(written.stock),
    quotaLeft: undefined,
    health: 'ok',
    startSeconds: undefined,
    reliability: numberOf(written.reliability),
    egressUsdPerGib: numberOf(written.egress_usd_per_gib),
    residency: textOf(written.residency),
    trust: textOf(written.trust),
    quarantine: undefined,
  }
}

function gpuOf(written: unknown, { problems, at }: Spot): Offer['gpu'] {
  const { model, count = 1, link } = isMap(written) ? written : {}
  const resolved = typeof model === 'string' ? resolveGpu(model) : undefined
  if (resolved === undefined || resolved.kind !== 'gpu') {
    problems.push(`${at}.gpu.model: ${typeof model === 'string' ? model : 'nothing'} is not a GPU that Berth knows`)
    return undefined
  }
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > 64) {
    problems.push(`${at}.gpu.count: must be a whole number from 1 to 64`)
    return undefined
  }
  const links: readonly Link[] = ['pcie', 'nvlink', 'nvswitch']
  const known = links.find((each) => each === link) ?? (count === 1 ? 'pcie' : 'nvlink')
  return { model: resolved.gpu.id, count, slice: undefined, link: known }
}

function stockOf(written: unknown): Stock {
  const units = isMap(written) ? numberOf(written.units) : numberOf(written)
  const isOut = written === 'sold_out' || units === 0
  return { level: isOut ? 'sold_out' : 'available', units: isOut ? 0 : units, seenAtMs: undefined }
}

function gibOf(written: unknown): number | undefined {
  if (typeof written === 'number') return written
  const amount = typeof written === 'string' ? parseMemoryGib(written) : undefined
  return amount?.kind === 'amount' ? amount.value : undefined
}

function numberOf(written: unknown): number | undefined {
  return typeof written === 'number' && Number.isFinite(written) && written >= 0 ? written : undefined
}

function textOf(written: unknown): string | undefined {
  return typeof written === 'string' && written !== ''
    ? written
    : typeof written === 'number'
      ? String(written)
      : undefined
}

function isMap(value: unknown): value is Written {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
