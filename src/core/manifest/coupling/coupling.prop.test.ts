import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { must } from '../../base/assert.ts'
import type { DocNode, Mark, SourceDocument } from '../../document/document.ts'
import { CLEAN_MANIFESTS } from './coupling.suite.ts'
import { findCouplings } from './coupling.ts'
import { cases } from '../../base/laws.suite.ts'

/** Keys of other vocabularies, each with a value that ties it to a provider. */
const COUPLED: readonly (readonly [key: string, value: unknown])[] = [
  ['instance_type', 'p4d.24xlarge'],
  ['machineType', 'a2-highgpu-8g'],
  ['region', 'eu-west-1'],
  ['regions', ['us-east-1', 'eu-west-1']],
  ['zone', 'us-central1-a'],
  ['cloud', 'aws'],
  ['infra', 'gcp/us-central1'],
  ['backends', ['aws', 'runpod']],
  ['use_spot', true],
  ['spot_policy', 'auto'],
  ['max_price', 2.5],
  ['accelerators', { 'A100-80GB': 4 }],
  ['gpuType', 'NVIDIA_H100_80G'],
  ['gpuCount', 4],
  ['gpu_memory', '80GB'],
  ['fleets', ['research']],
  ['instance_types', ['p5.48xlarge']],
  ['nodeSelector', { 'cloud.google.com/gke-accelerator': 'nvidia-h100-80gb' }],
  ['nodeSelector', { pool: 'a' }],
  ['tolerations', [{ key: 'nvidia.com/gpu', operator: 'Exists' }]],
  ['nvidia.com/gpu', 4],
  ['topology.kubernetes.io/zone', 'eu-west-1a'],
  ['karpenter.sh/capacity-type', 'spot'],
  ['annotations', { 'kueue.x-k8s.io/queue-name': 'q' }],
  ['schedulerName', 'volcano'],
  ['any_of', [{ infra: 'aws' }, { infra: 'gcp' }]],
  ['image_id', 'ami-1'],
  ['constraint', { attribute: '${node.class}', value: 'gpu' }],
  ['device', { 'nvidia/gpu': { count: 2 } }],
  ['datacenters', ['dc1']],
  ['guest_accelerator', [{ type: 'nvidia-tesla-t4', count: 1 }]],
  ['vm_size', 'Standard_ND96asr_v4'],
  ['gres', 'gpu:h100:4'],
  ['sbatch', ['--partition=a100']],
  ['run', '#SBATCH --gres=gpu:h100:4\npython train.py\n'],
  ['cloudType', 'SECURE'],
  ['dataCenterIds', ['EU-RO-1']],
  ['devices', [{ driver: 'nvidia', count: 1, capabilities: ['gpu'] }]],
  ['awsElasticBlockStore', { volumeID: 'v' }],
  ['placement_group', 'x'],
]

const CLEAN: readonly DocNode[] = CLEAN_MANIFESTS.map(({ text }) => documentOf(text).root)

/** Clean manifests in which the order of keys, their number and what users choose freely vary. */
const clean: fc.Arbitrary<DocNode> = fc
  .tuple(
    fc.constantFrom(...CLEAN),
    fc.nat(),
    fc.dictionary(fc.stringMatching(/^[A-Z_]{1,12}$/), word(), { maxKeys: 4 }),
  )
  .map(([root, seed, env]) => withEntry(shuffled(root, seed), { path: [], key: 'env', value: fromJson(env) }))

function word(): fc.Arbitrary<string> {
  return fc.constantFrom('aws', 'eu-west-1', 'H100', 'p4d.24xlarge', 'spot', 'nvidia.com/gpu', 'llama', '4')
}

