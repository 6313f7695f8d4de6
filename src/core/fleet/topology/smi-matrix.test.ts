import { describe, expect, test } from 'vitest'
import type { Layout } from '../layout.ts'
import { nearestNic } from './describe-cards.ts'
import { islands } from './islands.ts'
import { hybridCubeMesh } from './presets.ts'
import { readMatrix } from './smi-matrix.ts'

const LEGEND = `
Legend:

  X    = Self
  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes (e.g., QPI/UPI)
  NV#  = Connection traversing a bonded set of # NVLinks
`
const HOPPER = { target: '9.0', pcieGen: 5 }

/** Rows of words, as the driver prints them. */
const tabbed = (rows: readonly string[]) => rows.map((row) => row.replaceAll(' | ', '\t')).join('\n')

const DGX_1 = tabbed([
  ' | GPU0 | GPU1 | GPU2 | GPU3 | GPU4 | GPU5 | GPU6 | GPU7 | mlx5_0 | mlx5_2 | mlx5_1 | mlx5_3 | CPU Affinity',
  'GPU0 |  X  | NV1 | NV1 | NV2 | NV2 | SYS | SYS | SYS | PIX | SYS | PHB | SYS | 0-19,40-59',
  'GPU1 | NV1 |  X  | NV2 | NV1 | SYS | NV2 | SYS | SYS | PIX | SYS | PHB | SYS | 0-19,40-59',
  'GPU2 | NV1 | NV2 |  X  | NV2 | SYS | SYS | NV1 | SYS | PHB | SYS | PIX | SYS | 0-19,40-59',
  'GPU3 | NV2 | NV1 | NV2 |  X  | SYS | SYS | SYS | NV1 | PHB | SYS | PIX | SYS | 0-19,40-59',
  'GPU4 | NV2 | SYS | SYS | SYS |  X  | NV1 | NV1 | NV2 | SYS | PIX | SYS | PHB | 20-39,60-79',
  'GPU5 | SYS | NV2 | SYS | SYS | NV1 |  X  | NV2 | NV1 | SYS | PIX | SYS | PHB | 20-39,60-79',
  'GPU6 | SYS | SYS | NV1 | SYS | NV1 | NV2 |  X  | NV2 | SYS | PHB | SYS | PIX | 20-39,60-79',
  'GPU7 | SYS | SYS | SYS | NV1 | NV2 | NV1 | NV2 |  X  | SYS | PHB | SYS | PIX | 20-39,60-79',
  'mlx5_0 | PIX | PIX | PHB | PHB | SYS | SYS | SYS | SYS |  X  | SYS | PHB | SYS | ',
  'mlx5_2 | SYS | SYS | SYS | SYS | PIX | PIX | PHB | PHB | SYS |  X  | SYS | PHB | ',
  'mlx5_1 | PHB | PHB | PIX | PIX | SYS | SYS | SYS | SYS | PHB | SYS |  X  | SYS | ',
  'mlx5_3 | SYS | SYS | SYS | SYS | PHB | PHB | PIX | PIX | SYS | PHB | SYS |  X  | ',
])

/** As it is pasted: tabs have become spaces. */
const PASTED = `$ nvidia-smi topo -m
        GPU0    GPU1    GPU2    GPU3    NIC0    NIC1    CPU Affinity    NUMA Affinity   GPU NUMA ID
GPU0     X      NV12    NV12    NV12    PXB     SYS     48-63,176-191   3               N/A
GPU1    NV12     X      NV12    NV12    PXB     SYS     48-63,176-191   3               N/A
GPU2    NV12    NV12     X      NV12    SYS     PXB     16-31,144-159   1               N/A
GPU3    NV12    NV12    NV12     X      SYS     PXB     16-31,144-159   1               N/A
NIC0    PXB     PXB     SYS     SYS      X      SYS
NIC1    SYS     SYS     PXB     PXB     SYS      X
${LEGEND}
NIC Legend:

  NIC0: mlx5_4
  NIC1: mlx5_bond_0
`

