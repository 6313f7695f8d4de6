import * as z from 'zod'
import { LINK_RANK } from '../../hardware/link.ts'
import { gpuKey, type KeyStep } from '../key.ts'
import { RANGES } from '../need/algebra.ts'
import { linkName } from '../need/print.ts'
import { ANY_NUMBER, atLeast, type Range } from '../need/range.ts'
import { no, unknown } from '../reason.ts'

const WORDS = ['any', 'pcie', 'nvlink', 'nvswitch'] as const

/** Turns down machines whose cards are joined by a slower link than requested. A single card always passes. */
export const interconnect = gpuKey({
  key: 'interconnect',
  place: 90,
  schema: z.enum(WORDS),
  notes: {
    description: 'Link between the GPUs of one machine. A faster link satisfies a slower one.',
    examples: ['nvlink'],
    default: 'any',
  },
  also: ['link', 'nvlink', 'topology'],
  held: 'interconnect',
  row: z.enum(WORDS),
  read: (value) => value ?? 'any',
  /** As a rank: see LINK_RANK. */
  slot: 'link',
  set: RANGES,
  want: (word) => (word === 'any' ? ANY_NUMBER : atLeast(LINK_RANK[word])),
  flag: { value: 'kind', says: 'links between cards: any, pcie, nvlink or nvswitch' },
  nvidiaOnly: (text) => /^nv(?:link|switch)$/.test(text),
  name: 'interconnect',
  rank: 90,
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
  check({ min: rank }, { link }, cards) {
    if (rank === undefined || cards <= 1) return undefined
    if (link === undefined) return rank <= LINK_RANK.pcie ? undefined : unknown('LINK_UNKNOWN', linkName(rank))
    return LINK_RANK[link] >= rank ? undefined : no('NO_NVLINK', linkName(rank), link)
  },
  loosen({ min: rank }, refused) {
    if (rank === undefined) return []
    const found = new Set(refused.map((gpu) => gpu.link))
    const from = linkName(rank)
    const steps: KeyStep<Range>[] = []
    if (found.has('nvlink')) steps.push({ from, to: 'nvlink', wanted: atLeast(LINK_RANK.nvlink) })
    if (found.has('pcie')) steps.push({ from, to: 'any', wanted: ANY_NUMBER })
    return steps
  },
})
