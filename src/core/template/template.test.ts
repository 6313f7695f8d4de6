import { describe, expect, test } from 'vitest'
import { readYaml } from '../../formats/yaml/yaml.ts'
import type { Problem } from '../base/problem.ts'
import { checkTemplate, launchTemplate } from './launch.ts'
import type { TemplateLaunch } from './launch.ts'
import type { Template } from './template.ts'

const HEAD = `parameters:
  replicas: { type: number, default: 2, allowed: [1, 2, 4] }
  model: { type: text, default: llama-70b, description: What is served. }
  quiet: { type: boolean, default: true }
  card: { type: text }
`

const TEXT = `${HEAD}berth: v1
kind: service
name: \${model}
image: ghcr.io/acme/vllm:0.22
command: [vllm, serve, "/models/\${model}", "--cost=$$5", $HOME]
env: { QUIET: "\${quiet}" }
resources:
  gpu: { count: 1, min_vram: "\${card}" }
replicas: \${replicas}
`

function check(text: string): ReturnType<typeof checkTemplate> {
  const yaml = readYaml(text, 'llama.yaml')
  return 'problems' in yaml ? yaml : checkTemplate(yaml.document)
}

function templateOf(text: string): Template {
  const checked = check(text)
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems))
  return checked.template
}

function told(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ code, place, message, hint }) =>
    [code, ...(place === undefined ? [] : [`${place.line}:${place.column}`]), message, hint].join(' | '),
  )
}

function problemsOf(text: string): readonly string[] {
  const checked = check(text)
  return 'problems' in checked ? told(checked.problems) : []
}

const LAUNCH: TemplateLaunch = { set: { card: '80Gi' }, name: undefined }

function launched(launch: Partial<TemplateLaunch>) {
  const result = launchTemplate(templateOf(TEXT), { ...LAUNCH, ...launch })
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result
}

function launchProblems(launch: Partial<TemplateLaunch>): readonly string[] {
  const result = launchTemplate(templateOf(TEXT), { ...LAUNCH, ...launch })
  return 'problems' in result ? told(result.problems) : []
}

describe('a template', () => {
  test('declares its parameters beside the manifest', () => {
    expect(templateOf(TEXT).parameters).toEqual([
      { name: 'replicas', type: 'number', default: 2, allowed: [1, 2, 4], description: undefined },
      { name: 'model', type: 'text', default: 'llama-70b', allowed: undefined, description: 'What is served.' },
      { name: 'quiet', type: 'boolean', default: true, allowed: undefined, description: undefined },
      { name: 'card', type: 'text', default: undefined, allowed: undefined, description: undefined },
    ])
  })

  test('may have no parameters at all', () => {
    const text = 'berth: v1\nkind: service\nname: a\nimage: b\nresources: { cpu: 1 }\n'
    expect(templateOf(text).parameters).toEqual([])
  })
})

