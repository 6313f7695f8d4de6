import { LINK_RANK } from '../../hardware/link.ts'
import { linkName } from '../need/print.ts'
import { ANY_NUMBER, atLeast } from '../need/range.ts'
import type { Filter, Loosening } from '../filter/filter.ts'
import { no, unknown } from '../reason.ts'
import { withGpu } from '../filter/gpu-need.ts'

/** Turns down machines whose cards are joined by a slower link than requested. A single card always passes. */
export const interconnect: Filter<'machine'> = {
  name: 'interconnect',
  rank: 90,
  about: 'machine',
  reasons: {
    NO_NVLINK: {
      summary: (reason) => `its cards are not joined by ${reason.wanted === 'nvswitch' ? 'an NVSwitch' : 'NVLink'}`,
      clears: 'never',
      why: 'Tensor-parallel work exchanges activations between cards at every layer; over PCIe it runs several times slower.',
      fix: 'Set `interconnect: any` if the cards work independently, or use fewer, larger cards.',
    },
    LINK_UNKNOWN: {
      summary: (reason) =>
        `does not say whether its cards are joined by ${reason.wanted === 'nvswitch' ? 'an NVSwitch' : 'NVLink'}`,
      clears: 'never',
      why: 'The GPU exists with and without NVLink, or its cards can be bridged, and the source does not say which is the case here.',
      fix: 'Ask the provider, and describe the machine in an inventory file, or accept it in the policy (`unknown: { accept: [interconnect] }`).',
    },
  },
  check(machine, need) {
    const rank = need.gpu?.link.min
    if (need.gpu === undefined || machine.gpu === undefined || rank === undefined) return undefined
    if ((need.gpu.count.min ?? 1) <= 1) return undefined
    const { link } = machine.gpu
    if (link === undefined) return rank <= LINK_RANK.pcie ? undefined : unknown('LINK_UNKNOWN', linkName(rank))
    return LINK_RANK[link] >= rank ? undefined : no('NO_NVLINK', linkName(rank), link)
  },
  loosen(need, refused) {
    const rank = need.gpu?.link.min
    if (rank === undefined) return []
    const found = new Set(refused.flatMap((machine) => machine.gpu?.link ?? []))
    const steps: Loosening[] = []
    const key = 'resources.gpu.interconnect'
    const from = linkName(rank)
    if (found.has('nvlink'))
      steps.push({ key, from, to: 'nvlink', need: withGpu(need, { link: atLeast(LINK_RANK.nvlink) }) })
    if (found.has('pcie')) steps.push({ key, from, to: 'any', need: withGpu(need, { link: ANY_NUMBER }) })
    return steps
  },
}
