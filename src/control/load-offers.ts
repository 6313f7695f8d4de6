import { applySettings } from '../core/config/labels.ts'
import type { Config } from '../core/config/policy.ts'
import { assignIds } from '../core/offer/identity.ts'
import type { Offer, Refusal, RowVerdict } from '../core/offer/offer.ts'
import { freeze, type Snapshot } from '../core/offer/snapshot.ts'
import { thaw } from '../core/offer/thaw.ts'
import { must } from '../core/assert.ts'
import { UserError } from '../core/problem.ts'
import type { Files } from '../ports/files.ts'
import type { OfferSource, Shelf } from '../ports/offer-source.ts'

export interface Loading {
  readonly files: Files
  readonly sources: readonly OfferSource[]
  readonly config: Config | undefined
}

/** Reads every path and joins what they give into one snapshot. Throws a UserError with every problem found. */
export function loadOffers(paths: readonly string[], loading: Loading): Snapshot {
  const shelves = [...new Set(paths)].map((path) => readShelf(path, loading))
  const [only] = shelves
  if (shelves.length === 1 && only?.kind === 'snapshot' && loading.config === undefined) return only.snapshot
  const offers = shelves.flatMap(offersOf)
  return freeze(renamed(offers.flatMap((offer) => labelled(offer, loading.config))), shelves.flatMap(refusalsOf))
}

/** The rows of every path with what became of each; snapshots keep offers, not rows, and give none. */
export function loadRows(paths: readonly string[], loading: Loading): readonly RowVerdict[] {
  return paths.map((path) => readShelf(path, loading)).flatMap((shelf) => (shelf.kind === 'rows' ? shelf.rows : []))
}

type Read = Exclude<Shelf, { kind: 'problems' }>

function readShelf(path: string, { files, sources }: Loading): Read {
  for (const source of sources) {
    const shelf = source.read(path, files)
    if (shelf === undefined) continue
    if (shelf.kind === 'problems') throw new UserError(shelf.problems)
    return shelf
  }
  const missing = files.read(path) === undefined && files.list(path) === undefined
  const message = missing ? `There is nothing to read at ${path}.` : `${path} holds no offers that Berth can read.`
  throw new UserError([
    {
      code: 'OFFERS_UNREADABLE',
      message,
      found: path,
      hint: 'Give an inventory (YAML, JSON or CSV), a snapshot made by `berth offers import`, or a folder of catalogues.',
    },
  ])
}

function offersOf(shelf: Read): readonly Offer[] {
  return shelf.kind === 'rows' ? shelf.rows.map((row) => row.offer) : thaw(shelf.snapshot)
}

function refusalsOf(shelf: Read): readonly Refusal[] {
  return shelf.kind === 'rows' ? shelf.refusals : []
}

/** The platform's labels and corrections; offers of a provider that is switched off are left out. */
function labelled(offer: Offer, config: Config | undefined): readonly Offer[] {
  const settings = config?.providers.find((provider) => provider.name === offer.provider)
  if (settings === undefined) return [offer]
  return settings.enabled ? [applySettings(offer, settings)] : []
}

/** Two sources may name the same machine: each keeps an id of its own. */
function renamed(offers: readonly Offer[]): readonly Offer[] {
  if (new Set(offers.map((offer) => offer.id)).size === offers.length) return offers
  const ids = assignIds(offers)
  return offers.map((offer, index) => ({ ...offer, id: must(ids[index], 'one id an offer') }))
}
