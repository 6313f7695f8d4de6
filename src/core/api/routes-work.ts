import { z } from 'zod'
import * as answers from './answers.ts'
import { flagText, name, wholeText } from './fields.ts'
import { AT, DELETE, IN_PROJECT, PAGE, POST, READ, route } from './route.ts'
import * as schemas from './schemas.ts'

const WORKLOADS = '/v1/projects/:project/workloads'
const WORKLOAD = `${WORKLOADS}/:name`

/** The process itself, workloads and what happened to them. */
export const WORK_ROUTES = {
  health: route({
    ...READ,
    path: '/healthz',
    about: 'Whether the process runs.',
    access: undefined,
    answer: z.object({ ok: z.literal(true) }),
  }),
  ready: route({
    ...READ,
    path: '/readyz',
    about: 'Whether it can serve: its store answers and somebody leads.',
    access: undefined,
    answer: z.object({ ok: z.boolean(), text: z.string() }),
  }),
  metrics: route({
    ...READ,
    path: '/metrics',
    about: 'Figures for Prometheus.',
    access: 'metrics.read',
    answer: z.string(),
    kind: 'text',
  }),
  openapi: route({
    ...READ,
    path: '/v1/openapi.json',
    about: 'This document.',
    access: 'info.read',
    answer: z.looseObject({}),
  }),
  info: route({
    ...READ,
    path: '/v1/info',
    about: 'What this control plane is.',
    access: 'info.read',
    answer: answers.info,
  }),

  plan: route({
    ...POST,
    path: '/v1/projects/:project/plan',
    about: 'Plans a manifest over what the providers offer now; changes nothing.',
    access: 'workload.read',
    params: IN_PROJECT,
    body: schemas.manifestBody,
    answer: answers.planReport,
  }),
  preview: route({
    ...POST,
    path: '/v1/projects/:project/preview',
    about: 'What applying a manifest would change of what there is; changes nothing.',
    access: 'workload.read',
    params: IN_PROJECT,
    body: schemas.previewBody,
    answer: answers.preview,
  }),
  apply: route({
    ...POST,
    path: WORKLOADS,
    about: 'Creates or changes the workload of a manifest.',
    access: 'workload.change',
    params: IN_PROJECT,
    body: schemas.applyBody,
    answer: answers.applied,
    once: true,
  }),
  allWorkloads: route({
    ...READ,
    path: '/v1/workloads',
    about: 'Workloads of every project that the token may see.',
    access: 'workload.read',
    query: PAGE,
    answer: answers.pageOf(schemas.workloadView),
  }),
  workloads: route({
    ...READ,
    path: WORKLOADS,
    about: 'Workloads of a project.',
    access: 'workload.read',
    params: IN_PROJECT,
    query: PAGE,
    answer: answers.pageOf(schemas.workloadView),
  }),
  workload: route({
    ...READ,
    path: WORKLOAD,
    about: 'One workload.',
    access: 'workload.read',
    params: AT,
    answer: schemas.workloadView,
  }),
  manifest: route({
    ...READ,
    path: `${WORKLOAD}/manifest`,
    about: 'Its manifest, as it was applied.',
    access: 'workload.read',
    params: AT,
    answer: answers.manifestText,
  }),
  explain: route({
    ...READ,
    path: `${WORKLOAD}/explain`,
    about: 'Why it is where it is, or is not.',
    access: 'workload.read',
    params: AT,
    answer: answers.explanation,
  }),
  scale: route({
    ...POST,
    path: `${WORKLOAD}/scale`,
    about: 'Sets the number of replicas.',
    access: 'workload.change',
    params: AT,
    body: schemas.scaleBody,
    answer: schemas.workloadView,
    once: true,
  }),
  stop: route({
    ...POST,
    path: `${WORKLOAD}/stop`,
    about: 'Stops it; applying it again starts it.',
    access: 'workload.change',
    params: AT,
    answer: schemas.workloadView,
    once: true,
  }),
  remove: route({
    ...DELETE,
    path: WORKLOAD,
    about: 'Stops it and forgets it.',
    access: 'workload.change',
    params: AT,
    answer: schemas.workloadView,
    once: true,
  }),
  logs: route({
    ...READ,
    path: `${WORKLOAD}/logs`,
    about: 'What it printed. Last-Event-ID takes a stream up again.',
    access: 'workload.read',
    params: AT,
    query: z.strictObject({
      slot: z.string().max(128).optional(),
      follow: flagText.optional(),
      tail: wholeText.optional(),
      attempt: z
        .string()
        .regex(/^[a-z0-9]{1,32}$/, 'Give previous, the number of an attempt, or its id.')
        .optional(),
      since_ms: wholeText.optional(),
    }),
    answer: schemas.logLine,
    kind: 'stream',
  }),
  attempts: route({
    ...READ,
    path: `${WORKLOAD}/attempts`,
    about: 'What was tried for it so far, as far back as events are kept; the last of them only.',
    access: 'workload.read',
    params: AT,
    answer: z.object({ items: z.array(answers.attemptView) }),
  }),

  events: route({
    ...READ,
    path: '/v1/events',
    about: 'What happened. Last-Event-ID takes a stream up again.',
    access: 'event.read',
    query: z.strictObject({
      project: name.optional(),
      workload: name.optional(),
      after: wholeText.optional(),
      follow: flagText.optional(),
    }),
    answer: schemas.eventEntry,
    kind: 'stream',
  }),
  audit: route({
    ...READ,
    path: '/v1/audit',
    about: 'Who changed what.',
    access: 'audit.read',
    query: PAGE.extend({ project: name.optional() }),
    answer: answers.pageOf(schemas.auditEntry),
  }),
}
