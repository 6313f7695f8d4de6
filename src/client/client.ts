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
import { send, type ClientDoors } from './send.ts'

export type { ClientDoors } from './send.ts'

/** A control plane behind HTTP. Reads are repeated when they fail; changes too, under one idempotency key each. */
export function httpBerth(doors: ClientDoors): Berth {
  return withMeant({ ...work(doors), ...streams(doors), ...platform(doors), ...projectOwned(doors) })
}

/** What an answer may take beyond the time that a command has. */
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

function work(doors: ClientDoors): Work {
  const keyed = (key: string = doors.random.id()) => ({ headers: { 'idempotency-key': key } })
  return {
    info: () => send(doors, ROUTES.info, {}),
    plan: ({ project, text, file, before, spot }) =>
      send(doors, ROUTES.plan, { params: { project }, body: { text, file, before: before && [...before], spot } }),
    preview: async ({ project, text, file, template, createProject }) => {
      const body = { text, file, template, createProject }
      return fromWire<Preview>(await send(doors, ROUTES.preview, { params: { project }, body }))
    },
    apply: async ({ project, idempotencyKey, text, file, pinned, createProject }) => {
      const body = { text, file, pinned, createProject }
      return fromWire<Applied>(await send(doors, ROUTES.apply, { params: { project }, body, ...keyed(idempotencyKey) }))
    },
    workloads: async ({ project, after, limit }) => {
      const query = { after, limit }
      const page =
        project === undefined
          ? await send(doors, ROUTES.allWorkloads, { query })
          : await send(doors, ROUTES.workloads, { params: { project }, query })
      return fromWire<Paged<WorkloadView>>(page)
    },
    workload: async (at) => fromWire<WorkloadView>(await send(doors, ROUTES.workload, { params: paramsOf(at) })),
    manifest: (at) => send(doors, ROUTES.manifest, { params: paramsOf(at) }),
    history: async (at) => (await send(doors, ROUTES.history, { params: paramsOf(at) })).items,
    explain: async (at) => fromWire<Explanation>(await send(doors, ROUTES.explain, { params: paramsOf(at) })),
    scale: async (at, { role, replicas }) => {
      const body = { role, replicas }
      return fromWire<WorkloadView>(await send(doors, ROUTES.scale, { params: paramsOf(at), body, ...keyed() }))
    },
    stop: async (at) => fromWire<WorkloadView>(await send(doors, ROUTES.stop, { params: paramsOf(at), ...keyed() })),
    rerun: async (at) => fromWire<WorkloadView>(await send(doors, ROUTES.rerun, { params: paramsOf(at), ...keyed() })),
    // Whether a command that was cut off has run is not known, so it is never sent a second time.
    exec: (at, { slot, command, timeout_ms }) => {
      const body = { slot, command: [...command], timeout_ms }
      return send(doors, ROUTES.exec, {
        params: paramsOf(at),
        body,
        repeat: 'never',
        timeoutMs: timeout_ms + ANSWER_MS,
      })
    },
    remove: async (at) =>
      fromWire<WorkloadView>(await send(doors, ROUTES.remove, { params: paramsOf(at), ...keyed() })),
    audit: async ({ project, after, limit }) =>
      fromWire<Paged<AuditEntry>>(await send(doors, ROUTES.audit, { query: { project, after, limit } })),
  }
}

