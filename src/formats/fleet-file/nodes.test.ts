import { describe, expect, test } from 'vitest'
import { fleetOf, nodeOf, problemsOf } from './fleet-file.suite.ts'

/** The problems of a file with one node. */
function wrong(keys: string): readonly string[] {
  return problemsOf(`nodes: [{ name: n, cpu: 8, memory: 64Gi, ${keys} }]`)
}

describe('the nodes of a fleet', () => {
  test('have names of their own', () => {
    expect(
      problemsOf('nodes:\n  - { name: "n-{1..3}", cpu: 1, memory: 1Gi }\n  - { name: n-2, cpu: 1, memory: 1Gi }'),
    ).toEqual(['5:13 KEY_REPEATED n-2 | There is already a node n-2, on line 4. | Rename one of the two.'])
  })

  test('are not too many together', () => {
    const row = (letter: string): string => `  - { name: "${letter}{1..60000}", cpu: 1, memory: 1Gi }`
    expect(problemsOf(['nodes:', row('a'), row('b')].join('\n'))).toEqual([
      '4:3 VALUE_RANGE | There are 120000 nodes here; the limit for one file is 100000. | Split the file.',
    ])
  })

  test.each([
    ['gpu: { model: H100 SMX }', 'There is no card with this name. | Did you mean h100-sxm?'],
    ['gpu: { model: A100 }', 'Several different cards have this name. | Write one of a100-40-pcie, a100-40-sxm,'],
    ['gpu: { model: H100 MIG 1g.10gb }', 'This is the name of a slice; name the whole card.'],
    ['gpu: { model: l40s, sharing: mig }', 'L40S does not support MIG slices. | Write sharing: share if'],
    [
      'gpu: { model: h100-sxm, count: 2, sharing: { mig: [2] } }',
      'There is no card 2: cards are numbered from 0 to 1.',
    ],
    ['gpu: { model: h100-sxm, sharing: { share: [1] } }', 'There is no card 1: the only card is number 0.'],
    [
      'gpu: { model: h100-sxm, sharing: { mig: [0], share: [0] } }',
      'Card 0 is also listed under share. | Keep one of the two.',
    ],
    ['gpu: { model: h100-sxm, count: 0 }', 'The number must be at least 1.'],
    ['wiring: nvswitch', '`wiring` needs cards, and the node has none. | State which cards'],
    ['health: fine', '`fine` is not one of ok, degraded, failing.'],
  ])('that cannot be are told so: %s', (keys, words) => {
    expect(wrong(keys)).toEqual([expect.stringContaining(words)])
  })
})

describe('the health of cards', () => {
  const NODES = 'nodes: [{ name: "n-{1..2}", cpu: 1, memory: 1Gi, gpu: { model: l4, count: 2 } }]\n'

  test('of one card goes before that of its node, in whatever order they stand', () => {
    for (const health of ['{ n-1: ok, n-1/1: failing }', '{ n-1/1: failing, n-1: ok }']) {
      const { nodes } = fleetOf(`${NODES}health: ${health}`).fleet
      expect(nodes.map(({ cards }) => cards.map((card) => card.health))).toEqual([
        ['ok', 'failing'],
        [undefined, undefined],
      ])
    }
  })

  test.each([
    ['n-3', 'There is no node n-3 in the fleet. | Did you mean n-1?'],
    ['elsewhere', 'There is no node elsewhere in the fleet. | Nodes here: n-1, n-2.'],
    ['n-1/2', 'There is no card 2: cards are numbered from 0 to 1.'],
    ['n-1/x', 'There is no node n-1/x in the fleet.'],
  ])('of %s is refused', (key, words) => {
    expect(problemsOf(`${NODES}health: { ${key}: ok }`)).toEqual([expect.stringContaining(words)])
  })
})

