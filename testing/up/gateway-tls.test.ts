import { execFile } from 'node:child_process'
import { connect as connectHttp2 } from 'node:http2'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askGateway } from '../../src/gateway/control.ts'
import { gatewayFolder, gatewaysOf } from '../../src/gateway/main.ts'
import { freePort, RealPlane, until } from '../plane/plane.ts'
import { NODE, programOf } from '../plane/program.ts'
import { makeCertificate } from './tls.suite.ts'

let folder = ''
let port = 0
let metrics = 0
let plane: RealPlane

/** Replaces a file as a whole, as programs that renew certificates do. */
function put(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return file
}

function certificate(name: string): void {
  const { cert, key } = makeCertificate({ name })
  put('key.pem', key)
  put('cert.pem', cert)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'berth-gateway-tls-'))
  port = await freePort()
  metrics = await freePort()
  certificate('first')
  plane = planeWith([])
  expect(await plane.start()).toBe(true)
  await until('it serves TLS', { withinMs: 20_000 }, async () => {
    const met = await meet('http/1.1').catch(() => undefined)
    return met === undefined ? 'it does not answer' : { found: met }
  })
})
afterAll(async () => {
  await askGateway(gatewayFolder(join(folder, 'data'), `127.0.0.1:${port}`), { ask: 'stop' })
  await plane.kill()
  rmSync(folder, { recursive: true, force: true })
})

function planeWith(more: readonly string[]): RealPlane {
  const flags = ['--gateway-tls-cert', join(folder, 'cert.pem'), '--gateway-tls-key', join(folder, 'key.pem'), ...more]
  const config = put('config.yaml', 'berth: v1\nkind: config\nproviders:\n  here: { kind: local }\n')
  return new RealPlane({ folder: join(folder, 'data'), config, gateway: `127.0.0.1:${port}`, flags })
}

/** The name in the certificate and the protocol that is agreed on. */
function meet(...protocols: readonly string[]): Promise<readonly [unknown, unknown]> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', ALPNProtocols: [...protocols], rejectUnauthorized: false }
    const socket = connect(options, () => {
      resolve([socket.getPeerCertificate().subject.CN, socket.alpnProtocol])
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

/** The status of a request over HTTP/2. */
function status(): Promise<number> {
  return new Promise((resolve) => {
    const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
    session.on('error', () => resolve(0))
    const stream = session.request({ ':path': '/default/nobody/' })
    stream.on('error', () => resolve(0))
    stream.on('response', (headers) => {
      resolve(Number(headers[':status']))
      session.destroy()
    })
  })
}

test('a gateway of berth up speaks HTTP/2 and HTTP/1.1 over TLS, and takes a new certificate and its successor', async () => {
  expect(await meet('h2', 'http/1.1')).toEqual(['first', 'h2'])
  expect(await meet('http/1.1')).toEqual(['first', 'http/1.1'])
  expect(await status()).toBe(404)

  certificate('second')
  await until('it has the new certificate', { withinMs: 10_000 }, async () => {
    const [name] = await meet('h2')
    return name === 'second' ? { found: name } : `it has ${String(name)}`
  })

  // Other flags: a successor takes over the socket.
  await plane.kill()
  plane = planeWith(['--gateway-metrics', `127.0.0.1:${metrics}`])
  expect(await plane.start()).toBe(true)
  const text = await until('its successor tells figures', { withinMs: 20_000 }, async () => {
    const reply = await fetch(`http://127.0.0.1:${metrics}/metrics`).catch(() => undefined)
    return reply === undefined ? 'nobody answers there' : { found: await reply.text() }
  })
  expect(text).toContain('berth_gateway_connections')
  expect(await meet('h2')).toEqual(['second', 'h2'])
  expect((await gatewaysOf(join(folder, 'data'))).map(({ listen }) => listen)).toEqual([`127.0.0.1:${port}`])
})

test.each([
  ['half a pair', ['--gateway', '127.0.0.1:7', '--gateway-tls-cert', 'cert.pem'], '--gateway-tls-key'],
  ['no gateway', ['--gateway-metrics', '127.0.0.1:7'], '--gateway 127.0.0.1:7800'],
  ['no such file', ['--gateway-tls-cert', 'none.pem', '--gateway-tls-key', 'none.pem'], 'Check --gateway-tls-cert'],
])('%s is refused before anything is started', async (_, flags, said) => {
  const argv = [...programOf('up'), 'up', '--data', join(folder, 'other'), ...flags]
  const failed = await promisify(execFile)(NODE, argv).catch((error: unknown) => error)
  expect(failed).toMatchObject({ stderr: expect.stringContaining(said) })
})
