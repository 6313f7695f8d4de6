import { spawn } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connect } from 'node:tls'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { httpBerth } from '../../src/client/client.ts'
import { trustingFetch } from '../../src/client/trusting.ts'
import { must } from '../../src/core/base/assert.ts'
import { UserError, type SourcedProblem } from '../../src/core/base/problem.ts'
import { manifestNamed, world, type World } from '../../src/server/server.suite.ts'
import { buildServer } from '../../src/server/server.ts'
import type { Berth } from '../../src/ports/berth.ts'
import { Secret } from '../../src/ports/secret.ts'
import { ROOT } from '../house/files.ts'
import { NODE, programOf } from '../plane/program.ts'
import { makeCertificate, sealedKey, type Made } from './tls.suite.ts'
import { readTls, renewing, type TlsFiles } from '../../src/server/tls.ts'

const folder = mkdtempSync(join(tmpdir(), 'berth-tls-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const CLOCK = { nowMs: () => Date.now() }
const SELF = makeCertificate()
const DAY_MS = 86_400_000

interface PairFiles {
  readonly tlsCert: string
  readonly tlsKey: string
}

function save({ cert, key }: Made, at = mkdtempSync(join(folder, 'pair-'))): PairFiles {
  const files = { tlsCert: join(at, 'cert.pem'), tlsKey: join(at, 'key.pem') }
  writeFileSync(files.tlsCert, cert)
  writeFileSync(files.tlsKey, key, { mode: 0o600 })
  return files
}

interface Served {
  readonly at: World
  readonly url: string
  readonly token: string
  readonly tls: TlsFiles
  readonly files: PairFiles
}

async function serve(made: Made): Promise<Served> {
  const files = save(made)
  const tls = must(readTls(files, CLOCK), 'files were named')
  const at = world()
  const app = buildServer({ ...at.deps, tls })
  const token = await at.token('admin', ['*'])
  const listening = await app.listen({ host: '127.0.0.1', port: 0 })
  closing.push(() => app.close())
  return { at, url: listening.replace('http:', 'https:'), token, tls, files }
}

interface Reaching {
  readonly url: string
  readonly token: string
  readonly ca?: string
  readonly isOwn?: boolean
}

function clientOf({ url, token, ca, isOwn = false }: Reaching): Berth {
  const { timers, random } = world().deps.service
  const fetching = ca === undefined ? fetch : trustingFetch({ ca, isOwn })
  return httpBerth({ url, token: new Secret(token), fetch: fetching, timers, random, tries: 1 })
}

async function refusal(doing: Promise<unknown>): Promise<SourcedProblem | undefined> {
  const error = await doing.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof UserError ? error.problems[0] : undefined
}

function unfit(files: Partial<PairFiles>): SourcedProblem | undefined {
  try {
    readTls(files, CLOCK)
  } catch (error) {
    if (error instanceof UserError) return error.problems[0]
  }
  return undefined
}

describe('a pair that is not fit is refused at the start', () => {
  test('half a pair', () => {
    const { tlsCert, tlsKey } = save(SELF)
    expect(readTls({}, CLOCK)).toBeUndefined()
    expect(unfit({ tlsCert })).toMatchObject({
      code: 'TLS_UNFIT',
      message: '--tls-cert is given without --tls-key.',
    })
    expect(unfit({ tlsKey })).toMatchObject({ message: '--tls-key is given without --tls-cert.' })
  })

  test('a file that is not there, or holds something else', () => {
    const files = save(SELF)
    const none = join(folder, 'none.pem')
    expect(unfit({ ...files, tlsCert: none })?.message).toBe(`${none} cannot be read (ENOENT).`)
    expect(unfit({ ...files, tlsKey: none })).toMatchObject({ hint: expect.stringContaining('--tls-key') })
    expect(unfit({ ...files, tlsCert: files.tlsKey })?.message).toContain('holds no certificate')
    chmodSync(files.tlsCert, 0o600)
    expect(unfit({ ...files, tlsKey: files.tlsCert })?.message).toContain('holds no usable private key')
  })

  test('a key with a passphrase, and one of another certificate', () => {
    const sealed = save({ ...SELF, key: sealedKey(createPrivateKey(SELF.key)) })
    expect(unfit(sealed)).toMatchObject({ hint: expect.stringContaining('without a passphrase') })
    const other = save({ cert: SELF.cert, key: makeCertificate().key })
    expect(unfit(other)?.message).toContain('is not the key of the first certificate')
  })

  test('one that has expired, and one that is yet to begin', () => {
    const expired = save(makeCertificate({ toMs: Date.now() - 1000 }))
    expect(unfit(expired)?.message).toContain('has expired')
    const later = save(makeCertificate({ fromMs: Date.now() + DAY_MS }))
    expect(unfit(later)?.message).toContain('is not valid yet')
  })

  test('a key that others can read', () => {
    const files = save(SELF)
    chmodSync(files.tlsKey, 0o640)
    const message = `Other users have access to the key ${files.tlsKey} (mode 640).`
    expect(unfit(files)).toMatchObject({ message, hint: `Run: chmod 600 ${files.tlsKey}` })
  })
})

describe('a client', () => {
  test('that knows the certificate gets answers and streams; the names in it are answered for', async () => {
    const made = makeCertificate({ names: ['127.0.0.1', 'berth.test', '*.lab.test'] })
    const { url, token } = await serve(made)
    const berth = clientOf({ url, token, ca: made.cert })
    await berth.apply({ project: 'default', text: manifestNamed('a'), file: 'a.yaml', idempotencyKey: 'k' })
    expect((await berth.workloads({ limit: 1 })).items).toMatchObject([{ name: 'a' }])
    expect(await first(berth)).toMatchObject({ kind: 'accepted' })
    await berth.addProvider({ name: 'cloud', kind: 'sim', settings: {} })
    await berth.removeProvider({ name: 'cloud' })
    const asking = trustingFetch({ ca: made.cert, isOwn: true })
    const statusFor = async (host: string) => (await asking(`${url}/healthz`, { headers: { host } })).status
    const hosts = ['berth.test', 'one.lab.test:7700', 'evil.test', '10.0.0.1']
    expect(await Promise.all(hosts.map(statusFor))).toEqual([200, 200, 421, 421])
  })

  test('knows a server by the authority that signed for it', async () => {
    const authority = { ...makeCertificate({ name: 'authority', isAuthority: true }), name: 'authority' }
    const { url, token } = await serve(makeCertificate({ by: authority }))
    expect(await clientOf({ url, token, ca: authority.cert }).info()).toMatchObject({ store: 'memory' })
    const stranger = makeCertificate({ name: 'authority', isAuthority: true })
    expect(await refusal(clientOf({ url, token, ca: stranger.cert }).info())).toMatchObject({
      message: expect.stringContaining('not signed by a trusted authority'),
    })
  })

  test('is told what to do where the certificate is not known, has other names or has expired', async () => {
    const served = await serve(SELF)
    expect(await refusal(clientOf(served).info())).toMatchObject({
      code: 'CONTROL_PLANE_UNREACHABLE',
      message: expect.stringContaining('not signed by a trusted authority (DEPTH_ZERO_SELF_SIGNED_CERT)'),
      hint: expect.stringContaining('--ca FILE'),
    })
    const named = makeCertificate({ names: ['berth.test'] })
    const elsewhere = await serve(named)
    expect(await refusal(clientOf({ ...elsewhere, ca: named.cert }).info())).toMatchObject({
      message: `The certificate at ${elsewhere.url} is for other names: DNS:berth.test.`,
      hint: expect.stringContaining('Use one of these names'),
    })
    const [kept, replaced] = [makeCertificate(), makeCertificate({ toMs: Date.now() - 1000 })]
    const old = await serve(kept)
    const app = buildServer({ ...old.at.deps, tls: { ...certified(old.tls), pair: () => replaced } })
    const url = (await app.listen({ host: '127.0.0.1', port: 0 })).replace('http:', 'https:')
    closing.push(() => app.close())
    expect(await refusal(clientOf({ url, token: 'x', ca: replaced.cert }).info())).toMatchObject({
      message: expect.stringContaining('has expired'),
      hint: expect.stringContaining('without a restart'),
    })
  })

  test('of this machine accepts the very certificate whatever names it has, and no other', async () => {
    const made = makeCertificate({ names: ['berth.test'] })
    const { url, token } = await serve(made)
    expect(await clientOf({ url, token, ca: made.cert, isOwn: true }).info()).toMatchObject({ store: 'memory' })
    const two = `${SELF.cert}${made.cert}`
    expect(await refusal(clientOf({ url, token, ca: two, isOwn: true }).info())).toMatchObject({
      code: 'CONTROL_PLANE_UNREACHABLE',
    })
  })

  test('that speaks the wrong protocol is told which one is right', async () => {
    const { url, token } = await serve(SELF)
    const plain = clientOf({ url: url.replace('https:', 'http:'), token })
    expect(await refusal(plain.info())).toMatchObject({
      code: 'TLS_REQUIRED',
      hint: 'Write https:// instead of http:// in the address.',
    })
    const server = createServer((_, answer) => answer.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => server.close())
    const { port } = server.address() as AddressInfo
    expect(await refusal(clientOf({ url: `https://127.0.0.1:${port}`, token }).info())).toMatchObject({
      message: expect.stringContaining('does not speak TLS'),
      hint: expect.stringContaining('http://'),
    })
  })

  test('that speaks nothing newer than TLS 1.1 is turned away', async () => {
    const { url } = await serve(SELF)
    const old = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca: SELF.cert, ...old })
    const [error] = await once(socket, 'error')
    expect(String(error)).toMatch(/alert protocol version|unsupported protocol/)
  })
})