describe('couplings', () => {
  test('a coupled key is found wherever it is put into a clean manifest', () => {
    fc.assert(
      fc.property(clean, fc.nat(), fc.constantFrom(...COUPLED), (root, seed, [key, value]) => {
        const homes = mapsIn(root, []).filter((path) => !isUsers(path))
        const path = must(homes[seed % homes.length], 'the root is a map')
        const mixed = withEntry(root, { path, key, value: fromJson(value) })
        const found = findCouplings(asDocument(mixed))
        expect(found.length).toBeGreaterThan(0)
        for (const coupling of found) expect(coupling.path.slice(0, path.length + 1)).toEqual([...path, key])
      }),
      cases(2000),
    )
  })

  test('a clean manifest has none', () => {
    fc.assert(
      fc.property(clean, (root) => {
        expect(findCouplings(asDocument(root))).toEqual([])
      }),
      cases(2000),
    )
  })

  test('whatever a document holds, each answer is complete and the same twice', () => {
    const key = fc.oneof(
      fc.constantFrom(...COUPLED.map(([name]) => name), 'gpu', 'cpu', 'name', '__proto__'),
      fc.string(),
    )
    const leaf = fc.oneof(word(), fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 5 }),
      ),
    }))
    fc.assert(
      fc.property(tree, (value) => {
        const document = asDocument(fromJson(value))
        const found = findCouplings(document)
        for (const { code, message, hint, place } of found) {
          expect(code).toBe('MANIFEST_COUPLED')
          expect(message).toMatch(/^This .*[.:]$/)
          expect(hint).not.toBe('')
          expect(place?.file).toBe('x.yaml')
        }
        expect(findCouplings(document)).toEqual(found)
      }),
      cases(2000),
    )
  })
})

const AT: Mark = { line: 1, column: 1, length: 1 }

function documentOf(text: string): SourceDocument {
  const read = readYaml(text, 'x.yaml')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.document
}

function asDocument(root: DocNode): SourceDocument {
  return { file: 'x.yaml', lines: ['#SBATCH --gres=gpu:h100:4'], root }
}

function fromJson(value: unknown): DocNode {
  if (Array.isArray(value)) return { kind: 'list', at: AT, items: value.map(fromJson) }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, inside]) => ({ key, keyAt: AT, value: fromJson(inside) }))
    return { kind: 'map', at: AT, entries }
  }
  const scalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
  return { kind: 'scalar', at: AT, value: scalar, text: scalar === null ? '' : String(scalar) }
}

/** The tree with one more key in the map at a path; a key that is there already is replaced. */
function withEntry(node: DocNode, added: { path: readonly (string | number)[]; key: string; value: DocNode }): DocNode {
  const [step, ...rest] = added.path
  if (node.kind === 'list') {
    return {
      ...node,
      items: node.items.map((item, index) => (index === step ? withEntry(item, { ...added, path: rest }) : item)),
    }
  }
  if (node.kind === 'scalar') return node
  if (step === undefined) {
    const others = node.entries.filter(({ key }) => key !== added.key)
    return { ...node, entries: [...others, { key: added.key, keyAt: AT, value: added.value }] }
  }
  const entries = node.entries.map((entry) =>
    entry.key === step ? { ...entry, value: withEntry(entry.value, { ...added, path: rest }) } : entry,
  )
  return { ...node, entries }
}

/** Paths of all maps in a tree. */
function mapsIn(node: DocNode, path: readonly (string | number)[]): readonly (readonly (string | number)[])[] {
  if (node.kind === 'scalar') return []
  if (node.kind === 'list') return node.items.flatMap((item, index) => mapsIn(item, [...path, index]))
  return [path, ...node.entries.flatMap(({ key, value }) => mapsIn(value, [...path, key]))]
}

/** Where users choose the keys, a foreign word is just a word. */
function isUsers(path: readonly (string | number)[]): boolean {
  return path.at(-1) === 'env' || path.at(-1) === 'roles'
}

function shuffled(node: DocNode, seed: number): DocNode {
  if (node.kind !== 'map') return node
  const turn = seed % node.entries.length
  return { ...node, entries: [...node.entries.slice(turn), ...node.entries.slice(0, turn)] }
}
