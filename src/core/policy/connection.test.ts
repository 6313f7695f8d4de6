import { describe, expect, test } from 'vitest'
import { readYaml } from '../../formats/yaml/yaml.ts'
import { parseConfig } from './parse.ts'
import type { Config } from './policy.ts'

const NAMES = { scores: ['price'], filters: ['driver'] }

function read(text: string): ReturnType<typeof parseConfig> {
  const yaml = readYaml(`berth: v1\nkind: config\n${text}\n`, 'berth.config.yaml')
  return 'problems' in yaml ? yaml : parseConfig(yaml.document, NAMES)
}

function configOf(text: string): Config {
  const result = read(text)
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result.value
}

function problemsOf(text: string): readonly string[] {
  const result = read(text)
  if ('value' in result) return []
  return result.problems.map(({ code, place, found, message, hint }) =>
    [code, `${place?.line}:${place?.column}`, found, message, hint].filter((part) => part !== undefined).join(' | '),
  )
}

describe('a provider that Berth talks to', () => {
  test('has a kind, settings of that kind and the name of a secret', () => {
    const [provider] = configOf(`providers:
  here:
    kind: local
    settings: { runtime: process, gpus: [{ model: h100, count: 8 }], quiet: true, level: 0.5, none: null }
    credential: HERE_TOKEN`).providers
    expect(provider).toMatchObject({ name: 'here', kind: 'local', credential: 'HERE_TOKEN' })
    expect(JSON.parse(JSON.stringify(provider?.settings))).toEqual({
      runtime: 'process',
      gpus: [{ model: 'h100', count: 8 }],
      quiet: true,
      level: 0.5,
      none: null,
    })
  })

  test('may have no settings', () => {
    expect(configOf('providers: { here: { kind: local } }').providers[0]).toMatchObject({
      kind: 'local',
      settings: {},
      credential: undefined,
    })
  })

  test('may have offers and labels beside it', () => {
    const text = 'providers: { here: { kind: local, offers: [more.yaml], residency: eu, price_factor: 0.5 } }'
    expect(configOf(text).providers[0]).toMatchObject({ offers: ['more.yaml'], residency: 'eu', priceFactor: 0.5 })
  })

  test.each([
    [
      'providers: { a: { settings: {} } }',
      'VALUE_CONFLICT | 3:19 | settings | `settings` has no meaning for a provider without `kind`. | Add `kind`, or remove it.',
    ],
    [
      'providers: { a: { credential: TOKEN } }',
      'VALUE_CONFLICT | 3:19 | credential | `credential` has no meaning for a provider without `kind`. | Add `kind`, or remove it.',
    ],
    [
      'providers: { a: { kind: Local } }',
      'VALUE_INVALID | 3:25 | Local | A kind is a short word in lower case, such as local. | For example: kind: local',
    ],
    [
      'providers: { a: { kind: local, credential: a b } }',
      'VALUE_INVALID | 3:44 | a b | A variable name has only letters, digits and underscores. | For example: credential: NORTHWIND_TOKEN',
    ],
    [
      'providers: { a: { kind: local, settings: [1] } }',
      'VALUE_TYPE | 3:42 | Expected a map, found a list. | For example: settings: { runtime: process }',
    ],
    [
      'providers: { a: { kind: local, token: X } }',
      'KEY_UNKNOWN | 3:32 | token | No such key here. | Did you mean credential?',
    ],
  ])('is told what is wrong: %s', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem])
  })

  test('cannot smuggle a prototype in', () => {
    const text = 'providers: { a: { kind: local, settings: { __proto__: { x: 1 } } } }'
    expect(problemsOf(text)).toEqual([
      'KEY_UNKNOWN | 3:44 | __proto__ | `__proto__` cannot be used as a key. | Remove it.',
    ])
  })
})

describe('a project', () => {
  test('has limits, each of which may be left out', () => {
    const text = 'projects: { research: { max_gpus: 16, max_usd_per_hour: 50.5, max_workloads: 0 }, open: {} }'
    expect(configOf(text).projects).toEqual([
      { name: 'research', gpusMax: 16, usdPerHourMax: 50.5, workloadsMax: 0 },
      { name: 'open', gpusMax: undefined, usdPerHourMax: undefined, workloadsMax: undefined },
    ])
  })

  test.each([
    [
      'projects: { a/b: {} }',
      'VALUE_INVALID | 3:13 | a/b | A project has up to 63 lower-case letters, digits and dashes, and starts with a letter.',
    ],
    [
      'projects: { a: { max_gpus: -1 } }',
      'VALUE_RANGE | 3:28 | -1 | The number must be at least 0. | For example: max_gpus: 16',
    ],
    [
      'projects: { a: { max_gpus: 1.5 } }',
      'VALUE_TYPE | 3:28 | 1.5 | Expected a whole number, found 1.5. | For example: max_gpus: 16',
    ],
    ['projects: { a: { gpus: 1 } }', 'KEY_UNKNOWN | 3:18 | gpus | No such key here. | Did you mean max_gpus?'],
  ])('is told what is wrong: %s', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem])
  })
})
