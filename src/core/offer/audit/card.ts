import { must } from '../../base/assert.ts'
import { familyOf, modelFacts } from '../../hardware/family.ts'
import type { GpuHints, GpuModel, Resolution, Slice } from '../../hardware/gpu.ts'
import { resolveGpu } from '../../hardware/resolve.ts'
import { vramFits } from '../../hardware/vram.ts'
import type { SourceClaim } from './claim.ts'
import type { CountFinding } from './count.ts'
import { auditCount } from './count.ts'
import type { VramScope, VramReading } from './vram.ts'
import { sliceFits, vramReadings } from './vram.ts'
import { defaultLink } from '../link.ts'
import type { OfferGpu, QuarantineCode, RepairCode } from '../offer.ts'

/** What the cards of a machine are, or why that is uncertain: exactly one of the two is set. */
export type CardFinding =
  | {
      readonly gpu: OfferGpu
      readonly quarantine: undefined
      readonly repairs: readonly RepairCode[]
      readonly note: string | undefined
    }
  | { readonly gpu: undefined; readonly quarantine: QuarantineCode; readonly note: string }

/** Compares what a row says about its cards with the hardware table. Uncertain rows are quarantined. */
export function auditCard(claim: SourceClaim): CardFinding {
  const texts = textsOf(claim)
  if (texts.length === 0) return quarantine('NAME_UNKNOWN', `${claim.named || claim.describedAs} is not a known card`)
  const counted = auditCount(claim)
  if ('contradiction' in counted) return quarantine('COUNT_CONTRADICTS', counted.contradiction)

  const matter: Matter = { claim, texts, counted }
  const readings = vramReadings({ card: claim.cardMib, total: claim.totalMib, count: counted.count })
  if (readings.length === 0) return withoutVram(matter)
  const fits = readings.flatMap((reading) => fitOf(matter, reading))
  const torn = fits.find(({ cards }) => cards.length === 0)
  if (torn !== undefined) return quarantine('NAME_AMBIGUOUS', 'the names in the row mean different cards')
  const fit = onlyFit(fits, claim.habit)
  if (fit !== undefined) return settle(matter, fit)
  return fits.length === 0
    ? quarantine('VRAM_CONTRADICTS', `no ${claim.named} has ${claim.cardMib ?? claim.totalMib}`)
    : quarantine('NAME_AMBIGUOUS', 'the memory may be that of one card or of all of them')
}

/**
 * What a source means by the memory of a card: that of one card, or the sum of all cards. It is learnt from rows with
 * several cards where only one reading fits. Undefined when there are no such rows or when they disagree.
 */
export function vramHabit(claims: Iterable<SourceClaim>): VramScope | undefined {
  const habits = new Set<VramScope>()
  for (const claim of claims) {
    const spreads = spreadsOf(claim)
    if (spreads.size === 1) for (const spread of spreads) habits.add(spread)
  }
  const [habit, ...others] = habits
  return others.length === 0 ? habit : undefined
}

/** Whether the stated memory fits one card, all cards together, or both; empty where the row does not show it. */
function spreadsOf(claim: SourceClaim): ReadonlySet<VramScope> {
  const counted = auditCount(claim)
  const texts = 'contradiction' in counted || counted.count === 1 ? [] : textsOf(claim)
  if ('contradiction' in counted || texts.length === 0) return new Set()
  const readings = vramReadings({ card: claim.cardMib, total: undefined, count: counted.count })
  return new Set(readings.flatMap((reading) => fitOf({ claim, texts, counted }, reading)).map(({ spread }) => spread))
}

/** A row whose names and number of cards are understood. */
interface Matter {
  readonly claim: SourceClaim
  /** The names in the row that the hardware table knows; never empty. */
  readonly texts: readonly string[]
  readonly counted: CountFinding
}

function quarantine(code: QuarantineCode, note: string): CardFinding {
  return { gpu: undefined, quarantine: code, note }
}

/** The texts of a row that name a card in the hardware table. */
function textsOf(claim: SourceClaim): readonly string[] {
  return [...new Set([claim.named, claim.describedAs])].filter((text) => resolveGpu(text).kind !== 'unknown')
}

/** The cards that all names of a row allow, with the reading of the memory. No cards: the names contradict each other. */
interface Fit {
  readonly cards: readonly GpuModel[]
  readonly slice: Slice | undefined
  readonly linked: boolean
  readonly spread: VramScope
  readonly repairs: readonly RepairCode[]
  readonly note: string | undefined
}

function fitOf(matter: Matter, reading: VramReading): readonly Fit[] {
  const wholeMib = reading.mib / matter.counted.share
  const answers = answersFor(matter, wholeMib)
  const slice = answers.map((answer) => answer.slice).find((named) => named?.kind === 'mig')
  const fitting = answers.map(({ cards }) =>
    cards.filter((gpu) => (slice === undefined ? vramFits(gpu, wholeMib) : sliceFits(slice.gib, reading.mib))),
  )
  // When a name has no card of this size, the reading is wrong. Names that disagree are handled separately.
  if (fitting.some((cards) => cards.length === 0)) return []
  const { spread, repairs, note } = reading
  return [{ cards: common(fitting), slice, linked: answers.some(({ linked }) => linked), spread, repairs, note }]
}

