import { describe, expect, test } from 'vitest'
import { applyManifest } from '../service/workload/workloads.ts'
import { forgetRequests } from '../service/requests.ts'
import type { Store } from '../ports/store.ts'
import { memoryStore } from '../store/memory.ts'
import { bearer, manifestNamed, world, type World } from './server.suite.ts'

const WORKLOADS = '/v2/projects/default/workloads'

async function applying(one: World) {
  const headers = bearer(await one.token('admin', ['*']))
  return (text: string, key?: string) =>
    one.app.inject({
      method: 'POST',
      url: WORKLOADS,
      payload: { text },
      headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
    })
}

async function eventsIn(store: Store): Promise<readonly string[]> {
  return (await store.events({ after: 0, limit: 10_000 })).map(({ kind, subject }) => `${kind} ${subject}`)
}

describe('an idempotency key', () => {
  test('makes a hundred requests at the same time one change with one answer', async () => {
    const one = world()
    const apply = await applying(one)
    const answers = await Promise.all(Array.from({ length: 100 }, () => apply(manifestNamed('a'), 'k')))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(answers[0]?.json()).toMatchObject({ outcome: 'created' })
    expect(await eventsIn(one.deps.service.store)).toEqual(['accepted workload/a'])
    expect(
      (await one.deps.service.store.audit({ after: 0, limit: 100 })).filter(({ action }) => action === 'apply'),
    ).toHaveLength(1)
  })

  test('with another request is refused, and that request changes nothing', async () => {
    const one = world()
    const apply = await applying(one)
    await apply(manifestNamed('a'), 'k')
    const other = await apply(manifestNamed('b'), 'k')
    expect(other.json()).toMatchObject({ status: 422, code: 'KEY_REUSED' })
    expect(await eventsIn(one.deps.service.store)).toEqual(['accepted workload/a'])
  })

  test('gives the old answer also after the world has moved on', async () => {
    const one = world()
    const apply = await applying(one)
    const first = await apply(manifestNamed('a'), 'k')
    await apply(manifestNamed('a', 'env: { A: "1" }\n'), 'k2')
    expect((await apply(manifestNamed('a'), 'k')).body).toBe(first.body)
    const row = await one.deps.service.store.get('workload', 'default/a')
    expect(row?.body.generation).toBe(2)
  })

  test('gives the old answer also where the request would be refused by now because of its own effect', async () => {
    const one = world()
    const apply = await applying(one)
    await one.deps.service.store.commit({
      writes: [
        { kind: 'project', key: 'default', body: { gpusMax: undefined, usdPerHourMax: undefined, workloadsMax: 1 } },
      ],
    })
    const first = await apply(manifestNamed('a'), 'k')
    await one.deps.service.store.commit({
      writes: [
        { kind: 'workload', key: 'default/a', body: undefined },
        { kind: 'project', key: 'default', body: { gpusMax: undefined, usdPerHourMax: undefined, workloadsMax: 0 } },
      ],
    })
    // Limits are believed for a second.
    one.pass(2000)
    expect((await apply(manifestNamed('a'), 'k')).body).toBe(first.body)
    expect((await apply(manifestNamed('a'), 'k3')).json()).toMatchObject({ code: 'WORKLOADS_OVER_QUOTA' })
  })

  test('finds out what became of a commit whose answer was lost', async () => {
    const store = memoryStore({ nowMs: Date.now })
    let losing = false
    const one = world({
      store: {
        ...store,
        commit: async (commit) => {
          const committed = await store.commit(commit)
          if (losing) {
            losing = false
            throw new Error('connection lost')
          }
          return committed
        },
      },
    })
    const apply = await applying(one)
    losing = true
    expect((await apply(manifestNamed('a'), 'k')).json()).toMatchObject({ outcome: 'created' })
    expect(await eventsIn(store)).toEqual(['accepted workload/a'])
    losing = true
    expect((await apply(manifestNamed('b'))).statusCode).toBe(500)
  })

  test('is forgotten in time', async () => {
    const one = world()
    const apply = await applying(one)
    await apply(manifestNamed('a'), 'k')
    expect(await forgetRequests(one.deps.service, Date.now() - 1000)).toBe(0)
    expect(await forgetRequests(one.deps.service, Date.now() + 1000)).toBe(1)
    expect((await apply(manifestNamed('a'), 'k')).json()).toMatchObject({ outcome: 'unchanged' })
  })
})

