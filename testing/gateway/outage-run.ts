import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askGateway } from '../../src/gateway/control.ts'
import { gatewayFolder } from '../../src/gateway/main.ts'
import type { Berth } from '../../src/ports/berth.ts'
import { FakeCloud } from '../clouds/fake-cloud.ts'
import { fakeShadeform } from '../clouds/shadeform.ts'
import { freePort, RealPlane, sleep, until } from '../plane/plane.ts'
import { Callers } from './outage-callers.ts'

export interface OutageOptions {
  readonly folder: string
  readonly services: number
  /** How long the provider says nothing. */
  readonly silentMinutes: number
  readonly progress: (text: string) => void
}

/** What became of the services of a provider that fell silent, on the clock of this host. */
export interface OutageReport {
  readonly services: number
  /** From the silence until the first list that was not answered: the grace begins there. */
  readonly unheardAfterMs: number
  /** From the silence until the control plane called the provider down. */
  readonly downAfterMs: number
  /** From the end of the grace until all were up elsewhere or waited with a reason. */
  readonly settledAfterGraceMs: number
  /** The same from the silence. */
  readonly settledAfterMs: number
  readonly moved: number
  readonly waiting: Readonly<Record<string, number>>
  /** The most launches in any second that the other provider took, and how many it says that it sustains. */
  readonly launchesInASecond: number
  /** Of callers of all services, from before the outage until after it. */
  readonly requests: number
  readonly failed: number
  readonly failures: readonly string[]
  /** Requests of callers that reached those replicas while they were in charge, and after they had been replaced. */
  readonly requestsBefore: number
  readonly fencedRequests: number
  /** From the first answer of the provider until nothing that was replaced is billed there. */
  readonly endedAfterMs: number
  /** Machines of the silent provider that still run: those whose services found no other place. */
  readonly left: number
  readonly ledger: { readonly closed: number; readonly running: number; readonly hours: number }
  /** Hours that the provider itself would bill. */
  readonly trueHours: number
}

const NORTH = 'north'
const SOUTH = 'here'
/** Of the services, this share finds room elsewhere. */
const ROOM_SHARE = 0.75
const GRACE_MS = 30_000
/** Routes and requests under way get this long, before a request to a replaced replica counts. */
const HEARD_MS = 5000

/** One request after the other, without a library: 200 of them run at a time. */
const SERVER = String.raw`use IO::Socket::INET;
my $listening = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => $ENV{PORT}, Listen => 64, ReuseAddr => 1) or die;
while (my $caller = $listening->accept) {
  while (<$caller>) { last if /^\r?\n$/ }
  print $caller "HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\nhere";
  close $caller;
}`

const config = (services: number): string => `berth: v1
kind: config
default_policy: anywhere
providers:
  ${SOUTH}:
    kind: local
    settings: { runtime: process, cpu: ${Math.floor(services * ROOM_SHARE)}, memory: 256Gi, ports: 24000-24999 }
    trust: internal
policies:
  anywhere:
    objective: cheapest
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota, topology, interconnect] }
`

const manifest = (name: string, port: number): string => `berth: v1
kind: service
name: ${name}
image: registry.example/web:1
command: [perl, -e, ${JSON.stringify(SERVER)}]
resources: { cpu: 1, memory: 64Mi }
ports: [{ name: http, port: ${port}, health: /health }]
`

/** A rented cloud whose API takes requests and answers none, under a real control plane with its gateway. */
export async function runOutage(options: OutageOptions): Promise<OutageReport> {
  const { folder, services, progress } = options
  const cloud = await FakeCloud.open(fakeShadeform, () => Date.now())
  const listen = `127.0.0.1:${await freePort()}`
  const file = join(folder, 'berth.config.yaml')
  writeFileSync(file, config(services))
  const plane = new RealPlane({ folder: join(folder, 'data'), config: file, gateway: listen })
  try {
    if (!(await plane.start())) throw new Error(`the control plane did not start: see ${folder}`)
    const berth = plane.client({ tries: 'several', timeoutMs: 20_000 })
    const names = Array.from({ length: services }, (_, index) => `web-${index}`)
    const asked = new Map<number, number>()
    cloud.engine.watch = {
      created: () => undefined,
      removed: () => undefined,
      asked: (serial, path) => void (path === '/' && asked.set(serial, (asked.get(serial) ?? 0) + 1)),
    }
    await placeInTheNorth({ berth, cloud, names, progress })
    const callers = new Callers(`http://${listen}`, names)
    await until('all services answer', { withinMs: 60_000 }, async () =>
      callers.answered.size === services ? { found: true } : `${callers.answered.size} have`,
    )
    callers.begin()
    const report = await outage({ berth, cloud, asked, callers }, options)
    await removeAll(berth, names)
    return report
  } finally {
    await askGateway(gatewayFolder(join(folder, 'data'), listen), { ask: 'stop' })
    await plane.kill()
    await cloud.close()
  }
}

