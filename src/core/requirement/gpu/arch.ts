import * as z from 'zod'
import { archCards, archNamesake, archTargets } from '../../hardware/arch.ts'
import { arch as archName, oneOrMore } from '../fields.ts'
import { gpuKey, type KeyStep } from '../key.ts'
import { CHOICES, type SetAlgebra } from '../need/algebra.ts'
import { ANYTHING, chooses, oneOf, type OneOf } from '../need/choice.ts'
import { no, unknown } from '../reason.ts'

/** Architectures, and the binaries that their cards run. */
export interface ArchSet {
  /** For messages only. */
  readonly names: readonly string[]
  /** Binary targets such as `9.0`, `gfx942`. */
  readonly targets: OneOf
}

const ARCH_SETS: SetAlgebra<ArchSet> = {
  any: { names: [], targets: ANYTHING },
  meet: (one, two) => ({
    names: [...new Set([...one.names, ...two.names])].sort(),
    targets: CHOICES.meet(one.targets, two.targets),
  }),
  covers: (wide, narrow) => CHOICES.covers(wide.targets, narrow.targets),
}

/** Turns down cards that run binaries of none of the requested architectures. */
export const arch = gpuKey({
  key: 'arch',
  place: 50,
  schema: oneOrMore(archName),
  notes: {
    description: 'GPU architecture: one or a list. Each stands for a set of compute capabilities.',
    examples: ['hopper'],
  },
  also: ['architecture', 'architectures', 'generation', 'gpu_arch'],
  held: 'arch',
  row: z.array(z.string()),
  read: (value) => [...new Set(value)],
  slot: 'arch',
  set: ARCH_SETS,
  want: archSet,
  flag: { value: 'names', says: 'GPU architectures, for example hopper or hopper,blackwell', type: 'list' },
  name: 'arch',
  rank: 50,
  reasons: {
    WRONG_ARCH: {
      summary: (reason) => `not ${reason.wanted}`,
      clears: 'never',
      why: 'An architecture is a set of binary targets. Code built for one does not run on another: datacentre Blackwell (10.0, 10.3) and Blackwell RTX (12.0) share a name but no binaries.',
      fix: 'Add the architecture if the image contains code for it (`arch: [hopper, ampere]`), or ask for `min_compute_capability` instead.',
    },
    ARCH_UNKNOWN: {
      summary: (reason) => `does not say whether it is ${reason.wanted}`,
      clears: 'never',
      why: 'The hardware table does not say which binaries this accelerator runs.',
      fix: 'Accept it in the policy (`unknown: { accept: [arch] }`) if you know that it runs them.',
    },
  },
  check({ names, targets }, { arch: found, target }) {
    if (names.length === 0) return undefined
    const wanted = names.join(' or ')
    if (target === undefined) return unknown('ARCH_UNKNOWN', wanted)
    return chooses(targets, target) ? undefined : no('WRONG_ARCH', wanted, `${found} (${target})`)
  },
  loosen({ names, targets }, refused) {
    const found = [...new Set(refused.map((gpu) => gpu.arch))]
    const others = found.filter((other) => !names.includes(other)).sort(byName)
    const isNamesake = (other: string): boolean => archNamesake(other, names) !== undefined
    const ordered = [...others.filter(isNamesake), ...others.filter((other) => !isNamesake(other))]
    return ordered.flatMap((other): readonly KeyStep<ArchSet>[] => {
      const more = archTargets(other)
      if (more === undefined) return []
      const wider = [...names, other]
      const wanted = { names: wider, targets: oneOf([...targets.values, ...more]) }
      return [{ from: `[${names.join(', ')}]`, to: `[${wider.join(', ')}]`, wanted, ...sameName(other, names) }]
    })
  },
})

/** The set of some architectures; none means any. */
export function archSet(names: readonly string[]): ArchSet {
  if (names.length === 0) return ARCH_SETS.any
  return { names, targets: oneOf(names.flatMap((name) => archTargets(name) ?? [])) }
}

/** Users expect one name to mean one kind of card. The step counts as large, but comes before changes of kind. */
function sameName(other: string, asked: readonly string[]): Pick<KeyStep<ArchSet>, 'share' | 'note'> {
  const namesake = archNamesake(other, asked)
  if (namesake === undefined) return {}
  const cards = archCards(other)
  const note = `${cards} cards are ${other}: code built for ${namesake} does not run on them.`
  return { share: 1, ...(cards !== undefined && { note }) }
}

function byName(one: string, two: string): number {
  return one < two ? -1 : one > two ? 1 : 0
}
