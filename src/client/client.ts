import { fromWire } from '../api/wire.ts'
import { ROUTES } from '../api/routes.ts'
import type { AttemptView } from '../core/event/attempts.ts'
import type { EventEntry } from '../core/event/event.ts'
import type { WorkloadView } from '../core/life/view/view.ts'
import type {
  Applied,
  Berth,
  Explanation,
  OffersFound,
  OffersListed,
  Paged,
  Preview,
  ProjectView,
  ProviderView,
  TemplateView,
} from '../ports/berth.ts'
import type { AuditEntry } from '../core/event/event.ts'
import { follow } from './follow.ts'
import { withMeant } from './meant.ts'
import { send, type ClientDeps } from './send.ts'

export type { ClientDeps } from './send.ts'

/** A client of a control plane over HTTP. Failed reads are retried; so are changes, each under one idempotency key. */
export function httpBerth(deps: ClientDeps): Berth {
  return withMeant({ ...work(deps), ...streams(deps), ...platform(deps), ...projectOwned(deps) })
}

/** How long an answer may take beyond the command's own time limit. */
const ANSWER_MS = 10_000

type Work = Pick<
  Berth,
  | 'info'
  | 'plan'
  | 'preview'
  | 'apply'
  | 'workloads'
  | 'workload'
  | 'manifest'
  | 'history'
  | 'explain'
  | 'scale'
  | 'stop'
  | 'rerun'
  | 'exec'
  | 'remove'
  | 'audit'
>

function work(deps: ClientDeps): Work {
  const keyed = (key: string = deps.random.id()) => ({ headers: { 'idempotency-key': key } })
  return {
    info: () => send(deps, ROUTES.info, {}),
    plan: ({ project, text, file, before, spot }) =>
      send(deps, ROUTES.plan, { params: { project }, body: { text, file, before: before && [...before], spot } }),
    preview: async ({ project, text, file, template, createProject }) => {
      const body = { text, file, template, createProject }
      return fromWire<Preview>(await send(deps, ROUTES.preview, { params: { project }, body }))
    },
    apply: async ({ project, idempotencyKey, text, file, pinned, createProject }) => {
      const body = { text, file, pinned, createProject }
      return fromWire<Applied>(await send(deps, ROUTES.apply, { params: { project }, body, ...keyed(idempotencyKey) }))
    },
    workloads: async ({ project, after, limit }) => {
      const query = { after, limit }
      const page =
        project === undefined
          ? await send(deps, ROUTES.allWorkloads, { query })
          : await send(deps, ROUTES.workloads, { params: { project }, query })
      return fromWire<Paged<WorkloadView>>(page)
    },
    workload: async (at) => fromWire<WorkloadView>(await send(deps, ROUTES.workload, { params: paramsOf(at) })),
    manifest: (at) => send(deps, ROUTES.manifest, { params: paramsOf(at) }),
    history: async (at) => (await send(deps, ROUTES.history, { params: paramsOf(at) })).items,
    explain: async (at) => fromWire<Explanation>(await send(deps, ROUTES.explain, { params: paramsOf(at) })),
    scale: async (at, { role, replicas }) => {
      const body = { role, replicas }
      return fromWire<WorkloadView>(await send(deps, ROUTES.scale, { params: paramsOf(at), body, ...keyed() }))
    },
    stop: async (at) => fromWire<WorkloadView>(await send(deps, ROUTES.stop, { params: paramsOf(at), ...keyed() })),
    rerun: async (at) => fromWire<WorkloadView>(await send(deps, ROUTES.rerun, { params: paramsOf(at), ...keyed() })),
    // When the connection breaks, it is unknown whether the command has run, so it is never sent twice.
    exec: (at, { slot, command, timeout_ms }) => {
      const body = { slot, command: [...command], timeout_ms }
      return send(deps, ROUTES.exec, {
        params: paramsOf(at),
        body,
        repeat: 'never',
        timeoutMs: timeout_ms + ANSWER_MS,
      })
    },
    remove: async (at) => fromWire<WorkloadView>(await send(deps, ROUTES.remove, { params: paramsOf(at), ...keyed() })),
    audit: async ({ project, after, limit }) =>
      fromWire<Paged<AuditEntry>>(await send(deps, ROUTES.audit, { query: { project, after, limit } })),
  }
}

function streams(deps: ClientDeps): Pick<Berth, 'events' | 'logs' | 'attempts'> {
  return {
    events: (query, signal): AsyncIterable<EventEntry> => follow(deps, ROUTES.events, { query: { ...query }, signal }),
    logs: async function* (at, query, signal) {
      for await (const line of follow(deps, ROUTES.logs, { params: paramsOf(at), query: { ...query }, signal })) {
        yield { ...line, atMs: line.atMs }
      }
    },
    attempts: async (at) =>
      fromWire<readonly AttemptView[]>((await send(deps, ROUTES.attempts, { params: paramsOf(at) })).items),
  }
}

type Platform = Pick<
  Berth,
  | 'providers'
  | 'addProvider'
  | 'testProvider'
  | 'setProvider'
  | 'removeProvider'
  | 'offers'
  | 'searchOffers'
  | 'policies'
  | 'setPolicy'
  | 'removePolicy'
  | 'projects'
  | 'setProject'
  | 'tokens'
  | 'createToken'
  | 'removeToken'
