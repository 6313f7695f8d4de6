import { describe, expect, test } from 'vitest'
import { readYaml } from '../../formats/yaml/yaml.ts'
import type { Problem } from '../base/problem.ts'
import { parseConfig } from './parse.ts'
import type { Config, Policy, ProviderSettings } from './policy.ts'
import { DEFAULT_POLICY, OBJECTIVES } from './policy.ts'
import { configJsonSchema } from './schema.ts'

const NAMES = { scores: ['price', 'start', 'stock'], filters: ['driver', 'cuda', 'host-arch'] }
const HEAD = 'berth: v1\nkind: config\n'

function read(text: string): { readonly value: Config } | { readonly problems: readonly Problem[] } {
  const yaml = readYaml(text, 'berth.config.yaml')
  return 'problems' in yaml ? yaml : parseConfig(yaml.document, NAMES)
}

function configOf(text: string): Config {
  const result = read(HEAD + text)
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result.value
}

/** The problems as `CODE line:column found message hint`, the shortest form that shows everything. */
function problemsOf(text: string): readonly string[] {
  const result = read(text)
  if (!('problems' in result)) return []
  return result.problems.map(({ code, place, found, message, hint }) =>
    [code, `${place?.line}:${place?.column}`, found, message, hint].filter((part) => part !== undefined).join(' | '),
  )
}

const PLAIN: ProviderSettings = {
  name: 'northwind',
  offers: [],
  residency: undefined,
  regions: [],
  trust: undefined,
  priceFactor: 1,
  prices: [],
  reliability: undefined,
  startSeconds: undefined,
  egressUsdPerGib: undefined,
  enabled: true,
  kind: undefined,
  settings: {},
  credential: undefined,
}

describe('the infrastructure file', () => {
  test('needs no more than its head', () => {
    expect(configOf('')).toEqual({ providers: [], policies: [], defaultPolicy: 'default', projects: [] })
  })

  test('describes providers', () => {
    const { providers } = configOf(`
providers:
  northwind:
    offers: [catalog/northwind, more.yaml]
    residency: GB
    regions: { us-*: US, "*": eu }
    trust: secure
    price_factor: 0.9
    prices:
      - { match: gpu-h100-*, usd_per_hour: 2 }
      - { match: "*", usd_per_hour: 0.5, market: spot }
    reliability: 0.99
    start: 2m
    egress_usd_per_gib: 0.01
    enabled: false
`)
    expect(providers).toEqual([
      {
        name: 'northwind',
        offers: ['catalog/northwind', 'more.yaml'],
        residency: 'uk',
        regions: [
          { match: 'us-*', residency: 'us' },
          { match: '*', residency: 'eu' },
        ],
        trust: 'secure',
        priceFactor: 0.9,
        prices: [
          { match: 'gpu-h100-*', usdPerHour: 2, market: 'on-demand' },
          { match: '*', usdPerHour: 0.5, market: 'spot' },
        ],
        reliability: 0.99,
        startSeconds: 120,
        egressUsdPerGib: 0.01,
        enabled: false,
        kind: undefined,
        settings: {},
        credential: undefined,
      },
    ])
  })

  test('leaves unknown what it does not say about a provider', () => {
    expect(configOf('providers: { northwind: {} }').providers).toEqual([PLAIN])
  })

  test('describes policies', () => {
    const { policies, defaultPolicy } = configOf(`
default_policy: production
policies:
  production:
    objective: balanced
    weights: { price: 3, start: 1 }
    spot: allowed
    max_usd_per_hour: 12
    residency: [EU, gb]
    providers: { allow: [northwind, harbor], deny: [palmgrid] }
    trust: [secure]
    fallback: [harbor, northwind]
    unknown: { accept: [driver, host-arch] }
`)
    expect(defaultPolicy).toBe('production')
    expect(policies).toEqual([
      {
        name: 'production',
        objective: 'balanced',
        weights: { price: 0.75, start: 0.25 },
        spot: 'allowed',
        usdPerHourMax: 12,
        residency: ['eu', 'uk'],
        providersAllowed: ['northwind', 'harbor'],
        providersDenied: ['palmgrid'],
        trust: ['secure'],
        fallback: ['harbor', 'northwind'],
        unknownAccepted: ['driver', 'host-arch'],
      },
    ])
  })

  test('takes from the built-in policy what a policy leaves out', () => {
    expect(configOf('policies: { plain: {} }').policies).toEqual([{ ...DEFAULT_POLICY, name: 'plain' }])
  })

  test('has the weights of its objective unless it sets its own', () => {
    const [policy] = configOf('policies: { fast: { objective: fastest-start } }').policies
    expect(policy).toEqual<Policy>({
      ...DEFAULT_POLICY,
      name: 'fast',
      objective: 'fastest-start',
      weights: OBJECTIVES['fastest-start'],
    })
  })

  test.each(['cheapest', 'fastest-start', 'most-reliable', 'balanced'])('knows the objective %s', (objective) => {
    expect(configOf(`policies: { p: { objective: ${objective} } }`).policies[0]?.objective).toBe(objective)
  })

  test('may accept no unknown at all, or spot machines only', () => {
    const [policy] = configOf('policies: { strict: { unknown: { accept: [] }, spot: only } }').policies
    expect(policy?.unknownAccepted).toEqual([])
    expect(policy?.spot).toBe('only')
  })

  test('may make the built-in policy the default, and may name providers that are not configured', () => {
    const text = 'default_policy: default\npolicies: { p: { providers: { allow: [elsewhere] }, fallback: [nowhere] } }'
    expect(configOf(text).defaultPolicy).toBe('default')
  })

  test('takes names that look like numbers', () => {
    expect(configOf('providers: { 42: { trust: 7 } }').providers[0]).toEqual({ ...PLAIN, name: '42', trust: '7' })
  })
})

