import { mayDo } from '../service/access.ts'
import { PLATFORM_SCOPE } from '../service/credentials.ts'
import { listShelf, searchShelf } from '../service/offers.ts'
import { listPolicies, removePolicy, setPolicy } from '../service/policies.ts'
import { rulesIn } from '../service/platform.ts'
import { wallsNote } from '../service/project-rules.ts'
import { listProjects, setProject } from '../service/projects.ts'
import { addProvider, listProviders, removeProvider, setProvider } from '../service/providers.ts'
import { listSecrets, removeSecret, setCredential, setSecret } from '../service/secrets.ts'
import { getTemplate, launch, listTemplates, pushTemplate, removeTemplate, render } from '../service/templates.ts'
import { createToken, listTokens, removeToken } from '../service/tokens.ts'
import { notFound } from '../core/base/refuse.ts'
import type { PLATFORM_ROUTES } from '../api/routes-platform.ts'
import { Secret } from '../ports/secret.ts'
import type { SomeHandlers } from './request.ts'

/** What the platform team owns, and what workloads are made with. */
export const PLATFORM_HANDLERS: SomeHandlers<keyof typeof PLATFORM_ROUTES> = {
  providers: async ({ desk }) => ({ body: { items: await listProviders(desk) } }),
  addProvider: async ({ desk }, { actor, params, body }) => {
    const { kind, settings, credential } = body
    const added = { name: params.name, kind, settings, ...(credential !== undefined && { credential }) }
    return { body: await addProvider(desk, actor, added) }
  },
  testProvider: async ({ desk }, { params, signal, requestId }) => {
    const checks = await desk.providers.test(params.name, { signal, requestId })
    if (checks === undefined) throw notFound('provider', params)
    return { body: { items: checks } }
  },
  setProvider: async ({ desk }, { actor, params, body }) => {
    return { body: await setProvider(desk, actor, { name: params.name, state: body.state }) }
  },
  removeProvider: async ({ desk }, { actor, params }) => ({ body: await removeProvider(desk, actor, params.name) }),

  offers: async ({ desk }, { params, query }) => ({ body: await listShelf(desk, { ...query, ...params }) }),
  searchOffers: async ({ desk }, { params, body }) => ({ body: await searchShelf(desk, { ...body, ...params }) }),

  policies: async ({ desk }) => ({ body: { items: await listPolicies(desk) } }),
  setPolicy: async ({ desk }, { actor, params, body }) => {
    return { body: await setPolicy(desk, actor, { name: params.name, settings: body.settings }) }
  },
  removePolicy: async ({ desk }, { actor, params }) => ({ body: await removePolicy(desk, actor, params.name) }),

  projects: async ({ desk }, { actor }) => {
    return { body: { items: await listProjects(desk, (name) => mayDo(actor, 'project.read', name)) } }
  },
  setProject: async ({ desk }, { actor, params, body }) => {
    const { gpusMax, usdPerHourMax, workloadsMax } = body
    const limits = { gpusMax, usdPerHourMax, workloadsMax, ...rulesIn(body) }
    return { body: await setProject(desk, actor, { name: params.project, limits }) }
  },

  tokens: async ({ desk }) => ({ body: { items: await listTokens(desk) } }),
  createToken: async ({ desk }, { actor, body }) => {
    const wereWalled = desk.providers.unwalled().length > 0
    const made = await createToken(desk, actor, body)
    const note = wereWalled ? undefined : await wallsNote(desk)
    return { body: { ...made, ...(note !== undefined && { note }) } }
  },
  removeToken: async ({ desk }, { actor, params }) => ({ body: await removeToken(desk, actor, params.name) }),

  secrets: async ({ desk }, { actor, params }) => {
    return { body: { items: await listSecrets(desk, actor, params.project) } }
  },
  setSecret: async ({ desk }, { actor, params, body }) => {
    return { body: await setSecret(desk, actor, { at: params, value: new Secret(body.value) }) }
  },
  removeSecret: async ({ desk }, { actor, params }) => ({ body: await removeSecret(desk, actor, params) }),

  platformSecrets: async ({ desk }, { actor }) => {
    return { body: { items: await listSecrets(desk, actor, PLATFORM_SCOPE) } }
  },
  setPlatformSecret: async ({ desk }, { actor, params, body }) => {
    const value = body.value === undefined ? undefined : new Secret(body.value)
    return { body: await setCredential(desk, actor, { name: params.name, value }) }
  },
  removePlatformSecret: async ({ desk }, { actor, params }) => {
    return { body: await removeSecret(desk, actor, { project: PLATFORM_SCOPE, name: params.name }) }
  },

  templates: async ({ desk }, { params }) => ({ body: { items: await listTemplates(desk, params.project) } }),
  template: async ({ desk }, { params, query }) => ({ body: await getTemplate(desk, params, query.version) }),
  pushTemplate: async ({ desk }, { actor, params, body }) => {
    return { body: await pushTemplate(desk, actor, { at: params, text: body.text }) }
  },
  removeTemplate: async ({ desk }, { actor, params, query }) => {
    return { body: await removeTemplate(desk, actor, { at: params, version: query.version }) }
  },
  render: async ({ desk }, { params, body }) => {
    const { version, name, set } = body
    return { body: await render(desk, { project: params.project, template: params.name, version, name, set }) }
  },
  launch: async ({ desk }, { actor, params, body, once, ifTag }) => {
    const { version, name, set } = body
    const ask = { project: params.project, template: params.name, version, name, set, once, ifTag }
    return { body: await launch(desk, actor, ask) }
  },
}