describe('a launch', () => {
  test('puts defaults and values in, with their types', () => {
    const { manifest } = launched({ set: { card: '80Gi', replicas: '4' } })
    expect(manifest).toMatchObject({
      name: 'llama-70b',
      replicas: { min: 4, max: 4 },
      command: ['vllm', 'serve', '/models/llama-70b', '--cost=$5', '$HOME'],
      env: { QUIET: 'true' },
      resources: { gpu: { vramGibMin: 80 } },
    })
  })

  test('gives a text that is read as the same manifest', () => {
    const { manifest, text } = launched({ set: { card: '80Gi', model: 'qwen' } })
    expect(text).toBe(`berth: v1
kind: service
name: qwen
image: ghcr.io/acme/vllm:0.22
command:
  - vllm
  - serve
  - /models/qwen
  - "--cost=$5"
  - "$HOME"
env:
  QUIET: true
resources:
  gpu:
    count: 1
    min_vram: "80Gi"
replicas: 2
`)
    const again = check(text)
    expect('template' in again && launchTemplate(again.template, { set: {}, name: undefined })).toMatchObject({
      manifest,
    })
  })

  test('may give the workload another name', () => {
    expect(launched({ name: 'other' })).toMatchObject({
      manifest: { name: 'other' },
      text: expect.stringContaining('name: other'),
    })
    expect(launchProblems({ name: 'Not A Name' })).toEqual([expect.stringContaining('VALUE_INVALID | 8:7 | A name')])
  })

  test('keeps a value a value, whatever it holds', () => {
    const evil = 'x"\n  image: evil\n- {a: b} # ${model} $$ \u0007 \u2028'
    const template = templateOf(`parameters: { note: { type: text } }
berth: v1
kind: service
name: a
image: b
resources: { cpu: 1 }
env: { NOTE: "\${note}", LONG: "<\${note}>" }
`)
    const result = launchTemplate(template, { set: { note: evil }, name: undefined })
    expect(result).toMatchObject({ manifest: { image: 'b', env: { NOTE: evil, LONG: `<${evil}>` } } })
    const text = 'text' in result ? result.text : ''
    const yaml = readYaml(text, 'f')
    expect('document' in yaml && yaml.document.root.kind === 'map' && yaml.document.root.entries).toHaveLength(6)
  })

  test.each([
    [{ replicas: '3' }, 'PARAMETER_INVALID | `3` does not fit the parameter replicas. | Allowed: 1, 2, 4.'],
    [
      { replicas: 'two' },
      'PARAMETER_INVALID | `two` does not fit the parameter replicas. | It takes a number such as 2 or 0.5.',
    ],
    [
      { replicas: '' },
      'PARAMETER_INVALID | `` does not fit the parameter replicas. | It takes a number such as 2 or 0.5.',
    ],
    [
      { replicas: '99999999999999999' },
      'PARAMETER_INVALID | `99999999999999999` does not fit the parameter replicas. | It takes a number such as 2 or 0.5.',
    ],
    [{ quiet: 'yes' }, 'PARAMETER_INVALID | `yes` does not fit the parameter quiet. | It takes true or false.'],
    [
      { model: '\ud800' },
      'PARAMETER_INVALID | `\\u{d800}` does not fit the parameter model. | It takes valid text of at most 32,768 characters, without control characters.',
    ],
    [
      { modle: 'x' },
      'PARAMETER_UNKNOWN | There is no parameter called modle. | Did you mean model? Parameters here: replicas, model, quiet, card.',
    ],
    [
      { constructor: 'x' },
      'PARAMETER_UNKNOWN | There is no parameter called constructor. | Parameters here: replicas, model, quiet, card.',
    ],
  ])('refuses %j', (set, problem) => {
    expect(launchProblems({ set: { card: '80Gi', ...set } })).toEqual([problem])
  })

  test('reports every wrong value at once', () => {
    expect(launchProblems({ set: { replicas: 'x', quiet: 'x', other: 'x' } })).toEqual([
      expect.stringContaining('PARAMETER_UNKNOWN'),
      expect.stringContaining('PARAMETER_INVALID'),
      expect.stringContaining('PARAMETER_INVALID'),
      'PARAMETER_MISSING | The parameter card has no value. | Set it with --set card=TEXT',
    ])
  })

  test('says in the lines of the template what its values do to the manifest', () => {
    expect(launchProblems({ set: { card: 'big' } })).toEqual([expect.stringMatching(/^QUANTITY_INVALID \| 13:30 \| /)])
  })

  test('cannot be blown up by its values', () => {
    const places = Array.from({ length: 900 }, () => '"${note}"').join(', ')
    const template = templateOf(`parameters: { note: { type: text, default: a } }
berth: v1
kind: service
name: a
image: b
resources: { cpu: 1 }
args: [${places}]
`)
    const result = launchTemplate(template, { set: { note: 'x'.repeat(32_768) }, name: undefined })
    expect('problems' in result && told(result.problems)).toEqual([
      'YAML_TOO_LARGE | 1:1 | With these values the manifest is larger than 256 KB. | Put models and data in storage, and scripts in the image.',
    ])
  })
})

