import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth } from '../harness.suite.ts'
import { node, pod } from '../../providers/kubernetes/nodes/make.suite.ts'

const LABELS = { 'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3', 'nvidia.com/gpu.count': '8' }
const MIG = {
  'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-40GB-MIG-1g.5gb',
  'nvidia.com/gpu.count': '7',
  'nvidia.com/mig.strategy': 'single',
}

const ITEMS = [
  node({
    name: 'gke-cluster-with-a-long-name-gpu-pool-h100-1a2b3c4d-x7k2',
    labels: LABELS,
    has: { 'nvidia.com/gpu': 8 },
  }),
  node({ name: 'cut-1', labels: MIG, has: { 'nvidia.com/gpu': 7 } }),
  node({ name: 'cpu-1' }),
  { kind: 'Node', metadata: { name: 'broken' } },
  'not an object at all',
  node({ name: 'dead-1', has: { 'nvidia.com/gpu': 8 }, ready: { 'nvidia.com/gpu': 0 } }),
]
const PODS = [
  pod({ 'nvidia.com/gpu': 3 }, { on: 'gke-cluster-with-a-long-name-gpu-pool-h100-1a2b3c4d-x7k2' }),
  pod({ cpu: 1 }, { on: 'cpu-1', namespace: 'kube-system' }),
]
const FILE = JSON.stringify({ kind: 'List', apiVersion: 'v1', items: [...ITEMS, ...PODS] })
const files = { 'nodes.json': FILE }

async function rowsOf(text: string) {
  const { out } = await berth(['offers', 'check', '--nodes', 'a', '-o', 'json'], { files: { a: text } })
  return JSON.parse(out)
}

describe('berth offers check --nodes', () => {
  test('gives one row for each node, with these keys and no others', async () => {
    const { code, out, err } = await berth(['offers', 'check', '--nodes', 'nodes.json', '-o', 'json'], { files })
    expect([code, err]).toEqual([EXIT.ok, ''])
    const rows = JSON.parse(out)
    expect(Object.keys(rows[0])).toEqual(
      'name vendor model cards free_cards vram_gib arch driver cuda sharing mig usable why'.split(' '),
    )
    expect(rows[0]).toMatchObject({ model: 'h100-sxm', cards: 8, free_cards: 5, vram_gib: 80, driver: null })
    expect(rows[1]).toMatchObject({ name: 'cut-1', cards: 1, sharing: 'mig', mig: { '1g.5gb': 7 }, vram_gib: 40 })
    expect(rows[2]).toMatchObject({ name: 'cpu-1', vendor: null, cards: 0, free_cards: 0, mig: {}, usable: true })
    expect(rows[3]).toMatchObject({ name: 'dead-1', cards: 8, free_cards: 0, usable: false })
  })

  test('a broken object stops no other and says what is wrong with it', async () => {
    const rows = await rowsOf(FILE)
    expect(rows).toHaveLength(6)
    expect(rows[4]).toMatchObject({ name: 'broken', cards: null, usable: null })
    expect(rows[4].why).toBe('This object cannot be read as a node: status is missing.')
    expect(rows[5]).toMatchObject({ name: null, why: 'This object cannot be read as a node: this is not an object.' })
  })

  test('the table and its reasons fit eighty columns', async () => {
    const { code, out, err } = await berth(['offers', 'check', '--nodes', 'nodes.json'], { files })
    expect([code, err]).toEqual([EXIT.ok, ''])
    for (const line of out.split('\n')) expect([...line].length, line).toBeLessThanOrEqual(80)
    expect(out).toContain('6 nodes, 3 usable: 9 cards')
    expect(out).toMatch(/^ {2}NODE +CARDS +FREE +OF +GIB +SHARING +USABLE$/m)
    expect(out).toMatch(/^ {2}cut-1 +1 +\? +a100-40-sxm +40 +mig +yes$/m)
    expect(out).toMatch(/^ {2}cpu-1 +0 +0 +- +- +- +yes$/m)
    expect(out.trimEnd()).toMatch(
      /Berth would place work on 3 nodes, in 5 offers, and leave alone: dead-1, broken,\n\(no name\)\.$/,
    )
    expect(out).toContain('gke-cluster-with-a-long-name-gpu-pool-h100-1a2b3c4d-x7k2\n  nvidia.com/gpu.product')
  })

  test('a single object, a typed list, YAML and standard input will do', async () => {
    expect(await rowsOf(JSON.stringify(node({ name: 'one' })))).toMatchObject([{ name: 'one' }])
    expect(
      await rowsOf(JSON.stringify({ kind: 'NodeList', items: [{ ...node({ name: 'two' }), kind: undefined }] })),
    ).toMatchObject([{ name: 'two' }])
    const yaml = 'kind: Node\nmetadata: {name: three}\nstatus:\n  capacity: {nvidia.com/gpu: 1}\n'
    expect(await rowsOf(yaml)).toMatchObject([{ name: 'three', cards: 1, free_cards: null, usable: null }])
    const { out } = await berth(['offers', 'check', '--nodes', '-', '-o', 'json'], { files: { '-': yaml } })
    expect(JSON.parse(out)).toHaveLength(1)
  })

  test('pods of one namespace are counted, and that there may be more is said', async () => {
    const items = [
      node({ labels: LABELS, has: { 'nvidia.com/gpu': 8 } }),
      pod({ 'nvidia.com/gpu': 2 }, { namespace: 'default' }),
    ]
    const [row] = await rowsOf(JSON.stringify({ kind: 'List', items }))
    expect(row.free_cards).toBe(6)
    expect(row.why).toContain('Only pods of the namespace default were given')
  })

  test.each([
    [['--nodes', 'nowhere'], 'FILE_MISSING\n    There is no file nowhere to read.'],
    [['--nodes', 'folder'], 'NODES_UNREADABLE\n    folder is a folder, not a file.'],
    [['--nodes', 'pods.json'], 'NODES_UNREADABLE\n    There is no Node in pods.json: it has no object at all.'],
    [['--nodes', 'other.json'], 'There is no Node in other.json: it has 2 × Pod, Service, an object without a kind.'],
    [['--nodes', 'words.txt'], 'There is no Node in words.txt: it has text.'],
    [['--nodes', 'numbers.json'], 'There is no Node in numbers.json: it has a list without a kind.'],
    [['--nodes', 'config.yaml'], 'There is no Node in config.yaml: it has an object without a kind.'],
    [['--nodes', 'prose.txt'], 'NODES_UNREADABLE'],
  ])('%j ends with 3', async (args, text) => {
    const items = [{ kind: 'Pod' }, { kind: 'Pod' }, { kind: 'Service' }, {}]
    const others = {
      'folder/a': 'x',
      'pods.json': '{"kind": "PodList", "items": []}',
      'prose.txt': 'a: [\n',
      'other.json': JSON.stringify({ kind: 'List', items }),
      'words.txt': 'these are words',
      'numbers.json': '[1, 2]',
      'config.yaml': 'hello: world',
    }
    const { code, out, err } = await berth(['offers', 'check', ...args], { files: others })
    expect([code, out]).toEqual([EXIT.invalid, ''])
    expect(err).toContain(text)
    expect(err).toContain(text.startsWith('FILE') ? '`-` reads' : 'kubectl get nodes,pods,resourceslices -A -o json')
  })

  test('cannot be combined with offers', async () => {
    const { code, err } = await berth(['offers', 'check', '--nodes', 'nodes.json', '--offers', 'x'], { files })
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('--nodes')
  })
})
