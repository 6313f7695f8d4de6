import type { Refusal, RowVerdict } from '../core/offer/offer.ts'
import type { Snapshot } from '../core/offer/snapshot.ts'
import type { HostFacts, OwnedFleet } from '../core/fleet/owned-fleet.ts'
import type { SourcedProblem } from '../core/base/problem.ts'
import type { Files } from './files.ts'

/**
 * What a path gave: rows with their verdicts, offers that were checked when the snapshot was made, or machines of one's
 * own, of which the platform says whose they are.
 */
export type SourceOffers =
  | { readonly kind: 'rows'; readonly rows: readonly RowVerdict[]; readonly refusals: readonly Refusal[] }
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly kind: 'fleet'; readonly fleet: Omit<OwnedFleet, 'provider'>; readonly hosts: readonly HostFacts[] }
  | { readonly kind: 'problems'; readonly problems: readonly SourcedProblem[] }

/** A way to get offers from a path. Sources are asked in order; the first that knows the path reads it. */
export interface OfferSource {
  /** As users know it: `inventory`, `catalogue`, `snapshot`, `fleet`. */
  readonly name: string
  /** Undefined: this is not a path of mine. One bad row never stops the others. */
  readonly read: (path: string, files: Files) => SourceOffers | undefined
  /** JSON Schema of its files, for editors; undefined where nobody writes them by hand. */
  readonly schema?: () => Readonly<Record<string, unknown>>
}
