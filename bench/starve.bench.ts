import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { flag, PLANE_FLAGS, type Bench, type Figures } from './bench.ts'

const CONFIG = `berth: v1
kind: config
providers:
  cloud:
    kind: sim
    settings:
      calls_per_second: 100000
      start_seconds: 0
      settle_seconds: 1
      offers: [{ instance: one, gpu: { model: h100-sxm, count: 1 }, usd_per_hour: 2 }]
policies:
  default: { objective: cheapest }
`

/** So many workloads exist before anything is measured. */
const AT_FIRST = 500
/** While requests are sent, so many workloads are changed a second: a controller without work cannot be late. */
const CHANGES_PER_S = 20
/** So many requests a second are sent during a burst, as by people who look. */
const LOOKS_PER_S = 100
const CALLERS = 64
const GIVE_UP_MS = 300_000

/** Neither may HTTP starve the controller nor the controller HTTP: the real control plane on SQLite, load from other processes. */
export const starve: Bench = {
  name: 'starve',
  about: 'how late the controller is under many requests, and requests in a burst (--rate N, --seconds N, --burst N)',
  async run(argv) {
    const rate = Number(flag(argv, 'rate', '2000'))
    const seconds = Number(flag(argv, 'seconds', '20'))
    const burst = Number(flag(argv, 'burst', '10000'))
    const plane = await start()
    try {
      await apply(plane, 0, AT_FIRST)
      await placed(plane, AT_FIRST)
      await figuresOf(plane)
      const requests = await underRequests(plane, rate, seconds)
      const inBurst = await underBurst(plane, burst)
      return { requests: { asked_per_s: rate, ...requests }, burst: { workloads: burst, ...inBurst } }
    } finally {
      plane.child.kill()
    }
  },
}

interface Plane {
  readonly child: ChildProcess
  readonly url: string
  readonly token: string
}

async function start(): Promise<Plane> {
  const child = childOf('plane.ts', ['--config', CONFIG])
  const [address] = await once(child, 'message')
  return { child, ...address }
}

/** Many reads, while the controller has some work. */
async function underRequests(plane: Plane, rate: number, seconds: number): Promise<Figures> {
  const load = loadOn(plane, rate)
  const endMs = performance.now() + seconds * 1000
  let next = AT_FIRST
  while (performance.now() < endMs) {
    await Promise.all([apply(plane, next, 1), sleep(1000 / CHANGES_PER_S)])
    next++
  }
  return { get: await ended(load), controller: await figuresOf(plane) }
}

/** Many workloads at once, while some callers read. */
async function underBurst(plane: Plane, count: number): Promise<Figures> {
  const { placed: before = 0 } = await figuresOf(plane)
  const load = loadOn(plane, LOOKS_PER_S)
  const beganMs = performance.now()
  await apply(plane, 1_000_000, count)
  const acceptedMs = performance.now()
  const late = await placed(plane, Number(before) + count)
  const placedMs = performance.now()
  return {
    accepted_per_s: Math.round((count * 1000) / (acceptedMs - beganMs)),
    placed_per_s: Math.round((count * 1000) / (placedMs - beganMs)),
    get: await ended(load),
    controller: late,
  }
}

/** Waits until so many placements exist. Answers how late the controller was meanwhile, at its latest. */
async function placed(plane: Plane, count: number): Promise<Figures> {
  let worst: Figures = {}
  for (const endMs = performance.now() + GIVE_UP_MS; performance.now() < endMs;) {
    const figures = await figuresOf(plane)
    if (Number(figures['late_max_ms']) > Number(worst['late_max_ms'] ?? -1)) worst = figures
    if (Number(figures['placed']) >= count) return { ...worst, placed: figures['placed'] }
    await sleep(500)
  }
  throw new Error(`the controller placed fewer than ${count} within ${GIVE_UP_MS / 1000} s`)
}

async function figuresOf({ child }: Plane): Promise<Figures> {
  const answer = once(child, 'message')
  child.send('figures')
  return (await answer)[0]
}

function loadOn({ url, token }: Plane, rate: number): ChildProcess {
  return childOf('load.ts', ['--url', url, '--token', token, '--rate', String(rate), '--workloads', String(AT_FIRST)])
}

async function ended(load: ChildProcess): Promise<Figures> {
  const answer = once(load, 'message')
  load.send('stop')
  return (await answer)[0]
}

function childOf(program: string, argv: readonly string[]): ChildProcess {
  return fork(join(import.meta.dirname, 'starve', program), [...argv], { execArgv: [...PLANE_FLAGS] })
}

/** Each workload by a request of its own, so many at a time. */
async function apply({ url, token }: Plane, from: number, count: number): Promise<void> {
  let next = from
  const caller = async (): Promise<void> => {
    while (next < from + count) {
      const name = `w${next++}`
      const text = `berth: v1\nkind: service\nname: ${name}\nimage: registry.example/serve:1\nresources: { gpu: { count: 1 } }\n`
      const reply = await fetch(new URL('/v2/projects/default/workloads', url), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': name },
        body: JSON.stringify({ text, file: `${name}.yaml` }),
      })
      if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
      await reply.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: Math.min(CALLERS, count) }, caller))
}
