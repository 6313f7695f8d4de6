import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { World } from '../world.suite.ts'

// What the gateway does with requests and responses that two readers could understand in two ways. Over raw sockets, byte
// for byte.

let world: World

beforeAll(async () => {
  world = await World.open()
  world.serve('echo', [await world.echo()])
  world.serve('raw', [await world.raw(ANSWERS)])
})
afterAll(() => world.close())

const LONG = 'a'.repeat(40_000)
const OK = 'HTTP/1.1 200 OK\r\n'

/** What the replica of `raw` answers with. */
const ANSWERS = {
  '/both': { bytes: `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n` },
  '/twice': { bytes: `${OK}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd` },
  '/words': { bytes: `${OK}Content-Length: three\r\n\r\nabc` },
  '/fold': { bytes: `${OK}X-A: 1\r\n 2\r\nContent-Length: 2\r\n\r\nok` },
  '/status': { bytes: 'HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\nok' },
  '/nonsense': { bytes: 'SSH-2.0-OpenSSH_9\r\n\r\n' },
  '/bare': { bytes: `${OK}X-A: a\rb\r\nContent-Length: 2\r\n\r\nok` },
  '/big-head': { bytes: `${OK}X-A: ${LONG}\r\nContent-Length: 2\r\n\r\nok` },
  '/chunks': { bytes: `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n` },
  '/bad-chunks': { bytes: `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n` },
  '/gzip-coding': { bytes: `${OK}Transfer-Encoding: gzip\r\n\r\nabc` },
  '/short': { bytes: `${OK}Content-Length: 10\r\n\r\nabc`, isLast: true },
  '/until-close': { bytes: `${OK}\r\nall of it`, isLast: true },
  '/more': { bytes: `${OK}Content-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison` },
  '/hints': { bytes: `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}Content-Length: 2\r\n\r\nok` },
  '/unasked': { bytes: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n' },
  '/204': { bytes: 'HTTP/1.1 204 No Content\r\n\r\n' },
  '/304': { bytes: 'HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n' },
  '/hop': { bytes: `${OK}Connection: x-private\r\nX-Private: 1\r\nKeep-Alive: 5\r\nContent-Length: 2\r\n\r\nok` },
  '/early': { bytes: `${OK}Content-Length: 5\r\n\r\nearly` },
  '/upgrade': { bytes: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: ws\r\nConnection: upgrade\r\n\r\nhello' },
  '/old': { bytes: 'HTTP/1.0 200 OK\r\n\r\nold', isLast: true },
}

/** A request for the echo, with further lines and a body. */
function ask(lines: readonly string[], body = '', first = 'POST /default/echo/x HTTP/1.1'): string {
  return `${[first, 'Host: h', ...lines].join('\r\n')}\r\n\r\n${body}`
}

const CLOSE = 'Connection: close'
const SMUGGLED = 'GET /default/echo/smuggled HTTP/1.1\r\nHost: h\r\n\r\n'

type Case = readonly [name: string, bytes: string, expected: RegExp]

const REQUESTS: readonly Case[] = [
  [
    'content-length and transfer-encoding',
    ask(['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${SMUGGLED}`),
    / 400 /,
  ],
  [
    'transfer-encoding and content-length',
    ask(['Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${SMUGGLED}`),
    / 400 /,
  ],
  [
    'content-length twice, different',
    ask(['Content-Length: 0', `Content-Length: ${SMUGGLED.length}`], SMUGGLED),
    / 400 /,
  ],
  ['content-length twice, the same', ask(['Content-Length: 2', 'Content-Length: 2'], 'ab'), / 400 /],
  ['content-length as a list', ask(['Content-Length: 2, 2'], 'ab'), / 400 /],
  ['content-length with a sign', ask(['Content-Length: +2'], 'ab'), / 400 /],
  ['content-length less than nothing', ask(['Content-Length: -1'], 'ab'), / 400 /],
  ['content-length in hexadecimal', ask(['Content-Length: 0x2'], 'ab'), / 400 /],
  ['content-length empty', ask(['Content-Length:'], ''), / 400 /],
  ['content-length beyond all bounds', ask(['Content-Length: 99999999999999999999'], ''), / 400 /],
  ['content-length with a blank inside', ask(['Content-Length: 1 0'], 'ab'), / 400 /],
  ['transfer-encoding: xchunked', ask(['Transfer-Encoding: xchunked'], '0\r\n\r\n'), / 501 /],
  ['transfer-encoding: chunked, identity', ask(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'), / 501 /],
  ['transfer-encoding: gzip, chunked', ask(['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'), / 501 /],
  ['transfer-encoding twice', ask(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '0\r\n\r\n'), / 400 /],
  ['transfer-encoding with a vertical tab', ask(['Transfer-Encoding:\u000bchunked'], '0\r\n\r\n'), / 400 /],
  ['a blank before the colon', ask(['Transfer-Encoding : chunked'], '0\r\n\r\n'), / 400 /],
  ['a field that begins with a blank', ask([' Transfer-Encoding: chunked'], '0\r\n\r\n'), / 400 /],
  ['a folded field', ask(['X-A: 1', ' 2'], ''), / 400 /],
  ['a field without a colon', ask(['Nonsense'], ''), / 400 /],
  ['a field without a name', ask([': 1'], ''), / 400 /],
  ['a bare line feed as a line end', 'GET /default/echo/x HTTP/1.1\nHost: h\r\n\r\n', / 400 /],
  ['a bare carriage return in a value', ask(['X-A: a\rContent-Length: 5'], ''), / 400 /],
  ['a null byte', ask(['X-A: a\0b'], ''), / 400 /],
  [
    'transfer-encoding in HTTP/1.0',
    ask(['Transfer-Encoding: chunked'], '0\r\n\r\n', 'POST /default/echo/x HTTP/1.0'),
    / 400 /,
  ],
  ['a chunk size with a sign', ask(['Transfer-Encoding: chunked'], '+3\r\nabc\r\n0\r\n\r\n'), / 400 /],
  ['a chunk size with 0x', ask(['Transfer-Encoding: chunked'], '0x3\r\nabc\r\n0\r\n\r\n'), / 400 /],
  [
    'a chunk size beyond all bounds',
    ask(['Transfer-Encoding: chunked'], 'fffffffffffffffff\r\nabc\r\n0\r\n\r\n'),
    / 400 /,
  ],
  ['a chunk longer than its size', ask(['Transfer-Encoding: chunked'], '2\r\nabc\r\n0\r\n\r\n'), / 400 /],
  ['a chunk line that ends with a bare line feed', ask(['Transfer-Encoding: chunked'], '3\nabc\r\n0\r\n\r\n'), / 400 /],
  [
    'an endless chunk extension',
    ask(['Transfer-Encoding: chunked'], `3;${'a'.repeat(500)}\r\nabc\r\n0\r\n\r\n`),
    / 400 /,
  ],
  ['no host', 'GET /default/echo/x HTTP/1.1\r\n\r\n', / 400 /],
  ['host twice', ask(['Host: other'], ''), / 400 /],
  ['host with a path', 'GET / HTTP/1.1\r\nHost: h/x\r\n\r\n', / 400 /],
  ['HTTP/2.0 in a request line', ask([], '', 'GET /default/echo/x HTTP/2.0'), / 400 /],
  ['HTTP/1.2', ask([], '', 'GET /default/echo/x HTTP/1.2'), / 400 /],
  ['two blanks in the first line', ask([], '', 'GET  /default/echo/x HTTP/1.1'), / 400 /],
  ['CONNECT', ask([], '', 'CONNECT /x HTTP/1.1'), / 405 /],
  ['TRACE', ask([], '', 'TRACE /default/echo/x HTTP/1.1'), / 405 /],
  ['an address without a slash', ask([], '', 'GET default/echo HTTP/1.1'), / 400 /],
  ['an address that is too long', ask([], '', `GET /${'a'.repeat(20_000)} HTTP/1.1`), / 414 /],
  ['a head that is too long', ask([`X-A: ${LONG}`], ''), / 431 /],
  ['too many fields', ask(Array.from({ length: 200 }, (_, at) => `X-${at}: 1`)), / 431 /],
  ['an unknown expectation', ask(['Expect: miracles'], ''), / 417 /],
  ['an unknown service', ask([CLOSE], '', 'GET /default/nobody/ HTTP/1.1'), / 404 /],
  [
    'chunked in capitals',
    ask(['Transfer-Encoding: CHUNKED', CLOSE], '3\r\nabc\r\n0\r\n\r\n'),
    / 200 [\s\S]*"length":3/,
  ],
  [
    'trailers',
    ask(['Transfer-Encoding: chunked', CLOSE], '3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n'),
    /"trailers":{"x-sum":"9"}/,
  ],
  ['a body with a length', ask(['Content-Length: 3', CLOSE], 'abc'), /"length":3/],
  ['an absolute address', ask([CLOSE], '', 'GET http://echo.default.test/y HTTP/1.1'), /"url":"\/y"/],
  [
    'an upgrade to h2c',
    ask(['Upgrade: h2c', 'Connection: upgrade, close', 'HTTP2-Settings: AAMA']),
    /^(?!.*http2-settings).* 200 /,
  ],
  [
    'fields of one connection',
    ask(['Connection: close, x-own', 'X-Own: 1', 'Proxy-Authorization: Basic x']),
    /^(?![\s\S]*(x-own|proxy-auth))/,
  ],
  [
    'connection: content-length',
    ask(['Connection: close, content-length', 'Content-Length: 3'], 'abc'),
    /"content-length":"3"/,
  ],
  ['HTTP/1.0 ends the connection', ask([], '', 'GET /default/echo/x HTTP/1.0'), / 200 [\s\S]*connection: close/],
]

const RESPONSES: readonly Case[] = [
  ['both lengths', '/both', / 502 /],
  ['two lengths', '/twice', / 502 /],
  ['a length in words', '/words', / 502 /],
  ['a folded field', '/fold', / 502 /],
  ['a status of four digits', '/status', / 502 /],
  ['another protocol', '/nonsense', / 502 /],
  ['a bare carriage return', '/bare', / 502 /],
  ['a head that is too long', '/big-head', / 502 /],
  ['an unknown coding', '/gzip-coding', / 502 /],
  ['an upgrade that nobody asked for', '/unasked', / 502 /],
  ['chunks and trailers', '/chunks', /3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n$/],
  ['chunks that are none', '/bad-chunks', /^(?![\s\S]*0\r\n\r\n$)/],
  ['a body that breaks off', '/short', /abc$/],
  ['a body until the connection closes', '/until-close', /connection: close[\s\S]*all of it$/],
  ['more than was asked for', '/more', /^(?![\s\S]*poison)[\s\S]*ok$/],
  ['hints before the response', '/hints', / 103 [\s\S]* 200 /],
  ['no content', '/204', / 204 /],
  ['not modified, with a length', '/304', / 304 [\s\S]*\r\n\r\n$/],
  ['fields of one connection', '/hop', /^(?![\s\S]*(X-Private|Keep-Alive))[\s\S]*ok$/],
  ['an old version', '/old', / 200 [\s\S]*old$/],
]

describe('requests', () => {
  test.each(REQUESTS)('%s', async (_, bytes, expected) => {
    const text = await world.talk(bytes)
    expect(text).toMatch(expected)
    expect(text).not.toContain('smuggled')
  })
})

describe('responses', () => {
  test.each(RESPONSES)('%s', async (_, path, expected) => {
    const text = await world.talk(
      `GET /default/raw${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nberth-retry: never\r\n\r\n`,
    )
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
    const text = await world.talk(ask(['Transfer-Encoding: chunked'], `3\r\nabc\r\n0\r\n\r\n${next}`))
    expect(text).toMatch(/"length":3[\s\S]*"url":"\/next"/)
  })

  test('100-continue is answered before the body is sent', async () => {
    const text = await world.talk(ask(['Expect: 100-continue', 'Content-Length: 3']), { until: /\r\n\r\n/ })
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
    const text = await world.talk(ask([CLOSE], '', 'GET /default/echo/x HTTP/1.0'), { end: true })
    expect(text).toContain('"url":"/x"')
  })

  test('a HEAD has no body', async () => {
    const text = await world.talk(ask([CLOSE], '', 'HEAD /default/echo/x HTTP/1.1'))
    expect(text).toMatch(/content-length: \d+[\s\S]*\r\n\r\n$/)
  })

  test('chunks become plain for HTTP/1.0', async () => {
    const text = await world.talk('GET /default/raw/chunks HTTP/1.0\r\n\r\n')
    expect(text).toMatch(/^(?![\s\S]*chunked)[\s\S]*\r\n\r\nabc$/)
  })
})
