import { attemptsOf } from '../service/workload/attempts.ts'
import { costOf } from '../service/cost.ts'
import { execInWorkload } from '../service/exec.ts'
import { infoOf, planManifest, whyNotReady } from '../service/info.ts'
import { followEvents, listAudit, shown } from '../service/events.ts'
import { followRoutes } from '../service/routes.ts'
import { checkProject } from '../service/known-projects.ts'
import { followLogs } from '../service/logs.ts'
import { openPort, openSync, openTerminal } from '../service/tunnels.ts'
import { previewManifest } from '../service/workload/preview.ts'
import {
  explainWorkload,
  historyOf,
  listWorkloads,
  manifestOf,
  mustGet,
  seeWorkload,
} from '../service/workload/views.ts'
import {
  applyManifest,
  removeWorkload,
  rerunWorkload,
  restartWorkload,
  scaleWorkload,
  stopWorkload,
} from '../service/workload/workloads.ts'
import type { Parsed } from '../api/call.ts'
import { wordsIn } from '../api/schemas.ts'
import { openApiInPieces } from '../api/openapi.ts'
import { inTurns } from '../ports/turn.ts'
import type { WORK_ROUTES } from '../api/routes-work.ts'
import { pageAfter, printPage } from './page.ts'
import { exact, type SomeHandlers, type Unsaid } from './request.ts'

/** A store that takes longer than this counts as not ready. */
const READY_MS = 2000

const handlers = {
  health: async () => ({ body: { ok: true } }),
  ready: async ({ service }) => {
    const wrong = await whyNotReady(service, READY_MS)
    return wrong === undefined
      ? { body: { ok: true, text: 'ready' } }
      : { body: { ok: false, text: wrong }, status: 503 }
  },
  openapi: async ({ service }) => ({ body: await document(service.info().version) }),
  info: async ({ service }) => ({ body: infoOf(service) }),

  whoami: async (_, { actor, expiresMs }) => {
    const { name, role, projects } = actor
    return { body: { name, role, projects, ...(expiresMs !== undefined && { expires_ms: expiresMs }) } }
  },

  plan: async ({ service }, { params, body }) => ({ body: await planManifest(service, { ...params, ...body }) }),
  preview: async ({ service }, { actor, params, body }) => {
    await checkProject(service, actor, { ...params, create: body.create_project })
    return { body: await previewManifest(service, { ...params, ...body }) }
  },
  apply: async ({ service }, { actor, params, body, once, ifTag }) => {
    const { text, file, agreed, create_project: createProject, keep_replicas: keepReplicas } = body
    const pinned = body.pinned?.map(({ slot, offer, usd_per_hour: usdPerHour }) => ({ slot, offer, usdPerHour }))
    const ask = { ...params, text, file, agreed, pinned, createProject, keepReplicas, once, ifTag }
    return { body: await applyManifest(service, actor, ask) }
  },
  workloads: async ({ service }, { actor, query }) => {
    return { body: printPage(await listWorkloads(service, actor, { ...query, after: pageAfter(query.after) })) }
  },
  projectWorkloads: async ({ service }, { actor, params, query }) => {
    const { project } = params
    return {
      body: printPage(await listWorkloads(service, actor, { ...query, after: pageAfter(query.after), project })),
    }
  },
  workload: async ({ service }, { params }) => {
    const { view, tag } = await seeWorkload(service, params)
    return { body: view, tag }
  },
  manifest: async ({ service }, { params }) => ({ body: await manifestOf(service, params) }),
  history: async ({ service }, { params }) => ({ body: { items: await historyOf(service, params) } }),
  explain: async ({ service }, { params }) => ({ body: await explainWorkload(service, params) }),
  scale: async ({ service }, { actor, params, body, once, ifTag }) => {
    const { role, replicas } = body
    return { body: await scaleWorkload(service, actor, { at: params, role, replicas, once, ifTag }) }
  },
  stop: async ({ service }, { actor, params, once, ifTag }) => {
    return { body: await stopWorkload(service, actor, { at: params, once, ifTag }) }
  },
  rerun: async ({ service }, { actor, params, body, once, ifTag }) => {
    return { body: await rerunWorkload(service, actor, { at: params, agreed: body.agreed, once, ifTag }) }
  },
  restart: async ({ service }, { actor, params, once, ifTag }) => {
    return { body: await restartWorkload(service, actor, { at: params, once, ifTag }) }
  },
  exec: async ({ service }, { actor, params: at, body, signal, requestId }) => {
    const { slot, command, timeout_ms } = body
    return { body: await execInWorkload(service, actor, { at, slot, command, timeout_ms, signal, requestId }) }
  },
  terminal: async ({ service }, { actor, params: at, query, signal, requestId }) => {
    const { slot, rows, columns } = query
    const command = wordsIn(query.command) ?? []
    const ask = { at, slot, command, screen: { rows, columns }, signal, requestId }
    return { source: await openTerminal(service, actor, ask) }
  },
  port: async ({ service }, { actor, params, query: { slot }, signal, requestId }) => {
    const { port, ...at } = params
    return { source: await openPort(service, actor, { at, slot, port, signal, requestId }) }
  },
  sync: async ({ service }, { actor, params: at, query: { slot, path }, signal, requestId }) => {
    return { source: await openSync(service, actor, { at, slot, path, signal, requestId }) }
  },
  remove: async ({ service }, { actor, params, once, ifTag }) => {
    return { body: await removeWorkload(service, actor, { at: params, once, ifTag }) }
  },
  logs: async ({ service }, { params: at, query, signal, lastId: position, requestId }) => {
    await mustGet(service.store, at)
    const wanted = { ...query, slot: query.slot, follow: query.follow ?? false, tail: query.tail }
    return logsOf(followLogs(service, { at, query: wanted, position, signal, requestId }))
  },

  attempts: async ({ service }, { params }) => ({ body: { items: await attemptsOf(service, params) } }),

  events: async ({ service }, { actor, query, signal, lastId }) => {
    if (query.order === 'newest') {
      const page = resumedPage(query, lastId)
      return pageOf(followEvents(service, actor, { query: page, signal }), page.tail)
    }
    const after = lastId === undefined || !/^\d{1,15}$/.test(lastId) ? (query.after ?? 0) : Number(lastId)
    const { follow = false } = query
    // A resumed stream has already sent the last entries.
    const tail = lastId === undefined ? query.tail : undefined
    return eventsOf(followEvents(service, actor, { query: { ...query, follow, after, tail }, signal }))
  },
  cost: async ({ service }, { actor, query }) => ({ body: await costOf(service, actor, query) }),
  routes: async ({ service }, { query, signal }) => routesOf(followRoutes(service, query.follow ?? false, signal)),
  audit: async ({ service }, { query }) => {
    return { body: printPage(await listAudit(service, { ...query, after: pageAfter(query.after) })) }
  },
} satisfies SomeHandlers<Exclude<keyof typeof WORK_ROUTES, 'metrics'>>