describe('files that change', () => {
  test('are used without ending a connection; what is not fit is told once, and the one from before stays', async () => {
    const { url, token, tls, files, at } = await serve(SELF)
    const { log } = at.deps.service
    const held = clientOf({ url, token, ca: SELF.cert })
    await held.info()
    const next = makeCertificate()
    writeFileSync(files.tlsCert, next.cert)
    tls.look(log)
    tls.look(log)
    const told = at.logged.filter((line) => line.includes('is not valid;'))
    expect(told).toEqual([expect.stringContaining('is not the key of the first certificate')])
    expect(await clientOf({ url, token, ca: SELF.cert }).info()).toMatchObject({ store: 'memory' })
    writeFileSync(files.tlsKey, next.key)
    tls.look(log)
    expect(at.logged.at(-1)).toContain('the certificate was reloaded')
    expect(await clientOf({ url, token, ca: next.cert }).info()).toMatchObject({ store: 'memory' })
    expect(await refusal(clientOf({ url, token, ca: SELF.cert }).info())).toMatchObject({
      code: 'CONTROL_PLANE_UNREACHABLE',
    })
    // Over the connection from before.
    expect(await held.info()).toMatchObject({ store: 'memory' })
    rmSync(files.tlsKey)
    tls.look(log)
    expect(at.logged.at(-1)).toContain('cannot be read (ENOENT)')
    expect(await clientOf({ url, token, ca: next.cert }).info()).toMatchObject({ store: 'memory' })
  })

  test('are looked at until the end, and the end of a certificate is told before it comes', async () => {
    const before = process.listenerCount('SIGHUP')
    const ending = await serve(makeCertificate({ toMs: Date.now() + 3 * DAY_MS }))
    const stop = new AbortController()
    const { log } = ending.at.deps.service
    const looks = { sleep: async () => stop.abort() }
    await renewing(ending.tls, { timers: looks, stop: stop.signal, log })
    expect(ending.at.logged).toEqual([expect.stringContaining('the certificate expires soon and must be replaced')])
    expect(process.listenerCount('SIGHUP')).toBe(before)
  })
})

