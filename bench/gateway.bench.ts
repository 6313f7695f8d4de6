import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { flag, percentile, round, type Bench } from './bench.ts'
import { started } from './gateway/child.ts'
import { OTHERS, startOther } from './gateway/others.ts'

const CLIENTS = 40
const HEAD = 'HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: bench\r\naccept: */*\r\n\r\n'

/** What the gateway costs per request, and what it adds to a stream. */
export const gateway: Bench = {
  name: 'gateway',
  about: 'processor time per request, requests per second on one core, delay of streams (--seconds N, --streams N)',
  async run(argv) {
    const ms = Number(flag(argv, 'seconds', '5')) * 1000
    const streams = Number(flag(argv, 'streams', '1000'))
    const backend = await started('backend')
    const proxy = await started('proxy', [String(backend.port)])
    const direct = await load(backend.port, ms, () => 0)
    const plainMs = percentile(await delays(backend.port, streams), 0.99)
    const measured = async (port: number, cpuUs: () => number | Promise<number>) => {
      const through = await load(port, ms, cpuUs)
      const addedMs = percentile(await delays(port, streams), 0.99) - plainMs
      return {
        cpu_us_per_request: round(through.cpuUs),
        // What the processor time of one request leaves room for, whatever else the machine does.
        rps_one_core: Math.round(1e6 / through.cpuUs),
        rps_measured: Math.round(through.rps),
        stream_delay_p99_ms: round(Math.max(0, addedMs)),
      }
    }
    const own = await measured(proxy.port, () => cpuOf(proxy.child))
    proxy.child.disconnect()
    const others: Record<string, Awaited<ReturnType<typeof measured>> | 'not installed'> = {}
    for (const other of OTHERS) {
      const running = await startOther(other, { own: await freePort(), backend: backend.port })
      others[other.name] = running === undefined ? 'not installed' : await measured(running.port, running.cpuUs)
      running?.stop()
    }
    backend.child.disconnect()
    return {
      ...own,
      rps_direct: Math.round(direct.rps),
      streams,
      other_proxies: others,
      floor: { cpu_us_per_request: 80, rps_one_core: 10_000, stream_delay_p99_ms: 10 },
    }
  },
}

async function load(port: number, ms: number, cpu: () => number | Promise<number>) {
  const count = { done: 0 }
  const clients = Array.from({ length: CLIENTS }, () => ask(port, count))
  await sleep(ms / 2)
  const [before, beganUs, beganMs] = [count.done, await cpu(), performance.now()]
  await sleep(ms)
  const requests = count.done - before
  const [cpuUs, took] = [(await cpu()) - beganUs, performance.now() - beganMs]
  for (const client of clients) client.destroy()
  return { rps: (requests / took) * 1000, cpuUs: cpuUs / requests }
}

/** One connection that sends the next request when it has a response. */
function ask(port: number, count: { done: number }): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const next = (): void => void socket.write(`GET /default/echo/x ${HEAD}`, 'latin1')
  socket.on('connect', next)
  socket.on('error', () => undefined)
  socket.on('data', (bytes) => {
    // The response ends with these.
    if (bytes.at(-1) !== 120) return
    count.done++
    next()
  })
  return socket
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [message] = await once(child, 'message')
  return Number(message.cpuUs)
}

/** How late the events of many streams are. */
async function delays(port: number, streams: number): Promise<readonly number[]> {
  const late: number[] = []
  const sockets = Array.from({ length: streams }, () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.on('connect', () => socket.write(`GET /default/echo/stream ${HEAD}`, 'latin1'))
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      const [, sent] = /data: (\d+)/.exec(bytes.toString('latin1')) ?? []
      if (sent !== undefined) late.push(Number(process.hrtime.bigint() - BigInt(sent)) / 1e6)
    })
    return socket
  })
  await sleep(3000)
  late.length = 0
  await sleep(5000)
  for (const socket of sockets) socket.destroy()
  return late
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  server.close()
  await once(server, 'close')
  return typeof at === 'object' && at !== null ? at.port : 0
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