describe('a matrix of nvidia-smi', () => {
  test('of one card, underlined as a terminal sees it, is a layout of one card', () => {
    const head = '\t\u001b[4mGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\u001b[0m'
    const layout = layoutOf(`${head}\nGPU0\t X \t0-15\t0\t\tN/A\n${LEGEND}`)
    expect(layout).toMatchObject({ cards: 1, gbps: [0], numa: [0], pcieSwitch: [undefined], nics: [] })
  })

  test('of a DGX-1 has the links, switches and NICs of one', () => {
    const layout = layoutOf(`${DGX_1}\n${LEGEND}`, { target: '7.0', pcieGen: 3 })
    const mesh = hybridCubeMesh()
    expect(layout.gbps).toEqual(mesh.gbps)
    expect(layout.pcieSwitch).toEqual(mesh.pcieSwitch)
    expect(nearestNic(layout, 0b1100_0000)).toMatchObject({ nic: { name: 'mlx5_3' }, shares: 'switch' })
    expect(layout.numa).toEqual(Array.from({ length: 8 }))
  })

  test('pasted with spaces has NUMA nodes, and NICs by their names', () => {
    const layout = layoutOf(PASTED)
    expect(islands(layout)).toEqual([{ mask: 0b1111, size: 4, gbps: 300 }])
    expect(layout.numa).toEqual([3, 3, 1, 1])
    expect(layout.pcieSwitch).toEqual([0, 0, 1, 1])
    expect(layout.nics).toEqual([
      { name: 'mlx5_4', numa: 3, pcieSwitch: 0 },
      { name: 'mlx5_bond_0', numa: 1, pcieSwitch: 1 },
    ])
  })

  test('with Windows line ends, other text around it and blank lines in it is the same', () => {
    const layout = layoutOf(PASTED)
    expect(layoutOf(PASTED.replaceAll('\n', '\r\n'))).toEqual(layout)
    expect(layoutOf(PASTED.replace('GPU2    NV12', '\n\nGPU2    NV12'))).toEqual(layout)
  })

  test('takes the speed of links from the card', () => {
    const text = '\tGPU0\tGPU1\nGPU0\t X \tNV18\nGPU1\tNV18\t X '
    expect(layoutOf(text, HOPPER).gbps[1]).toBe(450)
    expect(layoutOf(text, { target: '10.0', pcieGen: 5 }).gbps[1]).toBe(900)
    expect(layoutOf(text.replaceAll('NV18', 'PIX'), HOPPER).gbps[1]).toBe(64)
    expect(layoutOf(text.replaceAll('NV18', 'SOC'), HOPPER)).toEqual(layoutOf(text.replaceAll('NV18', 'SYS'), HOPPER))
    expect(layoutOf(text.replaceAll('NV18', 'N/A'), HOPPER).gbps[1]).toBe(0)
  })

  test('has the same id exactly when it says the same', () => {
    expect(layoutOf(PASTED).id).toBe(layoutOf(`${PASTED}\n`).id)
    expect(layoutOf(PASTED).id).not.toBe(layoutOf(PASTED.replaceAll('191   3', '191   2')).id)
  })

  test.each([
    ['', undefined],
    ['N/A', undefined],
    ['0-1', undefined],
    ['0,2', undefined],
    ['12', 12],
  ])('with NUMA affinity %j is in node %s', (written, node) => {
    const layout = layoutOf(`\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \t\t${written}\t\tN/A`)
    expect(layout.numa).toEqual([node])
  })

  test('pasted with a column left empty does not take the wrong one for the NUMA node', () => {
    const layout = layoutOf('  GPU0  CPU Affinity  NUMA Affinity  GPU NUMA ID\nGPU0   X    7   N/A')
    expect(layout.numa).toEqual([undefined])
  })

  test('in which only some cards have a neighbour on their switch goes by root ports', () => {
    const rows = ['GPU0 X PIX PXB SYS', 'GPU1 PIX X PXB SYS', 'GPU2 PXB PXB X SYS', 'GPU3 SYS SYS SYS X']
    expect(layoutOf(['GPU0 GPU1 GPU2 GPU3', ...rows].join('\n')).pcieSwitch).toEqual([0, 0, 0, undefined])
  })
})

