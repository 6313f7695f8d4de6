import { diffDetails, type DetailChange } from './detail-diff.ts'
import { diffLines, type LineChange } from './line-diff.ts'
import type { OfferReport } from './offer-report.ts'
import type { OwnReport } from '../own/report.ts'
import type { AskReport, ChosenReport, PlanReport, RelaxationReport } from './report.ts'

/** A plan with the texts that it was made from. */
export interface ComparedPlan {
  readonly manifest: string
  readonly config: string | undefined
  readonly report: PlanReport
}

/** A value that differs before and after. */
export interface ValueChange<T> {
  readonly from: T
  readonly to: T
}

/** Everything in which two plans differ. Undefined and empty mean the same in both. */
export interface PlanDifference {
  /** Both were made from the same input and have the same result, to the last digit. */
  readonly same: boolean
  readonly inputs: InputDifference
  readonly fits: ValueChange<boolean> | undefined
  readonly usd_per_hour: ValueChange<number> | undefined
  readonly chosen: readonly PlaceChange[]
  readonly fitting: readonly RoleChange[]
  /** Offers by the reason for which they were turned down, where the number changed. */
  readonly refused: readonly CodeChange[]
  readonly relaxations: readonly RelaxationChange[]
  /** The first differences between the reports, value by value. */
  readonly details: readonly DetailChange[]
}

export interface InputDifference {
  readonly workload: ValueChange<string> | undefined
  readonly policy: ValueChange<string> | undefined
  readonly manifest: readonly LineChange[]
  readonly config: readonly LineChange[]
  readonly offers: ValueChange<PlanReport['offers']> | undefined
}

/** One machine of one replica. Undefined: it has no place in that plan. */
interface PlaceChange extends ValueChange<OfferReport | undefined> {
  readonly role: string | undefined
  readonly replica: number
  readonly node: number
  /** Which cards of which node; left out if neither place is in a fleet. */
  readonly own?: ValueChange<OwnReport | undefined>
}

interface RoleChange extends ValueChange<number> {
  readonly role: string | undefined
}

interface CodeChange extends ValueChange<number> {
  readonly code: string
}

/** Undefined: this change would not help in that plan. */
export interface RelaxationChange extends ValueChange<Pick<RelaxationReport, 'offers' | 'usd_per_hour'> | undefined> {
  readonly role: string | undefined
  readonly key: string
  /** What the key would be set to. */
  readonly value: string
}

const DETAILS = 20

/** What changed from one plan to another: its input, the places, the costs and the reasons. */
export function comparePlans(one: ComparedPlan, two: ComparedPlan): PlanDifference {
  const from = one.report
  const to = two.report
  const inputs = compareInputs(one, two)
  const sameInputs = Object.values(inputs).every(
    (part) => part === undefined || (Array.isArray(part) && part.length === 0),
  )
  return {
    same: sameInputs && JSON.stringify(from) === JSON.stringify(to),
    inputs,
    fits: change(from.fits, to.fits),
    usd_per_hour: change(from.usd_per_hour, to.usd_per_hour),
    chosen: compareChosen(from.chosen, to.chosen),
    fitting: compareFitting(from.asks, to.asks),
    refused: compareRefused(from.refused, to.refused),
    relaxations: compareRelaxations(from.relaxations, to.relaxations),
    details: diffDetails(from, to, DETAILS),
  }
}

function compareInputs(one: ComparedPlan, two: ComparedPlan): InputDifference {
  const sameOffers = one.report.offers.version === two.report.offers.version
  return {
    workload: change(one.report.workload, two.report.workload),
    policy: change(one.report.policy.name, two.report.policy.name),
    manifest: diffLines(one.manifest, two.manifest),
    config: diffLines(one.config ?? '', two.config ?? ''),
    offers: sameOffers ? undefined : { from: one.report.offers, to: two.report.offers },
  }
}

function change<T>(from: T, to: T): ValueChange<T> | undefined {
  return from === to ? undefined : { from, to }
}

function compareChosen(from: readonly ChosenReport[], to: readonly ChosenReport[]): readonly PlaceChange[] {
  return pairUp(from, to, ({ role, replica, node }) => `${role ?? ''}/${replica}/${node}`).flatMap(
    ([before, after]) => {
      const known = before ?? after
      if (known === undefined || (samePlace(before?.offer, after?.offer) && sameCards(before?.own, after?.own)))
        return []
      const { role, replica, node } = known
      const own = { from: before?.own, to: after?.own }
      const isOwn = own.from !== undefined || own.to !== undefined
      return [{ role, replica, node, from: before?.offer, to: after?.offer, ...(isOwn && { own }) }]
    },
  )
}

function sameCards(one: OwnReport | undefined, two: OwnReport | undefined): boolean {
  const cardsOf = (own: OwnReport | undefined): string => JSON.stringify([own?.cards, own?.slice, own?.share])
  return cardsOf(one) === cardsOf(two)
}

/** The same machine on the same terms of sale at the same price. */
function samePlace(one: OfferReport | undefined, two: OfferReport | undefined): boolean {
  return one?.id === two?.id && one?.usd_per_hour === two?.usd_per_hour && one?.terms === two?.terms
}

function compareFitting(from: readonly AskReport[], to: readonly AskReport[]): readonly RoleChange[] {
  return pairUp(from, to, ({ role }) => role ?? '').flatMap(([before, after]) => {
    const changed = change(before?.fitting ?? 0, after?.fitting ?? 0)
    return changed === undefined ? [] : [{ role: (before ?? after)?.role, ...changed }]
  })
}

function compareRefused(from: PlanReport['refused'], to: PlanReport['refused']): readonly CodeChange[] {
  return pairUp(Object.entries(from), Object.entries(to), ([code]) => code)
    .flatMap(([before, after]) => {
      const code = before?.[0] ?? after?.[0] ?? ''
      const changed = change(before?.[1] ?? 0, after?.[1] ?? 0)
      return changed === undefined ? [] : [{ code, ...changed }]
    })
    .sort((one, two) => Math.abs(two.to - two.from) - Math.abs(one.to - one.from) || (one.code < two.code ? -1 : 1))
}

function compareRelaxations(
  from: readonly RelaxationReport[],
  to: readonly RelaxationReport[],
): readonly RelaxationChange[] {
  return pairUp(from, to, ({ role, key, to: value }) => `${role ?? ''} ${key}: ${value}`).flatMap(([before, after]) => {
    const known = before ?? after
    const same = before?.offers === after?.offers && before?.usd_per_hour === after?.usd_per_hour
    if (known === undefined || same) return []
    return [{ role: known.role, key: known.key, value: known.to, from: gain(before), to: gain(after) }]
  })
}

function gain(relaxation: RelaxationReport | undefined): RelaxationChange['from'] {
  if (relaxation === undefined) return undefined
  return { offers: relaxation.offers, usd_per_hour: relaxation.usd_per_hour }
}

/** Entries of two lists that have the same key, in the order of the first list and then of the second. */
function pairUp<T>(
  from: readonly T[],
  to: readonly T[],
  keyOf: (entry: T) => string,
): readonly (readonly [T | undefined, T | undefined])[] {
  const before = new Map(from.map((entry) => [keyOf(entry), entry]))
  const after = new Map(to.map((entry) => [keyOf(entry), entry]))
  return [...new Set([...before.keys(), ...after.keys()])].map((key) => [before.get(key), after.get(key)])
}
