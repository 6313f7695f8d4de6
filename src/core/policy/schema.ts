import * as z from 'zod'
import { textAsWritten } from '../document/traits.ts'
import type { IssueParams } from '../document/traits.ts'
import { optional, required } from '../requirement/fields.ts'
import { duration, variable } from '../manifest/fields.ts'

/** The names that the infrastructure file may use for scores and filters. */
export interface KnownNames {
  readonly scores: readonly string[]
  readonly filters: readonly string[]
}

/** berth.config.yaml as its users write it. One definition gives the parser, the types and the JSON Schema. */
export function configSchema({ scores, filters }: KnownNames) {
  return z.strictObject({
    berth: required(z.literal('v1'), { description: 'Version of the format.', examples: ['v1'] }),
    kind: required(z.literal('config'), { description: 'What the file describes.', examples: ['config'] }),
    default_policy: optional(name, {
      description: 'Policy for manifests that name none.',
      examples: ['production'],
      default: 'default',
    }),
    providers: optional(z.record(name, provider), {
      description: 'Settings of providers, which override what their sources say.',
    }),
    policies: optional(z.record(name, policySchema({ scores, filters })), {
      description: 'Policies, which manifests refer to by name.',
    }),
    projects: optional(z.record(projectName, project), {
      description: 'What each project may use, and how much at once.',
      examples: [{ research: { max_gpus: 16 } }],
    }),
    quotas: reserved('Quotas'),
    budgets: reserved('Budgets'),
  })
}

export type ConfigFile = z.infer<ReturnType<typeof configSchema>>
export type ProviderFile = NonNullable<ConfigFile['providers']>[string]
export type ProjectFile = NonNullable<ConfigFile['projects']>[string]
export type PolicyFile = NonNullable<ConfigFile['policies']>[string]

/** The JSON Schema of the file, for editors and other tools. */
export function configJsonSchema(names: KnownNames): Record<string, unknown> {
  return { title: 'berth.config.yaml', ...z.toJSONSchema(configSchema(names), { io: 'input', unrepresentable: 'any' }) }
}

const name = textAsWritten({ word: 'a name' }).regex(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
  'A name has up to 63 letters, digits, dots, dashes and underscores.',
)

const providerKind = textAsWritten({ word: 'a kind of provider' }).regex(
  /^[a-z][a-z0-9-]{0,30}$/,
  'A kind is a short word in lower case, such as local.',
)

const area = textAsWritten({ word: 'a legal area' }).regex(
  /^[A-Za-z][A-Za-z-]{0,31}$/,
  'An area is a short word such as eu, us or in.',
)

const label = textAsWritten({ word: 'a label' }).min(1).max(63)

const pattern = textAsWritten({ word: 'a pattern' }).min(1).max(200)

/** The name of a project is part of keys and addresses, like that of a workload. */
const projectName = textAsWritten({ word: 'a name' }).regex(
  /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
  'A project has up to 63 lower-case letters, digits and dashes, and starts with a letter.',
)

const usd = z.number().min(0).max(1_000_000)

const price = z.strictObject({
  match: required(pattern, {
    description: 'Instances that the price is for; * stands for any text.',
    examples: ['h100-*'],
  }),
  usd_per_hour: required(usd, { description: 'Dollars per hour for the whole machine.', examples: [2.5] }),
  market: optional(z.enum(['on-demand', 'spot']), { description: 'Terms of sale.', default: 'on-demand' }),
})

/** The limits of a project, as users write them. */
const project = z.strictObject({
  max_gpus: optional(
    z.int().min(0).max(1_000_000),
    { description: 'Maximum number of GPUs that all its workloads together may have.', examples: [16] },
    { also: ['gpus', 'gpus_max'] },
  ),
  max_usd_per_hour: optional(
    z.number().min(0).max(1_000_000),
    { description: 'Maximum dollars per hour that all its workloads together may cost.', examples: [50] },
    { also: ['budget', 'usd_per_hour'] },
  ),
  max_workloads: optional(
    z.int().min(0).max(1_000_000),
    { description: 'Maximum number of workloads. Removed workloads do not count.', examples: [100] },
    { also: ['workloads'] },
  ),
  policies: optional(
    listOf(name),
    { description: 'Policies that its manifests may name. Left out: all.', examples: [['production']] },
    { also: ['policy'] },
  ),
  providers: optional(
    listOf(name),
    { description: 'Providers that its work may run on. Left out: all.', examples: [['northwind']] },
    { also: ['provider'] },
  ),
  processes: optional(z.boolean(), {
    description:
      'Whether its programs may run as Berth’s own user, which can read every token and secret that Berth stores.',
    default: false,
  }),
})

