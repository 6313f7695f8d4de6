import { archCards, archNamesake, archTargets } from '../../hardware/arch.ts'
import { chooses, oneOf } from '../need/choice.ts'
import type { Filter, Loosening } from '../filter/filter.ts'
import { no, unknown } from '../reason.ts'
import { withGpu } from '../filter/gpu-need.ts'

/** Turns down cards that run binaries of none of the requested architectures. */
export const arch: Filter<'machine'> = {
  name: 'arch',
  rank: 50,
  about: 'machine',
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
  check(machine, need) {
    if (need.gpu === undefined || machine.gpu === undefined || need.gpu.arch.length === 0) return undefined
    const wanted = need.gpu.arch.join(' or ')
    const { target } = machine.gpu
    if (target === undefined) return unknown('ARCH_UNKNOWN', wanted)
    return chooses(need.gpu.target, target) ? undefined : no('WRONG_ARCH', wanted, `${machine.gpu.arch} (${target})`)
  },
  loosen(need, refused) {
    if (need.gpu === undefined) return []
    const { arch: asked, target } = need.gpu
    const found = new Set(refused.flatMap((machine) => (machine.gpu === undefined ? [] : [machine.gpu.arch])))
    const others = [...found].filter((other) => !asked.includes(other)).sort(byName)
    const isNamesake = (other: string): boolean => archNamesake(other, asked) !== undefined
    const ordered = [...others.filter(isNamesake), ...others.filter((other) => !isNamesake(other))]
    return ordered.flatMap((other): readonly Loosening[] => {
      const targets = archTargets(other)
      if (targets === undefined) return []
      const wider = [...asked, other]
      const change = { arch: wider, target: oneOf([...target.values, ...targets]) }
      const [from, to] = [`[${asked.join(', ')}]`, `[${wider.join(', ')}]`]
      return [{ key: 'resources.gpu.arch', from, to, need: withGpu(need, change), ...sameName(other, asked) }]
    })
  },
}

/** Users expect one name to mean one kind of card. The step counts as large, but comes before changes of kind. */
function sameName(other: string, asked: readonly string[]): Pick<Loosening, 'share' | 'note'> {
  const namesake = archNamesake(other, asked)
  if (namesake === undefined) return {}
  const cards = archCards(other)
  const note = `${cards} cards are ${other}: code built for ${namesake} does not run on them.`
  return { share: 1, ...(cards !== undefined && { note }) }
}

function byName(one: string, two: string): number {
  return one < two ? -1 : one > two ? 1 : 0
}
