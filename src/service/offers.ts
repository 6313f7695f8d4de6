import { mayUseProvider } from '../core/policy/project-rules.ts'
import { listOffers } from '../core/offer/list.ts'
import { derive } from '../core/place/derive.ts'
import { describeOffer } from '../core/place/explain/offer-report.ts'
import { must } from '../core/base/assert.ts'
import { place } from '../core/place/place.ts'
import { report } from '../core/place/explain/report.ts'
import { offersThatFit } from '../core/place/search.ts'
import { seenBy } from '../core/place/explain/seen-by.ts'
import type { Parsed } from '../api/call.ts'
import type { OffersFound, OffersListed, OffersQuery } from '../ports/berth.ts'
import type { OffersRead, ServiceDeps } from './deps.ts'
import { decidingFor, policyFor } from './project-rules.ts'

const LIMIT = 20

/** What the providers offer now, as far as the project may use it. */
export async function listCapacity(deps: ServiceDeps, query: OffersQuery): Promise<OffersListed> {
  const { project, provider, gpus, sort = 'price', limit = LIMIT } = query
  const deciding = await decidingFor(deps, project)
  const mayUse = (name: string): boolean => mayUseProvider(name, deciding)
  const { snapshot, read } = await deps.capacity()
  const listed = listOffers(snapshot, { provider, gpus, mayUse }, { sort, limit })
  return {
    matching: listed.matching,
    quarantined: listed.quarantined,
    providers: [...new Set(snapshot.sites.map((site) => site.provider))].filter(mayUse).toSorted(),
    offers: listed.listings.map((listing) =>
      describeOffer(listing, { usdPerHour: listing.price.usdPerHour, terms: 'on-demand' }),
    ),
    ...(read && { read: read.filter((one) => mayUse(one.provider)).map(readView) }),
  }
}

/** Every offer that meets a manifest's need, cheapest first, and the plan that says why the others do not. */
export async function searchCapacity(deps: ServiceDeps, request: Parsed<'searchOffers'>): Promise<OffersFound> {
  const { project, text, file, spot, limit = LIMIT } = request
  const manifest = { ...(await deps.parse(text, file)).manifest, ...(spot && { spot }) }
  const { snapshot, config, read } = await deps.capacity()
  const deciding = await decidingFor(deps, project)
  const input = derive(manifest, await policyFor(deps, { project, manifest, config }), deps.clock.nowMs())
  const plan = must(place({ capacity: snapshot, workloads: [input] })[0], 'one workload')
  const seen = seenBy(report(plan), project)
  const asks = seen.asks.map((each) => {
    return { ...each, nearest: each.nearest.filter(({ offer }) => mayUseProvider(offer.provider, deciding)) }
  })
  const own = read?.filter(({ provider }) => mayUseProvider(provider, deciding)).map(readView)
  return { offers: offersThatFit(plan, limit), plan: { ...seen, asks }, ...(own && { read: own }) }
}

function readView({ provider, readMs, freshMs, complete }: OffersRead): NonNullable<OffersListed['read']>[number] {
  return { provider, read_ms: readMs, fresh_ms: freshMs, complete }
}
