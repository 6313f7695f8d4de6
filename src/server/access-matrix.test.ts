import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { ROUTES } from '../api/routes.ts'
import { bearer, manifestNamed, world } from './server.suite.ts'

// Who may do what, written down a second time and by hand: routes are named as the router names them. A route that is
// missing here, or a line here that no route has, fails.

type Need = 'nothing' | 'a token' | 'a reader' | 'a writer' | 'a reader of all' | 'an admin of all'

const NEEDS_NOW: Readonly<Record<string, Need>> = {
  'GET /healthz': 'nothing',
  'GET /readyz': 'nothing',
  'GET /metrics': 'a reader of all',
  'GET /v2/openapi.json': 'a token',
  'GET /v2/info': 'a token',
  'GET /v2/whoami': 'a token',
  'POST /v2/projects/:project/plan': 'a reader',
  'POST /v2/projects/:project/preview': 'a reader',
  'GET /v2/workloads': 'a token',
  'GET /v2/projects/:project/workloads': 'a reader',
  'POST /v2/projects/:project/workloads': 'a writer',
  'GET /v2/projects/:project/workloads/:name': 'a reader',
  'DELETE /v2/projects/:project/workloads/:name': 'a writer',
  'GET /v2/projects/:project/workloads/:name/manifest': 'a reader',
  'GET /v2/projects/:project/workloads/:name/history': 'a reader',
  'GET /v2/projects/:project/workloads/:name/explain': 'a reader',
  'POST /v2/projects/:project/workloads/:name/scale': 'a writer',
  'POST /v2/projects/:project/workloads/:name/stop': 'a writer',
  'POST /v2/projects/:project/workloads/:name/rerun': 'a writer',
  'POST /v2/projects/:project/workloads/:name/restart': 'a writer',
  'POST /v2/projects/:project/workloads/:name/exec': 'a writer',
  'POST /v2/projects/:project/workloads/:name/terminal': 'a writer',
  'POST /v2/projects/:project/workloads/:name/ports/:port': 'a writer',
  'POST /v2/projects/:project/workloads/:name/files': 'a writer',
  'GET /v2/projects/:project/workloads/:name/logs': 'a reader',
  'GET /v2/projects/:project/workloads/:name/attempts': 'a reader',
  'GET /v2/routes': 'a reader of all',
  'GET /v2/events': 'a token',
  'GET /v2/cost': 'a token',
  'GET /v2/audit': 'an admin of all',
  'GET /v2/providers': 'a token',
  'PUT /v2/providers/:name': 'an admin of all',
  'DELETE /v2/providers/:name': 'an admin of all',
  'POST /v2/providers/:name/test': 'an admin of all',
  'PUT /v2/providers/:name/state': 'an admin of all',
  'GET /v2/projects/:project/offers': 'a reader',
  'POST /v2/projects/:project/offers/search': 'a reader',
  'POST /v2/projects/:project/offers/history': 'a reader',
  'GET /v2/policies': 'a token',
  'PUT /v2/policies/:name': 'an admin of all',
  'DELETE /v2/policies/:name': 'an admin of all',
  'GET /v2/projects': 'a token',
  'PUT /v2/projects/:project': 'an admin of all',
  'GET /v2/tokens': 'an admin of all',
  'POST /v2/tokens': 'an admin of all',
  'DELETE /v2/tokens/:name': 'an admin of all',
  'GET /v2/projects/:project/secrets': 'a reader',
  'PUT /v2/projects/:project/secrets/:name': 'a writer',
  'DELETE /v2/projects/:project/secrets/:name': 'a writer',
  'GET /v2/platform/secrets': 'an admin of all',
  'PUT /v2/platform/secrets/:name': 'an admin of all',
  'DELETE /v2/platform/secrets/:name': 'an admin of all',
  'POST /v2/platform/keys': 'an admin of all',
  'GET /v2/projects/:project/templates': 'a reader',
  'GET /v2/projects/:project/templates/:name': 'a reader',
  'POST /v2/projects/:project/templates/:name': 'a writer',
  'DELETE /v2/projects/:project/templates/:name': 'a writer',
  'POST /v2/projects/:project/templates/:name/render': 'a reader',
  'POST /v2/projects/:project/templates/:name/launch': 'a writer',
}

/** Version 1 of the API, for older programs, has the same routes with the same needs. */
const NEEDS: Readonly<Record<string, Need>> = Object.fromEntries(
  Object.entries(NEEDS_NOW).flatMap(([route, need]) =>
    route.includes(' /v2/')
      ? [
          [route, need],
          [route.replace(' /v2/', ' /v1/'), need],
        ]
      : [[route, need]],
  ),
)

/** Who asks for something of project `here`: their role and their projects. */
const PEOPLE = {
  nobody: undefined,
  'a wrong token': undefined,
  'a wrong secret': undefined,
  'an expired token': undefined,
  'a revoked token': undefined,
  'reader here': ['reader', 'here'],
  'writer here': ['writer', 'here'],
  'admin here': ['admin', 'here'],
  'reader elsewhere': ['reader', 'elsewhere'],
  'writer elsewhere': ['writer', 'elsewhere'],
  'admin elsewhere': ['admin', 'elsewhere'],
  'reader of all': ['reader', '*'],
  'writer of all': ['writer', '*'],
  'admin of all': ['admin', '*'],
} as const
type Person = keyof typeof PEOPLE