const provider = z
  .strictObject({
    ...labels(),
    ...connection(),
    endpoint: reserved('Providers that Berth talks to itself'),
    limits: reserved('Limits'),
  })
  .superRefine(refuseIdleSettings)

/** Settings that override the offers of a provider, whatever their source. */
function labels() {
  return {
    offers: optional(listOf(z.string().min(1).max(1000)), {
      description: 'Where its offers come from: inventories, fleets, catalogues or snapshots, relative to this file.',
      examples: [['catalog/northwind.yaml']],
    }),
    residency: optional(area, { description: 'Legal area of all its regions.', examples: ['eu'] }, { also: ['area'] }),
    regions: optional(z.record(pattern, area), {
      description: 'Legal area by region, where * stands for any text. The first match wins.',
      examples: [{ 'us-*': 'us' }],
    }),
    trust: optional(label, {
      description: 'Trust domain of its hardware, in your own words.',
      examples: ['secure'],
    }),
    price_factor: optional(
      z.number().gt(0).max(100),
      { description: 'Multiplies every price: 0.9 is 10 % off.', examples: [0.9], default: 1 },
      { also: ['discount'] },
    ),
    prices: optional(z.array(price).max(1000), {
      description: 'Fixed prices by instance. The first match wins, and is not multiplied.',
      examples: [[{ match: 'h100-*', usd_per_hour: 2.5 }]],
    }),
    reliability: optional(z.number().min(0).max(1), {
      description: 'Share of orders that start and stay up.',
      examples: [0.99],
    }),
    start: optional(duration, { description: 'Time from the order to a running container.', examples: ['2m'] }),
    egress_usd_per_gib: optional(usd, { description: 'Price of outgoing traffic.', examples: [0.01] }),
    enabled: optional(z.boolean(), { description: 'false ignores the provider.', default: true }),
  }
}

/** How Berth connects to a provider. */
function connection() {
  return {
    kind: optional(providerKind, {
      description:
        'Kind of provider, which says how Berth connects to it. Left out: Berth plans with its offers but cannot run work there.',
      examples: ['local'],
    }),
    settings: optional(
      z.record(z.string().max(200), z.unknown()),
      { description: 'Settings of this kind of provider.', examples: [{ runtime: 'process' }] },
      { also: ['options', 'config'] },
    ),
    credential: optional(
      variable,
      {
        description: 'Name of the platform secret with its credential (`berth secret set NAME --platform`).',
        examples: ['NORTHWIND_TOKEN'],
      },
      { also: ['secret', 'token', 'credentials'] },
    ),
  }
}

interface Connection {
  readonly kind?: string | undefined
  readonly settings?: unknown
  readonly credential?: unknown
}

/** Refuses settings that would have no effect. */
function refuseIdleSettings(provider: Connection, context: Refining<Connection>): void {
  if (provider.kind !== undefined) return
  for (const key of ['settings', 'credential'] as const) {
    if (provider[key] === undefined) continue
    const params: IssueParams = { code: 'VALUE_CONFLICT', at: 'key', hint: 'Add `kind`, or remove it.' }
    const message = `\`${key}\` has no meaning for a provider without \`kind\`.`
    context.addIssue({ code: 'custom', path: [key], message, params: { ...params } })
  }
}

