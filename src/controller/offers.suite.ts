import { offerId } from '../core/offer/identity.ts'
import type { Offer } from '../core/offer/offer.ts'

/** What workloads of the simulated world request, and what its clouds sell. */
export type Shape = 'small' | 'large' | 'whole'

export const SHAPES: readonly [Shape, ...Shape[]] = ['small', 'large', 'whole']

const CARDS: Readonly<Record<Shape, { readonly model: string; readonly count: number; readonly usd: number }>> = {
  small: { model: 'l4', count: 1, usd: 0.8 },
  large: { model: 'h100-sxm', count: 1, usd: 3 },
  whole: { model: 'h100-sxm', count: 8, usd: 24 },
}

/** What a machine of a shape usually costs by the hour. */
export function usualUsd(shape: Shape): number {
  return CARDS[shape].usd
}

/** An offer of a simulated cloud. */
export interface CapacityItem {
  readonly provider: string
  readonly region: string
  readonly shape: Shape
  /** Relative to the usual price. */
  readonly factor: number
  readonly units: number | undefined
  readonly spot: boolean
}

export function offerOf({ provider, region, shape, factor, units, spot }: CapacityItem): Offer {
  const { model, count, usd } = CARDS[shape]
  const usdPerHour = Math.round(usd * factor * 100) / 100
  const place = { provider, region, zone: undefined, instance: shape }
  return {
    id: offerId(place, 1),
    ...place,
    capacity: 'rented',
    gpu: { model, count, slice: undefined, link: count > 1 ? 'nvswitch' : 'pcie' },
    cpu: 16 * count,
    memoryGib: 128 * count,
    diskGib: 1000,
    volumeGib: 1000,
    hostArch: 'amd64',
    driver: '570.86.15',
    cuda: '12.8',
    inbound: true,
    domain: 'rack',
    usdPerHour,
    spotUsdPerHour: spot ? Math.round(usdPerHour * 40) / 100 : undefined,
    stock: { level: 'available', units, seenAtMs: undefined },
    quotaLeft: undefined,
    health: 'ok',
    startSeconds: 60,
    reliability: 0.99,
    egressUsdPerGib: 0.1,
    residency: 'eu',
    trust: 'secure',
    quarantine: undefined,
  }
}