describe('the wiring of a node', () => {
  test('follows from the hardware table, where the file does not state it', () => {
    const layout = nodeOf('gpu: { model: h100-sxm, count: 8 }').layout
    expect(layout?.gbps.filter((gbps) => gbps === 450)).toHaveLength(56)
    expect(layout?.numa).toEqual(Array(8).fill(undefined))
    expect(nodeOf('gpu: { model: h100-sxm, count: 2 }').layout).toBeUndefined()
    expect(nodeOf('gpu: { model: l40s, count: 8 }').layout).toBeUndefined()
  })

  test.each([
    ['h100-sxm', 8, 'nvswitch-dual-socket', [0, 0, 0, 0, 1, 1, 1, 1], [450, 450, 450]],
    ['l40s', 8, 'pcie-dual-socket', [0, 0, 0, 0, 1, 1, 1, 1], [20.8, 20.8, 16]],
    ['l40s', 6, 'pcie-dual-socket', [0, 0, 0, 1, 1, 1], [20.8, 20.8, 16]],
    ['l40s', 8, 'pcie-dual-socket-pairs', [0, 0, 0, 0, 1, 1, 1, 1], [32, 20.8, 16]],
    ['l40s', 8, 'pcie-dual-socket-quads', [0, 0, 0, 0, 1, 1, 1, 1], [32, 32, 16]],
    ['a100-80-pcie', 4, 'nvlink-pairs', [0, 0, 1, 1], [300, 16, 16]],
    ['v100-16-sxm', 8, 'nvlink-cube-mesh', [0, 0, 0, 0, 1, 1, 1, 1], [25, 25, 8]],
  ])('%s × %i as %s', (model, count, word, numa, gbps) => {
    const layout = nodeOf(`gpu: { model: ${model}, count: ${count} }, wiring: ${word}`).layout
    expect(layout?.numa).toEqual(numa)
    expect([layout?.gbps[1], layout?.gbps[2], layout?.gbps[count - 1]]).toEqual(gbps)
  })

  test('is what nvidia-smi prints', () => {
    const layout = fleetOf(`nodes:
  - name: n
    cpu: 8
    memory: 64Gi
    gpu: { model: a100-80-pcie, count: 2 }
    wiring: |2
            GPU0  GPU1  NIC0  CPU Affinity  NUMA Affinity
      GPU0   X    NV12  PXB   0-31          1
      GPU1  NV12   X    PXB   0-31          1
      NIC0  PXB   PXB    X
`).fleet.nodes[0]?.layout
    expect(layout).toMatchObject({ cards: 2, gbps: [0, 300, 300, 0], numa: [1, 1], nics: [{ name: 'NIC0', numa: 1 }] })
  })

  test('in a matrix is complained of at its own line', () => {
    const node = 'nodes:\n  - name: n\n    cpu: 8\n    memory: 64Gi\n    gpu: { model: l40s, count: 2 }\n    wiring: '
    expect(problemsOf(`${node}|2\n            GPU0  GPU1\n      GPU0   X    SYSS\n      GPU1  SYS    X\n`)).toEqual([
      '10:7 VALUE_INVALID | In the matrix: "SYSS" in column GPU1 is not a kind of link. | Paste the whole output of nvidia-smi topo -m, as it is.',
    ])
    expect(problemsOf(`${node}"\\tGPU0\\tGPU1\\nGPU0\\tX\\tSYSS\\nGPU1\\tSYS\\tX"\n`)).toEqual([
      expect.stringMatching(/^8:13 VALUE_INVALID .*In the matrix: "SYSS"/),
    ])
  })

  test.each([
    ['l40s', 8, 'nvswich', 'This is neither a word for a wiring nor a matrix. | Did you mean nvswitch?'],
    ['l40s', 8, 'spaghetti', '| Words: nvswitch, nvswitch-dual-socket, nvlink-pairs,'],
    [
      'l40s',
      8,
      'nvswitch',
      'L40S is never joined by NVLink. | Use one of the words that begin with pcie, or leave it out.',
    ],
    ['h100-sxm', 1, 'nvswitch', 'nvswitch needs two or more cards.'],
    ['l40s', 5, 'pcie-dual-socket', 'pcie-dual-socket needs an even number of cards.'],
    ['l40s', 6, 'pcie-dual-socket-pairs', 'pcie-dual-socket-pairs needs 4 or 8 cards.'],
    ['a100-80-pcie', 6, 'nvlink-pairs', 'nvlink-pairs needs 2, 4 or 8 cards.'],
    ['h100-sxm', 8, 'nvlink-cube-mesh', 'Only the eight V100 of a DGX-1 are wired this way.'],
    ['l40s', 20, 'pcie-dual-socket', 'A wiring can have at most 16 cards.'],
  ])('of %s × %i cannot be %s', (model, count, word, words) => {
    expect(wrong(`gpu: { model: ${model}, count: ${count} }, wiring: ${word}`)).toEqual([
      expect.stringContaining(words),
    ])
  })

  test('has as many cards as the node', () => {
    const matrix = '"\\tGPU0\\tGPU1\\nGPU0\\tX\\tSYS\\nGPU1\\tSYS\\tX"'
    expect(wrong(`gpu: { model: l40s, count: 4 }, wiring: ${matrix}`)).toEqual([
      expect.stringContaining('The matrix has 2 cards, but gpu.count is 4. | Correct one of the two.'),
    ])
  })
})
