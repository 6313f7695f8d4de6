import type { FastifyInstance } from 'fastify'
import { httpBerth } from '../../src/client/client.ts'
import { Pressure } from '../../src/controller/pressure.ts'
import type { RoleName } from '../../src/core/life/rows.ts'
import type { Berth } from '../../src/ports/berth.ts'
import { Secret } from '../../src/ports/secret.ts'
import type { Store } from '../../src/ports/store.ts'
import { nodeHashing } from '../../src/server/hashing.ts'
import { buildServer } from '../../src/server/server.ts'
import type { ServiceDeps } from '../../src/service/deps.ts'

/** Who asks in a simulated world. */
export interface Caller {
  readonly name: string
  readonly role: RoleName
  readonly project: string
}

/** The shipped server of one process, with everything behind the socket. */
export function serverOf(service: ServiceDeps): FastifyInstance {
  const measures = {
    workloads: {},
    placements: {},
    providers: [],
    commits: 0,
    decisions: { count: 0, seconds: 0 },
    leader: false,
    ready: true,
    turnSecondsMax: 0,
    term: 0,
  }
  return buildServer({ service, measures: () => measures, mode: { open: false, hosts: [] }, pressure: new Pressure() })
}

/**
 * The shipped client, which reaches the server without a socket. It asks once: who has heard nothing asks again by itself.
 * What the server fails at is as good as no answer.
 */
export function clientOf(app: FastifyInstance, { name }: Caller, key: string): Berth {
  return httpBerth({
    url: 'http://localhost',
    token: new Secret(`berth.${name}.${SECRET}`),
    tries: 1,
    timers: { sleep: () => Promise.resolve() },
    random: { next: () => 0, id: () => key },
    fetch: async (url, { method, headers, body } = {}) => {
      const { pathname, search } = new URL(String(url))
      const reply = await app.inject({
        method: METHODS[method ?? 'GET'] ?? 'GET',
        url: pathname + search,
        headers: { ...Object.fromEntries(new Headers(headers)), host: 'localhost' },
        ...(typeof body === 'string' && { payload: body }),
      })
      if (reply.statusCode >= 500) throw new TypeError('fetch failed')
      return new Response(reply.statusCode === 204 ? null : reply.payload, { status: reply.statusCode })
    },
  })
}

const METHODS: Readonly<Record<string, 'GET' | 'POST' | 'PUT' | 'DELETE'>> = {
  POST: 'POST',
  PUT: 'PUT',
  DELETE: 'DELETE',
}

/** Of every token of the world. */
const SECRET = 'a'.repeat(43)

/** Gives every user of the API a token that never expires, whatever clocks say. */
export async function giveTokens(store: Store, callers: readonly Caller[]): Promise<void> {
  const hash = nodeHashing.sha256(SECRET)
  const writes = callers.map(({ name, role, project }) => {
    const body = { hash, role, projects: [project], createdMs: 0, expiresMs: Number.MAX_SAFE_INTEGER }
    return { kind: 'token', key: name, body } as const
  })
  await store.commit({ writes })
}