interface Answer {
  readonly cards: readonly GpuModel[]
  readonly slice: Slice | undefined
  readonly linked: boolean
}

/** What each name in the row means, given the name of the machine. */
function answersFor({ claim, texts }: Matter, vramMib: number | undefined): readonly Answer[] {
  const { provider, instance, upstream } = claim
  const memory = vramMib === undefined ? {} : { vramMib }
  const machines: GpuHints[] = [{ provider, instance, ...memory }]
  if (upstream !== undefined) {
    const owner = upstream.provider === undefined ? {} : { provider: upstream.provider }
    machines.push({ ...owner, instance: upstream.instance, ...memory })
  }
  return texts.flatMap((text) => machines.flatMap((hints) => answerOf(resolveGpu(text, hints))))
}

function answerOf(resolution: Resolution): readonly Answer[] {
  switch (resolution.kind) {
    case 'unknown':
      return []
    case 'gpu':
      return [{ cards: [resolution.gpu], slice: resolution.slice, linked: resolution.linked }]
    case 'ambiguous':
      return [{ cards: resolution.candidates, slice: resolution.slice, linked: resolution.linked }]
  }
}

function common(sets: readonly (readonly GpuModel[])[]): readonly GpuModel[] {
  const [first = [], ...others] = sets
  return first.filter((gpu) => others.every((other) => other.includes(gpu)))
}

function onlyFit(fits: readonly Fit[], habit: VramScope | undefined): Fit | undefined {
  const [only, ...others] = fits
  if (others.length === 0) return only
  const usual = fits.filter(({ spread }) => spread === habit)
  return usual.length === 1 ? usual[0] : undefined
}

function withoutVram(matter: Matter): CardFinding {
  const { claim, texts, counted } = matter
  if (counted.share < 1 && !counted.isKnown) {
    return quarantine('COUNT_CONTRADICTS', `${claim.count} cards without the memory of that share`)
  }
  if (claim.named !== '' && !texts.includes(claim.named)) {
    return quarantine('NAME_UNKNOWN', `${claim.named} is not a known card, and no memory confirms the other name`)
  }
  const answers = answersFor(matter, undefined)
  const cards = common(answers.map((answer) => answer.cards))
  if (cards.length === 0) return quarantine('NAME_AMBIGUOUS', 'the names in the row mean different cards')
  return settle(matter, {
    cards,
    slice: answers.map((answer) => answer.slice).find((named) => named?.kind === 'mig'),
    linked: answers.some(({ linked }) => linked),
    spread: 'card',
    repairs: ['VRAM_MISSING'],
    note: 'memory not stated',
  })
}

/** The cards that fit, as one model or one family. */
function settle({ claim, counted }: Matter, fit: Fit): CardFinding {
  const families = new Set(fit.cards.map((gpu) => gpu.family))
  const meant =
    families.size > 1 && claim.plainFamily !== undefined
      ? fit.cards.filter((gpu) => gpu.family === claim.plainFamily)
      : fit.cards
  const family = meant.length === 0 ? undefined : familyOf(meant)
  if (family === undefined) {
    return quarantine('NAME_AMBIGUOUS', `may be ${[...families].toSorted().join(' or ')}`)
  }
  const model = meant.length === 1 ? (meant[0]?.id ?? family) : family
  const correction = correctionOf(claim, meant)
  const repairs = [...fit.repairs]
  if (correction !== undefined) repairs.push('NAME_CORRECTED')
  if (counted.note !== undefined) repairs.push('COUNT_CORRECTED')
  const notes = [fit.note, correction, counted.note].filter((note) => note !== undefined)
  return {
    gpu: offerGpu(model, counted, fit),
    quarantine: undefined,
    repairs,
    note: notes.length === 0 ? undefined : notes.join('; '),
  }
}

/** Set when the card is not of a family that the name alone would mean. */
function correctionOf({ named, plainFamily }: SourceClaim, meant: readonly GpuModel[]): string | undefined {
  if (named === '') return undefined
  const usual = answerOf(resolveGpu(named)).flatMap(({ cards }) => cards.map(({ family }) => family))
  const families = plainFamily === undefined ? usual : [plainFamily]
  if (meant.some(({ family }) => families.includes(family))) return undefined
  return `${named} here means ${meant.map(({ name }) => name).join(' or ')}`
}

function offerGpu(model: string, { count, share }: CountFinding, fit: Fit): OfferGpu {
  const facts = must(modelFacts(model), 'a model that was resolved is in the table')
  const part: Slice | undefined =
    share < 1 ? { kind: 'share', profile: undefined, gib: facts.vramGib * share } : undefined
  const slice = fit.slice ?? part
  // Slices of joined cards are not joined themselves, and whether they share a card is not known.
  if (slice !== undefined && count > 1) return { model, count, slice, link: facts.link === 'none' ? 'pcie' : undefined }
  return { model, count, slice, link: defaultLink(facts, count) ?? (fit.linked ? 'nvlink' : undefined) }
}
