import { expect, test } from 'vitest'
import { bearer, manifestNamed, world } from './server.suite.ts'

interface Entry {
  readonly actor: string
  readonly action: string
  readonly project: string
  readonly subject: string
  readonly request_id?: string
  readonly facts: Readonly<Record<string, unknown>>
}

async function audited() {
  const { app, token } = world()
  const admin = bearer(await token('admin', ['*']))
  const reader = bearer(await token('reader', ['a']))
  const entries = async (): Promise<readonly Entry[]> =>
    (await app.inject({ url: '/v2/audit?limit=500', headers: admin })).json().items
  return { app, admin, reader, entries }
}

test('an audit entry has the id of the request', async () => {
  const { app, admin, entries } = await audited()
  const headers = { ...admin, 'x-request-id': 'req-1' }
  await app.inject({
    method: 'POST',
    url: '/v2/projects/default/workloads',
    headers,
    payload: { text: manifestNamed('a') },
  })
  const [entry] = (await entries()).filter(({ action }) => action === 'apply')
  expect(entry).toMatchObject({ request_id: 'req-1', subject: 'workload/a', facts: { generation: 1 } })
  expect(entry?.facts).not.toHaveProperty('request_id')
})

test('denied requests are in the audit, and repetitions do not fill it', async () => {
  const { app, reader, entries } = await audited()
  const remove = { method: 'DELETE', url: '/v2/projects/b/workloads/x', headers: reader } as const
  for (let tries = 0; tries < 20; tries++) expect((await app.inject(remove)).statusCode).toBe(403)
  for (let tries = 0; tries < 20; tries++) expect((await app.inject({ url: '/v2/info' })).statusCode).toBe(401)
  const denied = (await entries()).filter(({ action }) => action === 'denied')
  expect(denied).toMatchObject([
    { actor: 'reader-2', project: 'b', subject: 'action/workload.change', facts: { code: 'FORBIDDEN' } },
    { actor: 'unknown', project: '*', facts: { code: 'UNAUTHENTICATED' } },
  ])
  expect(denied.every((entry) => entry.request_id !== undefined)).toBe(true)
})

test('a token is told its own role and projects', async () => {
  const { app, reader } = await audited()
  const reply = await app.inject({ url: '/v2/whoami', headers: reader })
  expect(reply.json()).toEqual({ name: 'reader-2', role: 'reader', projects: ['a'], expires_ms: expect.any(Number) })
})
