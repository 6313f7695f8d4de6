import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { httpBerth } from '../client/client.ts'
import { TRIES } from '../client/send.ts'
import { must } from '../core/base/assert.ts'
import type { Facts } from '../core/event/event.ts'
import { otherVersion } from '../core/event/other-version.suite.ts'
import type { Placement } from '../core/life/placement.ts'
import { FRESH_STATUS, type Status } from '../core/life/status.ts'
import type { Workload } from '../core/life/workload.ts'
import type { ApplyRequest, Berth } from '../ports/berth.ts'
import { Secret } from '../ports/secret.ts'
import type { Store } from '../ports/store.ts'
import type { Timers } from '../ports/timers.ts'
import { PROVIDER_KINDS } from '../providers/registry.ts'
import { createToken } from '../service/tokens.ts'
import { memoryStore } from '../store/memory.ts'
import { composePlane, type ControlPlane } from '../up/compose.ts'
import { openVault } from '../vault/vault.ts'
import { cloudsInMemory, type TestCloud } from './cloud.suite.ts'
import { INVENTORY, NOW_MS } from './harness.suite.ts'
import { configFrom } from './inputs.ts'
import { PlaneTime } from './time.suite.ts'

/** The real control plane over the memory store, in time that passes only while somebody waits; its client is the real one. */
export interface TestPlane extends Berth {
  readonly nowMs: () => number
  readonly tickMs: () => number
  readonly sleep: Timers['sleep']
  /** Lets seconds pass, and everything happen that falls into them. */
  readonly pass: (seconds: number) => Promise<void>
  /** The next so many requests reach nobody, however often each is tried. */
  readonly lose: (requests: number) => Promise<void>
  /** The token that goes with requests is not valid any more. */
  readonly lockOut: () => Promise<void>
  /** Nobody leads any more: what rows say stays as it is. */
  readonly abandon: () => Promise<void>
  /** Writes rows of a workload of project `default` past the API; nobody leads from then on. */
  readonly rewrite: (name: string, change: RowChange) => Promise<void>
  readonly happen: (kind: string, facts: Facts, agoMs?: number) => Promise<void>
  /** Every request since it was furnished. */
  readonly sent: readonly Sent[]
  /** Manifests and templates that were sent to be run. */
  readonly applied: readonly AppliedRequest[]
  readonly cloud: (provider?: string) => Promise<TestCloud>
  readonly store: Store
  /** The value of a secret, by `PROJECT/NAME`; the platform's are those of `*`. */
  readonly secret: (at: string) => Promise<string | undefined>
}

/** What changes in the rows of a workload. */
interface RowChange {
  readonly workload?: Partial<Workload>
  readonly status?: Partial<Status>
  /** Undefined: all its slots are taken away. */
  readonly slot?: ((placement: Placement) => Partial<Placement>) | undefined
}

/** One request as it left the client. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly key: string | undefined
}

/** One that is to run something. */
interface AppliedRequest extends Partial<Pick<ApplyRequest, 'text' | 'pinned'>> {
  readonly project: string
  readonly idempotencyKey: string | undefined
  readonly version?: number
  readonly name?: string
  readonly set?: Readonly<Record<string, string>>
}

const URL_HERE = 'http://127.0.0.1:7700'
const ADMIN = { name: 'ada', role: 'admin', projects: ['*'] } as const

const CONFIG_TEXT = `berth: v1
kind: config
providers:
  northwind:
    kind: sim
    settings:
      start_seconds: 2
      stop_seconds: 1
      offers:
${INVENTORY.split('\n')
  .filter((line) => line.startsWith('  - ') && !line.includes('riddle'))
  .map((line) => `      ${line.replace('stock: 3', 'stock: 9')}`)
  .join('\n')}
`