interface Stage {
  readonly berth: Berth
  readonly cloud: FakeCloud
  /** Requests of callers that came to each machine of the cloud. */
  readonly asked: ReadonlyMap<number, number>
  readonly callers: Callers
}

/** All services run in the north. There is room elsewhere from now on, and the north falls silent. */
async function outage(stage: Stage, { services, silentMinutes, progress }: OutageOptions): Promise<OutageReport> {
  const { berth, cloud, callers } = stage
  await berth.setProvider({ name: SOUTH, state: 'open' })
  const silentMs = Date.now()
  cloud.isSilent = true
  progress('the provider is silent')
  const downMs = await eventMs(berth, { kind: 'provider-down', sinceMs: silentMs, withinMs: 240_000 })
  const { atMs, moved, waiting } = await untilSettled(berth, services)
  const unheardMs = cloud.unanswered.find(({ call }) => call === 'list')?.atMs ?? silentMs
  progress(`${moved} moved, ${JSON.stringify(waiting)} wait`)
  await sleep(HEARD_MS)
  const fenced = fencedMachines(cloud, await viewsOf(berth))
  const before = requestsTo(fenced, stage)
  await sleep(Math.max(0, silentMinutes * 60_000 - (Date.now() - silentMs)))
  const endedAfterMs = await comeBack(stage, fenced, progress)
  await callers.stop()
  return {
    services,
    unheardAfterMs: unheardMs - silentMs,
    downAfterMs: downMs - silentMs,
    settledAfterGraceMs: atMs - (unheardMs + GRACE_MS),
    settledAfterMs: atMs - silentMs,
    moved,
    waiting,
    launchesInASecond: await mostLaunches(berth, silentMs),
    requests: callers.requests,
    failed: callers.failed,
    failures: callers.failures,
    requestsBefore: before,
    fencedRequests: requestsTo(fenced, stage) - before,
    endedAfterMs,
    left: cloud.engine.billed().length,
    ledger: await ledgerOf(berth),
    trueHours: trueHours(cloud),
  }
}

function requestsTo(machines: readonly number[], { asked }: Stage): number {
  return machines.reduce((sum, serial) => sum + (asked.get(serial) ?? 0), 0)
}

/** How long the cloud bills what was replaced after it answers again. Returns when the ledger knows of all of it. */
async function comeBack(
  { berth, cloud }: Stage,
  fenced: readonly number[],
  progress: OutageOptions['progress'],
): Promise<number> {
  const backMs = Date.now()
  cloud.isSilent = false
  progress('the provider is back')
  const left = (): number => cloud.engine.billed().filter(({ serial }) => fenced.includes(serial)).length
  await until('what was replaced is ended', { withinMs: 600_000 }, async () =>
    left() === 0 ? { found: true } : `${left()} machines are billed`,
  )
  const endedAfterMs = Date.now() - backMs
  await until('the ledger knows of it', { withinMs: 600_000 }, async () => {
    const views = await viewsOf(berth)
    const stopping = views.flatMap(({ slots }) => slots).filter(({ phase }) => phase === 'stopping').length
    return stopping === 0 ? { found: true } : `${stopping} are being stopped`
  })
  return endedAfterMs
}

interface Placing {
  readonly berth: Berth
  readonly cloud: FakeCloud
  readonly names: readonly string[]
  readonly progress: (text: string) => void
}

/** There is room elsewhere, but not for new work until everything runs. */
async function placeInTheNorth({ berth, cloud, names, progress }: Placing): Promise<void> {
  await berth.setProvider({ name: SOUTH, state: 'cordoned' })
  await berth.setPlatformSecret({ name: 'NORTH_KEY', value: fakeShadeform.key })
  const settings = { endpoint: `${cloud.url}/v1`, internal: true }
  await berth.addProvider({ name: NORTH, kind: 'shadeform', settings, credential: 'NORTH_KEY' })
  // Each machine has an address of its own, at which nothing else may listen either.
  const port = await freePort()
  for (const name of names)
    await berth.apply({ project: 'default', text: manifest(name, port), file: `${name}.yaml`, idempotencyKey: name })
  // The cloud takes one request a second, and each service needs a few.
  await until('all run in the north', { withinMs: 60_000 + names.length * 10_000, everyMs: 2000 }, async () => {
    const ready = (await viewsOf(berth)).filter((view) => view.ready > 0).length
    progress(`${ready} of ${names.length} run`)
    return ready === names.length ? { found: true } : `${ready} do`
  })
}

