import { auditCard, conclude, type AuditFinding, concludeWithoutCard } from '../../core/offer/audit/audit.ts'
import { NO_FACTS, type OfferDraft } from '../../core/offer/identity.ts'
import { modelFacts } from '../../core/hardware/family.ts'
import type { HostArch } from '../../core/hardware/gpu.ts'
import type { Link } from '../../core/hardware/link.ts'

/** A machine as a cloud sells it, in our units. What it does not say is left out. */
export interface CloudOffer extends Partial<Omit<OfferDraft, 'gpu' | 'quarantine'>> {
  readonly provider: string
  readonly region: string
  readonly instance: string
  readonly cards: CloudCards | undefined
}

/** The cards of a machine, as the cloud writes them. */
interface CloudCards {
  /** Our name for the cloud, by which the hardware table knows its machines: the user may have named it otherwise. */
  readonly cloud: string
  readonly named: string
  readonly describedAs?: string
  /** The name of the machine, where it says more about its cards. */
  readonly machine?: string
  readonly count: number
  /** Memory of one card, in GB. */
  readonly vramGb?: number
  /** What the cloud itself says about how they are joined. */
  readonly link?: Link
}

/** An offer whose cards and prices were held against the hardware table. What contradicts it is under quarantine. */
export function cloudOffer({ cards, ...facts }: CloudOffer): OfferDraft {
  const prices = { usdPerHour: facts.usdPerHour, spotUsdPerHour: facts.spotUsdPerHour }
  const found = cards === undefined ? concludeWithoutCard(prices) : cardsOf(cards, prices)
  const { usdPerHour, spotUsdPerHour, quarantine } = found
  const gpu = found.gpu === undefined || cards?.link === undefined ? found.gpu : { ...found.gpu, link: cards.link }
  const { provider, region, instance, zone } = facts
  const hostArch = 'hostArch' in facts ? facts.hostArch : hostOf(gpu?.model)
  return {
    ...NO_FACTS,
    ...facts,
    hostArch,
    provider,
    region,
    instance,
    zone,
    usdPerHour,
    spotUsdPerHour,
    gpu,
    quarantine,
  }
}

/**
 * What the host of these cards is, where the cloud does not say: as in the catalogues, amd64 unless the cards are only sold with
 * something else. A manifest wants amd64 unless it says otherwise, so machines of an unknown kind would never be used.
 */
function hostOf(model: string | undefined): HostArch {
  return (model === undefined ? undefined : modelFacts(model)?.hostArch) ?? 'amd64'
}

function cardsOf(cards: CloudCards, prices: Pick<OfferDraft, 'usdPerHour' | 'spotUsdPerHour'>): AuditFinding {
  const card = auditCard({
    provider: cards.cloud,
    instance: cards.machine ?? '',
    named: cards.named,
    describedAs: cards.describedAs ?? '',
    upstream: undefined,
    plainFamily: undefined,
    count: cards.count,
    countAgain: undefined,
    cardMib: cards.vramGb === undefined ? undefined : cards.vramGb * 1024,
    totalMib: undefined,
    habit: 'card',
  })
  return conclude(card, { ...prices, isFlat: false })
}
