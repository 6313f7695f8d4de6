import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { World } from '../world.suite.ts'
import { ANSWERS, askEcho, askRaw, REQUESTS, RESPONSES } from './cases.suite.ts'

// What the gateway does with requests and responses that two readers could understand in two ways. Over raw sockets, byte
// for byte.

let world: World

beforeAll(async () => {
  world = await World.open()
  world.serve('echo', [await world.echo()])
  world.serve('raw', [await world.raw(ANSWERS)])
})
afterAll(() => world.close())

const CLOSE = 'Connection: close'

describe('requests', () => {
  test.each(REQUESTS)('%s', async (_, bytes, expected) => {
    const text = await world.talk(bytes)
    expect(text).toMatch(expected)
    expect(text).not.toContain('smuggled')
  })
})

describe('responses', () => {
  test.each(RESPONSES)('%s', async (_, path, expected) => {
    const text = await world.talk(askRaw(path))
    expect(text).toMatch(expected)
  })
})

describe('connections', () => {
  test('pipelined requests are answered in their order', async () => {
    const one = (path: string, more = ''): string => `GET /default/echo${path} HTTP/1.1\r\nHost: h\r\n${more}\r\n`
    const text = await world.talk(one('/1') + one('/2') + one('/3', 'Connection: close\r\n'))
    expect([...text.matchAll(/"url":"\/(\d)"/g)].map(([, digit]) => digit)).toEqual(['1', '2', '3'])
  })

  test('a request after a body begins where the body ends', async () => {
    const next = 'GET /default/echo/next HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'
    const text = await world.talk(askEcho(['Transfer-Encoding: chunked'], `3\r\nabc\r\n0\r\n\r\n${next}`))
    expect(text).toMatch(/"length":3[\s\S]*"url":"\/next"/)
  })

  test('100-continue is answered before the body is sent', async () => {
    const text = await world.talk(askEcho(['Expect: 100-continue', 'Content-Length: 3']), { until: /\r\n\r\n/ })
    expect(text).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  })

  test('a response that comes before the request is complete ends the connection', async () => {
    const text = await world.talk('POST /default/raw/early HTTP/1.1\r\nHost: h\r\nContent-Length: 900\r\n\r\nabc')
    expect(text).toMatch(/connection: close[\s\S]*early$/)
  })

  test('an upgrade makes the two connections one', async () => {
    const lines = 'Host: h\r\nConnection: Upgrade\r\nUpgrade: ws\r\n\r\n'
    const text = await world.talk(`GET /default/raw/upgrade HTTP/1.1\r\n${lines}`, { until: /hello/ })
    expect(text).toMatch(/^HTTP\/1.1 101 [\s\S]*\r\n\r\nhello$/)
  })

  test('a client of HTTP/1.0 may close its side before the response comes', async () => {
    const text = await world.talk(askEcho([CLOSE], '', 'GET /default/echo/x HTTP/1.0'), { end: true })
    expect(text).toContain('"url":"/x"')
  })

  test('a HEAD has no body', async () => {
    const text = await world.talk(askEcho([CLOSE], '', 'HEAD /default/echo/x HTTP/1.1'))
    expect(text).toMatch(/content-length: \d+[\s\S]*\r\n\r\n$/)
  })

  test('chunks become plain for HTTP/1.0', async () => {
    const text = await world.talk('GET /default/raw/chunks HTTP/1.0\r\n\r\n')
    expect(text).toMatch(/^(?![\s\S]*chunked)[\s\S]*\r\n\r\nabc$/)
  })
})
