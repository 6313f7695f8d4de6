import type { InstanceTypeInfo, InstanceTypeOffering, SpotPrice } from '@aws-sdk/client-ec2'
import type { HostArch } from '../../core/hardware/gpu.ts'
import { residencyOfRegion } from '../../core/hardware/residency.ts'
import type { OfferDraft } from '../../core/offer/identity.ts'
import { cloudOffer } from '../cloud/offer.ts'
import { quotaLeft, type AwsQuota, type AwsRunning } from './quotas.ts'
import type { AwsArch, AwsSettings } from './settings.ts'

/** All that is known of a region. What could not be read is empty. */
export interface AwsRegion {
  readonly region: string
  readonly types: readonly InstanceTypeInfo[]
  readonly offerings: readonly InstanceTypeOffering[]
  /** Zones in which a machine has a network. */
  readonly zones: ReadonlySet<string>
  /** Dollars an hour, by type. */
  readonly prices: ReadonlyMap<string, number>
  readonly spot: readonly SpotPrice[]
  readonly quotas: readonly AwsQuota[]
  readonly running: readonly AwsRunning[]
}

/** Every machine in every zone that has it and in which it would have a network. EC2 does not tell how many are left. */
export function offersOf(
  facts: AwsRegion,
  { provider, settings }: { readonly provider: string; readonly settings: Pick<AwsSettings, 'diskGb' | 'isInbound'> },
): readonly OfferDraft[] {
  const spot = spotNow(facts.spot)
  return facts.types.filter(isUsable).flatMap((type) => {
    const instance = type.InstanceType ?? ''
    const vcpus = type.VCpuInfo?.DefaultVCpus
    const zones = facts.offerings.filter((each) => each.InstanceType === instance).map(({ Location = '' }) => Location)
    return zones
      .filter((zone) => facts.zones.has(zone))
      .map((zone) =>
        cloudOffer({
          provider,
          region: facts.region,
          zone,
          instance,
          cards: cardsOf(type),
          cpu: vcpus,
          memoryGib: type.MemoryInfo?.SizeInMiB === undefined ? undefined : type.MemoryInfo.SizeInMiB / 1024,
          diskGib: settings.diskGb,
          hostArch: HOST[archOf(type) ?? 'x86_64'],
          inbound: settings.isInbound,
          usdPerHour: isSold(type, 'on-demand') ? facts.prices.get(instance) : undefined,
          spotUsdPerHour: isSold(type, 'spot') ? spot.get(`${instance} ${zone}`) : undefined,
          quotaLeft:
            vcpus === undefined ? undefined : quotaLeft({ type: instance, vcpus }, facts.quotas, facts.running),
          residency: residencyOfRegion(facts.region),
          trust: 'secure-cloud',
        }),
      )
  })
}

const HOST: Readonly<Record<AwsArch, HostArch>> = { x86_64: 'amd64', arm64: 'arm64' }

/** The architecture of a type's processors; undefined: it is one for which there is no image. */
export function archOf({ ProcessorInfo }: InstanceTypeInfo): AwsArch | undefined {
  const supported = ProcessorInfo?.SupportedArchitectures ?? []
  return (['x86_64', 'arm64'] as const).find((arch) => supported.includes(arch))
}

/** Containers get cards of NVIDIA, and whole ones: other chips, and shares of a card (a count of 0), are not offered. */
function isUsable(type: InstanceTypeInfo): boolean {
  if (type.InstanceType === undefined || archOf(type) === undefined) return false
  if (type.NeuronInfo !== undefined || type.FpgaInfo !== undefined || type.InferenceAcceleratorInfo !== undefined)
    return false
  const gpus = type.GpuInfo?.Gpus ?? []
  const [first] = gpus
  if (type.GpuInfo === undefined) return true
  return gpus.length === 1 && first?.Manufacturer?.toUpperCase() === 'NVIDIA' && (first.Count ?? 0) > 0
}

function cardsOf({ InstanceType, GpuInfo }: InstanceTypeInfo) {
  const gpu = GpuInfo?.Gpus?.[0]
  if (gpu === undefined) return undefined
  const mib = gpu.MemoryInfo?.SizeInMiB
  return {
    cloud: 'aws',
    named: gpu.Name ?? '',
    machine: InstanceType ?? '',
    count: gpu.Count ?? 0,
    ...(mib !== undefined && { vramGb: mib / 1024 }),
  }
}

function isSold({ SupportedUsageClasses: classes }: InstanceTypeInfo, market: 'on-demand' | 'spot'): boolean {
  return classes === undefined || classes.includes(market)
}

/** The newest price of each type in each zone. */
export function spotNow(history: readonly SpotPrice[]): ReadonlyMap<string, number> {
  const newest = new Map<string, { readonly atMs: number; readonly usd: number }>()
  for (const { InstanceType, AvailabilityZone, SpotPrice: price, Timestamp } of history) {
    const usd = Number(price)
    const atMs = Timestamp?.getTime() ?? 0
    const key = `${InstanceType} ${AvailabilityZone}`
    if (Number.isFinite(usd) && usd > 0 && atMs >= (newest.get(key)?.atMs ?? 0)) newest.set(key, { atMs, usd })
  }
  return new Map([...newest].map(([key, { usd }]) => [key, usd]))
}
