import type { OfferSource } from '../ports/offer-source.ts'
import { catalogueSource } from './catalogue-source.ts'
import { fleetSource } from './fleet-source.ts'
import { inventorySource } from './inventory/source.ts'
import { snapshotSource } from './snapshot-source.ts'

/** Every kind of source for offers at a path, in the order in which they are tried. */
export const OFFER_SOURCES: readonly OfferSource[] = [snapshotSource, catalogueSource, fleetSource, inventorySource]
