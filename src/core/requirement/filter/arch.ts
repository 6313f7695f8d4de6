import { archTargets } from '../../hardware/arch.ts'
import { chooses, oneOf } from '../need/choice.ts'
import { no, unknown, type Filter, type Loosening } from './filter.ts'
import { withGpu } from './gpu-need.ts'

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
    const found = new Set(refused.flatMap((machine) => (machine.gpu === undefined ? [] : [machine.gpu.arch])))
    return [...found].sort().flatMap((other): readonly Loosening[] => {
      const targets = archTargets(other)
      if (need.gpu === undefined || targets === undefined || need.gpu.arch.includes(other)) return []
      const wider = [...need.gpu.arch, other]
      const change = { arch: wider, target: oneOf([...need.gpu.target.values, ...targets]) }
      const from = `[${need.gpu.arch.join(', ')}]`
      return [{ key: 'resources.gpu.arch', from, to: `[${wider.join(', ')}]`, need: withGpu(need, change) }]
    })
  },
}
