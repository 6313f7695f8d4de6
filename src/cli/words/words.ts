import { usd } from '../../core/requirement/need/print.ts'
import type { OfferReport } from '../../core/place/explain/offer-report.ts'

/** A path quoted for a shell, where it needs to be. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

/** Dollars per hour, or `?`. */
export function perHour(value: number | undefined): string {
  return value === undefined ? '?' : `${usd(value)}/h`
}

/** `4 × H100 SXM 80 GB, NVLink`, `1 × 1g.10gb of H100 SXM 80 GB`, `16 CPU, 64 GiB`. */
export function hardware(offer: OfferReport): string {
  if (offer.gpu_name === undefined) return `${offer.cpu ?? '?'} CPU, ${rounded(offer.memory_gib)} GiB`
  const what = offer.slice === undefined ? offer.gpu_name : `${offer.slice} (${offer.vram_gib} GB) of ${offer.gpu_name}`
  const link = offer.gpu_count > 1 && offer.gpu_vendor === 'nvidia' ? LINKS[offer.interconnect ?? '?'] : undefined
  return `${offer.gpu_count} × ${what}${link === undefined ? '' : `, ${link}`}`
}

/** Rounded to a tenth of a GiB, which is precise enough to compare. */
function rounded(gib: number | undefined): string {
  return gib === undefined ? '?' : String(Math.round(gib * 10) / 10)
}

const LINKS: Readonly<Record<string, string>> = { nvlink: 'NVLink', nvswitch: 'NVSwitch', pcie: 'PCIe', '?': 'link ?' }

/** `~40 s`, `~2 min`, `?`. */
export function startTime(seconds: number | undefined): string {
  if (seconds === undefined) return '?'
  return seconds < 90 ? `~${Math.round(seconds)} s` : `~${Math.round(seconds / 60)} min`
}

/** Relative up to a day, then the date. */
export function age(atMs: number, nowMs: number): string {
  const minutes = Math.max(0, Math.round((nowMs - atMs) / 60_000))
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`
  return new Date(atMs).toISOString().slice(0, 10)
}

/** `provider/region`, or `provider/zone` where the zone says more. A fleet's provider and region may share one name. */
export function where({ provider, region, zone }: OfferReport): string {
  if (zone !== undefined && zone !== region) return `${provider}/${zone}`
  return provider === region ? provider : `${provider}/${region}`
}

/** A setting and what it would replace, in two cells. For a long list that only grows, just what is new. */
export function changeWords(key: string, from: string, to: string): readonly [change: string, instead: string] {
  const before = listed(from)
  const after = listed(to)
  const added = after.filter((word) => !before.includes(word))
  const isGrown = before.length >= LONG_LIST && added.length === after.length - before.length
  if (isGrown) return [`${key}: +${added.length}: ${added.join(', ')}`, `in addition to the ${before.length} there`]
  return [`${key}: ${to}`, from === '' || from === 'nothing' ? '' : `instead of ${from}`]
}

/** Shorter lists are shown in full. */
const LONG_LIST = 4

function listed(text: string): readonly string[] {
  return /^\[.*\]$/.test(text) ? text.slice(1, -1).split(', ') : []
}
