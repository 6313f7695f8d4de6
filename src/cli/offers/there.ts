import type { Command } from 'commander'
import { EXIT, type Cli } from '../cli.ts'
import { isKnownTarget } from '../platform/connection.ts'
import { findOffers, type OfferFlags } from '../plan/deciding.ts'
import type { OfferReport } from '../../core/place/explain/offer-report.ts'
import type { OffersListed } from '../../ports/berth.ts'
import { ago } from '../words/keep.ts'
import { number } from '../../core/base/words.ts'
import type { ProjectFlags } from '../remote.ts'

/** The most offers that a control plane returns at once. */
export const SHOWN_MAX = 500

export interface ThereFlags extends OfferFlags, ProjectFlags {}

/** Whether to ask the control plane. `--offers` and `--config` mean local files instead. */
export function isThere(flags: ThereFlags, command: Command, cli: Cli): boolean {
  const isHere = (flags.offers ?? []).length > 0 || flags.config !== undefined
  const isNamed = [flags.url, flags.tokenFile, flags.context, flags.project].some((flag) => flag !== undefined)
  if (isHere && isNamed) {
    const text =
      'error: --offers and --config read local files; they cannot be combined with --url, --token-file, --context or --project, which ask the control plane'
    command.error(text, { exitCode: EXIT.usage })
  }
  return !isHere && (isNamed || isKnownTarget(flags, cli))
}

/** How many entries a list leaves out, and how to see them; nothing when it is complete. */
export function moreLines({ shown, all, there }: { shown: number; all: number; there: boolean }): readonly string[] {
  if (shown === all) return []
  const how = there && all > SHOWN_MAX ? `--limit ${SHOWN_MAX} at most` : `--limit ${all}`
  return [`and ${number(all - shown)} more (${how})`]
}

type Read = NonNullable<OffersListed['read']>

/** How old the answers of the control plane's providers are. */
export function freshLines(read: Read | undefined, nowMs: number): readonly string[] {
  if (read === undefined || read.length === 0) return []
  const each = read.map(({ provider, read_ms: readMs, fresh_ms: freshMs = Infinity, complete }) => {
    if (readMs === undefined) return `${provider} has not answered yet`
    const isOld = nowMs - readMs > freshMs + LATE_MS
    const remarks = [...(isOld ? ['it does not answer now'] : []), ...(complete ? [] : ['in part'])]
    return `${provider} ${ago(readMs, nowMs)}${remarks.length === 0 ? '' : ` (${remarks.join(', ')})`}`
  })
  return [`Read: ${each.join(', ')}`]
}

/** A reading is renewed when somebody asks for it: one this much older than it should be could not be. */
const LATE_MS = 10_000

/** A source of local offers, and when it was written. */
export interface FileSource {
  readonly path: string
  readonly changed_ms: number
}

/** The files that offers were read from, as far as their dates are known. */
export function sourcesOf(flags: OfferFlags, cli: Cli): readonly FileSource[] {
  const { paths } = findOffers(flags, cli)
  return paths.flatMap((path) => {
    const changedMs = cli.files.changedMs?.(path)
    return changedMs === undefined ? [] : [{ path, changed_ms: Math.round(changedMs) }]
  })
}

/** What offers from files are worth: prices of a day. */
export function datedLines(sources: readonly FileSource[], offers: readonly OfferReport[]): readonly string[] {
  if (sources.length === 0) return []
  const each = sources.map(({ path, changed_ms: atMs }) => `${path} of ${new Date(atMs).toISOString().slice(0, 10)}`)
  const isUntold = offers.some(({ capacity, stock }) => capacity === 'rented' && stock === undefined)
  const stock = isUntold ? ' Where STOCK is ?, it is a price list, which does not say what can be had.' : ''
  return [`From files: ${each.join(', ')}.${stock}`]
}
