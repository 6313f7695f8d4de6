import { offerId } from './identity.ts'
import type { Offer, OfferGpu } from './offer.ts'

/** Two H100s for four dollars an hour, about which everything is known, with some of its facts replaced. */
export function offer(change: Partial<Offer> = {}): Offer {
  const whole = { ...USUAL, ...change }
  return { id: offerId(whole, 1), ...whole }
}

/** The cards of an offer, with some of their facts replaced. */
export function cards(change: Partial<OfferGpu> = {}): OfferGpu {
  return { model: 'h100-sxm', count: 2, slice: undefined, link: 'nvlink', ...change }
}

const USUAL: Omit<Offer, 'id'> = {
  provider: 'alpha',
  region: 'eu-1',
  zone: 'a',
  instance: 'large',
  capacity: 'rented',
  gpu: cards(),
  cpu: 64,
  memoryGib: 512,
  diskGib: 1000,
  volumeGib: 2000,
  hostArch: 'amd64',
  driver: '570.86.15',
  cuda: '12.8',
  inbound: true,
  domain: 'rack',
  usdPerHour: 4,
  spotUsdPerHour: 1,
  stock: { level: 'available', units: undefined, seenAtMs: 1_799_999_940_000 },
  quotaLeft: undefined,
  health: 'ok',
  startSeconds: 60,
  reliability: 0.99,
  egressUsdPerGib: 0.1,
  residency: 'eu',
  trust: 'secure',
  quarantine: undefined,
}