type View = Awaited<ReturnType<Berth['workloads']>>['items'][number]

/** Of all workloads, page by page. */
async function viewsOf(berth: Berth): Promise<readonly View[]> {
  const views: View[] = []
  let after: string | undefined
  do {
    const page = await berth.workloads({ ...(after !== undefined && { after }) })
    views.push(...page.items)
    after = page.next
  } while (after !== undefined)
  return views
}

interface Settled {
  readonly atMs: number
  readonly moved: number
  readonly waiting: Readonly<Record<string, number>>
}

function untilSettled(berth: Berth, services: number): Promise<Settled> {
  return until('all are up elsewhere or wait with a reason', { withinMs: 300_000, everyMs: 500 }, async () => {
    const views = await viewsOf(berth)
    const moved = views.filter(({ slots }) => slots.some((slot) => slot.provider === SOUTH && slot.phase === 'running'))
    const codes = views.filter((view) => !moved.includes(view)).map(({ waiting }) => waiting?.code)
    const waiting = Object.fromEntries(
      [...Map.groupBy(codes, (code) => code ?? 'nothing')].map(([code, all]) => [code, all.length]),
    )
    const isSettled = views.length === services && moved.length > 0 && waiting['nothing'] === undefined
    return isSettled
      ? { found: { atMs: Date.now(), moved: moved.length, waiting } }
      : `${moved.length} are up elsewhere, ${JSON.stringify(waiting)} wait`
  })
}

/** Machines of services that were moved: they get no requests any more. */
function fencedMachines({ engine }: FakeCloud, views: readonly View[]): readonly number[] {
  const moved = new Set(
    views
      .filter(({ slots }) => slots.some(({ provider, phase }) => provider === SOUTH && phase === 'running'))
      .map(({ name }) => name),
  )
  const nameOf = (machine: { readonly env: Readonly<Record<string, string>> }): string =>
    machine.env['BERTH_WORKLOAD'] ?? ''
  return engine.billed().flatMap((machine) => (moved.has(nameOf(machine)) ? [machine.serial] : []))
}

function eventsSince(berth: Berth, sinceMs: number) {
  return Array.fromAsync(berth.events({ since_ms: sinceMs, follow: false }, AbortSignal.timeout(20_000)))
}

interface AwaitedEvent {
  readonly kind: string
  readonly sinceMs: number
  readonly withinMs: number
}

function eventMs(berth: Berth, { kind, sinceMs, withinMs }: AwaitedEvent): Promise<number> {
  return until(`there is an event ${kind}`, { withinMs, everyMs: 250 }, async () => {
    const events = await eventsSince(berth, sinceMs)
    const event = events.find((one) => one.kind === kind)
    return event === undefined ? 'there is none' : { found: event.at_ms }
  })
}

/** The most launches in the south in any second. */
async function mostLaunches(berth: Berth, sinceMs: number): Promise<number> {
  const events = await eventsSince(berth, sinceMs)
  const times = events.filter(({ kind, facts }) => kind === 'launched' && facts['provider'] === SOUTH)
  return Math.max(
    0,
    ...times.map(({ at_ms: fromMs }) => times.filter(({ at_ms: ms }) => ms >= fromMs && ms < fromMs + 1000).length),
  )
}

async function ledgerOf(berth: Berth): Promise<OutageReport['ledger']> {
  const { costs } = await berth.cost({ by: 'provider' })
  const north = costs.find(({ provider }) => provider === NORTH)
  const running = north?.running ?? 0
  return { closed: (north?.instances ?? 0) - running, running, hours: north?.hours ?? 0 }
}

function trueHours({ engine }: FakeCloud): number {
  return engine.machines.reduce(
    (sum, { createdMs, removedMs }) => sum + ((removedMs ?? Date.now()) - createdMs) / 3_600_000,
    0,
  )
}

async function removeAll(berth: Berth, names: readonly string[]): Promise<void> {
  for (const name of names) await berth.remove({ project: 'default', name })
  await until('nothing runs any more', { withinMs: 60_000 + names.length * 3000 }, async () => {
    const left = (await viewsOf(berth)).length
    return left === 0 ? { found: true } : `${left} are still there`
  })
}
