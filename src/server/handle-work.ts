import { attemptsOf } from '../service/workload/attempts.ts'
import { execInWorkload } from '../service/exec.ts'
import { infoOf, planManifest, whyNotReady } from '../service/info.ts'
import { followEvents, listAudit } from '../service/events.ts'
import { checkProject } from '../service/known-projects.ts'
import { followLogs } from '../service/logs.ts'
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
  scaleWorkload,
  stopWorkload,
} from '../service/workload/workloads.ts'
import { openApi } from '../api/openapi.ts'
import type { WORK_ROUTES } from '../api/routes-work.ts'
import { pageAfter, printPage } from './page.ts'
import type { SomeHandlers } from './request.ts'

/** A store that takes longer than this serves nobody. */
const READY_MS = 2000

/** The process itself, workloads and what happened to them. `metrics` is the server's own. */
export const WORK_HANDLERS: SomeHandlers<Exclude<keyof typeof WORK_ROUTES, 'metrics'>> = {
  health: async () => ({ body: { ok: true } }),
  ready: async ({ desk }) => {
    const wrong = await whyNotReady(desk, READY_MS)
    return wrong === undefined
      ? { body: { ok: true, text: 'ready' } }
      : { body: { ok: false, text: wrong }, status: 503 }
  },
  openapi: async ({ desk }) => ({ body: openApi(desk.info().version) }),
  info: async ({ desk }) => ({ body: infoOf(desk) }),

  plan: async ({ desk }, { params, body }) => ({ body: await planManifest(desk, { ...params, ...body }) }),
  preview: async ({ desk }, { actor, params, body }) => {
    await checkProject(desk, actor, { ...params, create: body.createProject })
    return { body: await previewManifest(desk, { ...params, ...body }) }
  },
  apply: async ({ desk }, { actor, params, body, once, ifTag }) => {
    return { body: await applyManifest(desk, actor, { ...params, ...body, pinned: body.pinned, once, ifTag }) }
  },
  allWorkloads: async ({ desk }, { actor, query }) => {
    return { body: printPage(await listWorkloads(desk, actor, { ...query, after: pageAfter(query.after) })) }
  },
  workloads: async ({ desk }, { actor, params, query }) => {
    const { project } = params
    return { body: printPage(await listWorkloads(desk, actor, { ...query, after: pageAfter(query.after), project })) }
  },
  workload: async ({ desk }, { params }) => {
    const { view, tag } = await seeWorkload(desk, params)
    return { body: view, tag }
  },
  manifest: async ({ desk }, { params }) => ({ body: await manifestOf(desk, params) }),
  history: async ({ desk }, { params }) => ({ body: { items: await historyOf(desk, params) } }),
  explain: async ({ desk }, { params }) => ({ body: await explainWorkload(desk, params) }),
  scale: async ({ desk }, { actor, params, body, once, ifTag }) => {
    const { role, replicas } = body
    return { body: await scaleWorkload(desk, actor, { at: params, role, replicas, once, ifTag }) }
  },
  stop: async ({ desk }, { actor, params, once, ifTag }) => {
    return { body: await stopWorkload(desk, actor, { at: params, once, ifTag }) }
  },
  rerun: async ({ desk }, { actor, params, once, ifTag }) => {
    return { body: await rerunWorkload(desk, actor, { at: params, once, ifTag }) }
  },
  exec: async ({ desk }, { actor, params: at, body, signal, requestId }) => {
    const { slot, command, timeout_ms } = body
    return { body: await execInWorkload(desk, actor, { at, slot, command, timeout_ms, signal, requestId }) }
  },
  remove: async ({ desk }, { actor, params, once, ifTag }) => {
    return { body: await removeWorkload(desk, actor, { at: params, once, ifTag }) }
  },
  logs: async ({ desk }, { params: at, query, signal, lastId: position, requestId }) => {
    await mustGet(desk.store, at)
    const wanted = { ...query, slot: query.slot, follow: query.follow ?? false, tail: query.tail }
    return logsOf(followLogs(desk, { at, query: wanted, position, signal, requestId }))
  },

  attempts: async ({ desk }, { params }) => ({ body: { items: await attemptsOf(desk, params) } }),

  events: async ({ desk }, { actor, query, signal, lastId }) => {
    const after = lastId === undefined || !/^\d{1,15}$/.test(lastId) ? (query.after ?? 0) : Number(lastId)
    const { project, workload, follow = false, since_ms } = query
    // Whoever comes back has had the last ones.
    const tail = lastId === undefined ? query.tail : undefined
    const wanted = { project, workload, follow, after, tail, since_ms }
    return eventsOf(followEvents(desk, actor, { query: wanted, signal }))
  },
  audit: async ({ desk }, { query }) => {
    return { body: printPage(await listAudit(desk, { ...query, after: pageAfter(query.after) })) }
  },
}

async function* logsOf(entries: ReturnType<typeof followLogs>) {
  for await (const { line, position, more } of entries) yield { id: position, data: line, more }
}

async function* eventsOf(entries: ReturnType<typeof followEvents>) {
  for await (const entry of entries) yield { id: String(entry.seq), data: entry }
}