function streams(doors: ClientDoors): Pick<Berth, 'events' | 'logs' | 'attempts'> {
  return {
    events: (query, signal): AsyncIterable<EventEntry> => follow(doors, ROUTES.events, { query: { ...query }, signal }),
    logs: async function* (at, query, signal) {
      for await (const line of follow(doors, ROUTES.logs, { params: paramsOf(at), query: { ...query }, signal })) {
        yield { ...line, atMs: line.atMs }
      }
    },
    attempts: async (at) =>
      fromWire<readonly AttemptView[]>((await send(doors, ROUTES.attempts, { params: paramsOf(at) })).items),
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

function platform(doors: ClientDoors): Platform {
  return {
    providers: async () => fromWire<readonly ProviderView[]>((await send(doors, ROUTES.providers, {})).items),
    addProvider: async (name, { kind, settings, credential }) => {
      const body = { kind, settings, credential }
      return fromWire<ProviderView>(await send(doors, ROUTES.addProvider, { params: { name }, body }))
    },
    testProvider: async (name) => (await send(doors, ROUTES.testProvider, { params: { name } })).items,
    setProvider: async (name, state) =>
      fromWire<ProviderView>(await send(doors, ROUTES.setProvider, { params: { name }, body: { state } })),
    removeProvider: async (name) =>
      fromWire<ProviderView>(await send(doors, ROUTES.removeProvider, { params: { name } })),

    offers: async ({ project, provider, gpus, sort, limit }) => {
      const query = { provider, gpus: gpus?.join(','), sort, limit }
      return fromWire<OffersListed>(await send(doors, ROUTES.offers, { params: { project }, query }))
    },
    searchOffers: async ({ project, text, file, spot, limit }) => {
      const body = { text, file, spot, limit }
      return fromWire<OffersFound>(await send(doors, ROUTES.searchOffers, { params: { project }, body }))
    },

    policies: async () => (await send(doors, ROUTES.policies, {})).items,
    setPolicy: (name, settings) => send(doors, ROUTES.setPolicy, { params: { name }, body: { settings } }),
    removePolicy: (name) => send(doors, ROUTES.removePolicy, { params: { name } }),

    projects: async () => {
      const { items } = await send(doors, ROUTES.projects, {})
      return fromWire<readonly ProjectView[]>(items)
    },
    setProject: (project, { gpusMax, usdPerHourMax, workloadsMax, policies, providers, processes }) => {
      const body = { gpusMax, usdPerHourMax, workloadsMax, policies, providers, processes }
      return send(doors, ROUTES.setProject, { params: { project }, body })
    },

    tokens: async () => (await send(doors, ROUTES.tokens, {})).items,
    // A token that was made and not seen is lost, so the request is made once; the name tells what became of it.
    createToken: ({ name, role, projects, ttl_ms }) => {
      return send(doors, ROUTES.createToken, { body: { name, role, projects, ttl_ms }, repeat: 'never' })
    },
    removeToken: (name) => send(doors, ROUTES.removeToken, { params: { name } }),
  }
}

type ProjectOwned = Pick<
  Berth,
  | 'platformSecrets'
  | 'setPlatformSecret'
  | 'removePlatformSecret'
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

function projectOwned(doors: ClientDoors): ProjectOwned {
  return {
    secrets: async (project) => (await send(doors, ROUTES.secrets, { params: { project } })).items,
    setSecret: (at, value) => send(doors, ROUTES.setSecret, { params: paramsOf(at), body: { value } }),
    removeSecret: (at) => send(doors, ROUTES.removeSecret, { params: paramsOf(at) }),
    platformSecrets: async () => (await send(doors, ROUTES.platformSecrets, {})).items,
    setPlatformSecret: (name, value) => send(doors, ROUTES.setPlatformSecret, { params: { name }, body: { value } }),
    removePlatformSecret: (name) => send(doors, ROUTES.removePlatformSecret, { params: { name } }),

    templates: async (project) =>
      fromWire<readonly TemplateView[]>((await send(doors, ROUTES.templates, { params: { project } })).items),
    template: async (at, version) =>
      fromWire<TemplateView>(await send(doors, ROUTES.template, { params: paramsOf(at), query: { version } })),
    pushTemplate: async (at, text) =>
      fromWire<TemplateView>(await send(doors, ROUTES.pushTemplate, { params: paramsOf(at), body: { text } })),
    removeTemplate: (at, version) => send(doors, ROUTES.removeTemplate, { params: paramsOf(at), query: { version } }),
    render: ({ project, template, version, name, set }) =>
      send(doors, ROUTES.render, { params: { project, name: template }, body: { version, name, set } }),
    launch: async ({ project, template, version, name, set, idempotencyKey }) => {
      const params = { project, name: template }
      const headers = { 'idempotency-key': idempotencyKey }
      return fromWire<Applied>(await send(doors, ROUTES.launch, { params, body: { version, name, set }, headers }))
    },
  }
}

function paramsOf({ project, name }: { readonly project: string; readonly name: string }) {
  return { project, name }
}
