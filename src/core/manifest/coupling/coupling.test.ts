import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import type { SourceDocument } from '../../document/document.ts'
import { must } from '../../base/assert.ts'
import { DSTACK_CASES } from './dstack.suite.ts'
import { KUBERNETES_CASES } from './kubernetes.suite.ts'
import { OTHER_CASES } from './other.suite.ts'
import { SKYPILOT_CASES } from './skypilot.suite.ts'
import { CLEAN_MANIFESTS, goldenOf } from './coupling.suite.ts'
import { findCouplings } from './coupling.ts'
import { parseManifest } from '../parse.ts'

const ALL_CASES = [...KUBERNETES_CASES, ...SKYPILOT_CASES, ...DSTACK_CASES, ...OTHER_CASES]

describe('what people write elsewhere is found, with what to write instead', () => {
  test.each(KUBERNETES_CASES)('Kubernetes: $name', ({ text, finds }) => expect(golden(text)).toBe(finds))
  test.each(SKYPILOT_CASES)('SkyPilot: $name', ({ text, finds }) => expect(golden(text)).toBe(finds))
  test.each(DSTACK_CASES)('dstack: $name', ({ text, finds }) => expect(golden(text)).toBe(finds))
  test.each(OTHER_CASES)('other: $name', ({ text, finds }) => expect(golden(text)).toBe(finds))

  test('there are at least ten snippets of each kind', () => {
    const sizes = [KUBERNETES_CASES, SKYPILOT_CASES, DSTACK_CASES, OTHER_CASES].map((cases) => cases.length)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(10)
  })

  test('places point at the text that is meant', () => {
    for (const { text } of ALL_CASES) {
      const document = documentOf(text)
      for (const { place, found } of findCouplings(document)) {
        const { line, column, length } = must(place, 'a coupling has a place')
        const marked = must(document.lines[line - 1], 'a place is inside the text').slice(
          column - 1,
          column - 1 + length,
        )
        const meant = marked.replace(/^"(.*)"$/, '$1')
        expect(must(found, 'a coupling has a text').startsWith(meant) || /^[[{]/.test(meant)).toBe(true)
      }
    }
  })

  test('paths lead to what was found', () => {
    const [coupling] = findCouplings(documentOf('\nresources:\n  any: [{ instance_type: p4d.24xlarge }]\n'))
    expect(coupling?.path).toEqual(['resources', 'any', 0, 'instance_type'])
    expect(coupling?.place).toEqual({ file: 'x.yaml', line: 2, column: 11, length: 13 })
    expect(coupling?.code).toBe('MANIFEST_COUPLED')
  })
})

describe('hints', () => {
  const lines = new Set(ALL_CASES.flatMap(({ text }) => findCouplings(documentOf(text))).flatMap(hintLines))

  test.each([...lines].filter((line) => /^[a-z_]+:/.test(line)))('a manifest takes %s', (line) => {
    const parsed = parseManifest(documentOf(manifestWith(line)))
    expect('problems' in parsed ? parsed.problems : []).toEqual([])
  })

  test('that are not for pasting are sentences', () => {
    const sentences = [...lines].filter((line) => !/^[a-z_]+:/.test(line))
    expect(sentences.every((line) => /^[A-Z].*\.$/.test(line))).toBe(true)
    expect(sentences.length).toBeGreaterThan(4)
  })
})

describe('a manifest that names no provider', () => {
  test.each(CLEAN_MANIFESTS)('has no couplings: $name', ({ text }) => {
    const document = documentOf(text)
    expect(findCouplings(document)).toEqual([])
    expect(parseManifest(document)).toHaveProperty('manifest')
  })

  test.each([
    ['an image of a cloud', 'image: public.ecr.aws/acme/aws-region-tool:us-east-1'],
    ['environment variables', 'env: { AWS_REGION: eu-west-1, instance_type: p4d.24xlarge, gpu: H100 }'],
    ['variables as a list', 'env: [{ name: REGION, value: eu-west-1, zone: a }]'],
    ['an object store', 'storage: [{ mount: /models, from: s3://us-east-1-bucket/models }]'],
    ['arguments', 'command: [train, --partition=3, --region, eu-west-1, --gres=gpu:4]'],
    ['labels of the user', 'labels: { region: eu, zone: a, provider: aws, instance_type: big }'],
    ['names of roles', 'roles: { spot: { replicas: 1 }, gpu-memory: { replicas: 2 }, region: { replicas: 1 } }'],
    ['empty values', 'region:\nzone: ""\ninstance_type: []\naccelerators: {}\ngpu:\ncloud: []'],
    ['no cards', 'gpu: false\nresources: { gpu: 0 }'],
    ['a backend that is no provider', 'backend: vllm\nbackends: [aws, mine]'],
    ['a place that is no region', 'location: /data\ntype: service\nsize: 500Gi\nplatform: linux/amd64'],
    ['terms that mean something else', 'priority: 10\npreemptible: maybe\nmax_price: -1'],
    ['devices that are no cards', 'devices: [/dev/fuse, { driver: cdi }]\nruntime: runc'],
    ['a selector of pods', 'selector: { matchLabels: { app: x }, matchExpressions: [{ key: a, operator: In }] }'],
    ['requirements that are packages', 'requirements: [torch, numpy]'],
    ['attributes that tie to no provider', 'constraint: [{ attribute: "${attr.kernel.name}", value: linux }]'],
    ['a partition that is a number', 'partition: 3\ngres: license:1'],
    ['secret data', 'data: { region: eu-west-1 }\nsecrets: [AWS_REGION]'],
    ['a driver of no particular provider', 'csi: { driver: secrets-store.csi.k8s.io }\nnetwork_tier: standard'],
    ['an expression about something else', 'expression: a == b\ndeviceClassName: net.example.com'],
    ['presets and placements of their own', 'preset: fast\nplacement: { on: x }\nspread: provider\ncloud_type: any'],
  ])('%s', (_, text) => {
    expect(findCouplings(documentOf(`\n${text}\n`))).toEqual([])
  })
})

describe('cards that are named in one place and counted in another', () => {
  test('each hint is complete', () => {
    expect(hintsOf('gpu_type: H100-SXM\ngpu_count: 8\nmin_cuda_version: 12.4')).toEqual(
      Array.from(
        { length: 3 },
        () => 'gpu: { count: 8, min_vram: 80Gi, arch: hopper, min_cuda: "12.4", interconnect: nvswitch }',
      ),
    )
  })

  test('items of a list and roles are separate things', () => {
    expect(hintsOf('pods: [{ gpu_type: L4 }, { gpu_count: 2 }]')).toEqual([
      'gpu: { min_vram: 24Gi, arch: ada }',
      'gpu: { count: 2 }',
    ])
    expect(hintsOf('roles: { a: { gpu_type: L4 }, b: { gpu_count: 2 } }')).toEqual([
      'gpu: { min_vram: 24Gi, arch: ada }',
      'gpu: { count: 2 }',
    ])
  })

  test('different cards share what belongs to neither', () => {
    expect(hintsOf('gpu_type: L4\naccelerator: T4\ngpu_count: 2')).toEqual([
      'gpu: { count: 2, min_vram: 24Gi, arch: ada }',
      'gpu: { count: 2, min_vram: 16Gi, arch: turing }',
      'gpu: { count: 2 }',
    ])
  })

  test('cards of different makers share nothing that belongs to one of them', () => {
    expect(hintsOf('limits: { amd.com/gpu: 2, google.com/tpu: 2 }\ncuda: 12.1')).toEqual([
      'gpu: { count: 2, vendor: amd, min_cuda: "12.1" }',
      'gpu: { count: 2, arch: tpu, min_cuda: "12.1" }',
      'gpu: { min_cuda: "12.1" }',
    ])
  })

  test('counts that differ are not shared', () => {
    expect(hintsOf('gpu_type: L4\ngpu_count: 2\nnum_gpus: 4')).toEqual([
      'gpu: { min_vram: 24Gi, arch: ada }',
      'gpu: { count: 2, min_vram: 24Gi, arch: ada }',
      'gpu: { count: 4, min_vram: 24Gi, arch: ada }',
    ])
  })

  test('a machine is complete by itself', () => {
    expect(hintsOf('instance_type: g5.xlarge\ngpu_count: 2')).toEqual([
      'gpu: { count: 1, min_vram: 24Gi, arch: ampere }',
      'gpu: { count: 2 }',
    ])
  })

  test('inside a gpu map the hint is for that key alone', () => {
    expect(hintsOf('gpu: { gpu_type: L4, count: 2 }\ngpu_count: 3')).toEqual([
      'min_vram: 24Gi\narch: ada',
      'gpu: { count: 3 }',
    ])
  })
})

describe('files made to waste time', () => {
  test('after two hundred couplings the search ends', () => {
    const text = `regions:\n${Array.from({ length: 300 }, () => '  - { region: eu-west-1 }').join('\n')}`
    expect(findCouplings(documentOf(`\n${text}\n`))).toHaveLength(200)
  })

  test('texts longer than any name are not names', () => {
    expect(hintsOf(`region: ${'a'.repeat(1001)}`)).toEqual([])
    expect(hintsOf(`region: ${'a'.repeat(1000)}`)).toHaveLength(1)
  })

  test('long lists, maps and scripts are looked at only from the beginning', () => {
    const names = (count: number): string => Array.from({ length: count }, (_, index) => `n${index}`).join(', ')
    expect(messagesOf(`instance_types: [${names(256)}]`)).toEqual(['This names 256 machines.'])
    expect(messagesOf(`instance_types: [${names(257)}]`)).toEqual(['This names 256 machines.'])
    const script = (lines: number): string => `run: |\n${'  echo\n'.repeat(lines)}  #SBATCH -p x`
    expect(messagesOf(script(255))).toHaveLength(1)
    expect(messagesOf(script(256))).toEqual([])
  })

  test('found texts are short and printable', () => {
    const [coupling] = findCouplings(documentOf(`\nfleet: "x\\ty${'z'.repeat(100)}"\n`))
    expect(coupling?.found).toBe(`fleet: x\\u{9}y${'z'.repeat(50)}…`)
  })
})

function golden(text: string): string {
  return `\n${goldenOf(documentOf(text))}\n`
}

/** Snippets begin with a line of their own, for the reader's sake. */
function documentOf(text: string): SourceDocument {
  const read = readYaml(text.slice(1), 'x.yaml')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.document
}

function hintsOf(text: string): readonly (string | undefined)[] {
  return findCouplings(documentOf(`\n${text}\n`)).map(({ hint }) => hint)
}

function messagesOf(text: string): readonly string[] {
  return findCouplings(documentOf(`\n${text}\n`)).map(({ message }) => message)
}

function hintLines({ hint }: { readonly hint?: string }): readonly string[] {
  return (hint ?? '').split('\n')
}

/** A line pasted where it belongs, with the placeholders filled in. */
function manifestWith(line: string): string {
  const filled = line
    .replace('REGISTRY/NAME:TAG', 'r/n:1')
    .replace('policy: NAME', 'policy: p')
    .replace('SIZE', '1Gi')
    .replace('PORT', '80')
  const key = line.slice(0, line.indexOf(':'))
  const indent = /^(gpu|cpu|memory|disk|host_arch)$/.test(key) ? '  ' : /^(count|min_|arch)/.test(key) ? '    ' : ''
  const kind = /^(topology|nodes|restart)$/.test(key) ? 'job' : 'service'
  const head = ['', 'berth: v1', `kind: ${kind}`, 'name: x', ...(key === 'image' ? [] : ['image: a/b:1'])]
  const body = [
    ...(key === 'topology' ? ['nodes: 2'] : []),
    ...(key === 'spread' ? ['replicas: 2'] : []),
    'resources:',
    ...(indent === '' ? ['  cpu: 1'] : []),
    ...(indent === '    ' ? ['  gpu:'] : []),
  ]
  return [...head, ...body, `${indent}${filled}`, ''].join('\n')
}