// Slow because it is the real thing: five processes, each with its own start.
test('berth up over TLS: commands of this machine, login, and a new certificate at SIGHUP', async () => {
  const home = mkdtempSync(join(folder, 'home-'))
  const made = makeCertificate({ names: ['localhost'] })
  const files = save(made)
  const plane = await up(home, files)
  expect(plane.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  const connection = JSON.parse(readFileSync(join(home, 'berth/connection.json'), 'utf8'))
  expect(connection).toEqual({ url: plane.url, token: expect.any(String), certificate: files.tlsCert })

  const named = plane.url.replace('127.0.0.1', 'localhost')
  const env = { BERTH_URL: named, BERTH_TOKEN: connection.token }
  const tokenFile = join(home, 'token')
  writeFileSync(tokenFile, connection.token)
  const other = mkdtempSync(join(folder, 'other-'))
  const [here, unknown, logged] = await Promise.all([
    cli(home, ['provider', 'ls', '-o', 'json']),
    cli(mkdtempSync(join(folder, 'stranger-')), ['ps'], env),
    cli(other, ['login', named, '--token-file', tokenFile, '--ca', files.tlsCert, '--name', 'lab']),
  ])
  expect(JSON.parse(here.out)).toMatchObject([{ name: 'tlssim' }])
  expect(unknown).toMatchObject({ code: 69, err: expect.stringContaining('--ca FILE') })
  expect(logged).toMatchObject({ code: 0, out: expect.stringContaining('context lab') })

  save(makeCertificate({ names: ['localhost'] }), join(files.tlsCert, '..'))
  plane.process.kill('SIGHUP')
  await plane.says('the certificate was reloaded')
  expect(await cli(home, ['events', '-o', 'json'])).toMatchObject({ code: 0, err: '' })
}, 60_000)

async function first(berth: Berth): Promise<unknown> {
  const stop = new AbortController()
  const query = { project: undefined, workload: undefined, after: 0, follow: true }
  for await (const entry of berth.events(query, stop.signal)) {
    stop.abort()
    return entry
  }
  return undefined
}

function certified(tls: TlsFiles) {
  return { isNamed: (host: string) => tls.isNamed(host), attach: () => {} }
}

function envOf(home: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { BERTH_URL: _url, BERTH_TOKEN: _token, BERTH_CA: _ca, ...env } = process.env
  return { ...env, XDG_CONFIG_HOME: home, ...more }
}

async function up(home: string, { tlsCert, tlsKey }: PairFiles) {
  const data = mkdtempSync(join(folder, 'data-'))
  const config = join(data, 'berth.config.yaml')
  writeFileSync(config, 'berth: v1\nkind: config\nproviders:\n  tlssim: { kind: sim, trust: community }\n')
  const flags = [
    '--data',
    data,
    '--config',
    config,
    '--listen',
    '0.0.0.0:0',
    '--tls-cert',
    tlsCert,
    '--tls-key',
    tlsKey,
  ]
  const argv = [...programOf('up'), 'up', ...flags]
  const child = spawn(NODE, argv, { cwd: ROOT, env: envOf(home), stdio: ['ignore', 'pipe', 'pipe'] })
  closing.push(async () => {
    const exit = once(child, 'exit')
    if (child.kill('SIGKILL')) await exit
  })
  const lines = createInterface({ input: child.stderr })
  let url = ''
  for await (const line of createInterface({ input: child.stdout })) {
    url ||= /^berth is up at (\S+)/.exec(line)?.[1] ?? ''
    if (line.startsWith('Next:')) break
  }
  const says = (text: string) =>
    new Promise<void>((resolve) => void lines.on('line', (line) => line.includes(text) && resolve()))
  return { process: child, url, says }
}

async function cli(home: string, words: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const argv = [...programOf('berth'), ...words]
  const child = spawn(NODE, argv, { cwd: ROOT, env: envOf(home, more), stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  const [code] = await once(child, 'close')
  return { code, out, err }
}
