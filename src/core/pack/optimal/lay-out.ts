import { runOf, startsFor, valueOf, type MigRules } from '../../fleet/mig/rules.ts'

/**
 * Where to cut slices of these profiles, in their order, so that the rest of a card stays most useful; undefined: they do not
 * fit.
 */
export function layOut(rules: MigRules, taken: number, profiles: readonly number[]): readonly number[] | undefined {
  let best: { readonly starts: readonly number[]; readonly value: number } | undefined
  const layFrom = (mask: number, laid: readonly number[]): void => {
    const profile = profiles[laid.length]
    if (profile === undefined) {
      const value = valueOf(rules, mask)
      if (best === undefined || value > best.value) best = { starts: laid, value }
      return
    }
    // Of equal slices, the later one is further right: swapping them changes nothing.
    const isRepeated = profiles[laid.length - 1] === profile
    const from = isRepeated ? (laid.at(-1) ?? 0) : 0
    for (const start of startsFor(rules, profile)) {
      const slices = runOf(rules, profile, start)
      if (start >= from && (mask & slices) === 0) layFrom(mask | slices, [...laid, start])
    }
  }
  layFrom(taken, [])
  return best?.starts
}
