// What is sent over raw sockets, byte for byte, and what the gateway makes of it. nginx gets the same in testing/gateway.

const LONG = 'a'.repeat(40_000)
const OK = 'HTTP/1.1 200 OK\r\n'

/** What the replica of `raw` answers with. */
export const ANSWERS = {
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
export function askEcho(lines: readonly string[], body = '', first = 'POST /default/echo/x HTTP/1.1'): string {
  return `${[first, 'Host: h', ...lines].join('\r\n')}\r\n\r\n${body}`
}

const CLOSE = 'Connection: close'
const SMUGGLED = 'GET /default/echo/smuggled HTTP/1.1\r\nHost: h\r\n\r\n'

/** A name, what a client sends, and what must come back. */
export type HttpCase = readonly [name: string, bytes: string, expected: RegExp]

export const REQUESTS: readonly HttpCase[] = [
  [
    'content-length and transfer-encoding',
    askEcho(['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${SMUGGLED}`),
    / 400 /,
  ],
  [
    'transfer-encoding and content-length',
    askEcho(['Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${SMUGGLED}`),
    / 400 /,
  ],
  [
    'content-length twice, different',
    askEcho(['Content-Length: 0', `Content-Length: ${SMUGGLED.length}`], SMUGGLED),
    / 400 /,
  ],
  ['content-length twice, the same', askEcho(['Content-Length: 2', 'Content-Length: 2'], 'ab'), / 400 /],
  ['content-length as a list', askEcho(['Content-Length: 2, 2'], 'ab'), / 400 /],
  ['content-length with a sign', askEcho(['Content-Length: +2'], 'ab'), / 400 /],
  ['content-length less than nothing', askEcho(['Content-Length: -1'], 'ab'), / 400 /],
  ['content-length in hexadecimal', askEcho(['Content-Length: 0x2'], 'ab'), / 400 /],
  ['content-length empty', askEcho(['Content-Length:'], ''), / 400 /],
  ['content-length beyond all bounds', askEcho(['Content-Length: 99999999999999999999'], ''), / 400 /],
  ['content-length with a blank inside', askEcho(['Content-Length: 1 0'], 'ab'), / 400 /],
  ['transfer-encoding: xchunked', askEcho(['Transfer-Encoding: xchunked'], '0\r\n\r\n'), / 501 /],
  ['transfer-encoding: chunked, identity', askEcho(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'), / 501 /],
  ['transfer-encoding: gzip, chunked', askEcho(['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'), / 501 /],
  [
    'transfer-encoding twice',
    askEcho(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '0\r\n\r\n'),
    / 400 /,
  ],
  ['transfer-encoding with a vertical tab', askEcho(['Transfer-Encoding:\u000bchunked'], '0\r\n\r\n'), / 400 /],
  ['a blank before the colon', askEcho(['Transfer-Encoding : chunked'], '0\r\n\r\n'), / 400 /],
  ['a field that begins with a blank', askEcho([' Transfer-Encoding: chunked'], '0\r\n\r\n'), / 400 /],
  ['a folded field', askEcho(['X-A: 1', ' 2'], ''), / 400 /],
  ['a field without a colon', askEcho(['Nonsense'], ''), / 400 /],
  ['a field without a name', askEcho([': 1'], ''), / 400 /],
  ['a bare line feed as a line end', 'GET /default/echo/x HTTP/1.1\nHost: h\r\n\r\n', / 400 /],
  ['a bare carriage return in a value', askEcho(['X-A: a\rContent-Length: 5'], ''), / 400 /],
  ['a null byte', askEcho(['X-A: a\0b'], ''), / 400 /],
  [
    'transfer-encoding in HTTP/1.0',
    askEcho(['Transfer-Encoding: chunked'], '0\r\n\r\n', 'POST /default/echo/x HTTP/1.0'),
    / 400 /,
  ],
  ['a chunk size with a sign', askEcho(['Transfer-Encoding: chunked'], '+3\r\nabc\r\n0\r\n\r\n'), / 400 /],
  ['a chunk size with 0x', askEcho(['Transfer-Encoding: chunked'], '0x3\r\nabc\r\n0\r\n\r\n'), / 400 /],
  [
    'a chunk size beyond all bounds',
    askEcho(['Transfer-Encoding: chunked'], 'fffffffffffffffff\r\nabc\r\n0\r\n\r\n'),
    / 400 /,
  ],
  ['a chunk longer than its size', askEcho(['Transfer-Encoding: chunked'], '2\r\nabc\r\n0\r\n\r\n'), / 400 /],
  [
    'a chunk line that ends with a bare line feed',
    askEcho(['Transfer-Encoding: chunked'], '3\nabc\r\n0\r\n\r\n'),
    / 400 /,
  ],
  [
    'an endless chunk extension',
    askEcho(['Transfer-Encoding: chunked'], `3;${'a'.repeat(500)}\r\nabc\r\n0\r\n\r\n`),
    / 400 /,
  ],
  ['no host', 'GET /default/echo/x HTTP/1.1\r\n\r\n', / 400 /],
  ['host twice', askEcho(['Host: other'], ''), / 400 /],
  ['host with a path', 'GET / HTTP/1.1\r\nHost: h/x\r\n\r\n', / 400 /],
  ['HTTP/2.0 in a request line', askEcho([], '', 'GET /default/echo/x HTTP/2.0'), / 400 /],
  ['HTTP/1.2', askEcho([], '', 'GET /default/echo/x HTTP/1.2'), / 400 /],
  ['two blanks in the first line', askEcho([], '', 'GET  /default/echo/x HTTP/1.1'), / 400 /],
  ['CONNECT', askEcho([], '', 'CONNECT /x HTTP/1.1'), / 405 /],
  ['TRACE', askEcho([], '', 'TRACE /default/echo/x HTTP/1.1'), / 405 /],
  ['an address without a slash', askEcho([], '', 'GET default/echo HTTP/1.1'), / 400 /],
  ['an address that is too long', askEcho([], '', `GET /${'a'.repeat(20_000)} HTTP/1.1`), / 414 /],
  ['a head that is too long', askEcho([`X-A: ${LONG}`], ''), / 431 /],
  ['too many fields', askEcho(Array.from({ length: 200 }, (_, at) => `X-${at}: 1`)), / 431 /],
  ['an unknown expectation', askEcho(['Expect: miracles'], ''), / 417 /],
  ['an unknown service', askEcho([CLOSE], '', 'GET /default/nobody/ HTTP/1.1'), / 404 /],
  [
    'chunked in capitals',
    askEcho(['Transfer-Encoding: CHUNKED', CLOSE], '3\r\nabc\r\n0\r\n\r\n'),
    / 200 [\s\S]*"length":3/,
  ],
  [
    'trailers',
    askEcho(['Transfer-Encoding: chunked', CLOSE], '3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n'),
    /"trailers":{"x-sum":"9"}/,
  ],
  ['a body with a length', askEcho(['Content-Length: 3', CLOSE], 'abc'), /"length":3/],
  ['an absolute address', askEcho([CLOSE], '', 'GET http://echo.default.test/y HTTP/1.1'), /"url":"\/y"/],
  [
    'an upgrade to h2c',
    askEcho(['Upgrade: h2c', 'Connection: upgrade, close', 'HTTP2-Settings: AAMA']),
    /^(?!.*http2-settings).* 200 /,
  ],
  [
    'fields of one connection',
    askEcho(['Connection: close, x-own', 'X-Own: 1', 'Proxy-Authorization: Basic x']),
    /^(?![\s\S]*(x-own|proxy-auth))/,
  ],
  [
    'connection: content-length',
    askEcho(['Connection: close, content-length', 'Content-Length: 3'], 'abc'),
    /"content-length":"3"/,
  ],
  ['HTTP/1.0 ends the connection', askEcho([], '', 'GET /default/echo/x HTTP/1.0'), / 200 [\s\S]*connection: close/],
]

export const RESPONSES: readonly HttpCase[] = [
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

/** A request for one of the answers of `raw`. */
export function askRaw(path: string): string {
  return `GET /default/raw${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nberth-retry: never\r\n\r\n`
}
