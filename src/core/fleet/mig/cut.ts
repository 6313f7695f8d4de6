import type { CutSlice } from '../fleet.ts'
import { profileName, runOf, type MigRules } from './rules.ts'

/** A slice in the terms of the driver. */
export function cutOf(rules: MigRules, profile: number, start: number): CutSlice {
  return { kind: 'slice', profile: profileName(rules, profile), start: start * rules.unitsPerSlice }
}

/** The memory slices of a reported slice; undefined: a card of this model cannot have such a slice. */
export function slicesOf(rules: MigRules, { profile, start }: Pick<CutSlice, 'profile' | 'start'>): number | undefined {
  const index = rules.profiles.findIndex(({ name }) => name === profile)
  const slice = start / rules.unitsPerSlice
  return rules.profiles[index]?.starts.includes(slice) === true ? runOf(rules, index, slice) : undefined
}

/** The mask of the slices on one card; undefined: they overlap. */
export function maskOf(rules: MigRules, cuts: readonly Pick<CutSlice, 'profile' | 'start'>[]): number | undefined {
  let taken = 0
  for (const cut of cuts) {
    const slices = slicesOf(rules, cut)
    if (slices === undefined || (taken & slices) !== 0) return undefined
    taken |= slices
  }
  return taken
}