>

function platform(deps: ClientDeps): Platform {
  return {
    providers: async () => fromWire<readonly ProviderView[]>((await send(deps, ROUTES.providers, {})).items),
    addProvider: async (name, { kind, settings, credential }) => {
      const body = { kind, settings, credential }
      return fromWire<ProviderView>(await send(deps, ROUTES.addProvider, { params: { name }, body }))
    },
    testProvider: async (name) => (await send(deps, ROUTES.testProvider, { params: { name } })).items,
    setProvider: async (name, state) =>
      fromWire<ProviderView>(await send(deps, ROUTES.setProvider, { params: { name }, body: { state } })),
    removeProvider: async (name) =>
      fromWire<ProviderView>(await send(deps, ROUTES.removeProvider, { params: { name } })),

    offers: async ({ project, provider, gpus, sort, limit }) => {
      const query = { provider, gpus: gpus?.join(','), sort, limit }
      return fromWire<OffersListed>(await send(deps, ROUTES.offers, { params: { project }, query }))
    },
    searchOffers: async ({ project, text, file, spot, limit }) => {
      const body = { text, file, spot, limit }
      return fromWire<OffersFound>(await send(deps, ROUTES.searchOffers, { params: { project }, body }))
    },

    policies: async () => (await send(deps, ROUTES.policies, {})).items,
    setPolicy: (name, settings) => send(deps, ROUTES.setPolicy, { params: { name }, body: { settings } }),
    removePolicy: (name) => send(deps, ROUTES.removePolicy, { params: { name } }),

    projects: async () => {
      const { items } = await send(deps, ROUTES.projects, {})
      return fromWire<readonly ProjectView[]>(items)
    },
    setProject: (project, { gpusMax, usdPerHourMax, workloadsMax, policies, providers, processes }) => {
      const body = { gpusMax, usdPerHourMax, workloadsMax, policies, providers, processes }
      return send(deps, ROUTES.setProject, { params: { project }, body })
    },

    tokens: async () => (await send(deps, ROUTES.tokens, {})).items,
    // A token whose answer was lost cannot be shown again, so the request is sent once; its name shows whether it exists.
    createToken: ({ name, role, projects, ttl_ms }) => {
      return send(deps, ROUTES.createToken, { body: { name, role, projects, ttl_ms }, repeat: 'never' })
    },
    removeToken: (name) => send(deps, ROUTES.removeToken, { params: { name } }),
  }
}

type ProjectOwned = Pick<
  Berth,
  | 'platformSecrets'
  | 'setPlatformSecret'
  | 'removePlatformSecret'
  | 'rotateSecrets'
  | 'secrets'
  | 'setSecret'
  | 'removeSecret'
  | 'templates'
  | 'template'
  | 'pushTemplate'
  | 'removeTemplate'
  | 'render'
  | 'launch'
>

/** Every secret is read and written. */
const ROTATION_TIMEOUT_MS = 600_000

function projectOwned(deps: ClientDeps): ProjectOwned {
  return {
    secrets: async (project) => (await send(deps, ROUTES.secrets, { params: { project } })).items,
    setSecret: (at, value) => send(deps, ROUTES.setSecret, { params: paramsOf(at), body: { value } }),
    removeSecret: (at) => send(deps, ROUTES.removeSecret, { params: paramsOf(at) }),
    platformSecrets: async () => (await send(deps, ROUTES.platformSecrets, {})).items,
    setPlatformSecret: (name, value) => send(deps, ROUTES.setPlatformSecret, { params: { name }, body: { value } }),
    removePlatformSecret: (name) => send(deps, ROUTES.removePlatformSecret, { params: { name } }),
    rotateSecrets: (idempotencyKey) => {
      const headers = { 'idempotency-key': idempotencyKey }
      return send(deps, ROUTES.rotateSecrets, { headers, timeoutMs: ROTATION_TIMEOUT_MS })
    },

    templates: async (project) =>
      fromWire<readonly TemplateView[]>((await send(deps, ROUTES.templates, { params: { project } })).items),
    template: async (at, version) =>
      fromWire<TemplateView>(await send(deps, ROUTES.template, { params: paramsOf(at), query: { version } })),
    pushTemplate: async (at, text) =>
      fromWire<TemplateView>(await send(deps, ROUTES.pushTemplate, { params: paramsOf(at), body: { text } })),
    removeTemplate: (at, version) => send(deps, ROUTES.removeTemplate, { params: paramsOf(at), query: { version } }),
    render: ({ project, template, version, name, set }) =>
      send(deps, ROUTES.render, { params: { project, name: template }, body: { version, name, set } }),
    launch: async ({ project, template, version, name, set, idempotencyKey }) => {
      const params = { project, name: template }
      const headers = { 'idempotency-key': idempotencyKey }
      return fromWire<Applied>(await send(deps, ROUTES.launch, { params, body: { version, name, set }, headers }))
    },
  }
}

function paramsOf({ project, name }: { readonly project: string; readonly name: string }) {
  return { project, name }
}
