import { z } from 'zod'
import * as answers from './answers.ts'
import { name, secretName, wholeText } from './fields.ts'
import { AT, DELETE, IN_PROJECT, NAMED, NOTHING, POST, PUT, READ, route } from './route.ts'
import * as schemas from './schemas.ts'

const TEMPLATES = '/v1/projects/:project/templates'
const SECRETS = '/v1/projects/:project/secrets'
const PLATFORM_SECRETS = '/v1/platform/secrets'
const CREDENTIAL = z.strictObject({ name: secretName })
const SECRET_AT = z.strictObject({ project: name, name: secretName })
const OFFERS = '/v1/projects/:project/offers'
const VERSION = z.strictObject({ version: wholeText.optional() })

/** Routes for what the platform team owns, and for the secrets and templates that workloads use. */
export const PLATFORM_ROUTES = {
  providers: route({
    ...READ,
    path: '/v1/providers',
    about: 'Lists providers and their states.',
    access: 'provider.read',
    answer: z.object({ items: z.array(answers.providerView) }),
  }),
  addProvider: route({
    ...PUT,
    path: '/v1/providers/:name',
    about: 'Adds or changes a provider.',
    access: 'provider.change',
    params: NAMED,
    body: schemas.providerBody,
    answer: answers.providerView,
  }),
  testProvider: route({
    ...POST,
    path: '/v1/providers/:name/test',
    about: 'Runs every check on a provider that costs nothing.',
    access: 'provider.change',
    params: NAMED,
    answer: z.object({ items: z.array(answers.providerCheck) }),
  }),
  setProvider: route({
    ...PUT,
    path: '/v1/providers/:name/state',
    about: 'Opens, cordons or drains a provider.',
    access: 'provider.change',
    params: NAMED,
    body: schemas.providerStateBody,
    answer: answers.providerView,
  }),
  removeProvider: route({
    ...DELETE,
    path: '/v1/providers/:name',
    about: 'Removes a provider as soon as nothing runs there.',
    access: 'provider.change',
    params: NAMED,
    answer: answers.providerView,
  }),

  offers: route({
    ...READ,
    path: OFFERS,
    about: 'Lists what the providers offer now, as far as the project may use it.',
    access: 'offer.read',
    params: IN_PROJECT,
    query: schemas.offersQuery,
    answer: answers.offersListed,
  }),
  searchOffers: route({
    ...POST,
    path: `${OFFERS}/search`,
    about: 'Lists every offer that meets a manifest, cheapest first, and why the others do not. Changes nothing.',
    access: 'offer.read',
    params: IN_PROJECT,
    body: schemas.offersSearchBody,
    answer: answers.offersFound,
  }),

  policies: route({
    ...READ,
    path: '/v1/policies',
    about: 'Lists routing policies.',
    access: 'policy.read',
    answer: z.object({ items: z.array(answers.policyView) }),
  }),
  setPolicy: route({
    ...PUT,
    path: '/v1/policies/:name',
    about: 'Creates or replaces a policy.',
    access: 'policy.change',
    params: NAMED,
    body: schemas.policyBody,
    answer: answers.policyView,
  }),
  removePolicy: route({
    ...DELETE,
    path: '/v1/policies/:name',
    about: 'Removes a policy.',
    access: 'policy.change',
    params: NAMED,
    answer: NOTHING,
    status: 204,
  }),

  projects: route({
    ...READ,
    path: '/v1/projects',
    about: 'Lists the projects that the token may see, and their limits.',
    access: 'project.read',
    answer: z.object({ items: z.array(answers.projectView) }),
  }),
  setProject: route({
    ...PUT,
    path: '/v1/projects/:project',
    about: 'Creates a project or sets its limits.',
    access: 'project.change',
    params: IN_PROJECT,
    body: schemas.projectBody,
    answer: NOTHING,
    status: 204,
  }),

  tokens: route({
    ...READ,
    path: '/v1/tokens',
    about: 'Lists tokens, without their secret part.',
    access: 'token.read',
    answer: z.object({ items: z.array(answers.tokenView) }),
  }),
  createToken: route({
    ...POST,
    path: '/v1/tokens',
    about: 'Creates a token. Only this answer ever shows it.',
    access: 'token.change',
    body: schemas.tokenBody,
    answer: answers.newTokenView,
    status: 201,
  }),
  removeToken: route({
    ...DELETE,
    path: '/v1/tokens/:name',
    about: 'Revokes a token and ends the streams it opened.',
    access: 'token.change',
    params: NAMED,
    answer: NOTHING,
    status: 204,
  }),

  secrets: route({
    ...READ,
    path: SECRETS,
    about: 'Lists names and versions of secrets, never a value.',
    access: 'secret.read',
    params: IN_PROJECT,
    answer: z.object({ items: z.array(answers.secretView) }),
  }),
  setSecret: route({
    ...PUT,
    path: `${SECRETS}/:name`,
    about: 'Sets a secret.',
    access: 'secret.change',
    params: SECRET_AT,
    body: schemas.secretBody,
    answer: answers.secretView,
  }),
  removeSecret: route({
    ...DELETE,
    path: `${SECRETS}/:name`,
    about: 'Removes a secret.',
    access: 'secret.change',
    params: SECRET_AT,
    answer: NOTHING,
    status: 204,
  }),

  platformSecrets: route({
    ...READ,
    path: PLATFORM_SECRETS,
    about: 'Lists names and versions of provider credentials, never a value.',
    access: 'credential.read',
    answer: z.object({ items: z.array(answers.secretView) }),
  }),
  setPlatformSecret: route({
    ...PUT,
    path: `${PLATFORM_SECRETS}/:name`,
    about: 'Sets a provider credential. Without a value, moves it from the project `default`.',
    access: 'credential.change',
    params: CREDENTIAL,
    body: schemas.credentialBody,
    answer: answers.secretView,
  }),
  removePlatformSecret: route({
    ...DELETE,
    path: `${PLATFORM_SECRETS}/:name`,
    about: 'Removes a provider credential that no provider names.',
    access: 'credential.change',
    params: CREDENTIAL,
    answer: NOTHING,
    status: 204,
  }),
  rotateSecrets: route({
    ...POST,
    path: '/v1/platform/keys',
    about: 'Makes a new key and encrypts every secret and provider credential under it.',
    access: 'credential.change',
    answer: answers.rotationView,
    once: true,
  }),

  templates: route({
    ...READ,
    path: TEMPLATES,
    about: 'Lists the launch templates of a project in their newest versions.',
    access: 'template.read',
    params: IN_PROJECT,
    answer: z.object({ items: z.array(answers.templateView) }),
  }),
  template: route({
    ...READ,
    path: `${TEMPLATES}/:name`,
    about: 'Returns one version of a template; by default the newest.',
    access: 'template.read',
    params: AT,
    query: VERSION,
    answer: answers.templateView,
  }),
  pushTemplate: route({
    ...POST,
    path: `${TEMPLATES}/:name`,
    about: 'Adds a version to a template, unless the newest is the same.',
    access: 'template.change',
    params: AT,
    body: schemas.templateBody,
    answer: answers.templateView,
  }),
  removeTemplate: route({
    ...DELETE,
    path: `${TEMPLATES}/:name`,
    about: 'Removes one version of a template, or all.',
    access: 'template.change',
    params: AT,
    query: VERSION,
    answer: NOTHING,
    status: 204,
  }),
  render: route({
    ...POST,
    path: `${TEMPLATES}/:name/render`,
    about: 'Returns the manifest that a launch would apply. Changes nothing.',
    access: 'template.read',
    params: AT,
    body: schemas.launchBody,
    answer: answers.rendered,
  }),
  launch: route({
    ...POST,
    path: `${TEMPLATES}/:name/launch`,
    about: 'Applies the manifest of a template.',
    access: 'workload.change',
    params: AT,
    body: schemas.launchBody,
    answer: answers.applied,
    once: true,
  }),
}
