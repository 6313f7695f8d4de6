import type { Refusal, RowVerdict } from '../core/offer/offer.ts'
import type { Snapshot } from '../core/offer/snapshot.ts'
import type { HostFacts, OwnedFleet } from '../core/fleet/owned-fleet.ts'
import type { SourcedProblem } from '../core/base/problem.ts'
import type { Files } from './files.ts'

/**
 * What a path contains: rows with their verdicts, offers that were checked when the snapshot was made, or machines of our
 * own, whose provider the platform names.
 */
export type SourceOffers =
  | { readonly kind: 'rows'; readonly rows: readonly RowVerdict[]; readonly refusals: readonly Refusal[] }
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly kind: 'fleet'; readonly fleet: Omit<OwnedFleet, 'provider'>; readonly hosts: readonly HostFacts[] }
  | { readonly kind: 'problems'; readonly problems: readonly SourcedProblem[] }

/** A way to read offers from a path. Sources are tried in order; the first that recognises the path reads it. */
export interface OfferSource {
  /** The name that users see: `inventory`, `catalogue`, `snapshot`, `fleet`. */
  readonly name: string
  /** Undefined: the path is not of this kind. One bad row never stops the others. */
  readonly read: (path: string, files: Files) => SourceOffers | undefined
  /** JSON Schema of its files, for editors; left out if users do not write them by hand. */
  readonly schema?: () => Readonly<Record<string, unknown>>
}
