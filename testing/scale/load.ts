import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { manifestOf } from '../kills/load.ts'

// Applies many workloads over connections that stay open, in its own process so that it does not slow down what it
// measures: `node testing/scale/load.ts --url URL --count 10000 [--prefix many] [--connections 64]`, the token in
// BERTH_TOKEN. Prints what it saw as JSON.

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:7700' },
    count: { type: 'string', default: '1000' },
    prefix: { type: 'string', default: 'many' },
    connections: { type: 'string', default: '64' },
  },
})

const token = process.env['BERTH_TOKEN'] ?? ''
const connections = Number(values.connections)
const count = Number(values.count)
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const address = new URL('/v2/projects/default/workloads', values.url)
const tookMs: number[] = []
const failures: Record<string, number> = {}
let next = 0

const beganMs = performance.now()
const beganCpu = process.cpuUsage()
await Promise.all(Array.from({ length: connections }, work))
const seconds = (performance.now() - beganMs) / 1000
const { user, system } = process.cpuUsage(beganCpu)
agent.destroy()
tookMs.sort((one, two) => one - two)
console.log(
  JSON.stringify({
    applied: tookMs.length,
    failures,
    seconds,
    perSecond: Math.round(tookMs.length / seconds),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    ownCpuShare: (user + system) / 1e6 / seconds,
  }),
)

async function work(): Promise<void> {
  while (next < count) {
    const number = next++
    const sentMs = performance.now()
    const status = await apply(`${values.prefix}-${number}`, number)
    if (status === 200 || status === 201) tookMs.push(performance.now() - sentMs)
    else failures[status] = (failures[status] ?? 0) + 1
  }
}

function apply(name: string, number: number): Promise<number> {
  const body = JSON.stringify({ text: manifestOf(name, number), file: `${name}.yaml` })
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'idempotency-key': `${name}-${process.pid}`,
  }
  return new Promise((resolve) => {
    const sent = request(address, { method: 'POST', agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', () => resolve(0))
    sent.end(body)
  })
}

function at(share: number): number {
  return Math.round((tookMs[Math.floor(share * (tookMs.length - 1))] ?? 0) * 10) / 10
}
