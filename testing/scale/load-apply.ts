import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Store } from '../../src/ports/store.ts'
import { world } from '../../src/server/server.suite.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts'

// How many `apply` a second the real server takes over HTTP on loopback, each of a new workload and durable when it is
// answered: node testing/scale/load-apply.ts [--store memory|sqlite|postgres] [--url URL] [--seconds 5] [--connections 64]
// The load comes from a second process, over connections that stay open.

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'memory' },
    url: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64' },
    manifest: { type: 'string', default: 'examples/embeddings.yaml' },
    /** Set for the second process: port and token. */
    load: { type: 'string' },
  },
})
const seconds = Number(values.seconds)

if (values.load === undefined) await serve()
else await load(values.load)

async function serve(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-load-'))
  const store = await openStore(folder)
  const { app, token } = world({ store, log: { info: () => {}, warn: console.error, error: console.error } })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const child = fork(import.meta.filename, [...process.argv.slice(2), '--load', `${new URL(address).port} ${await token('admin', ['*'])}`]) // prettier-ignore
  const beganCpu = process.cpuUsage()
  const code = await new Promise((done) => child.once('exit', done))
  const { user, system } = process.cpuUsage(beganCpu)
  let stored = 0
  for (let after = ''; ;) {
    const rows = await store.list('workload', {
      prefix: 'default/load-',
      limit: 10_000,
      ...(after !== '' && { after }),
    })
    stored += rows.length
    after = rows.at(-1)?.key ?? ''
    if (rows.length < 10_000) break
  }
  console.log(JSON.stringify({ store: values.store, stored, server_cpu_seconds: (user + system) / 1e6 }))
  await app.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = Number(code)
}

async function openStore(folder: string): Promise<Store> {
  if (values.store === 'sqlite') return openSqliteStore(join(folder, 'berth.db'), { nowMs: Date.now })
  if (values.store === 'postgres') return openPostgresStore(values.url ?? 'postgres://localhost/berth')
  return memoryStore({ nowMs: Date.now })
}

/** Raw sockets: whatever the load costs is taken from the server on a machine with few cores. */
async function load(where: string): Promise<void> {
  const [port = '', token = ''] = where.split(' ')
  const text = readFileSync(values.manifest, 'utf8')
  const run = Date.now().toString(36)
  const statuses: Record<string, number> = {}
  const tookMs: number[] = []
  let sent = 0
  const warmMs = 1500
  const beganMs = performance.now()
  const endMs = beganMs + warmMs + seconds * 1000
  const worker = async (): Promise<void> => {
    const socket = connect(Number(port), '127.0.0.1').setNoDelay(true)
    while (performance.now() < endMs) {
      const at = performance.now()
      const status = await exchange(socket, requestOf(`load-${run}-${sent++}`, { text, token }))
      if (at < beganMs + warmMs) continue
      statuses[status] = (statuses[status] ?? 0) + 1
      tookMs.push(performance.now() - at)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: Number(values.connections) }, worker))
  tookMs.sort((one, two) => one - two)
  const share = (part: number) => Math.round((tookMs[Math.floor(tookMs.length * part)] ?? 0) * 10) / 10
  console.log(
    JSON.stringify({
      apply_per_second: Math.round(tookMs.length / seconds),
      statuses,
      sent,
      p50_ms: share(0.5),
      p99_ms: share(0.99),
    }),
  )
  process.exitCode = Object.keys(statuses).every((status) => status === '200') ? 0 : 1
}

function requestOf(name: string, { text, token }: { readonly text: string; readonly token: string }): string {
  const body = JSON.stringify({ text: text.replace(/^name: .*$/m, `name: ${name}`), file: 'load.yaml' })
  return [
    'POST /v2/projects/default/workloads HTTP/1.1',
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `idempotency-key: ${name}`,
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

/** One request, one answer: resolves with the status once all of the body is there. */
function exchange(socket: ReturnType<typeof connect>, request: string): Promise<string> {
  return new Promise((done, fail) => {
    let got = ''
    const onData = (chunk: Buffer): void => {
      got += chunk.toString('latin1')
      const head = got.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/content-length: (\d+)/i.exec(got)?.[1] ?? 0)
      if (got.length < head + 4 + length) return
      socket.off('data', onData).off('error', fail)
      done(got.slice(9, 12))
    }
    socket.on('data', onData).once('error', fail)
    socket.write(request)
  })
}