/** Handlers for the process itself, workloads and their events. `metrics` is in server.ts. */
export const WORK_HANDLERS = exact<typeof handlers, Unsaid<typeof handlers>>(handlers)

async function* logsOf(entries: ReturnType<typeof followLogs>) {
  for await (const { line, position, more } of entries) yield { id: position, data: line, more }
}

/** The rest of a page whose stream broke: `lastId` says after which event, and how many are left. */
function resumedPage(query: Parsed<'events'>, lastId: string | undefined): Parsed<'events'> {
  const [, before, left] = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(lastId ?? '') ?? []
  if (before === undefined) return query
  return { ...query, before: Number(before), ...(left !== undefined && { tail: Number(left) }) }
}

async function* pageOf(entries: ReturnType<typeof followEvents>, tail: number | undefined) {
  let sent = 0
  for await (const entry of entries) {
    sent++
    const left = tail === undefined ? '' : `.${tail - sent}`
    yield { id: `${entry.seq}${left}`, data: shown(entry) }
  }
}

async function* eventsOf(entries: ReturnType<typeof followEvents>) {
  for await (const entry of entries) yield { id: String(entry.seq), data: shown(entry) }
}

async function* routesOf(entries: ReturnType<typeof followRoutes>) {
  let sent = 0
  for await (const data of entries) yield { id: String(++sent), data }
}

/** By version. It takes longer to work out than any other reply, and never changes. */
const documents = new Map<string, ReturnType<typeof inTurns<Readonly<Record<string, unknown>>>>>()

function document(version: string) {
  const known = documents.get(version) ?? inTurns(openApiInPieces(version))
  documents.set(version, known)
  return known
}
