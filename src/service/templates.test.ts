import { describe, expect, test } from 'vitest'
import { diffLines } from '../core/place/explain/line-diff.ts'
import { ADMIN, service, NOW_MS, refusalOf, trailOf } from './platform.suite.ts'
import { getTemplate, launch, listTemplates, pushTemplate, removeTemplate } from './templates.ts'
import { applyManifest } from './workload/workloads.ts'

const AT = { project: 'default', name: 'llama' }
const TEXT = `parameters:
  replicas: { type: number, default: 2, allowed: [1, 2, 4] }
  model: { type: text }
berth: v1
kind: service
name: llama
image: acme/vllm
env: { MODEL: "\${model}" }
replicas: \${replicas}
resources: { cpu: 1 }
`
const OTHER = TEXT.replace('cpu: 1', 'cpu: 2')
const LAUNCH = { ...AT, template: 'llama', version: undefined, name: undefined, once: undefined, ifTag: undefined }

const push = (deps: ReturnType<typeof service>, text = TEXT, at = AT) => pushTemplate(deps, ADMIN, { at, text })

describe('pushing a template', () => {
  test('gives it a version, and none when nothing changed', async () => {
    const deps = service()
    const first = await push(deps)
    expect(first).toEqual({
      name: 'llama',
      version: 1,
      text: TEXT,
      parameters: [
        { name: 'replicas', type: 'number', default: 2, allowed: [1, 2, 4], description: undefined },
        { name: 'model', type: 'text', default: undefined, allowed: undefined, description: undefined },
      ],
      created_ms: NOW_MS,
      created_by: 'ada',
    })
    expect(await push(deps)).toMatchObject({ version: 1, text: TEXT })
    expect(await push(deps, OTHER)).toMatchObject({ version: 2 })
    expect(await push(deps, TEXT)).toMatchObject({ version: 3 })
    expect(await trailOf(deps)).toEqual([
      'ada template.push default template/llama {"version":1}',
      'ada template.push default template/llama {"version":2}',
      'ada template.push default template/llama {"version":3}',
      'template-pushed default template/llama {"version":1,"by":"ada"}',
      'template-pushed default template/llama {"version":2,"by":"ada"}',
      'template-pushed default template/llama {"version":3,"by":"ada"}',
    ])
  })

  test('at the same time gives each its own version', async () => {
    const deps = service()
    const texts = Array.from({ length: 5 }, (_, index) => TEXT.replace('cpu: 1', `cpu: ${index + 1}`))
    const views = await Promise.all(texts.map((text) => push(deps, text)))
    expect(views.map(({ version }) => version).toSorted()).toEqual([1, 2, 3, 4, 5])
  })

  test.each([
    [TEXT.replace('${model}', '${modle}'), ['PARAMETER_UNUSED', 'PARAMETER_UNKNOWN']],
    [TEXT.replace('image', 'imag'), ['KEY_UNKNOWN']],
    ['a: [', ['YAML_SYNTAX']],
  ])('is refused when it makes no sense', async (text, codes) => {
    const deps = service()
    expect((await refusalOf(push(deps, text))).map((line) => line.split(':')[0])).toEqual(codes)
    expect(await deps.store.head()).toBe(0)
  })
})

