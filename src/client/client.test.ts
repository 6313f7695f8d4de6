import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bearer, manifestNamed, world, type World } from '../server/server.suite.ts'
import { patience } from '../core/base/cpu.suite.ts'
import { UserError } from '../core/base/problem.ts'
import type { Berth } from '../ports/berth.ts'
import { Secret } from '../ports/secret.ts'
import { httpBerth, type ClientDeps } from './client.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const DEPS = {
  fetch,
  timers: {
    sleep: (ms: number, signal?: AbortSignal) =>
      wait(Math.min(ms, 20), undefined, signal && { signal }).catch(() => {}),
  },
  random: { next: () => 0.5, id: () => crypto.randomUUID().replaceAll('-', '') },
}

async function listening(one: World): Promise<string> {
  closing.push(() => one.app.close())
  return one.app.listen({ host: '127.0.0.1', port: 0 })
}

async function client(one: World, more: Partial<ClientDeps> = {}): Promise<Berth> {
  const token = new Secret(await one.token('admin', ['*']))
  return httpBerth({ ...DEPS, url: await listening(one), token, ...more })
}

/** Something that answers as a test wants it to. */
async function stranger(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(answer ?? (() => {}))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closing.push(() => new Promise((done) => void server.close(done).closeAllConnections()))
  // A server that listens on a port has an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function refusal(doing: Promise<unknown>) {
  const error = await doing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(UserError)
  return error instanceof UserError ? error.problems[0] : undefined
}

const A = { project: 'default', name: 'a' }
const APPLY = { project: 'default', text: manifestNamed('a'), file: 'a.yaml', idempotencyKey: 'k' }
const NEVER = new AbortController().signal

