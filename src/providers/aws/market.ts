import type { Instance, InstanceTypeInfo } from '@aws-sdk/client-ec2'
import type { OfferDraft } from '../../core/offer/identity.ts'
import type { Answer, Call } from '../../ports/provider.ts'
import type { PagedList } from '../rest/pages.ts'
import type { AwsApi } from './api.ts'
import { offersOf } from './offers.ts'
import type { AwsRunning } from './quotas.ts'
import type { AwsSettings } from './settings.ts'

interface Asking extends Call {
  readonly nowMs: number
  readonly provider: string
}

/** What a region offers. Prices that could not be read make it incomplete; quotas that could not be read are unknown. */
export async function regionOffers(
  api: AwsApi,
  settings: AwsSettings,
  { region, ...call }: Asking & { readonly region: string },
): Promise<Answer<PagedList<OfferDraft>>> {
  const types = await api.types(region, call)
  if (!types.ok) return types
  const names = types.value.items.flatMap(({ InstanceType }) => InstanceType ?? [])
  const [offerings, subnets, prices, spot, quotas, running] = await Promise.all([
    api.offerings(region, names, call),
    api.subnets(region, settings.subnets, call),
    api.prices(region, names, call),
    api.spotPrices(region, names, call),
    api.quotas(region, call),
    api.instances(region, { 'instance-state-name': ['pending', 'running'] }, call),
  ])
  if (!offerings.ok) return offerings
  if (!subnets.ok) return subnets
  const isPriced = prices.ok && spot.ok && spot.value.complete
  const isListed = types.value.complete && offerings.value.complete && subnets.value.complete
  const items = offersOf(
    {
      region,
      types: types.value.items,
      offerings: offerings.value.items,
      zones: new Set(subnets.value.items.flatMap(({ AvailabilityZone }) => AvailabilityZone ?? [])),
      prices: prices.ok ? prices.value : new Map(),
      spot: spot.ok ? spot.value.items : [],
      // Without what runs, what is left of a quota is unknown.
      quotas: quotas.ok && running.ok && running.value.complete ? quotas.value : [],
      running: running.ok ? running.value.items.flatMap((instance) => runningOf(instance, types.value.items)) : [],
    },
    { provider: call.provider, settings },
  )
  return { ok: true, value: { items, complete: isPriced && isListed } }
}

function runningOf(
  { InstanceType, CpuOptions, InstanceLifecycle }: Instance,
  types: readonly InstanceTypeInfo[],
): readonly AwsRunning[] {
  if (InstanceType === undefined) return []
  const usual = types.find((type) => type.InstanceType === InstanceType)?.VCpuInfo?.DefaultVCpus ?? 0
  const vcpus = CpuOptions?.CoreCount === undefined ? usual : CpuOptions.CoreCount * (CpuOptions.ThreadsPerCore ?? 1)
  return [{ type: InstanceType, vcpus, isSpot: InstanceLifecycle === 'spot' }]
}
