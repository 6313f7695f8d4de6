import { readFileSync, writeFileSync } from 'node:fs'
import { orderOn, NODES, settingsOf } from '../../src/providers/kubernetes/objects/orders.suite.ts'
import { groundOf } from '../../src/providers/kubernetes/objects/ground.ts'
import { podFor } from '../../src/providers/kubernetes/objects/pod.ts'
import { wholeCardNodes } from '../engines/fakes/nodes.ts'
import { addNodes } from '../engines/fakes/pods.ts'
import { RigApi, type RigObject } from '../engines/rig/api.ts'
import { authority } from '../engines/rig/certificates.ts'
import { namespaceOf } from '../engines/rig/host.ts'
import { ADMIN_TOKEN } from '../engines/rig/kube.ts'
import { portOf } from '../engines/rig/place.ts'
import { readRecord, startRig } from '../engines/rig/rig.ts'
import { sleep, until } from '../plane/plane.ts'
import { PlaneOnClusters } from './clusters.suite.ts'

// What a large cluster costs, and how fast work gets there, with Berth and without: run by `npm run bench -- kubernetes` in a network of
// its own as `node scale-run.ts '{"nodes": 1000, "pods": 5000, "changes": 50, "into": FILE}'`.

interface ScaleOptions {
  readonly nodes: number
  readonly pods: number
  readonly changes: number
  /** The figures, as JSON. */
  readonly into: string
}

const CARDS = 8
const CALLERS = 32
const LONG_MS = 900_000
const QUIET_MS = 3000
const QUIET_SHARE = 0.4

const options: ScaleOptions = JSON.parse(process.argv[2] ?? '{}')
const rig = await startRig({ name: 'scale', flags: { 'kube-apiserver': ['--delete-collection-workers=16'] } })
const scheduler = new RigApi({
  port: portOf(rig.place, 'scheduler'),
  authority: authority(rig.place.folder).certificate,
  token: ADMIN_TOKEN,
})
const plane = new PlaneOnClusters()
try {
  const beganMs = performance.now()
  await addNodes(rig.api, wholeCardNodes(options.nodes, { cards: CARDS }))
  say(`${options.nodes} nodes are ready after ${since(beganMs)} s`)
  const alone = await kubeAlone()
  const ours = await withBerth()
  writeFileSync(options.into, JSON.stringify({ nodes: options.nodes, gpus: options.nodes * CARDS, ...ours, ...alone }))
} finally {
  scheduler.close()
  await plane.end()
  await rig.stop()
}

/** The same pods, without a node that anybody chose for them. */
async function kubeAlone(): Promise<object> {
  await rig.api.apply(namespaceOf('alone'))
  await quiet()
  const before = await scheduled()
  const cpu = clusterCpu()
  const clientS = ownCpuSeconds()
  const beganMs = performance.now()
  await byMany(options.pods, (index) =>
    rig.api.ask({ method: 'POST', path: '/api/v1/namespaces/alone/pods', body: plainPod(index) }),
  )
  say(`${options.pods} pods are created after ${since(beganMs)} s`)
  await bound(before.count + options.pods)
  const seconds = since(beganMs)
  const after = await scheduled()
  const used = usedSince(cpu)
  say(
    `the cluster's scheduler alone: all bound after ${seconds} s; processor time ${partsOf(used, ownCpuSeconds() - clientS)}`,
  )
  await until('its pods are gone', { withinMs: LONG_MS, everyMs: 50 }, async () => {
    // All at once may take longer than a call: the next one goes on where it was given up.
    await rig.api.delete('/api/v1/namespaces/alone/pods?gracePeriodSeconds=0').catch(() => undefined)
    const left = await rig.api.list('/api/v1/namespaces/alone/pods?limit=1')
    return left.length === 0 ? { found: true } : 'some are left'
  })
  return {
    alone_cpu_ms_per_pod: perPod(sum(used)),
    kube_scheduler_pods_per_s: Math.round(options.pods / seconds),
    kube_scheduler_decisions_per_s: Math.round(options.pods / (after.seconds - before.seconds)),
  }
}

async function withBerth(): Promise<object> {
  await plane.plane.start()
  const addedMs = performance.now()
  await plane.add('lab', rig, { usdPerCardHour: 1 })
  await offersAre(options.nodes)
  const inventory_s = since(addedMs)
  say(`the inventory is read after ${inventory_s} s`)
  const seenMs = await changesSeen()
  say(`changes are seen after ${Math.round(seenMs.at(-1) ?? 0)} ms at most`)
  await quiet()
  const before = await scheduled()
  const idle = await figures()
  const clientS = ownCpuSeconds()
  const [berthS, cluster] = [cpuSeconds(plane.plane.pid), clusterCpu()]
  const beganMs = performance.now()
  await byMany(options.pods, (index) => plane.apply([`w-${index}`]))
  const accepted_s = since(beganMs)
  say(`${options.pods} workloads are accepted after ${accepted_s} s`)
  await bound(before.count + options.pods)
  const seconds = since(beganMs)
  const used = usedSince(cluster)
  say(`with Berth: all bound after ${seconds} s; processor time ${partsOf(used, ownCpuSeconds() - clientS)}`)
  const now = await figures()
  const pods = await rig.api.list('/api/v1/namespaces/default/pods')
  const decided = now.decisions - idle.decisions
  return {
    inventory_s,
    change_seen_ms_p99: Math.round(seenMs[Math.ceil(seenMs.length * 0.99) - 1] ?? 0),
    rss_mb: peakMb(plane.plane.pid),
    pods: pods.length,
    // Each is launched once, and no launch fails.
    retries: pods.length - options.pods + now.launchFaults - idle.launchFaults,
    accepted_s,
    // On a machine that is shared, these say more than times.
    berth_cpu_ms_per_pod: perPod(cpuSeconds(plane.plane.pid) - berthS),
    cluster_cpu_ms_per_pod: perPod(sum(used)),
    berth_pods_per_s: Math.round(options.pods / seconds),
    berth_decisions_per_s: Math.round(decided / (now.deciding - idle.deciding)),
  }
}

