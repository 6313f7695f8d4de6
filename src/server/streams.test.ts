import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Store } from '../ports/store.ts'
import { memoryStore } from '../store/memory.ts'
import { world, type World } from './server.suite.ts'

const open: World[] = []
afterEach(async () => {
  for (const { app } of open.splice(0)) await app.close()
})

/** A server that listens, over a store that counts how often its events are read. */
async function listening() {
  const inner = memoryStore({ nowMs: Date.now, strict: true })
  const reads = { events: 0 }
  const store: Store = {
    ...inner,
    events: (query) => {
      reads.events++
      return inner.events(query)
    },
  }
  const one = world({ store })
  open.push(one)
  await one.app.listen({ host: '127.0.0.1', port: 0 })
  // A server that listens on a port has an address.
  const { port } = one.app.server.address() as AddressInfo
  const stream = async (token: string, query = 'follow=true&tail=0') => {
    const headers = { authorization: `Bearer ${token}` }
    const request = get({ host: '127.0.0.1', port, path: `/v2/events?${query}`, headers, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return new Reader(response)
  }
  return { ...one, reads, stream, store }
}

class Reader {
  text = ''
  readonly #response: IncomingMessage
  constructor(response: IncomingMessage) {
    this.#response = response
    response.setEncoding('utf8')
    response.on('data', (part: string) => (this.text += part))
  }

  async until(holds: (text: string) => boolean): Promise<string> {
    while (!holds(this.text)) await once(this.#response, 'data')
    return this.text
  }

  close(): void {
    this.#response.destroy()
  }
}

async function happen(store: Store, project: string, name: string): Promise<void> {
  const event = {
    atMs: 1,
    project,
    subject: `workload/${name}`,
    kind: 'healthy',
    facts: { slot: '0', epoch: 1 },
  } as const
  await store.commit({ writes: [], events: [event] })
}

test('many streams cost the store as much as one', async () => {
  const { token, stream, reads, store } = await listening()
  const secret = await token('reader', ['*'])
  const readers = await Promise.all(Array.from({ length: 30 }, () => stream(secret)))
  await Promise.all(readers.map((reader) => reader.until((text) => text.includes(': open'))))
  await happen(store, 'a', 'first')
  await Promise.all(readers.map((reader) => reader.until((text) => text.includes('workload/first'))))
  const before = reads.events
  for (let count = 0; count < 5; count++) {
    await happen(store, 'a', `next-${count}`)
    await Promise.all(readers.map((reader) => reader.until((text) => text.includes(`workload/next-${count}"`))))
  }
  // Each event takes a look or two of the one feed, however many streams there are.
  expect(reads.events - before).toBeLessThan(30)
  readers.forEach((reader) => reader.close())
})

test('each stream has what its token may see and its query asks for, and no more', async () => {
  const { token, stream, store } = await listening()
  const mine = await stream(await token('reader', ['a']))
  const one = await stream(await token('reader', ['*']), 'follow=true&tail=0&project=a&workload=last')
  await Promise.all([mine, one].map((reader) => reader.until((text) => text.includes(': open'))))
  for (const [project, name] of [
    ['b', 'hidden'],
    ['a', 'seen'],
    ['b', 'last'],
    ['a', 'last'],
  ] as const)
    await happen(store, project, name)
  const seen = await mine.until((text) => text.includes('workload/last'))
  expect([seen.includes('hidden'), seen.includes('workload/seen'), seen.split('data: {').length]).toEqual([
    false,
    true,
    3,
  ])
  const asked = await one.until((text) => text.includes('workload/last'))
  expect([asked.includes('"project":"b"'), asked.split('data: {').length]).toEqual([false, 2])
  mine.close()
  one.close()
})

test('a stream ends when its token is removed', async () => {
  const { token, stream, store, pass } = await listening()
  const secret = await token('reader', ['a'])
  const reader = await stream(secret)
  await reader.until((text) => text.includes(': open'))
  const [, name = ''] = secret.split('.')
  await store.commit({ writes: [{ kind: 'token', key: name, body: undefined }] })
  pass(5000)
  expect(await reader.until((text) => text.includes('event: problem'))).toContain('UNAUTHENTICATED')
})

test('a stream that resumes gets what happened meanwhile once, then what is new', async () => {
  const { token, stream, store } = await listening()
  const secret = await token('reader', ['*'])
  for (let count = 0; count < 600; count++) await happen(store, 'a', `w-${count}`)
  const reader = await stream(secret, 'follow=true')
  await reader.until((text) => text.includes('workload/w-599"'))
  await happen(store, 'a', 'news')
  const text = await reader.until((all) => all.includes('workload/news'))
  expect(text.split('data: {').length - 1).toBe(601)
  reader.close()
})
