import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, get, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ReplicaRoute } from '../../src/core/route/route.ts'
import { Haproxy } from '../../src/gateway/haproxy/haproxy.ts'
import { freePort, until } from '../plane/plane.ts'

const IS_THERE = spawnSync('haproxy', ['-v']).status === 0

let folder = ''
let listen = ''
let kept: Haproxy
let running: ChildProcess | undefined
const replicas: Server[] = []

describe.skipIf(!IS_THERE)('a real HAProxy', () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'berth-haproxy-'))
    listen = `127.0.0.1:${await freePort()}`
    kept = open()
  })
  afterEach(async () => {
    await stop()
    for (const server of replicas.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
    rmSync(folder, { recursive: true, force: true })
  })

  test('serves by path and by host, without what was taken off the path', async () => {
    route('web', [await replica('one')])
    await start()
    expect(await ask('/default/web/a/b?c=d')).toBe('one /a/b?c=d prefix=/default/web')
    expect(await ask('/default/web')).toBe('one / prefix=/default/web')
    expect(await ask('/a?c=d', 'web.default.example.com:80')).toBe('one /a?c=d prefix=undefined')
    expect(await ask('/default/other/')).toBe('404')
  })

  test('learns new services and other replicas without a reload, and no request fails or meets another service', async () => {
    route('web', [await replica('one')])
    await start()
    const { pid } = running ?? {}
    const seen: string[] = []
    const over = new AbortController()
    const clients = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) seen.push((await ask('/default/web/')).split(' ')[0] ?? '')
    })
    const two = await replica('two')
    for (const name of ['two', 'three', 'four']) {
      const next = name === 'two' ? two : await replica(name)
      route('web', [next])
      route(`other-${name}`, [await replica('other')])
      await kept.look()
      await until(`${name} answers`, { withinMs: 10_000, everyMs: 20 }, async () =>
        seen.at(-1) === name ? { found: true } : String(seen.at(-1)),
      )
      expect((await ask(`/default/other-${name}/`)).split(' ')[0]).toBe('other')
    }
    over.abort()
    await Promise.all(clients)
    expect([...new Set(seen)].toSorted()).toEqual(['four', 'one', 'three', 'two'])
    expect(running?.pid).toBe(pid)
    expect(await kept.look()).toBe(0)
  })

  test('that was killed begins with the last routes, and one that knows better is put right', async () => {
    route('web', [await replica('one')])
    await start()
    await stop()
    route('web', [await replica('two')])
    expect(await kept.look()).toBe(undefined)
    await start()
    expect((await ask('/default/web/')).split(' ')[0]).toBe('two')
    // One that takes over has the seats of the one before it.
    const web = { project: 'default', name: 'web', replicas: [] }
    kept = open()
    kept.take(web)
    expect(await kept.look()).toBe(1)
    expect(await ask('/default/web/')).toBe('503')
  })

  test('is told of a service that is gone', async () => {
    route('web', [await replica('one')])
    await start()
    kept.drop('default/web')
    await kept.look()
    expect(await ask('/default/web/')).toBe('404')
    expect(readFileSync(join(folder, 'berth.map'), 'utf8')).toBe('')
  })
})

function open(): Haproxy {
  const said = (): void => undefined
  const log = { info: said, warn: said, error: said }
  return new Haproxy({ folder, listen, services: 8, replicas: 4, log, nowMs: () => performance.now() })
}

function route(name: string, ports: readonly number[]): void {
  const of = (port: number): ReplicaRoute => {
    return { id: `0.${port}`, address: `127.0.0.1:${port}`, state: 'ready', provider: 'here', region: 'r' }
  }
  kept.take({ project: 'default', name, replicas: ports.map(of) })
}

/** A replica that says who it is and what it was asked. */
async function replica(name: string): Promise<number> {
  const server = createServer(({ url, headers }, reply) => {
    reply.end(`${name} ${url} prefix=${headers['x-forwarded-prefix']}`)
  })
  replicas.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  return typeof at === 'object' && at !== null ? at.port : 0
}

async function start(): Promise<void> {
  await kept.look()
  const child = spawn('haproxy', ['-db', '-f', kept.config], { stdio: ['ignore', 'ignore', 'pipe'] })
  running = child
  let said = ''
  child.stderr?.on('data', (bytes) => (said += String(bytes)))
  await until('HAProxy answers', { withinMs: 10_000, everyMs: 20 }, async () =>
    child.exitCode === null && (await kept.look()) !== undefined ? { found: true } : said,
  )
}

async function stop(): Promise<void> {
  if (running === undefined || running.exitCode !== null) return
  const ended = once(running, 'exit')
  running.kill('SIGKILL')
  await ended
  running = undefined
}

/** The body, or the status if it is not 200. */
function ask(path: string, host = listen): Promise<string> {
  const [address = '', port] = listen.split(':')
  return new Promise((resolve) => {
    get({ host: address, port, path, headers: { host }, agent: false }, (reply) => {
      let text = ''
      reply.on('data', (bytes) => (text += String(bytes)))
      reply.on('end', () => resolve(reply.statusCode === 200 ? text : String(reply.statusCode)))
    }).on('error', (error) => resolve(error.message))
  })
}
