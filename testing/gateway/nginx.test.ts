import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'
import { ANSWERS, askEcho, askRaw, REQUESTS, RESPONSES } from '../../src/gateway/http/cases.suite.ts'
import { World } from '../../src/gateway/world.suite.ts'
import { freePort, until } from '../plane/plane.ts'

// What the gateway does with messages that two readers could understand in two ways, with what nginx does beside each. The table is
// docs/gateway-http.md; `npx vitest run testing/gateway/nginx.test.ts -u` writes it again. Needs nginx of Debian 12: apt-get install nginx-light.

const VERSION = '1.22.1'
const [, installed] = /nginx\/(\S+)/.exec(spawnSync('nginx', ['-v']).stderr?.toString() ?? '') ?? []

const GET = 'GET /default/echo/x HTTP/1.1\r\nHost: h\r\n'
const CONNECTIONS: readonly (readonly [name: string, bytes: string])[] = [
  ['two requests at once', `${GET}\r\n${GET}Connection: close\r\n\r\n`],
  [
    'a request behind a body',
    `${askEcho(['Transfer-Encoding: chunked'], '3\r\nabc\r\n0\r\n\r\n')}${GET}Connection: close\r\n\r\n`,
  ],
  ['100-continue', askEcho(['Expect: 100-continue', 'Content-Length: 3', 'Connection: close'], 'abc')],
  [
    'an answer before the request is complete',
    'POST /default/raw/early HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc',
  ],
  ['HEAD', 'HEAD /default/echo/x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'],
  ['chunks for a client of HTTP/1.0', 'GET /default/raw/chunks HTTP/1.0\r\nHost: h\r\n\r\n'],
  ['empty lines before a request', `\r\n\r\n${GET}Connection: close\r\n\r\n`],
]

let world: World
let nginx: ChildProcess | undefined
let folder = ''
let port = 0

beforeAll(async () => {
  if (installed !== VERSION) return
  folder = mkdtempSync(join(tmpdir(), 'berth-nginx-'))
  world = await World.open()
  const [echo, raw] = [await world.echo(), await world.raw(ANSWERS)]
  world.serve('echo', [echo])
  world.serve('raw', [raw])
  port = await freePort()
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, config(echo, raw))
  nginx = spawn('nginx', ['-p', folder, '-c', file, '-g', 'daemon off;'], { stdio: 'ignore' })
  await until('nginx answers', { withinMs: 10_000 }, async () =>
    (await world.talk('GET / HTTP/1.0\r\n\r\n', { port })) === '' ? 'it does not' : { found: true },
  )
})
afterAll(async () => {
  if (nginx === undefined) return
  nginx.kill('SIGTERM')
  await once(nginx, 'exit')
  rmSync(folder, { recursive: true, force: true })
  await world.close()
})

/** As Debian has it, as a proxy that keeps connections; it waits a second where it would wait a minute. */
function config(echo: number, raw: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  return `
pid ${folder}/pid; error_log /dev/null; worker_processes 1; events { worker_connections 512; }
http {
  access_log off; ${temporary.join(' ')}
  client_header_timeout 1s; client_body_timeout 1s; keepalive_timeout 1s; proxy_read_timeout 1s; lingering_timeout 1s;
  upstream echo { server 127.0.0.1:${echo}; keepalive 16; }
  upstream raw { server 127.0.0.1:${raw}; keepalive 16; }
  proxy_http_version 1.1; proxy_set_header Connection ""; proxy_next_upstream off;
  server {
    listen 127.0.0.1:${port};
    location /default/echo/ { proxy_pass http://echo/; }
    location /default/raw/ { proxy_pass http://raw/; }
    location / { proxy_pass http://echo; }
  }
}
`
}

/** What came back, in words. */
function outcome(text: string): string {
  const statuses = [...text.matchAll(/(?:^|\n|[^\r\n])HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => status)
  const more = [
    ...(text.includes('/smuggled') ? ['**a request inside of another**'] : []),
    ...(text.includes('poison') ? ['**an answer nobody asked for**'] : []),
    ...(/x-own|"proxy-auth|X-Private/.test(text) ? ['fields of one connection passed on'] : []),
  ]
  return [statuses.length === 0 ? 'no answer' : statuses.join(', '), ...more].join(', ')
}

test.skipIf(!IS_WHOLE || installed !== VERSION)('what nginx does beside each', async () => {
  const all = [
    ...REQUESTS,
    ...RESPONSES.map(([name, path]) => [`response: ${name}`, askRaw(path)] as const),
    ...CONNECTIONS,
  ]
  const rows: string[] = []
  for (const [name, bytes] of all) {
    const [own, other] = await Promise.all([world.talk(bytes), world.talk(bytes, { port })])
    rows.push(`| ${name} | ${outcome(own)} | ${outcome(other)} |`)
  }
  expect(rows.length).toBeGreaterThanOrEqual(60)
  const text = `# HTTP, case by case

What the gateway does with each of ${rows.length} messages over raw sockets, and what nginx ${VERSION} does with the same bytes before the same
replicas. Written by \`npx vitest run testing/gateway/nginx.test.ts -u\`; the bytes are in src/gateway/http/cases.suite.ts.

| case | gateway | nginx |
|---|---|---|
${rows.join('\n')}
`
  await expect(text).toMatchFileSnapshot('../../docs/gateway-http.md')
})
