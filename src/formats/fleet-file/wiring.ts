import { nearest } from '../../core/document/nearest.ts'
import type { Layout } from '../../core/fleet/layout.ts'
import type { GpuModel } from '../../core/hardware/gpu.ts'
import { CARDS_MAX } from '../../core/fleet/topology/card-mask.ts'
import { dualSocketPcie, hybridCubeMesh, layoutOf, nvswitch, pairedNvlink } from '../../core/fleet/topology/presets.ts'
import { pcieGbps } from '../../core/fleet/topology/rates.ts'
import { readMatrix } from '../../core/fleet/topology/smi-matrix.ts'
import { wire } from '../../core/fleet/topology/wire.ts'
import type { Complaint } from './problems.ts'

/** How the cards of a node are joined, or what is wrong with the description. */
export type Wired =
  | { readonly layout: Layout | undefined }
  /** `line`: the line of the text, counted from 1, where the text is a matrix. */
  | { readonly complaint: Complaint; readonly line: number | undefined }

/** The wiring that a word or a matrix describes; without either, what follows from the hardware table. */
export function readWiring(text: string | undefined, facts: GpuModel, count: number): Wired {
  if (text === undefined) return { layout: layoutOf(facts, count, undefined) }
  if (text.trim().includes('\n')) return readText(text, facts, count)
  if (count > CARDS_MAX) return conflict(`A wiring can have at most ${CARDS_MAX} cards.`, 'Leave it out.')
  const word = WORDS.find((candidate) => candidate === text.trim())
  if (word !== undefined) return fromWord(word, facts, count)
  return wrong({
    code: 'VALUE_INVALID',
    message: 'This is neither a word for a wiring nor a matrix.',
    hint: wordHint(text),
  })
}

/** Every word for a wiring. docs/fleet.md describes them. */
export const WORDS = [
  'nvswitch',
  'nvswitch-dual-socket',
  'nvlink-pairs',
  'nvlink-cube-mesh',
  'pcie-dual-socket',
  'pcie-dual-socket-pairs',
  'pcie-dual-socket-quads',
] as const

type Word = (typeof WORDS)[number]

function wordHint(text: string): string {
  const meant = nearest(text, WORDS)
  if (meant !== undefined) return `Did you mean ${meant}?`
  return `Words: ${WORDS.join(', ')}. Or paste what nvidia-smi topo -m prints, below \`wiring: |2\`.`
}

function readText(text: string, facts: GpuModel, count: number): Wired {
  const read = readMatrix(text, facts)
  if (read.kind === 'problem') {
    const hint = 'Paste the whole output of nvidia-smi topo -m, as it is.'
    return { complaint: { code: 'VALUE_INVALID', message: `In the matrix: ${read.message}.`, hint }, line: read.line }
  }
  if (read.layout.cards === count) return { layout: read.layout }
  return conflict(`The matrix has ${read.layout.cards} cards, but gpu.count is ${count}.`, 'Correct one of the two.')
}

function fromWord(word: Word, facts: GpuModel, count: number): Wired {
  const isPcie = word.startsWith('pcie')
  if (!isPcie && facts.link === 'none') return conflict(`${facts.name} is never joined by NVLink.`, PCIE_HINT)
  switch (word) {
    case 'nvswitch':
    case 'nvswitch-dual-socket':
      return fromSwitch(word, facts, count)
    case 'nvlink-pairs':
      return fromPairs(facts, count)
    case 'nvlink-cube-mesh':
      return facts.arch === 'volta' && count === 8
        ? { layout: hybridCubeMesh() }
        : conflict('Only the eight V100 of a DGX-1 are wired this way.', MATRIX_HINT)
    case 'pcie-dual-socket':
      return count % 2 === 0 ? { layout: twoSockets(facts, count) } : wrongCount(word, 'an even number of')
    case 'pcie-dual-socket-pairs':
    case 'pcie-dual-socket-quads':
      return count === 4 || count === 8
        ? { layout: dualSocketPcie({ cards: count, perSwitch: word === 'pcie-dual-socket-pairs' ? 2 : 4, facts }) }
        : wrongCount(word, '4 or 8')
  }
}

const PCIE_HINT = 'Use one of the words that begin with pcie, or leave it out.'
const MATRIX_HINT = 'Paste what nvidia-smi topo -m prints, or leave it out.'

function fromSwitch(word: 'nvswitch' | 'nvswitch-dual-socket', facts: GpuModel, count: number): Wired {
  if (count < 2) return wrongCount(word, 'two or more')
  if (facts.linkGbps === undefined) return speedUnknown(facts)
  const sockets = word === 'nvswitch' ? undefined : 2
  return { layout: nvswitch({ cards: count, gbps: facts.linkGbps / 2, sockets }) }
}

function fromPairs(facts: GpuModel, count: number): Wired {
  if (count !== 2 && count !== 4 && count !== 8) return wrongCount('nvlink-pairs', '2, 4 or 8')
  if (facts.linkGbps === undefined) return speedUnknown(facts)
  return { layout: pairedNvlink({ cards: count, gbps: facts.linkGbps / 2, facts }) }
}

/** Half of the cards under each socket; the switches are unknown. */
function twoSockets(facts: GpuModel, count: number): Layout {
  const socket = (card: number): number => Math.floor((card * 2) / count)
  return wire({
    kind: 'pcie',
    cards: count,
    gbps: (one, two) => pcieGbps(socket(one) === socket(two) ? 'NODE' : 'SYS', facts),
    numa: socket,
    pcieSwitch: () => undefined,
    nics: [],
  })
}

function wrongCount(word: Word, counts: string): Wired {
  return conflict(`${word} needs ${counts} cards.`, MATRIX_HINT)
}

function speedUnknown(facts: GpuModel): Wired {
  return conflict(`The hardware table does not list the link speed of ${facts.name}.`, MATRIX_HINT)
}

function conflict(message: string, hint: string): Wired {
  return wrong({ code: 'VALUE_CONFLICT', message, hint })
}

function wrong(complaint: Complaint): Wired {
  return { complaint, line: undefined }
}
