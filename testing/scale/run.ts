import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { manifestOf } from '../kills/load.ts'
import { RealPlane, sleep, until } from '../plane/plane.ts'
import { readTruth } from '../plane/truth.ts'

export interface Accepted {
  readonly applied: number
  readonly failures: Readonly<Record<string, number>>
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly ownCpuShare: number
  /** For each second of processor time that the control plane got: what does not depend on who else uses the machine. */
  readonly perCpuSecond: number
}

export interface Steady {
  readonly seconds: number
  /** Of one core. */
  readonly cpuShare: number
  readonly rssMb: number
}

export interface Restarted {
  /** From the start of the process. */
  readonly listeningMs: number
  readonly firstDecisionMs: number
  /** Processor time that it had taken by then. */
  readonly cpuMs: number
  /** Instances that were started or ended beside the one that was asked for. */
  readonly touched: number
}

const HERTZ = 100

/** A cloud that is quick and never runs out. */
const CONFIG = `berth: v1
kind: config
default_policy: pretend
providers:
  large:
    kind: sim
    trust: community
    settings:
      calls_per_second: 1000000
      start_seconds: 0.1
      stop_seconds: 0.1
      settle_seconds: 1
      offers: [{ instance: plain, cpu: 8, memory: 32Gi, usd_per_hour: 0.2, stock: 1000000 }]
policies:
  pretend:
    objective: cheapest
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota, topology, interconnect] }
`

/** A control plane with that cloud. */
export function scalePlane(folder: string, more: { readonly database?: string; readonly node?: readonly string[] }) {
  const config = join(folder, 'berth.config.yaml')
  writeFileSync(config, CONFIG)
  return new RealPlane({ folder: join(folder, 'data'), config, ...more })
}

/** Applies workloads from another process, as fast as they are accepted. */
export async function applyMany(plane: RealPlane, count: number, prefix = 'many'): Promise<Accepted> {
  const argv = [join(import.meta.dirname, 'load.ts'), '--url', plane.url, '--count', String(count)]
  const env = { ...process.env, BERTH_TOKEN: plane.token }
  const before = cpuSeconds(plane.pid)
  const { stdout } = await promisify(execFile)(process.execPath, [...argv, '--prefix', prefix], { env })
  const accepted = JSON.parse(stdout)
  return { ...accepted, perCpuSecond: Math.round(accepted.applied / (cpuSeconds(plane.pid) - before)) }
}

/** Resolves when this many serve; returns how long that took. */
export async function serving(plane: RealPlane, count: number, withinMs: number): Promise<number> {
  const beganMs = Date.now()
  return until(`${count} workloads serve`, { withinMs, everyMs: 1000 }, async () => {
    const { serving: now = 0, ...others } = await states(plane)
    return now >= count ? { found: Date.now() - beganMs } : `${now} serve, ${JSON.stringify(others)}`
  })
}

/** kill -9, start again, apply one more, and wait until it has a place. */
export async function restart(plane: RealPlane, folder: string): Promise<Restarted> {
  await plane.kill()
  const before = readTruth(join(folder, 'data'))
  const known = new Set(
    before.filter(({ endsMs }) => endsMs === Number.POSITIVE_INFINITY).map(({ attempt }) => attempt),
  )
  const beganMs = Date.now()
  await plane.start()
  const listeningMs = Date.now() - beganMs
  const berth = plane.client({ tries: 'several', timeoutMs: 30_000 })
  const name = `newcomer-${beganMs}`
  const at = { project: 'default', name }
  await berth.apply({ project: 'default', text: manifestOf(name, 0), file: name, idempotencyKey: name })
  const firstDecisionMs = await until('it has a place', { withinMs: 60_000, everyMs: 20 }, async () => {
    const { slots, state } = await berth.workload(at)
    return slots.length > 0 ? { found: Date.now() - beganMs } : state
  })
  const cpuMs = Math.round(cpuSeconds(plane.pid) * 1000)
  // The first lists are read and compared within this time.
  await sleep(15_000)
  const live = readTruth(join(folder, 'data')).filter(({ endsMs }) => endsMs === Number.POSITIVE_INFINITY)
  const added = live.filter(({ attempt, slot }) => !known.has(attempt) && !slot.startsWith(`${name}/`))
  const kept = live.filter(({ attempt }) => known.has(attempt))
  return { listeningMs, firstDecisionMs, cpuMs, touched: added.length + known.size - kept.length }
}

/** What it costs to do nothing. */
export async function steady(plane: RealPlane, seconds: number): Promise<Steady> {
  const before = cpuSeconds(plane.pid)
  const beganMs = performance.now()
  let rssMb = 0
  for (let second = 0; second < seconds; second++) {
    await sleep(1000)
    rssMb = Math.max(rssMb, residentMb(plane.pid))
  }
  const took = (performance.now() - beganMs) / 1000
  return { seconds: took, cpuShare: (cpuSeconds(plane.pid) - before) / took, rssMb }
}

async function states(plane: RealPlane): Promise<Readonly<Record<string, number>>> {
  const answer = await fetch(`${plane.url}/metrics`, { headers: { authorization: `Bearer ${plane.token}` } })
  const lines = (await answer.text()).split('\n')
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, state, count] = /^berth_workloads\{.*state="([a-z-]+)".*\} (\d+)$/.exec(line) ?? []
      return state === undefined ? [] : [[state, Number(count)]]
    }),
  )
}

/** Of all its threads, since it was started. */
function cpuSeconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / HERTZ
}

function residentMb(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kb) / 1024)
}
