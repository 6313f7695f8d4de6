import { maskOf } from './mig/cut.ts'
import { migRules, runOf } from './mig/rules.ts'
import type { CutSlice } from './fleet.ts'

/** A profile that a card can be cut into, in the terms of the driver. */
export interface CutProfile {
  /** `1g.10gb` */
  readonly name: string
  readonly gib: number
  /** Where it may start, ascending. */
  readonly starts: readonly number[]
}

/** Every profile that a model can be cut into, largest first; empty if it cannot be cut. */
export function cutProfiles(model: string | undefined): readonly CutProfile[] {
  return cutsLeft(model, [])
}

export function cutProfile(model: string | undefined, name: string): CutProfile | undefined {
  return cutProfiles(model).find((profile) => profile.name === name)
}

/** Whether one card can hold all of these slices at once. */
export function cutsAgree(model: string | undefined, slices: readonly CutSlice[]): boolean {
  const rules = migRules(model ?? '')
  return rules !== undefined && maskOf(rules, slices) !== undefined
}

/** What can still be cut, and where, next to existing slices; largest first. */
export function cutsLeft(model: string | undefined, slices: readonly CutSlice[]): readonly CutProfile[] {
  const rules = migRules(model ?? '')
  const taken = rules === undefined ? undefined : maskOf(rules, slices)
  if (rules === undefined || taken === undefined) return []
  return rules.profiles
    .map(({ starts, ...profile }, index) => ({
      ...profile,
      starts: starts
        .filter((start) => (taken & runOf(rules, index, start)) === 0)
        .map((start) => start * rules.unitsPerSlice),
    }))
    .filter(({ starts }) => starts.length > 0)
    .sort((one, two) => two.size - one.size || two.compute - one.compute)
    .map(({ name, gib, starts }) => ({ name, gib, starts }))
}

/** A card's memory from end to end: the slice at each position. Undefined: it cannot be cut. */
export function placesOf(
  model: string | undefined,
  slices: readonly CutSlice[],
): readonly (CutSlice | undefined)[] | undefined {
  const rules = migRules(model ?? '')
  if (rules === undefined) return undefined
  const masks = slices.map((slice) => maskOf(rules, [slice]) ?? 0)
  return Array.from({ length: rules.slices }, (_, place) => slices.find((_, at) => ((masks[at] ?? 0) >> place) & 1))
}
