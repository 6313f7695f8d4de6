import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { HealthWatch } from './health-watch.ts'

describe('a health path', () => {
  test.each([
    [200, true],
    [204, true],
    [299, true],
    [300, false],
    [302, false],
    [304, false],
    [404, false],
    [503, false],
  ])('that answers with %i: healthy is %s', async (status, healthy) => {
    expect(await askedOf(status)).toBe(healthy)
  })

  test('is not followed elsewhere: what counts is its own answer', async () => {
    const asked: string[] = []
    await askedOf(302, asked)
    expect(asked).toEqual(['/health'])
  })
})

/** What the watch says of a server that answers `/health` with this status, and every other path with 200. */
async function askedOf(status: number, asked: string[] = []): Promise<boolean | undefined> {
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(url === '/health' ? status : 200, { location: '/login' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    // As this server listens on TCP, its address is an object.
    const { port } = server.address() as AddressInfo
    const watch = new HealthWatch({ nowMs: () => 0, tickMs: () => 0, cpuMs: () => 0 }, { reach: 'any' })
    const targets = [{ host: '127.0.0.1', port, path: '/health', tls: false }]
    await watch.refresh([{ name: 'a', targets }], new AbortController().signal)
    return watch.of('a')
  } finally {
    server.close()
  }
}
