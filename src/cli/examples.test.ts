import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PlanReport } from '../core/place/explain/report.ts'
import { checkTemplate, launchTemplate } from '../core/template/launch.ts'
import { readYaml } from '../formats/yaml/yaml.ts'
import { berth, type Ran } from './harness.suite.ts'

const FOLDER = join(import.meta.dirname, '../../examples')

/** The examples as they ship, under the names that a checkout gives them. */
function shipped(): Readonly<Record<string, Uint8Array>> {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(ya?ml|json|csv)$/.test(name),
  )
  return Object.fromEntries(names.map((name) => [`examples/${name}`, readFileSync(join(FOLDER, name))]))
}

async function plan(name: string): Promise<{ readonly ran: Ran; readonly report: PlanReport }> {
  const argv = ['plan', `examples/${name}.yaml`, '--config', 'examples/platform/berth.config.yaml', '-o', 'json']
  const ran = await berth(argv, { files: shipped() })
  return { ran, report: JSON.parse(ran.out) }
}

/** Where each machine of the plan is, and what it is. */
function places({ chosen }: PlanReport): readonly string[] {
  return chosen.map(
    ({ role, offer }) =>
      `${role === undefined ? '' : `${role}: `}${offer.provider} ${offer.instance} $${offer.usd_per_hour}`,
  )
}

describe('every example is planned on the platform that ships with it', () => {
  test.each([
    ['llama-70b', ['northwind nw-h100-4 $8.93', 'tidewater tw-h100-4 $10.6']],
    ['mistral-7b-slice', ['harbor-a h100-mig-2g.20gb $0.46']],
    ['train-two-nodes', ['tidewater tw-h100-8 $12.9', 'tidewater tw-h100-8 $12.9']],
    ['transcribe-batch', ['palmgrid rtx3090-1 $0.11']],
    ['comfyui', ['palmgrid rtx4090-1 $0.18']],
    [
      'prefill-decode',
      ['prefill: harbor-a h100-1 $1.6', 'prefill: harbor-a h100-1 $1.6', 'decode: harbor-a h100-2 $3.2'],
    ],
    ['notebook', ['harbor-a h100-mig-1g.10gb $0.24']],
  ])('%s', async (name, expected) => {
    const { ran, report } = await plan(name)
    expect(ran.err).toBe('')
    expect(places(report)).toEqual(expected)
    expect(report.fits).toBe(true)
    expect(ran.code).toBe(0)
  })

  test('embeddings: three replicas with three providers', async () => {
    const { report } = await plan('embeddings')
    expect(new Set(report.chosen.map(({ offer }) => offer.provider)).size).toBe(3)
  })

  test('too-big: no place, and what would help', async () => {
    const { ran, report } = await plan('too-big')
    expect(ran.code).toBe(2)
    expect(report.fits).toBe(false)
    expect(report.relaxations.map(({ key, to }) => `${key}: ${to}`)).toContain('policy.residency: [eu, us]')
    expect(report.asks[0]?.conflict?.map(({ requirement }) => requirement)).toContain('residency')
  })

  test('rented-4090: one card, wherever it is', async () => {
    const { ran, report } = await plan('rented-4090')
    expect([ran.code, report.fits]).toEqual([0, true])
  })

  test('there is a test for each of them', () => {
    const manifests = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'))
    expect(manifests.toSorted()).toEqual(
      [
        'comfyui',
        'embeddings',
        'llama-70b',
        'mistral-7b-slice',
        'notebook',
        'prefill-decode',
        'rented-4090',
        'too-big',
        'train-two-nodes',
        'transcribe-batch',
      ].map((name) => `${name}.yaml`),
    )
  })
})

describe('berth demo', () => {
  test('shows one that fits, one that is passed on and one that cannot fit', async () => {
    const { out, code } = await berth(['demo'], { files: shipped() })
    expect(code).toBe(0)
    expect(out).toContain('mistral-7b: 1 of 1 replica has a place, $0.46/h in all')
    expect(out).toContain('Passed on: harbor-a (sold out)')
    expect(out).toContain('deepseek-v4: no place.')
    expect(out).toContain('What would admit more:')
  })

  test('does not depend on the day', async () => {
    const now = await berth(['demo', '-o', 'json'], { files: shipped() })
    const later = await berth(['demo', '-o', 'json'], { files: shipped(), nowMs: Date.parse('2031-01-01T00:00:00Z') })
    expect(later.out).toBe(now.out)
  })
})

describe('every template that ships is fit to be pushed and launched', () => {
  test.each([
    ['serve', { model: 'qwen-7b', gpus: '4' }, 'qwen-7b'],
    ['notebook', { owner: 'maria' }, 'notebook-maria'],
    ['train', { config: '13b.toml', nodes: '2' }, 'train'],
  ])('%s', (name, set, workload) => {
    const read = readYaml(readFileSync(join(FOLDER, 'templates', `${name}.yaml`)), name)
    const checked = 'document' in read ? checkTemplate(read.document) : read
    if (!('template' in checked)) return expect(checked.problems).toEqual([])
    expect(launchTemplate(checked.template, { set, name: undefined })).toMatchObject({ manifest: { name: workload } })
  })

  test('none is left out', () => {
    expect(readdirSync(join(FOLDER, 'templates'))).toEqual(['notebook.yaml', 'serve.yaml', 'train.yaml'])
  })
})
