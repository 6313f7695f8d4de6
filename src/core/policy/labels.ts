import type { Market, Offer, QuarantineCode } from '../offer/offer.ts'
import { fitsPattern } from './pattern.ts'
import type { ProviderSettings } from './policy.ts'

/**
 * An offer as the platform sees it: the provider's settings override what the source says. What the settings leave out
 * does not change. The caller checks whether the provider is enabled.
 */
export function applySettings(offer: Offer, settings: ProviderSettings): Offer {
  return {
    ...offer,
    ...pricesBySettings(offer, settings),
    residency: residencyBySettings(offer.region, settings) ?? offer.residency,
    trust: settings.trust ?? offer.trust,
    reliability: settings.reliability ?? offer.reliability,
    startSeconds: settings.startSeconds ?? offer.startSeconds,
    egressUsdPerGib: settings.egressUsdPerGib ?? offer.egressUsdPerGib,
  }
}

/**
 * A fixed price lifts a quarantine for a missing or placeholder price, but no other quarantine. It replaces the
 * source's own prices.
 */
function pricesBySettings(
  offer: Offer,
  settings: ProviderSettings,
): Pick<Offer, 'usdPerHour' | 'spotUsdPerHour' | 'quarantine'> {
  const usdPerHour = fixedPrice(offer, settings, 'on-demand')
  const spotUsdPerHour = fixedPrice(offer, settings, 'spot')
  const isPriced = usdPerHour !== undefined || spotUsdPerHour !== undefined
  if (isPriced && isAboutPrice(offer.quarantine)) return { usdPerHour, spotUsdPerHour, quarantine: undefined }
  return {
    usdPerHour: usdPerHour ?? discounted(offer.usdPerHour, settings.priceFactor),
    spotUsdPerHour: spotUsdPerHour ?? discounted(offer.spotUsdPerHour, settings.priceFactor),
    quarantine: offer.quarantine,
  }
}

function fixedPrice(offer: Offer, settings: ProviderSettings, market: Market): number | undefined {
  return settings.prices.find((price) => price.market === market && fitsPattern(price.match, offer.instance))
    ?.usdPerHour
}

function isAboutPrice(code: QuarantineCode | undefined): boolean {
  return code === 'PRICE_MISSING' || code === 'PRICE_PLACEHOLDER'
}

/** Rounds to a millionth of a dollar, so that 0.1 × 3 is 0.3 wherever it is printed or compared. */
function discounted(usd: number | undefined, factor: number): number | undefined {
  return usd === undefined || factor === 1 ? usd : Math.round(usd * factor * 1e6) / 1e6
}

function residencyBySettings(region: string, settings: ProviderSettings): string | undefined {
  return settings.regions.find(({ match }) => fitsPattern(match, region))?.residency ?? settings.residency
}
