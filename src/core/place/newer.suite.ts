import { must } from '../base/assert.ts'
import { FILTER_NAMES } from '../requirement/filter/all-filters.ts'
import { NOW_MS } from '../requirement/filter/facts.suite.ts'
import { machineOf, siteOf } from '../offer/machine.ts'
import type { Offer } from '../offer/offer.ts'
import { stateOf } from '../offer/state.ts'
import { derive } from './derive.ts'
import { manifestOf, policyOf, type PlainRequest } from './oracle.suite.ts'
import { failuresOf } from './verdict.ts'

/** Requirements that the plain scan implements itself. */
const KNOWN: ReadonlySet<string> = new Set(
  'quarantine gpu vendor vram usable-vram arch compute-capability count sharing interconnect driver cuda host-arch cpu memory disk storage network topology provider residency trust health stock quota market price'.split(
    ' ',
  ),
)

/** Filters newer than the scan are called directly, so that adding one needs no change here. */
export function passesNewer(request: PlainRequest): (offer: Offer) => boolean {
  const newer = new Set(FILTER_NAMES.filter((name) => !KNOWN.has(name)))
  if (newer.size === 0) return () => true
  const { asks } = derive(manifestOf(request), policyOf(request), NOW_MS)
  const question = { need: must(asks[0], 'one ask').need, nowMs: NOW_MS }
  return (offer) => {
    const { id, instance, zone } = offer
    const facts = { machine: machineOf(offer), site: siteOf(offer), state: stateOf(offer, []), price: offer }
    return !failuresOf({ row: 0, id, instance, zone, ...facts }, question).some(({ filter }) => newer.has(filter))
  }
}