/** One policy, as under `policies.NAME`. */
export function policySchema({ scores, filters }: KnownNames) {
  return z.strictObject({
    objective: optional(z.enum(['cheapest', 'fastest-start', 'most-reliable', 'balanced']), {
      description: 'What a decision favours.',
      default: 'cheapest',
    }),
    weights: optional(weightsOf(scores), {
      description: 'How much each score counts, instead of the weights of the objective. Only proportions matter.',
      examples: [{ price: 3, start: 1 }],
    }),
    spot: optional(z.enum(['never', 'asked', 'allowed', 'only']), {
      description:
        'Whether spot machines are used: never, only for workloads that ask for them (asked; `spot` in the manifest), for all workloads (allowed), or exclusively (only).',
      default: 'never',
    }),
    max_usd_per_hour: optional(
      z.number().gt(0).max(1_000_000),
      { description: 'Maximum dollars per hour for one machine.', examples: [12] },
      { also: ['max_price'] },
    ),
    residency: optional(listOf(area), { description: 'Allowed legal areas.', examples: [['eu']] }),
    providers: optional(providerLists, { description: 'Allowed providers.', examples: [{ allow: ['northwind'] }] }),
    trust: optional(listOf(label), { description: 'Allowed trust domains.', examples: [['internal', 'secure']] }),
    fallback: optional(listOf(name), {
      description: 'Providers to try first, in this order, whatever the scores say.',
      examples: [['cluster-a', 'northwind']],
    }),
    unknown: optional(z.strictObject({ accept: z.array(z.enum(filters)).superRefine(refuseTwins) }), {
      description: 'Requirements for which an unknown value is accepted.',
      examples: [{ accept: ['driver', 'cuda'] }],
    }),
    hedge: reserved('Hedged orders'),
  })
}

const providerLists = z
  .strictObject({
    allow: optional(listOf(name), { description: 'Only these.', examples: [['northwind']] }),
    deny: optional(listOf(name), { description: 'Not these.', examples: [['palmgrid']] }),
  })
  .superRefine(refuseContradictions)

function weightsOf(scores: readonly string[]) {
  const weight = z
    .number()
    .min(0)
    .max(1_000_000)
    .meta({ examples: [1] })
  return z
    .strictObject(Object.fromEntries(scores.map((score) => [score, weight.optional()])))
    .refine((weights) => Object.values(weights).some((value) => value !== undefined && value > 0), {
      error: 'At least one weight must be more than 0.',
      // A misspelt score is reported instead, because it is the cause.
      when: ({ issues }) => issues.length === 0,
    })
}

/** A list in which each entry counts once. */
function listOf<T extends z.ZodType<string>>(entry: T) {
  return z.array(entry).min(1).max(1000).superRefine(refuseTwins)
}

type Refining<T> = z.core.$RefinementCtx<T>

function refuseTwins(entries: readonly string[], context: Refining<readonly string[]>): void {
  for (const [index, entry] of entries.entries()) {
    if (entries.indexOf(entry) === index) continue
    const params: IssueParams = { code: 'KEY_REPEATED', hint: 'Remove one of the two.' }
    context.addIssue({
      code: 'custom',
      path: [index],
      message: `${entry} is already in the list.`,
      params: { ...params },
    })
  }
}

interface ProviderLists {
  readonly allow?: readonly string[] | undefined
  readonly deny?: readonly string[] | undefined
}

function refuseContradictions({ allow = [], deny = [] }: ProviderLists, context: Refining<ProviderLists>): void {
  for (const [index, entry] of deny.entries()) {
    if (!allow.includes(entry)) continue
    const params: IssueParams = { code: 'VALUE_CONFLICT', hint: 'Remove it from one of the two lists.' }
    const message = `${entry} is both allowed and denied.`
    context.addIssue({ code: 'custom', path: ['deny', index], message, params: { ...params } })
  }
}

/** A key that is reserved and has no effect yet. It is refused, because accepting it silently would mislead the user. */
function reserved(subject: string) {
  const params: IssueParams = { code: 'NOT_YET', at: 'key', hint: 'Remove it for now.' }
  const schema = z.unknown().check(({ value, issues }) => {
    issues.push({ code: 'custom', input: value, message: `${subject} are not supported yet.`, params: { ...params } })
  })
  return optional(schema, { description: 'Reserved for later.' })
}