describe('a mistake in the infrastructure file', () => {
  test.each([
    ['a missing head', 'kind: config\n', ['KEY_MISSING | 1:1 | `berth` is missing. | For example: berth: v1']],
    [
      'another kind',
      'berth: v1\nkind: job\n',
      [
        'VALUE_INVALID | 2:7 | job | This is a manifest (kind: job); --config takes a file with kind: config. | Start without --config, then run: berth apply FILE',
      ],
    ],
    [
      'an unknown key',
      `${HEAD}polices: {}\n`,
      ['KEY_UNKNOWN | 3:1 | polices | No such key here. | Did you mean policies?'],
    ],
    [
      'a misplaced key',
      `${HEAD}max_usd_per_hour: 3\n`,
      [
        'KEY_MISPLACED | 3:1 | max_usd_per_hour | `max_usd_per_hour` does not belong here. | It belongs under policies.NAME.',
      ],
    ],
    [
      'a weight for a score that does not exist',
      `${HEAD}policies: { p: { weights: { prise: 1 } } }\n`,
      ['KEY_UNKNOWN | 3:29 | prise | No such key here. | Did you mean price?'],
    ],
    [
      'weights that are not there',
      `${HEAD}policies: { p: { weights: {} } }\n`,
      [
        'VALUE_INVALID | 3:27 | At least one weight must be more than 0. | For example: weights: { price: 3, start: 1 }',
      ],
    ],
    [
      'weights that all are nothing',
      `${HEAD}policies: { p: { weights: { price: 0 } } }\n`,
      [
        'VALUE_INVALID | 3:27 | At least one weight must be more than 0. | For example: weights: { price: 3, start: 1 }',
      ],
    ],
    [
      'an unknown that no filter is called by',
      `${HEAD}policies: { p: { unknown: { accept: [driver, cudaa] } } }\n`,
      ['VALUE_INVALID | 3:46 | cudaa | `cudaa` is not one of driver, cuda, host-arch. | Did you mean cuda?'],
    ],
    [
      'a default policy that does not exist',
      `${HEAD}default_policy: prodution\npolicies: { production: {} }\n`,
      [
        'POLICY_UNKNOWN | 3:17 | prodution | There is no policy called prodution. | Did you mean production? Policies here: default, production.',
      ],
    ],
    [
      'a default policy where there is none at all',
      `${HEAD}default_policy: fast\n`,
      ['POLICY_UNKNOWN | 3:17 | fast | There is no policy called fast. | Policies here: default.'],
    ],
    [
      'a provider both allowed and denied',
      `${HEAD}policies: { p: { providers: { allow: [a, b], deny: [c, b] } } }\n`,
      ['VALUE_CONFLICT | 3:56 | b | b is both allowed and denied. | Remove it from one of the two lists.'],
    ],
    [
      'an entry given twice',
      `${HEAD}policies: { p: { fallback: [a, b, a] } }\n`,
      ['KEY_REPEATED | 3:35 | a | a is already in the list. | Remove one of the two.'],
    ],
    [
      'an unknown accepted twice',
      `${HEAD}policies: { p: { unknown: { accept: [cuda, cuda] } } }\n`,
      ['KEY_REPEATED | 3:44 | cuda | cuda is already in the list. | Remove one of the two.'],
    ],
    [
      'a start without its unit',
      `${HEAD}providers: { a: { start: 120 } }\n`,
      [expect.stringMatching(/^QUANTITY_INVALID \| 3:26 \| 120 \| /)],
    ],
    [
      'a ceiling by another name',
      `${HEAD}policies: { p: { max_price: 3 } }\n`,
      ['KEY_UNKNOWN | 3:18 | max_price | No such key here. | Did you mean max_usd_per_hour?'],
    ],
    [
      'a discount by another name',
      `${HEAD}providers: { a: { discount: 0.1 } }\n`,
      ['KEY_UNKNOWN | 3:19 | discount | No such key here. | Did you mean price_factor?'],
    ],
    [
      'a name that cannot be one',
      `${HEAD}providers: { "a b": {} }\n`,
      ['VALUE_INVALID | 3:14 | a b | A name has up to 63 letters, digits, dots, dashes and underscores.'],
    ],
    [
      'an area that cannot be one',
      `${HEAD}providers: { a: { residency: "e u" } }\n`,
      ['VALUE_INVALID | 3:30 | e u | An area is a short word such as eu, us or in. | For example: residency: eu'],
    ],
  ])('is told with its place: %s', (_, text, problems) => {
    expect(problemsOf(text)).toEqual(problems)
  })

  test.each([
    ['providers: { a: { price_factor: 0 } }', 'The number must be more than 0.'],
    ['providers: { a: { price_factor: 101 } }', 'The number must be at most 100.'],
    ['providers: { a: { reliability: 1.01 } }', 'The number must be at most 1.'],
    ['providers: { a: { reliability: -0.1 } }', 'The number must be at least 0.'],
    ['providers: { a: { egress_usd_per_gib: -1 } }', 'The number must be at least 0.'],
    ['policies: { p: { max_usd_per_hour: 0 } }', 'The number must be more than 0.'],
    ['policies: { p: { weights: { price: -1, start: 1 } } }', 'The number must be at least 0.'],
    ['policies: { p: { fallback: [] } }', 'This must have at least 1 entry.'],
    ['policies: { p: { providers: { allow: [] } } }', 'This must have at least 1 entry.'],
    ['providers: { a: { offers: [""] } }', 'This must have at least 1 character.'],
  ])('is out of range: %s', (text, message) => {
    expect(problemsOf(`${HEAD}${text}\n`)).toEqual([expect.stringContaining(message)])
  })

  test.each([
    'providers: { a: { price_factor: 100, reliability: 1, egress_usd_per_gib: 0 } }',
    'providers: { a: { price_factor: 0.001, reliability: 0 } }',
    'policies: { p: { max_usd_per_hour: 0.01, weights: { price: 0, start: 0.1 } } }',
  ])('is not at the limit: %s', (text) => {
    expect(problemsOf(`${HEAD}${text}\n`)).toEqual([])
  })

  test.each([
    ['quotas: {}', '3:1 | quotas | Quotas are not supported yet.'],
    ['budgets: []', '3:1 | budgets | Budgets are not supported yet.'],
    [
      'providers: { a: { endpoint: x } }',
      '3:19 | endpoint | Providers that Berth talks to itself are not supported yet.',
    ],
    ['providers: { a: { limits: 3 } }', '3:19 | limits | Limits are not supported yet.'],
    ['policies: { p: { hedge: true } }', '3:18 | hedge | Hedged orders are not supported yet.'],
  ])('is using what is only reserved: %s', (text, rest) => {
    expect(problemsOf(`${HEAD}${text}\n`)).toEqual([`NOT_YET | ${rest} | Remove it for now.`])
  })

  test('is reported together with all others, in line order', () => {
    const codes = problemsOf(
      `${HEAD}default_policy: x\nproviders: { a: { trusst: b } }\npolicies: { p: { spot: maybe } }\n`,
    )
    expect(codes).toEqual([
      'POLICY_UNKNOWN | 3:17 | x | There is no policy called x. | Policies here: default, p.',
      'KEY_UNKNOWN | 4:19 | trusst | No such key here. | Did you mean trust?',
      'VALUE_INVALID | 5:24 | maybe | `maybe` is not one of never, asked, allowed, only.',
    ])
  })

  test('in the default policy itself is reported once', () => {
    expect(problemsOf(`${HEAD}default_policy: [a]\n`)).toEqual([
      expect.stringContaining('VALUE_TYPE | 3:17 | Expected a name, found a list.'),
    ])
    expect(problemsOf(`${HEAD}default_policy:\n`)).toEqual([expect.stringContaining('VALUE_TYPE')])
  })
})

describe('the JSON Schema of the infrastructure file', () => {
  test('knows the keys, their meaning, and the names of scores and filters', () => {
    const schema = configJsonSchema(NAMES)
    expect(schema).toMatchObject({
      title: 'berth.config.yaml',
      type: 'object',
      additionalProperties: false,
      required: ['berth', 'kind'],
      properties: {
        default_policy: { description: 'Policy for manifests that name none.', type: 'string' },
        providers: {
          additionalProperties: {
            properties: { start: { description: 'Time from the order to a running container.' } },
          },
        },
        policies: {
          additionalProperties: {
            properties: {
              weights: { properties: { price: { type: 'number', minimum: 0 } }, additionalProperties: false },
              unknown: { properties: { accept: { items: { enum: ['driver', 'cuda', 'host-arch'] } } } },
            },
          },
        },
      },
    })
  })

  test('is the one that is written down', async () => {
    const text = `${JSON.stringify(configJsonSchema(NAMES), undefined, 2)}\n`
    await expect(text).toMatchFileSnapshot('./golden/config.schema.json')
  })

  test('is plain data', () => {
    const schema = configJsonSchema(NAMES)
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
  })
})
