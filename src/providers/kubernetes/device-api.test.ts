import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Secret } from '../../ports/secret.ts'
import { call } from '../contract/bench.suite.ts'
import { realDeps } from '../local/bench.suite.ts'
import { openKubernetes } from './open.ts'
import { kubernetesSettings } from './settings.ts'
import type { Provider } from '../../ports/provider.ts'

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** A provider of an API server that serves devices in these versions, and what it was asked. */
async function clusterWith(versions: readonly string[]): Promise<{ provider: Provider; asked: readonly Asked[] }> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    asked.push({ method: request.method ?? '', path: `${pathname}${searchParams.has('watch') ? '?watch' : ''}`, body })
    const isMissing = pathname === '/apis/resource.k8s.io' && versions.length === 0
    response.writeHead(isMissing ? 404 : 200, { 'content-type': 'application/json' })
    // A watch stays open until somebody ends it.
    if (searchParams.has('watch')) return void response.write('\n')
    response.end(JSON.stringify(isMissing ? { kind: 'Status', code: 404, reason: 'NotFound' } : REPLY(versions)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'c', user: { token: 'a-token' } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
  }
  const folder = mkdtempSync(join(tmpdir(), 'berth-served-'))
  const deps = { ...realDeps(folder), credential: async () => new Secret(JSON.stringify(config)) }
  const provider = await openKubernetes('lab', kubernetesSettings.parse({}), deps)
  onTestFinished(async () => {
    await provider.close?.()
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { provider, asked }
}

/** One reply to everything: a group with its versions, an empty list, and a right that is granted. */
const REPLY = (versions: readonly string[]): object => ({
  versions: versionsOf(versions),
  groups: versions.length === 0 ? [] : [{ name: 'resource.k8s.io', versions: versionsOf(versions) }],
  metadata: { resourceVersion: '1' },
  items: [],
  status: { allowed: true },
})

function versionsOf(versions: readonly string[]): readonly object[] {
  return versions.map((version) => ({ groupVersion: `resource.k8s.io/${version}`, version }))
}

function rightsAsked(asked: readonly Asked[]): number {
  return asked.filter(({ body }) => body.includes('"group":"resource.k8s.io"')).length
}

test('rights to devices are asked for only where devices are served', async () => {
  const without = await clusterWith([])
  expect((await without.provider.check?.(call()))?.map(({ ok }) => ok)).toEqual([true, true, true])
  expect(rightsAsked(without.asked)).toBe(0)
  const served = await clusterWith(['v1', 'v1beta1'])
  await served.provider.check?.(call())
  expect(rightsAsked(served.asked)).toBe(5)
})

test.each([
  [[], undefined],
  [['v1alpha3'], undefined],
  [['v1beta1', 'v1beta2'], 'v1beta2'],
  [['v1beta1', 'v1'], 'v1'],
])('where %j is served, changes of devices are watched in %s', async (versions, spoken) => {
  const { provider, asked } = await clusterWith(versions)
  const control = new AbortController()
  const watched = (): readonly string[] =>
    asked.filter(({ path }) => path.endsWith('?watch')).map(({ path }) => path.replace('?watch', ''))
  const hints = provider.watch?.('owner', call(control.signal))[Symbol.asyncIterator]()
  const first = hints?.next()
  await expect.poll(() => watched().length).toBe(spoken === undefined ? 3 : 4)
  expect(watched().filter((path) => path.includes('resourceslices'))).toEqual(
    spoken === undefined ? [] : [`/apis/resource.k8s.io/${spoken}/resourceslices`],
  )
  control.abort()
  await first
  await hints?.return?.(undefined)
})
