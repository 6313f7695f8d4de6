import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import { httpBerth } from '../../client/client.ts'
import { upgradeFrom } from '../../client/upgrade.ts'
import { placed } from '../../core/life/keep.suite.ts'
import { hereOf } from '../../entry/here.ts'
import type { ProgramSession } from '../../ports/provider.ts'
import { Secret } from '../../ports/secret.ts'
import { dialDescribed } from '../../providers/dial.ts'
import { startSession } from '../../providers/local/session.ts'
import type { ServiceProviders } from '../../service/deps.ts'
import { manifestNamed, world } from '../../server/server.suite.ts'
import { must } from '../../core/base/assert.ts'
import { berth, words, type Ran, type World } from '../harness.suite.ts'

/** A real server with one workload that runs, and how to run commands against it. */
export function tunnels() {
  const FOLDER = mkdtempSync(join(tmpdir(), 'berth-tunnels-'))
  /** Where programs start. */
  const WORK = join(FOLDER, 'work')

  /** What runs "in the replica": programs of this host in a folder, and a port of this host. */
  const served = { port: 0, provider: '' }
  /** Each ends a program. */
  const sessions: AbortController[] = []
  const providers: Partial<ServiceProviders> = {
    session: async (_, { argv, screen }, { signal }) => {
      const gone = new AbortController()
      sessions.push(gone)
      const run = startSession(argv, { signal: AbortSignal.any([signal, gone.signal]), cwd: WORK })
      return { ok: true, value: screen === undefined ? run : onTerminal(run, screen) }
    },
    dial: (_, port, call) => {
      const address = { host: '127.0.0.1', port: served.port, tls: false }
      const up = { state: 'up', ports: { http: address } }
      // Nothing else of what is described is looked at.
      const described = { ok: true, value: up } as unknown as Parameters<typeof dialDescribed>[0]['described']
      return dialDescribed({ described, port, reach: 'any' }, call)
    },
  }

  const made = world()
  Object.assign(made.deps.service.providers, providers)
  const people: Record<string, string> = {}
  let url = ''

  beforeAll(async () => {
    mkdirSync(WORK)
    const { store } = made.deps.service
    for (const role of ['reader', 'writer'] as const) people[role] = await made.token(role, ['default'])
    people['admin'] = await made.token('admin', ['*'])
    const admin = { authorization: `Bearer ${people['admin']}` }
    const payload = { text: manifestNamed('web'), create_project: true }
    await made.app.inject({ method: 'POST', url: '/v2/projects/default/workloads', headers: admin, payload })
    const workload = must((await store.get('workload', 'default/web'))?.body, 'it was applied')
    const { order, ...placement } = placed(workload, '0', 'running')
    const ports = [{ name: 'http', port: 8000, health: undefined, expose: 'private' as const }]
    const body = { ...placement, order: { ...order, ports } }
    served.provider = order.place.provider
    await store.commit({ writes: [{ kind: 'placement', key: 'default/web/0', body }] })
    url = await made.app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await made.app.close()
    rmSync(FOLDER, { recursive: true, force: true })
  })

  const REAL = hereOf({ isTerminal: false })

  function run(line: string, { who = 'writer', ...more }: Partial<World> & { who?: string } = {}): Promise<Ran> {
    const control = () =>
      httpBerth({
        url,
        token: new Secret(people[who] ?? ''),
        fetch,
        upgrade: upgradeFrom({}),
        timers: { sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }).catch(() => undefined) },
        random: { next: () => 0, id: () => 'id' },
      })
    return berth(words(line), { here: REAL, control, ...more })
  }
  return { FOLDER, WORK, made, people, REAL, run, served, sessions }
}

/** Says its size first, as a program on a terminal could. */
function onTerminal(
  session: ProgramSession,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): ProgramSession {
  async function* output(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${rows}x${columns}\n`)
    yield* session.output
  }
  return { ...session, output: output() }
}
