import { must } from '../../base/assert.ts'
import { cutsLeft } from '../../fleet/slices.ts'
import { useOf, type CardUse, type NodeUse } from '../../fleet/use.ts'
import type { Domains, FleetCard } from '../../fleet/fleet.ts'
import { modelFacts } from '../../hardware/family.ts'
import type { GpuModel, Slice } from '../../hardware/gpu.ts'
import { assignIds, type OfferDraft } from '../../offer/identity.ts'
import type { DomainLevel, Offer, OfferGpu, Stock } from '../../offer/offer.ts'
import { linkedCards } from './card-link.ts'
import { UNKNOWN_HOST, type HostFacts, type OwnedFleet } from '../../fleet/owned-fleet.ts'

/**
 * The offers of a fleet. For each node: its free part in every form in which it can be used (whole cards, slices, a share,
 * the processors alone) and, if work runs there, the node as it would be without that work, marked full. All forms share
 * one node, so the engine decides which is taken and whether it is still free.
 */
export function fleetOffers(
  { provider, region, fleet, tenants }: OwnedFleet,
  hosts: readonly HostFacts[],
): readonly Offer[] {
  const uses = useOf(fleet, tenants)
  const drafts = uses.flatMap((use, index) => {
    const place = { provider, region, host: hosts[index] ?? UNKNOWN_HOST }
    return [...freeOf(use, place), ...takenOf(use, place)]
  })
  const ids = assignIds(drafts)
  return drafts.map((draft, index) => ({ ...draft, id: must(ids[index], 'one id a draft') }))
}

interface Place {
  readonly provider: string
  readonly region: string
  readonly host: HostFacts
}

/** What differs between the offers of one node. */
interface Form {
  readonly gpu: OfferGpu | undefined
  readonly cards: readonly CardUse[]
  readonly stock: Stock['level']
}

function freeOf(use: NodeUse, place: Place): readonly OfferDraft[] {
  const forms = [...wholeForms(use, isIdle, 'available'), ...sliceForms(use), ...shareForms(use)]
  const isBroken = use.cards.length > 0 && use.cards.every(({ state }) => state === 'failing')
  if (isBroken) forms.push(...wholeForms(use, () => true, 'available'))
  const isSpare = use.cpuFreeMilli > 0 && use.memoryFreeMib > 0
  if (isSpare && (forms.length === 0 || isBroken)) forms.push({ gpu: undefined, cards: [], stock: 'available' })
  return forms.map((form) => draftOf(use, form, place))
}

/** The node as it would be if nothing ran there. */
function takenOf(use: NodeUse, place: Place): readonly OfferDraft[] {
  const { node, cards, tenants } = use
  if (tenants.length === 0) return []
  const whole = {
    ...use,
    cpuFreeMilli: node.cpuMilli,
    memoryFreeMib: node.memoryMib,
    diskFreeMib: node.diskMib,
  }
  const forms: readonly Form[] =
    cards.length === 0
      ? [{ gpu: undefined, cards: [], stock: 'full' }]
      : wholeForms(use, ({ state }) => state !== 'failing', 'full')
  return forms.map((form) => draftOf(whole, form, place))
}

function wholeForms(use: NodeUse, isWanted: (card: CardUse) => boolean, stock: Stock['level']): readonly Form[] {
  const among = use.cards.flatMap((card, index) => (isWanted(card) ? [index] : []))
  const cards = use.cards.filter(isWanted)
  const { model } = use.node
  return linkedCards(use.node, among).map(({ count, link }) => ({
    gpu: { model: model ?? '', count, slice: undefined, link },
    cards,
    stock,
  }))
}

function isIdle({ state }: CardUse): boolean {
  return state === 'free'
}

