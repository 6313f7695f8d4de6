import { expect, test } from 'vitest'
import type { Placement } from '../core/life/placement.ts'
import type { Answer, Executed } from '../ports/provider.ts'
import type { ServiceProviders } from '../service/deps.ts'
import { putWorkload } from '../service/platform.suite.ts'
import { bearer, world } from './server.suite.ts'

test('a program beside a workload ends with the caller who wanted it', { timeout: 20_000 }, async () => {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const exec: ServiceProviders['exec'] = (_, __, { signal }) => {
    signal.addEventListener('abort', () => ended.resolve(), { once: true })
    begun.resolve()
    return new Promise<Answer<Executed>>(() => undefined)
  }
  const { app, deps, token } = world()
  Object.assign(deps.service.providers, { exec })
  await putWorkload(deps.service, { name: 'a' })
  const tag = { owner: 'o', project: 'default', workload: 'a', uid: 'uid-a', slot: '0', epoch: 1, attempt: 'x0' }
  // Nothing else of a placement is looked at.
  const body = { phase: 'running', instance: 'i', order: { tag, place: { provider: 'p' } } } as unknown as Placement
  await deps.service.store.commit({ writes: [{ kind: 'placement', key: 'default/a/0', body }] })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const caller = new AbortController()
    const asked = fetch(`${url}/v2/projects/default/workloads/a/exec`, {
      method: 'POST',
      headers: { ...bearer(await token('admin', ['*'])), 'content-type': 'application/json' },
      body: JSON.stringify({ command: ['sleep', '1000'], timeout_ms: 600_000 }),
      signal: caller.signal,
    })
    const answered = asked.then(({ status }) => status)
    expect(await Promise.race([begun.promise, answered])).toBeUndefined()
    caller.abort()
    await expect(answered).rejects.toThrow('abort')
    await ended.promise
  } finally {
    await app.close()
  }
})