describe('many at once', () => {
  test('different changes of one workload all land, one after the other', async () => {
    const one = world()
    const apply = await applying(one)
    await apply(manifestNamed('a'))
    const headers = bearer(await one.token('writer', ['default']))
    const scaled = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        one.app.inject({ method: 'POST', url: `${WORKLOADS}/a/scale`, payload: { replicas: 3 + at }, headers }),
      ),
    )
    expect(scaled.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200])
    expect((await one.deps.service.store.get('workload', 'default/a'))?.body.generation).toBe(7)
  })

  test('no more workloads are created than the project may have', async () => {
    const one = world()
    const apply = await applying(one)
    await one.deps.service.store.commit({
      writes: [
        { kind: 'project', key: 'default', body: { gpusMax: undefined, usdPerHourMax: undefined, workloadsMax: 3 } },
      ],
    })
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => apply(manifestNamed(`w${at}`), `k${at}`)))
    const created = answers.filter(({ statusCode }) => statusCode === 200)
    expect(created).toHaveLength(3)
    expect(await one.deps.service.store.list('workload', { limit: 100 })).toHaveLength(3)
  })
})

describe('applying', () => {
  const ada = { name: 'ada', role: 'admin', projects: ['*'] } as const
  const ask = (text: string) =>
    ({ project: 'default', text, file: 'f', pinned: undefined, once: undefined, ifTag: undefined }) as const

  test('another comment changes the text and nothing else', async () => {
    const { service } = world().deps
    await applyManifest(service, ada, ask(manifestNamed('a')))
    const again = await applyManifest(service, ada, ask(manifestNamed('a', '# a comment\n')))
    expect(again).toMatchObject({ outcome: 'unchanged', workload: { generation: 1 } })
    expect((await service.store.get('workload', 'default/a'))?.body.text).toContain('# a comment')
  })

  test('what was stopped starts it again, and what is being removed has to go first', async () => {
    const one = world()
    const { service } = one.deps
    await applyManifest(service, ada, ask(manifestNamed('a')))
    const headers = bearer(await one.token('admin', ['*']))
    await one.app.inject({ method: 'POST', url: `${WORKLOADS}/a/stop`, headers })
    const again = await applyManifest(service, ada, ask(manifestNamed('a')))
    expect(again).toMatchObject({ outcome: 'changed', workload: { want: 'running', generation: 3 } })
    await one.app.inject({ method: 'DELETE', url: `${WORKLOADS}/a`, headers })
    await expect(applyManifest(service, ada, ask(manifestNamed('a')))).rejects.toThrow('WORKLOAD_LEAVING')
  })

  test('a missing secret is refused before anything is accepted', async () => {
    const { service } = world().deps
    await expect(applyManifest(service, ada, ask(manifestNamed('a', 'secrets: [HF_TOKEN]\n')))).rejects.toThrow(
      'HF_TOKEN',
    )
    expect(await service.store.list('workload', { limit: 1 })).toEqual([])
  })

  test('a plan with a place for a slot that is not there is refused', async () => {
    const { service } = world().deps
    const pinned = [{ slot: '7', offer: 'o', usdPerHour: 1 }]
    await expect(applyManifest(service, ada, { ...ask(manifestNamed('a')), pinned })).rejects.toThrow('slot 7')
  })
})

test('a repeated rotation of the key makes one key and has one answer', async () => {
  const one = world()
  const headers = { ...bearer(await one.token('admin', ['*'])), 'idempotency-key': 'k' }
  const url = '/v2/projects/default/secrets/HF_TOKEN'
  await one.app.inject({ method: 'PUT', url, headers, payload: { value: 'a value' } })
  const rotate = () => one.app.inject({ method: 'POST', url: '/v2/platform/keys', headers })
  const answers = [await rotate(), ...(await Promise.all([rotate(), rotate()]))]
  expect(answers[0]?.json()).toMatchObject({ secrets: 1, credentials: 0, unopened: [] })
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  const audit = await one.deps.service.store.audit({ after: 0, limit: 100 })
  expect(audit.map(({ action }) => action).filter((action) => /key|rotate/.test(action))).toEqual([
    'key.create',
    'secret.rotate',
    'key.rotate',
  ])
})