describe('everything that a face can ask', () => {
  test('is answered through real HTTP', async () => {
    const berth = await client(world())
    expect(await berth.info()).toMatchObject({ store: 'memory', term: 1 })
    expect(await berth.plan(APPLY)).toMatchObject({ workload: 'x' })
    expect(await berth.apply(APPLY)).toMatchObject({ outcome: 'created', workload: { name: 'a', state: 'waiting' } })
    expect(await berth.apply({ ...APPLY, idempotencyKey: 'other' })).toMatchObject({ outcome: 'unchanged' })
    expect((await berth.workloads({ limit: 1 })).items).toHaveLength(1)
    expect((await berth.workloads({ project: 'empty' })).items).toEqual([])
    expect(await berth.workload(A)).toMatchObject({ total: 2 })
    expect(await berth.manifest(A)).toEqual({ text: APPLY.text, generation: 1 })
    expect(await berth.explain(A)).toMatchObject({ plan: { workload: 'x' }, events: [{ kind: 'accepted' }] })
    expect(await berth.scale({ ...A, role: undefined, replicas: 5 })).toMatchObject({ total: 5, generation: 2 })
    expect(await berth.stop(A)).toMatchObject({ want: 'stopped', state: 'stopped' })
    expect(await berth.remove(A)).toMatchObject({ want: 'removed' })
    expect((await berth.audit({ project: 'default' })).items.map(({ action }) => action)).toEqual([
      'apply',
      'scale',
      'stop',
      'remove',
    ])
  })

  test('of the platform too', async () => {
    const berth = await client(world())
    expect(await berth.addProvider({ name: 'cloud', kind: 'sim', settings: {} })).toMatchObject({
      name: 'cloud',
      state: 'open',
    })
    expect(await berth.setProvider({ name: 'cloud', state: 'cordoned' })).toMatchObject({ state: 'cordoned' })
    expect(await berth.providers()).toHaveLength(1)
    expect(await refusal(berth.testProvider({ name: 'cloud' }))).toMatchObject({ code: 'NOT_FOUND' })
    await berth.removeProvider({ name: 'cloud' })
    await berth.setPolicy({ name: 'cheap', settings: { objective: 'cheapest' } })
    expect((await berth.policies()).map(({ name }) => name)).toContain('cheap')
    await berth.removePolicy({ name: 'cheap' })
    await berth.setProject({ project: 'default', gpus_max: 3, workloads_max: 1 })
    expect(await berth.projects()).toMatchObject([{ name: 'default', gpus_max: 3 }])
    await berth.apply(APPLY)
    const second = berth.apply({ ...APPLY, text: manifestNamed('b'), idempotencyKey: 'b' })
    expect(await refusal(second)).toMatchObject({ code: 'WORKLOADS_OVER_QUOTA' })
    const made = await berth.createToken({ name: 'ci', role: 'writer', projects: ['default'], ttl_ms: 60_000 })
    expect(made.token).toMatch(/^berth\.ci\.[\w-]{43}$/)
    expect(await refusal(berth.createToken({ ...made, ttl_ms: 1000 }))).toMatchObject({ code: 'TOKEN_EXISTS' })
    await berth.removeToken({ name: 'ci' })
    expect((await berth.tokens()).map(({ name }) => name)).not.toContain('ci')
    expect(await berth.setSecret({ project: 'default', name: 'KEY', value: 'a-value' })).toMatchObject({ version: 1 })
    expect(await berth.secrets({ project: 'default' })).toMatchObject([{ name: 'KEY' }])
    await berth.removeSecret({ project: 'default', name: 'KEY' })
  })

  test('of templates too', async () => {
    const berth = await client(world())
    const at = { project: 'default', name: 'web' }
    expect(await berth.pushTemplate({ ...at, text: manifestNamed('web') })).toMatchObject({ version: 1 })
    expect(await berth.template({ ...at })).toMatchObject({ version: 1, text: manifestNamed('web') })
    expect(await berth.templates({ project: 'default' })).toHaveLength(1)
    const ask = { project: 'default', template: 'web', version: undefined, name: 'site', set: {}, idempotencyKey: 'l' }
    const launched = await berth.launch(ask)
    expect(launched).toMatchObject({ outcome: 'created', workload: { name: 'site', template: { version: 1 } } })
    expect(await berth.launch(ask)).toEqual(launched)
    await berth.removeTemplate({ ...at })
    expect(await refusal(berth.template({ ...at, version: 1 }))).toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('what goes wrong', () => {
  test('comes back as it was sent, with place and hint', async () => {
    const berth = await client(world())
    const problem = await refusal(berth.apply({ ...APPLY, text: `${manifestNamed('a')}replica: 2\n` }))
    expect(problem).toMatchObject({ code: 'KEY_UNKNOWN', place: { file: 'a.yaml', line: 7 }, sourceLine: 'replica: 2' })
    expect(problem?.hint).toBeDefined()
  })

  test('is said to be the token, where it is', async () => {
    const one = world()
    const url = await listening(one)
    const holding = (token: string | undefined) =>
      httpBerth({ ...DEPS, url, token: token === undefined ? undefined : new Secret(token) })
    expect(await refusal(holding(undefined).info())).toMatchObject({
      code: 'UNAUTHENTICATED',
      hint: expect.stringContaining('berth login URL'),
    })
    expect(await refusal(holding('nonsense').info())).toMatchObject({ code: 'UNAUTHENTICATED' })
    const reader = holding(await one.token('reader', ['other']))
    const problem = await refusal(reader.apply(APPLY))
    expect(problem).toMatchObject({ code: 'FORBIDDEN', hint: expect.stringContaining('writer in project default') })
  })

  test('is said to be the address, where nothing answers there, or something else', async () => {
    const gone = await stranger(() => {})
    await closing.pop()?.()
    const nobody = httpBerth({ ...DEPS, url: gone, token: undefined })
    expect(await refusal(nobody.info())).toMatchObject({
      code: 'CONTROL_PLANE_UNREACHABLE',
      message: expect.stringContaining('ECONNREFUSED'),
      hint: expect.stringContaining('berth up'),
    })
    const url = await stranger((_, response) => response.end('<html>hello</html>'))
    const other = httpBerth({ ...DEPS, url, token: undefined })
    expect(await refusal(other.info())).toMatchObject({ code: 'CONTROL_PLANE_UNREACHABLE' })
    const silent = await stranger(() => {})
    const late = httpBerth({ ...DEPS, url: silent, token: undefined, timeoutMs: 50 })
    expect(await refusal(late.info())).toMatchObject({ message: expect.stringContaining('timeout') })
  })

  test('is tried again, and a change that was made before its answer was lost is not made twice', async () => {
    const one = world()
    let lost = 0
    const losing: typeof fetch = async (...given) => {
      const response = await fetch(...given)
      if (lost++ < 2) throw new TypeError('fetch failed')
      return response
    }
    const berth = await client(one, { fetch: losing })
    expect(await berth.apply(APPLY)).toMatchObject({ outcome: 'created', workload: { generation: 1 } })
    const scaled = await berth.scale({ ...A, role: undefined, replicas: 4 })
    expect(scaled.generation).toBe(2)
    lost = 0
    await berth.setPolicy({ name: 'cheap', settings: {} })
    lost = 0
    await berth.removePolicy({ name: 'cheap' })
    lost = 0
    expect(
      await refusal(berth.createToken({ name: 'x', role: 'reader', projects: ['*'], ttl_ms: 5000 })),
    ).toMatchObject({
      code: 'CONTROL_PLANE_UNREACHABLE',
    })
    expect(lost).toBe(1)
  })
})

/** Every connection for events breaks after its first entry. */
function breakingLines() {
  const broken = { streams: 0 }
  const breaking: typeof fetch = async (...given) => {
    const response = await fetch(...given)
    if (!String(given[0]).includes('/events') || response.body === null) return response
    broken.streams++
    let entries = 0
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (entries > 0) return controller.error(new Error('broken line'))
        const text = new TextDecoder().decode(chunk)
        const [, first] = /^([^]*?id: [^]*?\n\n)[^]/.exec(text) ?? []
        controller.enqueue(first === undefined ? chunk : new TextEncoder().encode(first))
        if (first !== undefined) return controller.error(new Error('broken line'))
        if (text.includes('id: ')) entries++
      },
    })
    return new Response(response.body.pipeThrough(cut), response)
  }
  return { breaking, broken }
}

describe('streams', () => {
  test('end by themselves unless they are followed', async () => {
    const berth = await client(world())
    await berth.apply(APPLY)
    const query = { project: undefined, workload: 'a', after: 0, follow: false }
    const kinds = await Array.fromAsync(berth.events(query, NEVER), ({ kind }) => kind)
    expect(kinds).toEqual(['accepted'])
  })

  test('that break are taken up where they broke: nothing is missing, nothing comes twice', async () => {
    const one = world()
    const { breaking, broken } = breakingLines()
    const berth = await client(one, { fetch: breaking })
    await berth.apply(APPLY)
    const stop = new AbortController()
    const seen: number[] = []
    for await (const event of berth.events(
      { project: 'default', workload: 'a', after: 0, follow: true },
      stop.signal,
    )) {
      seen.push(Number(event.facts['generation']))
      if (seen.length === 6) stop.abort()
      else await berth.scale({ ...A, role: undefined, replicas: 10 + seen.length })
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6])
    expect(broken.streams).toBeGreaterThan(3)
  })

  test('newest first have pages, and a page whose line breaks is completed', async () => {
    const { breaking, broken } = breakingLines()
    const berth = await client(world(), { fetch: breaking })
    await berth.apply(APPLY)
    for (let replicas = 2; replicas <= 6; replicas++) await berth.scale({ ...A, role: undefined, replicas })
    const pageBefore = async (before: number | undefined) => {
      const query = { workload: 'a', order: 'newest', tail: 4, ...(before !== undefined && { before }) } as const
      return Array.fromAsync(berth.events(query, NEVER), ({ seq, facts }) => ({ seq, generation: facts['generation'] }))
    }
    const page = await pageBefore(undefined)
    expect(page.map(({ generation }) => generation)).toEqual([6, 5, 4, 3])
    expect((await pageBefore(page.at(-1)?.seq)).map(({ generation }) => generation)).toEqual([2, 1])
    expect(broken.streams).toBeGreaterThan(3)
    const both = Array.fromAsync(berth.events({ order: 'newest', follow: true }, NEVER))
    expect((await refusal(both))?.message).toContain('leave out `follow`')
  })

  test('that break between entries of one position tell those again, and once', async () => {
    const line = (text: string) => `data: ${JSON.stringify({ stream: 'out', text, slot: '0', attempt: 1 })}\n\n`
    const answers = [
      `${line('one')}id: x=2\n${line('two')}${line('three')}`,
      `${line('three')}id: x=4\n${line('four')}`,
    ]
    const after: (string | null)[] = []
    const broken: typeof fetch = async (_, given) => {
      after.push(new Headers(given?.headers).get('last-event-id'))
      const end = after.length < answers.length ? '' : 'event: end\ndata: {}\n\n'
      return new Response(`${answers[after.length - 1]}${end}`)
    }
    const berth = httpBerth({ ...DEPS, fetch: broken, url: 'http://127.0.0.1:1', token: undefined })
    const query = { slot: undefined, follow: true, tail: undefined }
    const texts = await Array.fromAsync(berth.logs({ ...A, ...query }, NEVER), ({ text }) => text)
    expect(texts).toEqual(['one', 'two', 'three', 'four'])
    expect(after).toEqual([null, 'x=2'])
  })

  test('end within seconds when their token is revoked', async () => {
    const one = world()
    const token = await one.token('reader', ['*'])
    const berth = httpBerth({ ...DEPS, url: await listening(one), token: new Secret(token) })
    const admin = bearer(await one.token('admin', ['*']))
    const beganMs = performance.now()
    const following = Array.fromAsync(
      berth.events({ project: undefined, workload: undefined, after: 0, follow: true }, NEVER),
    )
    await one.app.inject({ method: 'DELETE', url: '/v2/tokens/reader-1', headers: admin })
    expect(await refusal(following)).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(performance.now() - beganMs).toBeLessThan(6000 * patience())
  })

  test('are given up with words when the control plane stays away', async () => {
    const one = world()
    const berth = await client(one)
    await berth.apply(APPLY)
    const events = berth.events({ project: undefined, workload: undefined, after: 0, follow: true }, NEVER)
    const following = (async () => {
      for await (const _ of events) await one.app.close()
    })()
    expect(await refusal(following)).toMatchObject({ code: 'CONTROL_PLANE_UNREACHABLE' })
  })
})

test('a control plane of an older version is named as the reason', async () => {
  const body = { type: 't', title: 't', status: 404, detail: 'd', code: 'ROUTE_UNKNOWN', problems: [] }
  const fetch = async () => new Response(JSON.stringify(body), { status: 404 })
  const deps = { url: 'http://old', token: undefined, timers: { sleep: async () => {} } }
  const berth = httpBerth({ ...deps, fetch, random: { next: () => 0, id: () => 'k' } })
  expect(await refusal(berth.info())).toMatchObject({ message: expect.stringContaining('older than this berth') })
})
