import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { percentile, round } from '../bench.ts'

// Sends GETs at a fixed rate, whether or not earlier ones were answered, from a process of its own, so that it does not slow
// down what it measures. Each is timed from when it should have been sent. Runs until it is told to stop by its parent, and
// then prints what it saw as JSON.

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    token: { type: 'string', default: '' },
    rate: { type: 'string', default: '2000' },
    workloads: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '64' },
  },
})

const rate = Number(values.rate)
const workloads = Number(values.workloads)
const agent = new Agent({ keepAlive: true, maxSockets: Number(values.connections), scheduling: 'fifo' })
const headers = { authorization: `Bearer ${values.token}`, host: 'localhost' }
const tookMs: number[] = []
let failed = 0
let sent = 0
const stop = new AbortController()

process.on('message', () => stop.abort())
const beganMs = performance.now()
while (!stop.signal.aborted) {
  const dueBy = ((performance.now() - beganMs) * rate) / 1000
  while (sent < dueBy) send(beganMs + (sent / rate) * 1000)
  await new Promise((resolve) => setTimeout(resolve, 1))
}
const seconds = (performance.now() - beganMs) / 1000
const unanswered = sent - tookMs.length - failed
agent.destroy()
const figures = {
  per_s: Math.round(tookMs.length / seconds),
  p50_ms: round(percentile(tookMs, 0.5)),
  p99_ms: round(percentile(tookMs, 0.99)),
  max_ms: round(percentile(tookMs, 1)),
  failed,
  unanswered,
}
process.send?.(figures, () => process.exit(0))

function send(dueMs: number): void {
  const path = `/v2/projects/default/workloads/w${sent++ % workloads}`
  const got = request(new URL(path, values.url), { agent, headers }, (reply) => {
    reply.resume().once('end', () => {
      if (reply.statusCode === 200) tookMs.push(performance.now() - dueMs)
      else failed++
    })
  })
  got.once('error', () => failed++).end()
}