/** Every MIG slice that could still be cut, each on its own. */
function sliceForms({ node, cards }: NodeUse): readonly Form[] {
  const forms = new Map<string, { readonly slice: Slice; readonly cards: CardUse[] }>()
  for (const card of cards) {
    if (card.card.parts !== 'mig' || card.state === 'full' || card.state === 'failing') continue
    const slices = card.holders.flatMap(({ taken }) => (taken?.kind === 'slice' ? [taken] : []))
    for (const { name, gib } of cutsLeft(node.model, slices)) {
      const form = forms.get(name) ?? { slice: { kind: 'mig', profile: name, gib }, cards: [] }
      form.cards.push(card)
      forms.set(name, form)
    }
  }
  return [...forms.values()].map(({ slice, cards: from }) => partForm(node.model, slice, from))
}

/** The largest share of a card that is free. */
function shareForms({ node, cards }: NodeUse): readonly Form[] {
  const shared = cards.filter(({ card, state }) => card.parts === 'share' && state !== 'full' && state !== 'failing')
  const milli = Math.max(0, ...shared.map(({ freeMilli }) => freeMilli))
  const vramGib = factsOf(node.model)?.vramGib
  if (milli === 0 || vramGib === undefined) return []
  const slice: Slice = { kind: 'share', profile: undefined, gib: (vramGib * milli) / 1000 }
  return [
    partForm(
      node.model,
      slice,
      shared.filter(({ freeMilli }) => freeMilli === milli),
    ),
  ]
}

function partForm(model: string | undefined, slice: Slice, cards: readonly CardUse[]): Form {
  return { gpu: { model: model ?? '', count: 1, slice, link: 'pcie' }, cards, stock: 'available' }
}

function draftOf(use: NodeUse, { gpu, cards, stock }: Form, { provider, region, host }: Place): OfferDraft {
  const { id, domains, model } = use.node
  const facts = factsOf(model)
  return {
    provider,
    region,
    zone: domains.zone,
    instance: id,
    capacity: 'owned',
    gpu: facts === undefined || gpu === undefined ? undefined : { ...gpu, of: use.cards.length },
    cpu: use.cpuFreeMilli / 1000,
    memoryGib: use.memoryFreeMib / 1024,
    diskGib: use.diskFreeMib === undefined ? undefined : use.diskFreeMib / 1024,
    volumeGib: host.volumeGib,
    hostArch: host.hostArch ?? facts?.hostArch,
    driver: host.driver,
    cuda: host.cuda,
    inbound: host.inbound,
    domain: narrowest(domains),
    usdPerHour: 0,
    spotUsdPerHour: undefined,
    stock: { level: stock, units: undefined, seenAtMs: undefined },
    quotaLeft: UNLIMITED,
    health: worst(cards.map(({ card }) => card.health)),
    startSeconds: undefined,
    reliability: undefined,
    egressUsdPerGib: undefined,
    residency: undefined,
    trust: undefined,
    quarantine: gpu === undefined ? undefined : doubtAbout(use.cards.length, facts),
  }
}

/**
 * Requirements are about cards of the hardware table: for other cards it is unknown whether they are met. Cards that the
 * engine cannot tell apart would be given away twice.
 */
function doubtAbout(cards: number, facts: GpuModel | undefined): Offer['quarantine'] {
  if (facts === undefined) return 'NAME_UNKNOWN'
  return cards > CARDS_TOLD_APART ? 'COUNT_CONTRADICTS' : undefined
}

/** Sets of cards are bits of a number. */
const CARDS_TOLD_APART = 31

/** There is no quota on machines of our own; how many there are is a separate limit. */
const UNLIMITED = 1_000_000_000

function factsOf(model: string | undefined): GpuModel | undefined {
  return model === undefined ? undefined : modelFacts(model)
}

function narrowest({ nvlinkDomain, rack, zone }: Domains): DomainLevel | undefined {
  if (nvlinkDomain !== undefined) return 'nvlink_domain'
  if (rack !== undefined) return 'rack'
  return zone === undefined ? undefined : 'zone'
}

/** The health of an offer that may get any of these cards. */
function worst(health: readonly FleetCard['health'][]): FleetCard['health'] {
  if (health.includes('failing')) return 'failing'
  if (health.includes('degraded')) return 'degraded'
  return health.length === 0 || health.includes(undefined) ? undefined : 'ok'
}
