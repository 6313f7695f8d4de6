import type { InjectOptions } from 'fastify'
import { keepCredentialsApart } from '../service/credentials.ts'
import { setCredential, setSecret } from '../service/secrets.ts'
import { parseConfig } from '../core/policy/parse.ts'
import { FILTER_NAMES } from '../core/requirement/filter/all-filters.ts'
import { placed, workloadOf } from '../core/life/keep.suite.ts'
import { SCORE_NAMES } from '../core/requirement/score/all-scores.ts'
import { must } from '../core/base/assert.ts'
import { readYaml } from '../formats/yaml/yaml.ts'
import { Secret } from '../ports/secret.ts'
import { bearer, manifestNamed, world, type World } from './server.suite.ts'

export const PROJECTS = ['aye', 'bee', 'default'] as const

const CONFIG = `berth: v1
kind: config
providers:
  cloud: { kind: sim, credential: CLOUD_KEY, settings: { canary: canary-settings } }
  old: { kind: sim, credential: OLD_KEY }
  here: { kind: local }
policies:
  for-aye: { providers: { deny: [here] } }
  for-bee: { providers: { deny: [here] } }
  at-home: { providers: { allow: [here] } }
projects:
  aye: { policies: [for-aye, at-home] }
  bee: { policies: [for-bee, at-home] }
  hidden-canary: { max_gpus: 1 }
`

/** Everybody who may ask: a role and where it holds. */
export const PEOPLE = [
  'nobody',
  'expired',
  ...(['reader', 'writer', 'admin'] as const).flatMap((role) =>
    ([...PROJECTS, '*'] as const).map((project) => `${role} of ${project}` as const),
  ),
] as const
export type Person = (typeof PEOPLE)[number]

/** A world in which every object of every project carries a word that can be recognised wherever it turns up. */
export async function plantedWorld(): Promise<
  World & { readonly headersOf: (person: Person) => Record<string, string> }
> {
  const yaml = readYaml(CONFIG, 'config')
  const parsed = 'document' in yaml ? parseConfig(yaml.document, { scores: SCORE_NAMES, filters: FILTER_NAMES }) : yaml
  const config = 'value' in parsed ? parsed.value : undefined
  const made = world({ config: () => must(config, 'a sound config') })
  const { service } = made.deps
  Object.assign(service.providers, {
    unwalled: () => ['here'],
    logs: async function* ({ ref }: { ref: { tag: { project: string } } }) {
      yield { atMs: 0, stream: 'out', text: `canary-log-${ref.tag.project}` }
    },
    exec: async ({ ref }: { ref: { tag: { project: string } } }) => ({
      ok: true,
      value: { code: 0, out: `canary-exec-${ref.tag.project}`, err: '' },
    }),
  })
  const headers = new Map<Person, Record<string, string>>([['nobody', {}]])
  headers.set('expired', bearer(await made.token('admin', ['*'], 1000)))
  made.pass(2000)
  for (const person of PEOPLE) {
    const [role, , project = ''] = person.split(' ')
    if (role === 'reader' || role === 'writer' || role === 'admin')
      headers.set(person, bearer(await made.token(role, [project])))
  }
  await plant(made)
  return { ...made, headersOf: (person) => must(headers.get(person), 'somebody known') }
}