/** A plane that began so many seconds ago and was used like this since. Nothing of it is done before somebody asks. */
export function planeWith(
  use: (plane: TestPlane) => Promise<void>,
  { secondsAgo = 0, config = CONFIG_TEXT }: { readonly secondsAgo?: number; readonly config?: string } = {},
): TestPlane {
  let made: PlaneInMemory | undefined
  const plane = (): PlaneInMemory => (made ??= new PlaneInMemory(NOW_MS - secondsAgo * 1000, config))
  let furnished: Promise<void> | undefined
  const furnish = async (): Promise<void> => {
    const { time, sent, applied } = plane()
    await use(handsOf(plane, async () => {}))
    await time.sleep(NOW_MS - time.nowMs())
    sent.length = 0
    applied.length = 0
  }
  // A client takes whatever is thrown on the way for a line that broke: what goes wrong here must not end as one.
  const aloud = (error: unknown): never => {
    queueMicrotask(() => {
      throw error
    })
    throw error
  }
  return handsOf(plane, () => (furnished ??= furnish().catch(aloud)))
}

/** Everything that a test can do with a plane; each deed waits until `before` is over. */
function handsOf(plane: () => PlaneInMemory, before: () => Promise<void>): TestPlane {
  const ready = async (): Promise<PlaneInMemory> => {
    await before()
    await plane().started()
    return plane()
  }
  const sleep: Timers['sleep'] = (ms, signal) => plane().time.sleep(ms, signal)
  const client = httpBerth({
    url: URL_HERE,
    token: new Secret('the plane puts its own in'),
    timers: { sleep },
    random: { next: () => 0.5, id: () => plane().time.process.random.id() },
    fetch: async (url, init) => (await ready()).fetch(String(url), init ?? {}),
  })
  return {
    ...client,
    get store() {
      return plane().store
    },
    get sent() {
      return plane().sent
    },
    get applied() {
      return plane().applied
    },
    nowMs: () => Math.max(plane().time.nowMs(), NOW_MS),
    tickMs: () => plane().time.process.clock.tickMs(),
    sleep,
    pass: async (seconds) => (await ready()).time.sleep(seconds * 1000),
    lose: async (requests) => void ((await ready()).lostTries = requests * TRIES),
    lockOut: async () => void ((await ready()).isLockedOut = true),
    abandon: async () => (await ready()).abandon(),
    rewrite: async (name, change) => (await ready()).rewrite(name, change),
    happen: async (kind, facts, agoMs = 0) => (await ready()).happen(kind, facts, agoMs),
    cloud: async (provider = 'northwind') => must((await ready()).clouds.get(provider), 'a provider of its own'),
    secret: async (at) => (await ready()).secret(at),
  }
}

class PlaneInMemory {
  readonly time: PlaneTime
  readonly sent: Sent[] = []
  readonly applied: AppliedRequest[] = []
  readonly clouds = new Map<string, TestCloud>()
  readonly store: Store
  readonly #plane: ControlPlane
  readonly #stop = new AbortController()
  readonly #vault = openVault({ keyFile: join(FOLDER, 'vault.key') })
  #leading: Promise<void> | undefined
  #token: Promise<string> | undefined
  lostTries = 0
  isLockedOut = false