describe('a template that is pushed', () => {
  const MANIFEST = 'berth: v1\nkind: service\nname: a\nimage: b\nresources: { cpu: 1 }\n'

  test.each([
    [
      'an undeclared parameter',
      `parameters: { model: { type: text, default: a } }\n${MANIFEST}env: { A: "\${model}\${modle}" }\n`,
      'PARAMETER_UNKNOWN | 7:11 | There is no parameter called modle. | Did you mean model? Parameters here: model.',
    ],
    [
      'an unused parameter',
      `parameters:\n  model: { type: text, default: a }\n${MANIFEST}`,
      'PARAMETER_UNUSED | 2:3 | The parameter model is never used. | Write ${model} where its value goes, or remove it.',
    ],
    [
      'a place that is escaped and so not used',
      `parameters:\n  model: { type: text, default: a }\n${MANIFEST}env: { A: "$\${model}" }\n`,
      'PARAMETER_UNUSED | 2:3 | The parameter model is never used. | Write ${model} where its value goes, or remove it.',
    ],
    [
      'an open place',
      `${MANIFEST}env: { A: "\${model" }\n`,
      'TEMPLATE_PLACE | 6:11 | `${model` is not a valid placeholder. | Write ${name} with the name of a parameter, or $$ for a literal dollar sign.',
    ],
    [
      'a place of the shell',
      `${MANIFEST}env: { A: "\${HOME:-x}" }\n`,
      'TEMPLATE_PLACE | 6:11 | `${HOME:-x}` is not a valid placeholder. | Write ${name} with the name of a parameter, or $$ for a literal dollar sign.',
    ],
    [
      'a place in a key',
      `${MANIFEST}env: { "\${a}": b }\n`,
      'TEMPLATE_PLACE | 6:8 | A key cannot contain a placeholder. | Keys are the same in every launch. Move the placeholder into the value.',
    ],
    [
      'a type that there is none of',
      `parameters: { n: { type: nubmer } }\n${MANIFEST}replicas: \${n}\n`,
      'VALUE_INVALID | 1:26 | `nubmer` is not one of text, number, boolean. | Did you mean number?',
    ],
    [
      'a default of another type',
      `parameters: { n: { type: text, default: 12.10 } }\n${MANIFEST}env: { A: "\${n}" }\n`,
      'VALUE_TYPE | 1:41 | This must be text, as the type says. | Put it in quotes.',
    ],
    [
      'a default that is not allowed',
      `parameters: { n: { type: number, default: 3, allowed: [1, 2] } }\n${MANIFEST}replicas: \${n}\n`,
      'VALUE_CONFLICT | 1:43 | The default is not one of the allowed values. | Add it to `allowed`, or choose one from there.',
    ],
    [
      'an allowed value of another type',
      `parameters: { n: { type: number, allowed: [1, two] } }\n${MANIFEST}replicas: \${n}\n`,
      'VALUE_TYPE | 1:47 | This must be a number, as the type says. | Change the value or the type.',
    ],
    [
      'a name that cannot be one',
      `parameters: { N: { type: number, default: 1 } }\n${MANIFEST}`,
      'VALUE_INVALID | 1:15 | The name of a parameter has lower-case letters, digits and underscores, and starts with a letter. | ',
    ],
    [
      'a manifest that is wrong around its places',
      `parameters: { n: { type: number } }\n${MANIFEST}replica: \${n}\n`,
      'KEY_UNKNOWN | 7:1 | No such key here. | Did you mean replicas?',
    ],
    [
      'a default that the manifest does not take',
      `parameters: { n: { type: number, default: 0 } }\n${MANIFEST}replicas: \${n}\n`,
      'VALUE_RANGE | 7:11 | The number must be at least 1. | For example: replicas: 2',
    ],
  ])('is refused with its line: %s', (_, text, problem) => {
    expect(problemsOf(text)).toContainEqual(problem)
  })

  test('has no say about values that only a launch gives', () => {
    const text = `parameters: { size: { type: text }, low: { type: number } }
${MANIFEST.replace('cpu: 1', 'memory: "${size}"')}replicas: { min: 2, max: "\${low}" }\n`
    expect(problemsOf(text)).toEqual([])
  })
})
