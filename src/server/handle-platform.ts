import { mayDo } from '../service/access.ts'
import { PLATFORM_SCOPE } from '../service/credentials.ts'
import { listCapacity, searchCapacity } from '../service/offers.ts'
import { marketHistory } from '../service/market.ts'
import { listPolicies, removePolicy, setPolicy } from '../service/policies.ts'
import { rulesIn } from '../service/platform.ts'
import { wallsNote } from '../service/project-rules.ts'
import { listProjects, setProject } from '../service/projects.ts'
import { addProvider, listProviders, removeProvider, setProvider } from '../service/providers.ts'
import { rotateSecrets } from '../service/key-rotation.ts'
import { listSecrets, removeSecret, setCredential, setSecret } from '../service/secrets.ts'
import { getTemplate, launch, listTemplates, pushTemplate, removeTemplate, render } from '../service/templates.ts'
import { createToken, listTokens, removeToken } from '../service/tokens.ts'
import { unknownNote } from '../service/known-projects.ts'
import { notFound } from '../core/base/refuse.ts'
import type { PLATFORM_ROUTES } from '../api/routes-platform.ts'
import { Secret } from '../ports/secret.ts'
import { exact, type SomeHandlers, type Unsaid } from './request.ts'

const handlers = {
  providers: async ({ service }, { actor }) => ({ body: { items: await listProviders(service, actor) } }),
  addProvider: async ({ service }, { actor, params, body }) => {
    const { kind, settings, credential } = body
    const added = { name: params.name, kind, settings, ...(credential !== undefined && { credential }) }
    return { body: await addProvider(service, actor, added) }
  },
  testProvider: async ({ service }, { params, signal, requestId }) => {
    const checks = await service.providers.test(params.name, { signal, requestId })
    if (checks === undefined) throw notFound('provider', params)
    return { body: { items: checks } }
  },
  setProvider: async ({ service }, { actor, params, body }) => {
    return { body: await setProvider(service, actor, { name: params.name, state: body.state }) }
  },
  removeProvider: async ({ service }, { actor, params }) => ({
    body: await removeProvider(service, actor, params.name),
  }),

  offers: async ({ service }, { params, query }) => ({ body: await listCapacity(service, { ...query, ...params }) }),
  searchOffers: async ({ service }, { params, body }) => ({
    body: await searchCapacity(service, { ...body, ...params }),
  }),
  offersHistory: async ({ service }, { params, body }) => ({
    body: await marketHistory(service, { ...body, ...params }),
  }),

  policies: async ({ service }) => ({ body: { items: await listPolicies(service) } }),
  setPolicy: async ({ service }, { actor, params, body }) => {
    return { body: await setPolicy(service, actor, { name: params.name, settings: body.settings }) }
  },
  removePolicy: async ({ service }, { actor, params }) => ({ body: await removePolicy(service, actor, params.name) }),

  projects: async ({ service }, { actor }) => {
    return { body: { items: await listProjects(service, (name) => mayDo(actor, 'project.read', name)) } }
  },
  setProject: async ({ service }, { actor, params, body }) => {
    const { gpus_max: gpusMax, usd_per_hour_max: usdPerHourMax, workloads_max: workloadsMax } = body
    const limits = { gpusMax, usdPerHourMax, workloadsMax, ...rulesIn(body) }
    return { body: await setProject(service, actor, { name: params.project, limits }) }
  },

  tokens: async ({ service }) => ({ body: { items: await listTokens(service) } }),
  createToken: async ({ service }, { actor, body }) => {
    const unknown = await unknownNote(service, body.projects)
    const wereWalled = service.providers.unwalled().length > 0
    const made = await createToken(service, actor, body)
    const walls = wereWalled ? undefined : await wallsNote(service)
    const notes = [walls, unknown].filter((note) => note !== undefined)
    return { body: { ...made, ...(notes.length > 0 && { note: notes.join('\n') }) } }
  },
  removeToken: async ({ service }, { actor, params }) => ({ body: await removeToken(service, actor, params.name) }),

  secrets: async ({ service }, { actor, params }) => {
    return { body: { items: await listSecrets(service, actor, params.project) } }
  },
  setSecret: async ({ service }, { actor, params, body }) => {
    return { body: await setSecret(service, actor, { at: params, value: new Secret(body.value) }) }
  },
  removeSecret: async ({ service }, { actor, params }) => ({ body: await removeSecret(service, actor, params) }),

  platformSecrets: async ({ service }, { actor }) => {
    return { body: { items: await listSecrets(service, actor, PLATFORM_SCOPE) } }
  },
  setPlatformSecret: async ({ service }, { actor, params, body }) => {
    const value = body.value === undefined ? undefined : new Secret(body.value)
    return { body: await setCredential(service, actor, { name: params.name, value }) }
  },
  removePlatformSecret: async ({ service }, { actor, params }) => {
    return { body: await removeSecret(service, actor, { project: PLATFORM_SCOPE, name: params.name }) }
  },
  rotateSecrets: async ({ service }, { actor, once }) => ({ body: await rotateSecrets(service, actor, once) }),

  templates: async ({ service }, { params }) => ({ body: { items: await listTemplates(service, params.project) } }),
  template: async ({ service }, { params, query }) => ({ body: await getTemplate(service, params, query.version) }),
  pushTemplate: async ({ service }, { actor, params, body }) => {
    return { body: await pushTemplate(service, actor, { at: params, text: body.text }) }
  },
  removeTemplate: async ({ service }, { actor, params, query }) => {
    return { body: await removeTemplate(service, actor, { at: params, version: query.version }) }
  },
  render: async ({ service }, { params, body }) => {
    const { version, name, set } = body
    return { body: await render(service, { project: params.project, template: params.template, version, name, set }) }
  },
  launch: async ({ service }, { actor, params, body, once, ifTag }) => {
    const { version, name, set, agreed } = body
    const ask = { project: params.project, template: params.template, version, name, set, agreed, once, ifTag }
    return { body: await launch(service, actor, ask) }
  },
} satisfies SomeHandlers<keyof typeof PLATFORM_ROUTES>

/** Handlers for what the platform team owns, and for the secrets and templates that workloads use. */
export const PLATFORM_HANDLERS = exact<typeof handlers, Unsaid<typeof handlers>>(handlers)