describe('templates', () => {
  test('are listed by name, the newest of each', async () => {
    const deps = service()
    for (const name of ['a-b', 'a', 'b']) await push(deps, TEXT, { ...AT, name })
    await push(deps, OTHER, { ...AT, name: 'a' })
    await push(deps, TEXT, { project: 'default-two', name: 'c' })
    const views = await listTemplates(deps, 'default')
    expect(views.map(({ name, version }) => `${name}@${version}`)).toEqual(['a@2', 'a-b@1', 'b@1'])
  })

  test('are read by version', async () => {
    const deps = service()
    await push(deps)
    await push(deps, OTHER)
    expect(await getTemplate(deps, AT, undefined)).toMatchObject({ version: 2, text: OTHER })
    expect(await getTemplate(deps, AT, 1)).toMatchObject({ version: 1, text: TEXT })
    expect(diffLines(TEXT, OTHER)).toEqual([
      { kind: 'removed', line: 10, text: 'resources: { cpu: 1 }' },
      { kind: 'added', line: 10, text: 'resources: { cpu: 2 }' },
    ])
    for (const version of [3, 0, -1, 1.5, 1e9]) {
      expect(await refusalOf(getTemplate(deps, AT, version))).toEqual([
        `NOT_FOUND: The template llama has no version ${version}.`,
      ])
    }
    expect(await refusalOf(getTemplate(deps, { ...AT, name: 'lama' }, undefined))).toEqual([
      'NOT_FOUND: There is no template lama in project default.',
    ])
  })

  test('are removed by version, and a number is never given twice', async () => {
    const deps = service()
    await push(deps)
    await push(deps, OTHER)
    await removeTemplate(deps, ADMIN, { at: AT, version: 2 })
    expect(await getTemplate(deps, AT, undefined)).toMatchObject({ version: 1 })
    expect(await push(deps, OTHER)).toMatchObject({ version: 3 })
    expect(await refusalOf(removeTemplate(deps, ADMIN, { at: AT, version: 2 }))).toEqual([
      'NOT_FOUND: The template llama has no version 2.',
    ])
    await removeTemplate(deps, ADMIN, { at: AT, version: undefined })
    expect(await listTemplates(deps, 'default')).toEqual([])
    expect(await refusalOf(removeTemplate(deps, ADMIN, { at: AT, version: undefined }))).toHaveLength(1)
    expect(await push(deps)).toMatchObject({ version: 4 })
    expect(await trailOf(deps)).toContain('ada template.remove default template/llama {"versions":"1 3"}')
  })
})

describe('a launch', () => {
  test('makes a workload that remembers the version it came from', async () => {
    const deps = service()
    await push(deps)
    await push(deps, OTHER)
    const applied = await launch(deps, ADMIN, { ...LAUNCH, version: 1, set: { model: 'qwen: "x"', replicas: '4' } })
    expect(applied).toMatchObject({
      outcome: 'created',
      workload: { name: 'llama', template: { name: 'llama', version: 1 }, total: 4 },
    })
    const row = await deps.store.get('workload', 'default/llama')
    expect(row?.body.manifest.env).toEqual({ MODEL: 'qwen: "x"' })
    expect(row?.body.text).not.toContain('parameters')
  })

  test('under another name makes another workload, and the same again changes nothing', async () => {
    const deps = service()
    await push(deps)
    const set = { model: 'qwen' }
    await launch(deps, ADMIN, { ...LAUNCH, set })
    expect(await launch(deps, ADMIN, { ...LAUNCH, name: 'two', set })).toMatchObject({
      outcome: 'created',
      workload: { name: 'two', template: { version: 1 } },
    })
    expect(await launch(deps, ADMIN, { ...LAUNCH, set })).toMatchObject({ outcome: 'unchanged' })
  })

  test('goes on when its template is removed, and its text can be applied by itself', async () => {
    const deps = service()
    await push(deps)
    await launch(deps, ADMIN, { ...LAUNCH, set: { model: 'qwen' } })
    await removeTemplate(deps, ADMIN, { at: AT, version: undefined })
    const row = await deps.store.get('workload', 'default/llama')
    const ask = {
      project: 'default',
      text: row?.body.text ?? '',
      file: 'f',
      pinned: undefined,
      once: undefined,
      ifTag: undefined,
    }
    const before = row?.body.manifest
    await applyManifest(deps, ADMIN, ask)
    expect((await deps.store.get('workload', 'default/llama'))?.body.manifest).toEqual(before)
  })

  test.each([
    [{ set: {} }, ['PARAMETER_MISSING: The parameter model has no value.']],
    [{ set: { model: 'a', x: 'b' } }, ['PARAMETER_UNKNOWN: There is no parameter called x.']],
    [{ set: { model: 'a' }, version: 7 }, ['NOT_FOUND: The template llama has no version 7.']],
    [{ set: { model: 'a' }, template: 'nobody' }, ['NOT_FOUND: There is no template nobody in project default.']],
  ])('is refused when it makes no sense: %j', async (more, problems) => {
    const deps = service()
    await push(deps)
    const head = await deps.store.head()
    expect(await refusalOf(launch(deps, ADMIN, { ...LAUNCH, ...more }))).toEqual(problems)
    expect(await deps.store.head()).toBe(head)
  })
})