describe('what is no matrix', () => {
  const small = [
    '\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity',
    'GPU0\tX\tSYS\tPIX\t0-7\t0',
    'GPU1\tSYS\tX\tSYS\t8-15\t1',
    'NIC0\tPIX\tSYS\tX',
  ].join('\n')
  const wide = Array.from({ length: 17 }, (_, card) => `GPU${card}`).join('\t')

  test.each([
    ['nothing', '', 1, 'no line names the cards (GPU0, GPU1, ...)'],
    [
      'something else',
      'Failed to initialize NVML: Driver/library version mismatch',
      1,
      'no line names the cards (GPU0, GPU1, ...)',
    ],
    [
      'no heading',
      small.split('\n').slice(1).join('\n'),
      1,
      'the header line that names the cards is missing above the row of "GPU0"',
    ],
    ['no rows', small.split('\n').slice(0, 1).join('\n'), 1, 'the text ends before the row of GPU0'],
    ['a row less', small.split('\n').slice(0, 3).join('\n'), 3, 'the text ends before the row of NIC0'],
    ['rows out of order', small.replace('GPU0\tX', 'GPU1\tX'), 2, 'expected the row of GPU0, found "GPU1"'],
    ['the legend too early', small.replace(/NIC0\tPIX.*/, LEGEND), 5, 'expected the row of NIC0, found "Legend:"'],
    ['a card left out', small.replace('GPU0\tGPU1', 'GPU0\tGPU2'), 1, 'expected GPU1, found "GPU2"'],
    ['a device twice', small.replace('\tNIC0\t', '\tNIC0\tNIC0\t'), 1, '"NIC0" is named twice'],
    [
      'a device without a name',
      small.replace('NIC0\tCPU', '\u202eNIC0\tCPU'),
      1,
      '"\\u{202e}NIC0" is not the name of a device',
    ],
    ['a cell less', small.replace('NIC0\tPIX\tSYS\tX', 'NIC0\tPIX\tSYS'), 4, 'there is no value in column NIC0'],
    ['an unknown link', small.replace('X\tSYS\tPIX', 'X\tGNS\tPIX'), 2, '"GNS" in column GPU1 is not a kind of link'],
    ['no links at all', small.replace('X\tSYS\tPIX', 'X\tNV0\tPIX'), 2, '"NV0" in column GPU1 is not a kind of link'],
    [
      'self at the wrong place',
      small.replace('SYS\tX\tSYS', 'X\tX\tSYS'),
      3,
      '"X" in column GPU0: X belongs on the diagonal, and only there',
    ],
    [
      'no self',
      small.replace('SYS\tX\tSYS', 'SYS\tSYS\tSYS'),
      3,
      '"SYS" in column GPU1: X belongs on the diagonal, and only there',
    ],
    ['two answers', small.replace('SYS\tX\tSYS', 'PHB\tX\tSYS'), 3, 'GPU1 to GPU0 is not the same as GPU0 to GPU1'],
    ['no NUMA node', small.replace('8-15\t1', '8-15\tone'), 3, '"one" is not a NUMA node'],
    ['too many cards', wide, 1, 'there are 17 cards; at most 16 are supported'],
    [
      'too many devices',
      `GPU0 ${Array.from({ length: 256 }, (_, nic) => `NIC${nic}`).join(' ')}`,
      1,
      'there are 257 devices; at most 256 are supported',
    ],
    ['too long a text', ' '.repeat(1_000_001), 1, 'this is longer than 1000000 characters'],
    [
      'words that a terminal obeys',
      'GPU0\nGPU0\t\u0007\u001b]0;x',
      2,
      '"\\u{7}\\u{1b}]0;x" in column GPU0 is not a kind of link',
    ],
  ])('%s: says where and why', (_, text, line, message) => {
    expect(readMatrix(text, undefined)).toEqual({ kind: 'problem', line, message })
  })
})

function layoutOf(text: string, facts?: { target: string; pcieGen: number }): Layout {
  const answer = readMatrix(text, facts)
  if (answer.kind === 'problem') throw new Error(`${answer.line}: ${answer.message}`)
  return answer.layout
}
