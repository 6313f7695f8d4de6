import type { OfferSource } from '../ports/offer-source.ts'
import { catalogueSource } from './catalogue-source.ts'
import { fleetSource } from './fleet-source.ts'
import { inventorySource } from './inventory/source.ts'
import { snapshotSource } from './snapshot-source.ts'

/** Every way to get offers from a path, in the order they are asked. */
export const OFFER_SOURCES: readonly OfferSource[] = [snapshotSource, catalogueSource, fleetSource, inventorySource]
