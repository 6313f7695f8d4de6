import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stringify } from 'yaml'
import { expect, onTestFinished, test } from 'vitest'
import { Secret } from '../../../ports/secret.ts'
import { call } from '../../contract/bench.suite.ts'
import { KubeClient } from './client.ts'
import { Session } from './session.ts'

/** A client of an API server that answers like this. */
async function clientOf(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<KubeClient> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // It listens on a port.
  const config = stringify({
    'current-context': 'a',
    clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'u', user: { token: 'canary' } }],
    contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
  })
  const settings = { context: undefined, isInCluster: false, plugins: [] }
  const clock = { nowMs: () => 0, tickMs: () => 0, cpuMs: () => 0 }
  const client = new KubeClient(new Session({ settings, credential: async () => new Secret(config), clock }))
  onTestFinished(() => client.close())
  return client
}

test('reads and stops wait neither for launches that hang nor for logs that go on, however many there are', async () => {
  let [open, streams] = [0, 0]
  const all = Promise.withResolvers<void>()
  const client = await clientOf(({ method, url = '' }, response) => {
    if (url.endsWith('/log')) streams++
    if (url.endsWith('/log')) return void response.writeHead(200).write('a line\n')
    if (method !== 'POST') return void response.end('{}')
    if (++open === 64) all.resolve()
  })
  const control = new AbortController()
  const hanging = { signal: control.signal, requestId: 'r' }
  const logs = Array.from({ length: 100 }, () => client.stream({ method: 'GET', path: '/log' }, hanging))
  expect((await Promise.all(logs)).every(({ ok }) => ok)).toBe(true)
  const launches = Array.from({ length: 200 }, () => client.call({ method: 'POST', path: '/pods', body: {} }, hanging))
  await all.promise
  for (const method of ['GET', 'DELETE'] as const)
    expect(await client.call({ method, path: '/pods/a' }, call())).toEqual({ ok: true, value: {} })
  expect([open, streams]).toEqual([64, 100])
  control.abort()
  await Promise.all(launches)
})