  constructor(startMs: number, config: string) {
    this.time = new PlaneTime(startMs)
    const { clock, timers, random } = this.time.process
    const silent = (): void => undefined
    this.store = memoryStore({ nowMs: clock.nowMs, strict: true })
    this.#plane = composePlane({
      store: this.store,
      storeKind: 'memory',
      vault: this.#vault,
      log: { info: silent, warn: silent, error: silent },
      clock,
      timers,
      random,
      owner: 'owner-1',
      config: configFrom({ file: 'berth.config.yaml', text: config }),
      isPrivate: true,
      kinds: PROVIDER_KINDS.map((kind) => (kind.kind === 'sim' ? cloudsInMemory(this.clouds) : kind)),
      folder: FOLDER,
      holder: 'plane',
      mode: { open: false, hosts: [] },
      paper: () => undefined,
      whyNot: () => undefined,
    })
  }

  /** Opens its providers, begins to lead, and gives its first token away. */
  started(): Promise<string> {
    return (this.#token ??= (async () => {
      const { platform, controller, service } = this.#plane
      await platform.refresh()
      this.#leading = controller.run(this.#stop.signal)
      const { token } = await createToken(service, ADMIN, { ...ADMIN, ttl_ms: 30 * 86_400_000 })
      await this.time.sleep(0)
      return token
    })())
  }

  /** A request, without a socket: everything of the server behind the wire is the shipped one. */
  async fetch(url: string, { method = 'GET', headers, body, signal }: RequestInit): Promise<Response> {
    const { pathname, search, searchParams } = new URL(url)
    const given = Object.fromEntries(new Headers(headers))
    const token = await this.started()
    const query = Object.fromEntries(searchParams)
    const sent = { method, path: pathname, query, body: bodyOf(body), key: given['idempotency-key'] }
    this.sent.push(sent)
    if (method !== 'GET' && /\/(?:workloads|launch)$/.test(pathname)) this.applied.push(appliedIn(sent))
    if (this.lostTries > 0) {
      this.lostTries--
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) })
    }
    // What earlier requests have set off is over, so that an answer never depends on how far it has come.
    await this.time.settled()
    const done = this.time.hold()
    const reply = await this.#plane.app.inject({
      method: method === 'POST' || method === 'PUT' || method === 'DELETE' ? method : 'GET',
      url: pathname + search,
      headers: {
        ...given,
        authorization: `Bearer ${this.isLockedOut ? 'of-another' : token}`,
        host: '127.0.0.1:7700',
      },
      ...(typeof body === 'string' && { payload: body }),
      payloadAsStream: true,
    })
    const answered = { status: reply.statusCode, headers: { 'content-type': String(reply.headers['content-type']) } }
    const stream = reply.stream()
    if (!answered.headers['content-type'].startsWith('text/event-stream')) {
      const text = await textOf(stream)
      done()
      await this.time.settled()
      return new Response(reply.statusCode === 204 ? null : text, answered)
    }
    stream.once('close', done)
    signal?.addEventListener('abort', () => stream.destroy(), { once: true })
    // Node's own streams of the web are those that a Response takes.
    return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, answered)
  }

  async abandon(): Promise<void> {
    this.#stop.abort()
    const done = this.time.hold()
    await this.#leading
    done()
  }

  async rewrite(name: string, { workload, status, ...more }: RowChange): Promise<void> {
    await this.abandon()
    const store = this.store
    const key = `default/${name}`
    const row = must(await store.get('workload', key), 'a workload of this name')
    const known = await store.get('status', key)
    const slots = await store.list('placement', { prefix: `${key}/`, limit: 100 })
    const { uid, generation } = { ...row.body, ...workload }
    await store.commit({
      writes: [
        { kind: 'workload', key, body: { ...row.body, ...workload } },
        { kind: 'status', key, body: { ...FRESH_STATUS, uid, generation, ...known?.body, ...status } },
        ...('slot' in more ? slots : []).map(({ key: slot, body }) =>
          more.slot === undefined
            ? ({ kind: 'placement', key: slot, body: undefined } as const)
            : ({ kind: 'placement', key: slot, body: { ...body, ...more.slot(body) } } as const),
        ),
      ],
    })
  }

  async secret(at: string): Promise<string | undefined> {
    const { version, sealed } = (await this.store.get('secret', at))?.body ?? {}
    return sealed === undefined ? undefined : this.#vault.open(sealed, `${at}/${version}`)?.reveal()
  }

  async happen(kind: string, facts: Facts, agoMs: number): Promise<void> {
    const subject = `workload/${facts['name'] ?? 'llama-70b'}`
    const atMs = this.time.nowMs() - agoMs
    await this.store.commit({ writes: [], events: [otherVersion({ atMs, project: 'default', subject, kind, facts })] })
  }
}

function appliedIn({ path, body, key }: Sent): AppliedRequest {
  const [, project = ''] = /projects\/([^/]+)\//.exec(path) ?? []
  // The client has written it, as its own type says.
  return { ...(body as Omit<AppliedRequest, 'project' | 'idempotencyKey'>), project, idempotencyKey: key }
}

function bodyOf(body: unknown): unknown {
  return typeof body === 'string' ? JSON.parse(body) : undefined
}

const FOLDER = mkdtempSync(join(tmpdir(), 'berth-plane-'))
process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }))