async function plant({ app, deps: { service }, token }: World): Promise<void> {
  const admin = { name: 'canary-admin', role: 'admin', projects: ['*'] } as const
  const old = { project: 'default', name: 'OLD_KEY' }
  await setSecret(service, admin, { at: old, value: new Secret('canary-value-old') })
  await keepCredentialsApart(service)
  await setCredential(service, admin, { name: 'CLOUD_KEY', value: new Secret('canary-value-platform') })
  const send = async (url: string, payload: object, more: Record<string, string> = {}) => {
    const auth = bearer(await token('admin', ['*']))
    const method = url.includes('/secrets/') ? ('PUT' as const) : ('POST' as const)
    const answer = await app.inject({ method, url, headers: { ...auth, ...more }, payload })
    if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.body}`)
  }
  for (const project of PROJECTS) {
    const at = `/v2/projects/${project}`
    await send(`${at}/secrets/KEY_OF_${project.toUpperCase()}`, { value: `canary-value-${project}` })
    await send(`${at}/secrets/SHARED`, { value: `canary-value-${project}` })
    const policy = project === 'default' ? 'default' : `for-${project}`
    const text = manifestNamed('thing', `env: { WORD: canary-manifest-${project} }\npolicy: ${policy}\n`)
    await send(`${at}/workloads`, { text }, { 'idempotency-key': `key-of-${project}` })
    await send(`${at}/templates/thing`, { text: text.replace('canary-manifest', 'canary-template') })
    const workload = must(await service.store.get('workload', `${project}/thing`), 'it was applied').body
    const slot = placed({ ...workloadOf(text), ...workload }, '0', 'running')
    const order = { ...slot.order, tag: { ...slot.order.tag, project, uid: workload.uid } }
    await service.store.commit({
      writes: [{ kind: 'placement', key: `${project}/thing/0`, body: { ...slot, order } }],
      events: [
        { atMs: 1, project, subject: 'workload/thing', kind: 'set-aside', facts: { why: `canary-event-${project}` } },
      ],
    })
  }
  await service.store.commit({
    writes: [],
    audit: [{ atMs: 1, actor: 'x', project: '*', action: 'x', subject: 'x', facts: { word: 'canary-audit' } }],
  })
  const canary = bearer(await token('admin', ['*']))
  const payload = { name: 'canary-token', role: 'reader', projects: ['bee'], ttl_ms: 3_600_000 }
  await app.inject({ method: 'POST', url: '/v2/tokens', headers: canary, payload })
}

/** Manifests that reach for what may belong to others, by every key that names something. */
function greedyManifests(): readonly string[] {
  const names = ['KEY_OF_AYE', 'KEY_OF_BEE', 'KEY_OF_DEFAULT', 'SHARED', 'CLOUD_KEY', 'OLD_KEY']
  const odd = ['"*/CLOUD_KEY"', '"../bee/KEY_OF_BEE"', '"bee/SHARED"', '"default/OLD_KEY"', '__proto__']
  const more = [
    ...[...names, ...odd].map((name) => `secrets: [${name}]`),
    ...['for-aye', 'for-bee', 'at-home', 'default', '"*"'].map((policy) => `policy: ${policy}`),
    'env: { WORD: "${CLOUD_KEY}", OTHER: "$(cat /proc/self/environ)", THIRD: "${{ secrets.CLOUD_KEY }}" }',
    'storage: [{ mount: /data, from: "secret://bee/SHARED" }]',
    'storage: [{ mount: /data, from: "s3://bucket/x" }]\nsecrets: [CLOUD_KEY]',
    'project: bee',
    'labels: { project: bee }',
  ]
  return more.map((line, index) => manifestNamed(index % 2 === 0 ? 'thing' : 'fresh', `${line}\n`))
}

/** What a body of each route may be; routes that take none are asked without. */
export function bodiesOf(route: string): readonly object[] {
  const texts = greedyManifests()
  switch (route) {
    case 'apply':
      return texts.map((text) => ({ text }))
    case 'plan':
    case 'preview':
    case 'searchOffers':
    case 'offersHistory':
      return texts.filter((_, index) => index % 4 === 0).map((text) => ({ text }))
    case 'pushTemplate':
      return texts.slice(4, 6).map((text) => ({ text: `parameters: { which: { type: text, default: a } }\n${text}` }))
    case 'launch':
    case 'render':
      return [{ name: 'launched', set: { which: 'CLOUD_KEY' } }, { set: {} }]
    case 'scale':
      return [{ replicas: 3 }]
    case 'exec':
      return [{ command: ['env'] }]
    case 'addProvider':
      return [{ kind: 'sim', settings: {}, credential: 'CLOUD_KEY' }]
    case 'setProvider':
      return [{ state: 'cordoned' }]
    case 'setPolicy':
      return [{ settings: { objective: 'balanced' } }]
    case 'setProject':
      return [{ gpusMax: 1000, processes: true }]
    case 'createToken':
      return [{ name: 'mine', role: 'admin', projects: ['*'], ttl_ms: 5000 }]
    case 'setSecret':
    case 'setPlatformSecret':
      return [{ value: 'the value of a thief' }, {}]
    default:
      return [{}]
  }
}

/** Headers that ask for something in passing. */
export const SIDE_WAYS: readonly Record<string, string>[] = [
  {},
  { 'last-event-id': '0' },
  { 'idempotency-key': 'key-of-aye' },
  { 'idempotency-key': 'key-of-bee', 'if-match': '*' },
]

/** Filters of lists, and what else a query can say. */
export const QUERIES = ['', '?project=aye', '?project=bee', '?project=*', '?limit=500', '?workload=thing', '?version=1']

export type Request = Pick<InjectOptions, 'method' | 'url' | 'headers' | 'payload'>
