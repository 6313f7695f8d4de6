import { admitting, chooses, isAnything, listChoice, printChoice, type OneOf } from '../need/choice.ts'
import type { Need } from '../need/need.ts'
import type { Site } from '../../offer/machine.ts'
import type { Filter, Loosening } from './filter.ts'
import { no, unknown, type ReasonDoc } from '../reason.ts'

/** What defines a filter on one label of a site. */
export interface SiteLabel {
  readonly name: string
  readonly rank: number
  readonly label: 'residency' | 'trust'
  readonly wrong: { readonly code: string; readonly doc: ReasonDoc }
  readonly notKnown: { readonly code: string; readonly doc: ReasonDoc }
}

/** A filter on a label that the platform team puts on providers and regions. */
export function siteLabelFilter({ name, rank, label, wrong, notKnown }: SiteLabel): Filter<'site'> {
  return {
    name,
    rank,
    about: 'site',
    reasons: { [wrong.code]: wrong.doc, [notKnown.code]: notKnown.doc },
    check(site, need) {
      const choice = need[label]
      if (isAnything(choice)) return undefined
      const found = site[label]
      if (found === undefined) return unknown(notKnown.code, printChoice(choice))
      return chooses(choice, found) ? undefined : no(wrong.code, printChoice(choice), found)
    },
    loosen: (need, refused) => [...found(label, refused)].map((word) => admit(label, word, need)),
  }
}

function found(label: SiteLabel['label'], refused: readonly Site[]): readonly string[] {
  return [...new Set(refused.flatMap((site) => site[label] ?? []))].sort()
}

function admit(label: SiteLabel['label'], word: string, need: Need): Loosening {
  const wider: OneOf = admitting(need[label], word)
  return {
    key: `policy.${label}`,
    from: listChoice(need[label]),
    to: listChoice(wider),
    need: { ...need, [label]: wider },
  }
}