const place = world()
const headers = new Map<Person, Record<string, string>>()

beforeAll(async () => {
  const { app, token, deps, pass } = place
  const expired = await token('admin', ['*'], 1000)
  const revoked = await token('admin', ['*'])
  pass(2000)
  await deps.service.store.commit({ writes: [{ kind: 'token', key: 'admin-2', body: undefined }] })
  headers.set('nobody', {})
  headers.set('a wrong token', bearer('berth.nobody.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'))
  headers.set('an expired token', bearer(expired))
  headers.set('a revoked token', bearer(revoked))
  for (const [person, how] of Object.entries(PEOPLE)) {
    // Keys of PEOPLE are its own.
    if (how !== undefined) headers.set(person as Person, bearer(await token(how[0], [how[1]])))
  }
  const real = headers.get('admin of all')?.['authorization'] ?? ''
  headers.set('a wrong secret', { authorization: `${real.slice(0, -1)}${real.endsWith('A') ? 'B' : 'A'}` })
  const put = await app.inject({
    method: 'POST',
    url: '/v2/projects/here/workloads',
    headers: headers.get('admin of all') ?? {},
    payload: { text: manifestNamed('thing') },
  })
  expect(put.statusCode).toBe(200)
})

test('every route of the router has a line, and every line a route', async () => {
  await place.app.ready()
  expect(routesOf(place.app).toSorted()).toEqual(Object.keys(NEEDS).toSorted())
  expect(Object.keys(NEEDS_NOW)).toHaveLength(Object.keys(ROUTES).length)
})

describe.each(Object.entries(NEEDS))('%s needs %s', (route, need) => {
  test.each(Object.keys(PEOPLE) as Person[])('asked by %s', async (person) => {
    const [method = '', path = ''] = route.split(' ')
    const response = await place.app.inject({
      method: method as 'GET',
      url: path
        .replace(':project', 'here')
        .replace(':name', path.includes('/secrets/') ? 'THING' : 'nothing-of-this-name'),
      headers: headers.get(person) ?? {},
      ...(method === 'POST' || method === 'PUT' ? { payload: {} } : {}),
    })
    const wanted = expected(need, person)
    if (wanted === 'let in') expect([401, 403, 421]).not.toContain(response.statusCode)
    else expect(response.statusCode).toBe(wanted)
    if (wanted === 401) expect(response.headers['www-authenticate']).toContain('Bearer')
    expect(response.statusCode).toBeLessThan(500)
  })
})

test('a caller without a token does not learn whether a path is served', async () => {
  const [without, within] = await Promise.all([
    place.app.inject({ url: '/v2/nothing' }),
    place.app.inject({ url: '/v2/nothing', headers: headers.get('reader here') ?? {} }),
  ])
  expect([without.statusCode, within.statusCode]).toEqual([401, 404])
})

test('lists hold only what the token may see', async () => {
  for (const [person, names] of [
    ['reader here', ['thing']],
    ['reader elsewhere', []],
    ['reader of all', ['thing']],
  ] as const) {
    const list = await place.app.inject({ url: '/v2/workloads', headers: headers.get(person) ?? {} })
    expect(list.json().items.map(({ name }: { name: string }) => name)).toEqual(names)
    const events = await place.app.inject({ url: '/v2/events', headers: headers.get(person) ?? {} })
    expect(events.body.includes('workload/thing')).toBe(names.length > 0)
  }
})

test('asking for the events of a project that is not one of the token’s is refused', async () => {
  const response = await place.app.inject({
    url: '/v2/events?project=here',
    headers: headers.get('admin elsewhere') ?? {},
  })
  expect(response.statusCode).toBe(403)
  expect(response.json()).toMatchObject({
    code: 'FORBIDDEN',
    problems: [{ hint: expect.stringContaining('project here') }],
  })
})

function expected(need: Need, person: Person): 401 | 403 | 'let in' {
  if (need === 'nothing') return 'let in'
  const how = PEOPLE[person]
  if (how === undefined) return 401
  const [role, project] = how
  const roles = { 'a token': 0, 'a reader': 0, 'a writer': 1, 'a reader of all': 0, 'an admin of all': 2 }[need]
  const hasRole = ['reader', 'writer', 'admin'].indexOf(role) >= roles
  const hasProject = need === 'a token' || project === '*' || (!need.endsWith('of all') && project === 'here')
  return hasRole && hasProject ? 'let in' : 403
}

/** `METHOD /path` of everything the router answers, from the router's own drawing of its tree. */
function routesOf(app: FastifyInstance): readonly string[] {
  const path: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods] = /^((?:[│ ] {3})*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
      if (part === '') return []
      path.splice(indent.length / 4, Infinity, part)
      return (
        methods?.split(', ').map((method) => `${method} ${path.join('').replace(':name|:template', ':name')}`) ?? []
      )
    })
}
