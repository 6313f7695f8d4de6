import { describe, expect, test } from 'vitest'
import type { ServiceDeps } from '../service/deps.ts'
import { secretsFor } from '../service/secrets.ts'
import { sized } from '../core/base/laws.suite.ts'
import { ROUTES } from '../api/routes.ts'
import type { Route } from '../api/route.ts'
import {
  bodiesOf,
  PEOPLE,
  plantedWorld,
  PROJECTS,
  QUERIES,
  SIDE_WAYS,
  type Person,
  type Request,
} from './access-ways.suite.ts'

// Everything that a role can reach, by every way in that the router has: requests are generated, and whatever comes back or
// is changed is held against the two tables here, which were written by hand.

/** Who may see a word, wherever it was planted: people of the project, people of all projects, administrators of all. */
type Sees = 'of the project' | 'writers of the project' | 'of all' | 'administrators of all' | 'never'

const WORDS: readonly (readonly [string, Sees])[] = [
  ...PROJECTS.flatMap((project) => [
    [`canary-manifest-${project}`, 'of the project'] as const,
    [`canary-template-${project}`, 'of the project'] as const,
    [`canary-log-${project}`, 'of the project'] as const,
    [`canary-event-${project}`, 'of the project'] as const,
    [`canary-exec-${project}`, 'writers of the project'] as const,
    [`KEY_OF_${project.toUpperCase()}`, 'of the project'] as const,
    [`canary-value-${project}`, 'never'] as const,
  ]),
  ['CLOUD_KEY', 'of all'],
  ['canary-value-platform', 'never'],
  ['canary-value-old', 'never'],
  ['canary-settings', 'never'],
  ['hidden-canary', 'of all'],
  ['canary-audit', 'administrators of all'],
  ['canary-token', 'administrators of all'],
]

/** Rows that a person may change, by kind and by what their keys begin with. */
function mayChange(person: Person, kind: string, key: string): boolean {
  const [role, , where] = person.split(' ')
  if (role === 'admin' && where === '*') return true
  if (role !== 'writer' && role !== 'admin') return false
  const projects = where === '*' ? PROJECTS : [where]
  const owned = ['workload', 'secret', 'template', 'request', 'setting:template-version', 'setting:workloads']
  const whole = kind === 'setting' ? `setting:${key}` : `${kind}/${key}`
  return projects.some((project) => owned.some((one) => whole.startsWith(`${one}/${project}`)))
}

/** Policies that a project's workloads may end up with; none of them may be `at-home`, whose programs run as Berth itself. */
const POLICIES: Readonly<Record<string, readonly (string | undefined)[]>> = {
  aye: ['for-aye'],
  bee: ['for-bee'],
  default: ['for-aye', 'for-bee', 'default', undefined],
}

function maySee(person: Person, word: string, sees: Sees): boolean {
  const [role, , where = ''] = person.split(' ')
  if (sees === 'never' || person === 'nobody' || person === 'expired') return false
  if (sees === 'administrators of all') return role === 'admin' && where === '*'
  if (sees === 'of all') return where === '*'
  const isTheirs = where === '*' || word.toLowerCase().endsWith(where)
  return isTheirs && (sees === 'of the project' || role !== 'reader')
}

/** Every request that a route allows: every project and name in its path, every body, query and header of interest. */
function* requestsTo(name: string, route: Route): Generator<Request> {
  const { method } = route
  const isRead = method === 'GET'
  const names = name.toLowerCase().includes('secret') ? ['KEY_OF_BEE', 'SHARED', 'CLOUD_KEY', 'OLD_KEY'] : NAMES
  const paths = [...PROJECTS, '*'].flatMap((project) =>
    names.map((one) => route.path.replace(':project', encodeURIComponent(project)).replace(':name', one)),
  )
  const queries = Object.keys(route.query.shape).length > 0 ? QUERIES : ['', '?project=bee']
  for (const path of new Set(paths)) {
    for (const query of isRead ? queries : ['']) {
      for (const [index, body] of (route.body === undefined ? [undefined] : bodiesOf(name)).entries()) {
        const hasDeps = route.kind === 'stream' || (route.once && index < 2)
        for (const headers of hasDeps ? SIDE_WAYS : [{}]) {
          yield { method, url: `${path}${query}`, headers, ...(body !== undefined && { payload: body }) }
        }
      }
    }
  }
}