/** How long it takes until the control plane knows of each of several changes, in order. Changes come at any time after each other. */
async function changesSeen(): Promise<readonly number[]> {
  const took: number[] = []
  for (let index = 0; index < options.changes; index++) {
    const node = `gpu-${String((index * 7919) % options.nodes).padStart(3, '0')}`
    const isClosed = index % 2 === 0
    const which = isClosed ? node : `gpu-${String(((index - 1) * 7919) % options.nodes).padStart(3, '0')}`
    await sleep(Math.random() * 2500)
    const beganMs = performance.now()
    await rig.api.patch(`/api/v1/nodes/${which}`, { spec: { unschedulable: isClosed ? true : null } })
    await offersAre(options.nodes - (isClosed ? 1 : 0))
    took.push(performance.now() - beganMs)
  }
  return took.toSorted((one, two) => one - two)
}

function offersAre(count: number): Promise<boolean> {
  return until(`${count} nodes are offered`, { withinMs: LONG_MS, everyMs: 20 }, async () => {
    const lab = (await plane.client.providers()).find(({ name }) => name === 'lab')
    return lab?.offers === count ? { found: true } : `${lab?.offers} are`
  })
}

/** What came before is over, however far the cluster had fallen behind: only nodes that report themselves go on. */
async function quiet(): Promise<void> {
  let before = clusterCpu()
  await until('the cluster is quiet', { withinMs: LONG_MS, everyMs: 0 }, async () => {
    await sleep(QUIET_MS)
    const used = sum(usedSince(before))
    before = clusterCpu()
    return used < QUIET_SHARE * (QUIET_MS / 1000) ? { found: true } : `it uses ${used} s`
  })
}

interface PlaneFigures {
  readonly decisions: number
  readonly deciding: number
  readonly launchFaults: number
}

async function figures(): Promise<PlaneFigures> {
  const headers = { authorization: `Bearer ${plane.plane.token}` }
  const text = await (await fetch(`${plane.plane.url}/metrics`, { headers })).text()
  return {
    decisions: sumOf(text, /^berth_decisions_total /),
    deciding: sumOf(text, /^berth_deciding_seconds_total /),
    launchFaults: sumOf(text, /^berth_provider_faults_total\{.*call="launch"/),
  }
}

/** Waits until the scheduler has bound so many pods since it was started. */
function bound(count: number): Promise<boolean> {
  return until(`${count} pods are bound`, { withinMs: LONG_MS, everyMs: 100 }, async () => {
    const now = (await scheduled()).count
    return now >= count ? { found: true } : `${now} are`
  })
}

/** Pods that the cluster's scheduler has placed, and the time that it took for that. */
async function scheduled(): Promise<{ readonly count: number; readonly seconds: number }> {
  const text = await scheduler.text('/metrics')
  return {
    count: sumOf(text, /^scheduler_schedule_attempts_total\{.*result="scheduled"/),
    seconds: sumOf(text, /^scheduler_scheduling_attempt_duration_seconds_sum\{.*result="scheduled"/),
  }
}

function sumOf(text: string, line: RegExp): number {
  const values = text.split('\n').filter((each) => line.test(each))
  return values.reduce((sum, each) => sum + Number(each.split(' ').at(-1) ?? 0), 0)
}

/** A pod as Berth writes it, without the rule that binds it to a node and without what holds its name. */
function plainPod(index: number): RigObject {
  const order = orderOn(NODES.whole, { gpus: 1, cpu: 1, memoryGib: 1 })
  const ground = groundOf(order, NODES.whole)
  if ('class' in ground) throw new Error(ground.message)
  const { metadata, ...pod } = podFor(order, ground, { settings: settingsOf({}), namespace: 'alone' })
  const { affinity: _, ...spec } = Object(pod['spec'])
  const { finalizers: __, ...rest } = metadata
  return { ...pod, metadata: { ...rest, name: `plain-${index}` }, spec }
}

/** So many calls, some at a time. */
async function byMany(count: number, call: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const caller = async (): Promise<void> => {
    while (next < count) await call(next++)
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
}

/** The most memory that a process had so far. */
function peakMb(pid: number): number {
  const [, kb] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kb) / 1024)
}

function perPod(seconds: number): number {
  return Math.round((seconds * 10_000) / options.pods) / 10
}

/** The processor time of everything that the cluster consists of, in seconds. */
function clusterCpu(): ReadonlyMap<string, number> {
  const { daemons = [] } = readRecord(rig.place.folder) ?? {}
  return new Map(daemons.map(({ plan, pid }) => [plan.name, cpuSeconds(pid)]))
}

function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function usedSince(before: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...clusterCpu()].map(([name, seconds]) => [name, seconds - (before.get(name) ?? 0)]))
}

function sum(parts: ReadonlyMap<string, number>): number {
  return [...parts.values()].reduce((all, each) => all + each, 0)
}

/** What each part of the cluster used for a pod, and this process, which is its client. */
function partsOf(used: ReadonlyMap<string, number>, client: number): string {
  return [...used, ['client', client] as const].map(([name, seconds]) => `${name} ${perPod(seconds)} ms`).join(', ')
}

/** The processor time that a process has used. */
function cpuSeconds(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
  return (user + system) / 100
}

function since(beganMs: number): number {
  return Math.round((performance.now() - beganMs) / 10) / 100
}

function say(line: string): void {
  console.error(line)
}
