import { expect, test } from 'vitest'
import { ROUTES } from '../api/routes.ts'
import type { Route } from '../api/route.ts'
import { bearer, manifestNamed, world } from './server.suite.ts'

const CANARY = 'canary-7f3a91c2-never-to-be-seen'

test('the value of a secret is in no answer, event, audit entry, log line or row, whatever is asked and however wrongly', async () => {
  const { app, deps, token, logged } = world()
  const secret = await token('admin', ['*'])
  const headers = bearer(secret)
  const said: string[] = []
  const ask = async (method: string, url: string, payload?: unknown, more: Record<string, string> = {}) => {
    const response = await app.inject({
      method: method as 'GET', // Every word here is a method.
      url,
      headers: { ...headers, ...(payload !== undefined && { 'content-type': 'application/json' }), ...more },
      ...(payload !== undefined && { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    })
    said.push(JSON.stringify(response.headers), response.body)
    return response
  }
  const at = '/v2/projects/default/secrets/HF_TOKEN'
  expect((await ask('PUT', at, { value: CANARY })).statusCode).toBe(200)
  // Wrong in every way, with the canary inside.
  await ask('PUT', at, { value: CANARY, extra: CANARY })
  await ask('PUT', at, { value: { nested: CANARY } })
  await ask('PUT', at, [CANARY])
  await ask('PUT', at, `{"value": "${CANARY}`)
  await ask('PUT', at, `{"value": ${CANARY}}`)
  await ask('PUT', '/v2/projects/default/secrets/not-a-name', { value: CANARY })
  await ask('POST', at, { value: CANARY })
  await ask('PUT', at, { value: CANARY }, { 'content-type': 'text/plain' })
  await ask('PUT', at, { value: CANARY }, { authorization: `Bearer ${CANARY}` })
  await ask('PUT', at, { value: CANARY.repeat(3000) })
  await ask('POST', '/v2/projects/default/workloads', { text: manifestNamed('thing', 'secrets: [HF_TOKEN]\n') })

  const routes: readonly Route[] = Object.values(ROUTES)
  for (const { method, path } of routes.filter((route) => route.method === 'GET')) {
    await ask(method, path.replace(':project', 'default').replace(':name', 'thing'))
  }
  expect(said.length).toBeGreaterThan(40)
  const { store } = deps.service
  const rows = await store.changes(0, 1000)
  const kept = JSON.stringify([
    rows,
    await store.events({ after: 0, limit: 1000 }),
    await store.audit({ after: 0, limit: 1000 }),
  ])
  expect(kept).toContain('HF_TOKEN')
  for (const text of [...said, kept, ...logged]) {
    expect(text).not.toContain(CANARY)
    expect(text).not.toContain(secret)
  }
})

test('a token is seen once, in the answer that made it, and is kept as a hash', async () => {
  const { app, deps, token, logged } = world()
  const headers = bearer(await token('admin', ['*']))
  const payload = { name: 'ci', role: 'reader', projects: ['a'], ttl_ms: 60_000 }
  const made = await app.inject({ method: 'POST', url: '/v2/tokens', headers, payload })
  expect(made.statusCode).toBe(201)
  const secret: string = made.json().token.split('.')[2]
  const listed = await app.inject({ url: '/v2/tokens', headers })
  const kept = JSON.stringify([
    await deps.service.store.changes(0, 100),
    await deps.service.store.audit({ after: 0, limit: 100 }),
  ])
  for (const text of [listed.body, kept, ...logged]) expect(text).not.toContain(secret)
  expect(kept).toContain(deps.service.hashing.sha256(secret))
})
