import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { createServer as createPlain, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../plane/plane.ts'
import { makeCertificate } from '../up/tls.suite.ts'
import { RouteSource } from './routes.ts'
import { GatewayProcess } from './run.ts'

// What callers and operators entrust to the gateway must not be found in its logs, its files or its figures.

const SECRETS = {
  token: 'berth-token-5f8e2a91',
  authorization: 'authorization-7c1d9e04',
  cookie: 'cookie-session-93ab7f26',
  query: 'query-access-token-41be8d',
  header: 'header-api-key-d20c6a',
  body: 'body-password-8ea4b1',
} as const

const folder = mkdtempSync(join(tmpdir(), 'berth-secrets-'))
const source = new RouteSource()
const servers: Server[] = []
let gateway: GatewayProcess

async function listen(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has such an address.
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Its lines so far. */
function log(): string {
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.log'))
  return readFileSync(join(folder, name), 'utf8')
}

beforeAll(async () => {
  await source.start()
  const replicas = {
    well: await listen(createServer((_, response) => response.end('well'))),
    errs: await listen(createServer((_, response) => response.writeHead(500).end('ill'))),
    breaks: await listen(createPlain((socket) => socket.once('data', () => socket.resetAndDestroy()))),
    garbles: await listen(createPlain((socket) => socket.once('data', () => socket.end('nonsense\r\n\r\n')))),
  }
  for (const [name, address] of Object.entries(replicas)) {
    const replica = { id: `0.${name}`, address, provider: 'p', region: 'r', state: 'ready' as const }
    source.set({ project: 'default', name, replicas: [replica] })
  }
  const { key, cert } = makeCertificate()
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 })
  writeFileSync(join(folder, 'cert.pem'), cert)
  gateway = await GatewayProcess.start(folder, { source, isSecure: true, token: SECRETS.token })
})
afterAll(async () => {
  await gateway.stop()
  await source.stop()
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true, force: true })
})

const FIELDS = [
  `authorization: Bearer ${SECRETS.authorization}`,
  `cookie: session=${SECRETS.cookie}`,
  `x-api-key: ${SECRETS.header}`,
]

/** A request with everything that is secret, and what was answered to it. */
function ask(service: string, more: readonly string[] = []): Promise<string> {
  const path = `/default/${service}/?access_token=${SECRETS.query}`
  const head = [`POST ${path} HTTP/1.1`, 'host: h', 'connection: close', ...FIELDS, ...more]
  const text = `${head.join('\r\n')}\r\ncontent-length: ${SECRETS.body.length}\r\n\r\n${SECRETS.body}`
  return new Promise((resolve) => {
    const socket = connect({ port: gateway.port, host: '127.0.0.1', rejectUnauthorized: false })
    let answer = ''
    socket.on('data', (piece) => (answer += piece.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
    socket.write(text, 'latin1')
  })
}

function askHttp2(path: string): Promise<number> {
  return new Promise((resolve) => {
    const session = connectHttp2(`https://127.0.0.1:${gateway.port}`, { rejectUnauthorized: false })
    session.on('error', () => resolve(0))
    const stream = session.request({ ':path': path, authorization: SECRETS.authorization, cookie: SECRETS.cookie })
    stream.on('response', (headers) => resolve(Number(headers[':status'])))
    stream.on('error', () => resolve(0))
    stream.on('close', () => session.close())
    stream.resume()
  })
}

test('no credential of a caller, no token and no key is in a log, a file or a figure of the gateway', async () => {
  const answers = await Promise.all([
    ask('well'),
    ask('errs'),
    ask('breaks'),
    ask('garbles'),
    ask('nobody'),
    ask('well', ['content-length: 5']),
    ask('well', [`x-long: ${'a'.repeat(40_000)}`]),
    ask('well', ['broken field']),
  ])
  const statuses = answers.map((answer) => Number(answer.slice(9, 12)))
  expect(statuses).toEqual([200, 500, 502, 502, 404, 400, 431, 400])
  expect(await askHttp2(`/default/well/?access_token=${SECRETS.query}`)).toBe(200)
  expect(await askHttp2(`/default/nobody/?access_token=${SECRETS.query}`)).toBe(404)
  // Everything that makes it write lines: the control plane is away, and the certificate and its key cannot be used.
  const key = readFileSync(join(folder, 'key.pem'), 'utf8')
  await source.stop()
  writeFileSync(join(folder, 'key.pem'), makeCertificate().key, { mode: 0o600 })
  await until('it has said so', { withinMs: 20_000 }, async () => {
    const lines = log()
      .split('\n')
      .filter((line) => line.includes('"warn"') || line.includes('"error"'))
    return lines.length >= 2 ? { found: lines } : log()
  })
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(folder, file)).isFile() && !['key.pem', 'cert.pem', 'token'].includes(file))
    .map((file) => readFileSync(join(folder, file), 'latin1'))
  const all = [...written, ...answers, await gateway.metrics(), JSON.stringify(await gateway.status())].join('\n')
  const body = key.split('\n')[1] ?? ''
  expect(body.length).toBeGreaterThan(40)
  const found = Object.entries({ ...SECRETS, key: body }).filter(([, secret]) => all.includes(secret))
  expect(found).toEqual([])
})
