import { applySettings } from '../core/policy/labels.ts'
import type { Config, ProviderSettings } from '../core/policy/policy.ts'
import { assignIds } from '../core/offer/identity.ts'
import type { Offer, QuarantineCode, Refusal, RowVerdict } from '../core/offer/offer.ts'
import { freeze, type Snapshot } from '../core/offer/snapshot.ts'
import { thaw } from '../core/offer/thaw.ts'
import { fleetOffers } from '../core/pack/owned/fleet-offers.ts'
import type { OwnedFleet } from '../core/fleet/owned-fleet.ts'
import { must } from '../core/base/assert.ts'
import { UserError } from '../core/base/problem.ts'
import type { Files } from '../ports/files.ts'
import type { OfferSource, SourceOffers } from '../ports/offer-source.ts'

export interface Loading {
  readonly files: Files
  readonly sources: readonly OfferSource[]
  readonly config: Config | undefined
  /** The provider of the fleet at a path, where the infrastructure file names one; otherwise the name of the fleet. */
  readonly owners?: ReadonlyMap<string, string>
}

/** Reads every path and merges the results into one snapshot. Throws a UserError with every problem found. */
export function loadOffers(paths: readonly string[], loading: Loading): Snapshot {
  const capacities = [...new Set(paths)].map((path) => readCapacity(path, loading))
  const [only] = capacities
  if (capacities.length === 1 && only?.kind === 'snapshot' && loading.config === undefined) return only.snapshot
  const { config } = loading
  const offers = capacities.flatMap(offersOf).flatMap((offer) => labelled(offer, config))
  const fleets = capacities.flatMap(fleetsOf).filter(({ provider }) => settingsOf(provider, config)?.enabled !== false)
  refuseTwins(fleets)
  return freeze(renamed(offers), capacities.flatMap(refusalsOf), fleets)
}

/** The rows of every path with their verdicts. Snapshots contain offers, not rows, and yield none. */
export function loadRows(paths: readonly string[], loading: Loading): readonly RowVerdict[] {
  return paths.flatMap((path) => {
    const capacity = readCapacity(path, loading)
    if (capacity.kind === 'rows') return capacity.rows
    return capacity.kind === 'fleet' ? capacity.offers.map((offer) => fleetRow(offer, path)) : []
  })
}

type Read = Extract<SourceOffers, { kind: 'rows' | 'snapshot' }> | OwnedCapacity

/** A fleet that has an owner. */
interface OwnedCapacity {
  readonly kind: 'fleet'
  readonly fleet: OwnedFleet
  readonly offers: readonly Offer[]
}

function readCapacity(path: string, { files, sources, owners }: Loading): Read {
  for (const source of sources) {
    const capacity = source.read(path, files)
    if (capacity === undefined) continue
    if (capacity.kind === 'problems') throw new UserError(capacity.problems)
    if (capacity.kind !== 'fleet') return capacity
    const fleet = { ...capacity.fleet, provider: owners?.get(path) ?? capacity.fleet.region }
    return { kind: 'fleet', fleet, offers: fleetOffers(fleet, capacity.hosts) }
  }
  const missing = files.read(path) === undefined && files.list(path) === undefined
  const message = missing ? `There is no file or folder at ${path}.` : `${path} contains no offers that Berth can read.`
  throw new UserError([
    {
      code: 'OFFERS_UNREADABLE',
      message,
      found: path,
      hint: 'Pass an inventory (YAML, JSON or CSV), a fleet file, a snapshot made by `berth offers import`, or a folder of catalogues.',
    },
  ])
}

function offersOf(capacity: Read): readonly Offer[] {
  switch (capacity.kind) {
    case 'rows':
      return capacity.rows.flatMap(({ offer, variants }) => [offer, ...(variants ?? [])])
    case 'snapshot':
      return thaw(capacity.snapshot)
    case 'fleet':
      return capacity.offers
  }
}

function fleetsOf(capacity: Read): readonly OwnedFleet[] {
  if (capacity.kind === 'fleet') return [capacity.fleet]
  return capacity.kind === 'snapshot' ? capacity.snapshot.fleets : []
}

function refusalsOf(capacity: Read): readonly Refusal[] {
  return capacity.kind === 'rows' ? capacity.refusals : []
}

/** Applies the platform's labels and corrections. Offers of disabled providers are left out. */
function labelled(offer: Offer, config: Config | undefined): readonly Offer[] {
  const settings = settingsOf(offer.provider, config)
  if (settings === undefined) return [offer]
  return settings.enabled ? [applySettings(offer, settings)] : []
}

function settingsOf(provider: string, config: Config | undefined): ProviderSettings | undefined {
  return config?.providers.find(({ name }) => name === provider)
}

/** Nodes are found by the name of their fleet, so two fleets of one provider must not share a name. */
function refuseTwins(fleets: readonly OwnedFleet[]): void {
  const names = fleets.map(({ provider, region }) => `${provider}/${region}`)
  const twin = names.find((name, index) => names.indexOf(name) < index)
  if (twin === undefined) return
  const message = `There are two fleets with the name ${twin}.`
  const hint = 'A fleet has the name of its file: rename one of the two files.'
  throw new UserError([{ code: 'OFFERS_UNREADABLE', message, found: twin, hint }])
}

/** Two sources may name the same machine, and each offer keeps its own id. */
function renamed(offers: readonly Offer[]): readonly Offer[] {
  if (new Set(offers.map((offer) => offer.id)).size === offers.length) return offers
  const ids = assignIds(offers)
  return offers.map((offer, index) => ({ ...offer, id: must(ids[index], 'one id an offer') }))
}

/** Nodes are checked when the fleet is read; only unknown cards remain to be reported here. */
function fleetRow(offer: Offer, path: string): RowVerdict {
  const { gpu, quarantine, instance } = offer
  return {
    source: path,
    line: 1,
    accelerator: gpu !== undefined || quarantine !== undefined,
    verdict: quarantine === undefined ? 'resolved' : 'quarantined',
    repairs: [],
    quarantine,
    note: quarantine === undefined ? undefined : NOTES[quarantine],
    named: gpu?.model ?? instance,
    offer,
  }
}

const NOTES: Partial<Readonly<Record<QuarantineCode, string>>> = {
  NAME_UNKNOWN: 'a card that is not in the hardware table',
  COUNT_CONTRADICTS: 'more cards in one node than Berth can distinguish',
}
