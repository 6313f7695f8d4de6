import { nearest } from '../core/document/nearest.ts'
import type { Project } from '../core/life/rows.ts'
import { UserError } from '../core/base/problem.ts'
import type {
  Berth,
  PolicyView,
  ProviderView,
  RefusalView,
  SecretView,
  TemplateView,
  TokenView,
} from '../ports/berth.ts'
import { NOW_MS } from './harness.suite.ts'

type PlatformPart = Pick<
  Berth,
  | 'info'
  | 'providers'
  | 'addProvider'
  | 'testProvider'
  | 'setProvider'
  | 'removeProvider'
  | 'policies'
  | 'setPolicy'
  | 'removePolicy'
  | 'projects'
  | 'setProject'
  | 'tokens'
  | 'createToken'
  | 'removeToken'
  | 'secrets'
  | 'setSecret'
  | 'removeSecret'
  | 'platformSecrets'
  | 'setPlatformSecret'
  | 'removePlatformSecret'
  | 'templates'
  | 'template'
  | 'pushTemplate'
  | 'removeTemplate'
>

/** The platform's side of a control plane in memory, open to tests. */
export interface PlatformCapacity {
  readonly berth: PlatformPart
  readonly providers: Map<string, ProviderView>
  readonly policies: Map<string, PolicyView>
  readonly projects: Map<string, Project>
  readonly tokens: Map<string, TokenView>
  /** Values as they came. */
  readonly secretValues: Map<string, string>
  readonly refusals: RefusalView[]
}

export const TEMPLATE = `berth: v1
kind: service
name: chat
image: ghcr.io/acme/vllm:0.22
parameters:
  gpus: { type: number, default: 4 }
resources:
  gpu: { count: \${gpus}, min_vram: 80Gi }
`

function providerView(name: string, kind: string): ProviderView {
  return {
    name,
    kind,
    state: 'open',
    origin: 'api',
    reachable: undefined,
    last_answer_ms: undefined,
    last_fault: undefined,
    offers: 0,
    instances: 0,
    usd_per_hour: 0,
  }
}

export function platformCapacity(): PlatformCapacity {
  const providers = new Map<string, ProviderView>([
    [
      'here',
      {
        ...providerView('here', 'local'),
        origin: 'file',
        reachable: true,
        last_answer_ms: NOW_MS - 4000,
        offers: 2,
        instances: 1,
        usd_per_hour: 0.4,
      },
    ],
  ])
  const policies = new Map<string, PolicyView>([
    ['default', { name: 'default', origin: 'built-in', settings: { objective: 'balanced' } }],
  ])
  const projects = new Map<string, Project>([
    ['default', { gpusMax: undefined, usdPerHourMax: 50, workloadsMax: undefined }],
  ])
  const tokens = new Map<string, TokenView>()
  const secrets = new Map<string, SecretView>()
  const credentials = new Map<string, SecretView>()
  const secretValues = new Map<string, string>()
  const templates: TemplateView[] = []
  const found = <T>(map: ReadonlyMap<string, T>, kind: string, name: string): T => {
    const value = map.get(name)
    if (value === undefined) throw notFound(kind, name, [...map.keys()])
    return value
  }
  const put = (name: string, change: Partial<ProviderView>): ProviderView => {
    const next = { ...found(providers, 'provider', name), ...change }
    providers.set(name, next)
    return next
  }
  const versionsOf = (name: string): readonly TemplateView[] => templates.filter((one) => one.name === name)
  const berth: PlatformPart = {
    info: async () => ({ version: '0', owner: 'o', leader: true, term: 1, store: 'memory', now_ms: NOW_MS }),
    providers: async () => [...providers.values()],
    addProvider: async (name, { kind }) => {
      providers.set(name, providerView(name, kind))
      return found(providers, 'provider', name)
    },
    testProvider: async (name) => [
      { check: 'offers', ok: true, text: '2 offers', took_ms: 12 },
      {
        check: 'list',
        ok: found(providers, 'provider', name).reachable !== false,
        text: '1 instance of ours',
        took_ms: 3,
      },
    ],
    setProvider: async (name, state) => put(name, { state }),
    removeProvider: async (name) => put(name, { state: 'removing' }),
    policies: async () => [...policies.values()],
    setPolicy: async (name, settings) => {
      policies.set(name, { name, origin: 'api', settings })
      return found(policies, 'policy', name)
    },
    removePolicy: async (name) => void (found(policies, 'policy', name) && policies.delete(name)),
    projects: async () => [...projects].map(([name, limits]) => ({ name, ...limits })),
    setProject: async (name, limits) => void projects.set(name, limits),
    tokens: async () => [...tokens.values()],
    createToken: async ({ name, role, projects: may, ttl_ms: ttl }) => {
      const view = { name, role, projects: may, created_ms: NOW_MS, expires_ms: NOW_MS + ttl }
      tokens.set(name, view)
      return { ...view, token: 'berth_ci_abcdef' }
    },
    removeToken: async (name) => void (found(tokens, 'token', name) && tokens.delete(name)),
    secrets: async () => [...secrets.values()],
    setSecret: async ({ name }, value) => {
      const view = { name, version: (secrets.get(name)?.version ?? 0) + 1, created_ms: NOW_MS }
      secrets.set(name, view)
      secretValues.set(name, value)
      return view
    },
    removeSecret: async ({ name }) => void (found(secrets, 'secret', name) && secrets.delete(name)),
    platformSecrets: async () => [...credentials.values()],
    setPlatformSecret: async (name, value) => {
      const view = { name, version: (credentials.get(name)?.version ?? 0) + 1, created_ms: NOW_MS }
      credentials.set(name, view)
      if (value !== undefined) secretValues.set(`*/${name}`, value)
      return view
    },
    removePlatformSecret: async (name) => void (found(credentials, 'secret', name) && credentials.delete(name)),
    templates: async () => templates.filter((one) => versionsOf(one.name).at(-1) === one),
    template: async ({ name }, version) => {
      const view = versionsOf(name).findLast((one) => version === undefined || one.version === version)
      if (view !== undefined) return view
      throw notFound(
        'template',
        name,
        templates.map((one) => one.name),
      )
    },
    pushTemplate: async ({ name }, text) => {
      const last = versionsOf(name).at(-1)
      if (last?.text === text) return last
      const parameters = [
        { name: 'gpus', type: 'number' as const, default: 4, allowed: undefined, description: undefined },
      ]
      const version = (last?.version ?? 0) + 1
      templates.push({ name, version, text, parameters, created_ms: NOW_MS, created_by: 'ada' })
      return templates.at(-1) ?? notFoundTemplate(name)
    },
    removeTemplate: async ({ name }, version) => {
      const gone = versionsOf(name).filter((one) => version === undefined || one.version === version)
      if (gone.length === 0) notFoundTemplate(name)
      for (const one of gone) templates.splice(templates.indexOf(one), 1)
    },
  }
  return { berth, providers, policies, projects, tokens, secretValues, refusals: [] }
}

function notFoundTemplate(name: string): never {
  throw notFound('template', name, [])
}

export function notFound(kind: string, name: string, names: readonly string[]): UserError {
  const meant = nearest(name, names)
  const hint = meant === undefined ? 'Check the name.' : `Did you mean ${meant}?`
  return new UserError([{ code: 'NOT_FOUND', message: `There is no ${kind} ${name}.`, found: name, hint }])
}