const NAMES = ['thing', 'cloud']

/** Reads come before changes, and what takes everything away comes last. */
const ORDER = ['GET', 'POST', 'PUT', 'DELETE']
const IN_ORDER = Object.entries<Route>(ROUTES).toSorted(
  ([, one], [, two]) => ORDER.indexOf(one.method) - ORDER.indexOf(two.method),
)

const EVERY = sized({ quick: 8, whole: 1 })

describe.each(PEOPLE)('%s', (person) => {
  test('sees and changes what the tables say, by no way more', async () => {
    const { app, deps, headersOf } = await plantedWorld()
    const { store } = deps.service
    const wrong = new Set<string>()
    let seq = await store.head()
    let asked = 0
    let turn = PEOPLE.indexOf(person)
    for (const [name, route] of IN_ORDER) {
      for (const request of requestsTo(name, route)) {
        // The small run asks every fourth; who is not asked one is asked it by the next person.
        if (turn++ % EVERY !== 0) continue
        const answer = await app.inject({ ...request, headers: { ...request.headers, ...headersOf(person) } })
        asked++
        const said = JSON.stringify([request.payload, request.url])
        for (const [word, sees] of WORDS) {
          // A caller's own words may be repeated to that caller.
          if (maySee(person, word, sees) || said.includes(word) || !answer.body.includes(word)) continue
          wrong.add(`${name}: sees ${word} by ${request.url}`)
        }
        for (const { kind, key } of await store.changes(seq, 1000)) {
          if (!mayChange(person, kind, key)) wrong.add(`${name}: changes ${kind} ${key} by ${request.url}`)
          if (kind !== 'workload' || person === 'admin of *') continue
          for (const found of await reached(deps.service, key)) wrong.add(`${name}: ${found}`)
        }
        seq = await store.head()
        if (answer.statusCode >= 500) wrong.add(`${name}: ${request.url} answers ${answer.statusCode}`)
      }
    }
    expect([...wrong]).toEqual([])
    expect(asked).toBeGreaterThan(700 / EVERY)
  })
})

/** Whatever a workload would be handed, or placed by, that is not its project's. */
async function reached({ store, vault, config }: ServiceDeps, key: string): Promise<readonly string[]> {
  const row = await store.get('workload', key)
  if (row === undefined) return []
  const { project, manifest } = row.body
  const handed = await secretsFor(
    { store, vault, clock: { nowMs: Date.now }, platform: () => ({ config: config() }) },
    { project, workload: manifest.name },
    manifest.secrets,
  )
  const values = 'secrets' in handed ? [...handed.secrets.values()].map((secret) => secret.reveal()) : []
  const foreign = values.filter((value) => value !== `canary-value-${project}` && value !== 'the value of a thief')
  const isPlaced = (POLICIES[project] ?? []).includes(manifest.policy)
  return [
    ...foreign.map((value) => `${key} is handed ${value}`),
    ...(isPlaced ? [] : [`${key} is placed by ${manifest.policy}`]),
  ]
}

test('the tables can fail: a word that its owner may read is found, and so is a changed row', async () => {
  const { app, deps, headersOf } = await plantedWorld()
  const seq = await deps.service.store.head()
  const headers = headersOf('writer of aye')
  const seen = await app.inject({ url: '/v2/projects/aye/workloads/thing/manifest', headers })
  expect(seen.body).toContain('canary-manifest-aye')
  const logs = await app.inject({ url: '/v2/projects/aye/workloads/thing/logs', headers })
  expect(logs.body).toContain('canary-log-aye')
  const payload = { command: ['env'] }
  const exec = await app.inject({ method: 'POST', url: '/v2/projects/aye/workloads/thing/exec', headers, payload })
  expect(exec.body).toContain('canary-exec-aye')
  await app.inject({ method: 'POST', url: '/v2/projects/aye/workloads/thing/stop', headers })
  expect((await deps.service.store.changes(seq, 10)).map(({ kind, key }) => `${kind} ${key}`)).toEqual([
    'workload aye/thing',
  ])
})
