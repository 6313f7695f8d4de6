import { z } from 'zod'
import * as answers from './answers.ts'
import { planReport } from './plan.ts'
import { flagText, name, wholeText } from './fields.ts'
import { AT, DELETE, IN_PROJECT, PAGE, POST, READ, route } from './route.ts'
import * as schemas from './schemas.ts'

const WORKLOADS = '/v2/projects/:project/workloads'
const WORKLOAD = `${WORKLOADS}/:name`

/** Routes for the process itself, for workloads and for their events. */
export const WORK_ROUTES = {
  health: route({
    ...READ,
    path: '/healthz',
    about: 'Says whether the process runs.',
    access: undefined,
    answer: z.object({ ok: z.literal(true) }),
  }),
  ready: route({
    ...READ,
    path: '/readyz',
    about: 'Says whether it can serve: its store answers and there is a leader.',
    access: undefined,
    answer: z.object({ ok: z.boolean(), text: z.string() }),
  }),
  metrics: route({
    ...READ,
    path: '/metrics',
    about: 'Metrics for Prometheus.',
    access: 'metrics.read',
    answer: z.string(),
    kind: 'text',
  }),
  openapi: route({
    ...READ,
    path: '/v2/openapi.json',
    about: 'Returns this document.',
    access: 'info.read',
    answer: z.looseObject({}),
  }),
  info: route({
    ...READ,
    path: '/v2/info',
    about: 'Describes this control plane.',
    access: 'info.read',
    answer: answers.info,
  }),

  whoami: route({
    ...READ,
    path: '/v2/whoami',
    about: 'Says which token the request carries: its role and its projects.',
    access: 'info.read',
    answer: answers.whoami,
  }),
  plan: route({
    ...POST,
    path: '/v2/projects/:project/plan',
    about: 'Plans a manifest with what the providers offer now. Changes nothing.',
    access: 'workload.read',
    params: IN_PROJECT,
    body: schemas.planBody,
    answer: planReport,
  }),
  preview: route({
    ...POST,
    path: '/v2/projects/:project/preview',
    about: 'Says what applying a manifest would change. Changes nothing.',
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
  workloads: route({
    ...READ,
    path: '/v2/workloads',
    about: 'Lists workloads of one project, or of every project that the token may see.',
    access: 'workload.read',
    query: PAGE.extend({ project: name.optional(), ...schemas.workloadsQuery }),
    answer: answers.pageOf(schemas.workloadView),
  }),
  projectWorkloads: route({
    ...READ,
    path: WORKLOADS,
    about: 'Lists the workloads of a project.',
    access: 'workload.read',
    params: IN_PROJECT,
    query: PAGE.extend(schemas.workloadsQuery),
    answer: answers.pageOf(schemas.workloadView),
  }),
  workload: route({
    ...READ,
    path: WORKLOAD,
    about: 'Returns one workload.',
    access: 'workload.read',
    params: AT,
    answer: schemas.workloadView,
  }),
  manifest: route({
    ...READ,
    path: `${WORKLOAD}/manifest`,
    about: 'Returns the manifest of a workload as it was applied.',
    access: 'workload.read',
    params: AT,
    answer: answers.manifestText,
  }),
  history: route({
    ...READ,
    path: `${WORKLOAD}/history`,
    about: 'Lists the applied manifests of a workload, newest first; at most ten, and 256 KB of text.',
    access: 'workload.read',
    params: AT,
    answer: z.object({ items: z.array(answers.revision) }),
  }),
  explain: route({
    ...READ,
    path: `${WORKLOAD}/explain`,
    about: 'Explains why a workload runs where it does, or does not run.',
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
    about: 'Stops a workload. Applying it again starts it.',
    access: 'workload.change',
    params: AT,
    answer: schemas.workloadView,
    once: true,
  }),
  rerun: route({
    ...POST,
    path: `${WORKLOAD}/rerun`,
    about: 'Runs an ended workload again, unchanged.',
    access: 'workload.change',
    params: AT,
    body: schemas.rerunBody,
    answer: schemas.workloadView,
    once: true,
  }),
  exec: route({
    ...POST,
    path: `${WORKLOAD}/exec`,
    about:
      'Runs a program next to a running slot and returns its output. Output and time are limited; there is no input.',
    access: 'workload.exec',
    params: AT,
    body: schemas.execBody,
    answer: answers.executed,
    again: false,
  }),
  remove: route({
    ...DELETE,
    path: WORKLOAD,
    about: 'Stops a workload and removes it.',
    access: 'workload.change',
    params: AT,
    answer: schemas.workloadView,
    once: true,
  }),
  logs: route({
    ...READ,
    path: `${WORKLOAD}/logs`,
    about: 'Streams the output of a workload. Last-Event-ID resumes a stream.',
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
    about: 'Lists the latest attempts to run a workload, as far back as events are kept.',
    access: 'workload.read',
    params: AT,
    answer: z.object({ items: z.array(answers.attemptView) }),
  }),

  events: route({
    ...READ,
    path: '/v2/events',
    about:
      'Streams events, oldest first or newest first. Last-Event-ID resumes a stream. Newest first, `tail` is the length of a page, and `before` with the seq of its last event gives the next page.',
    access: 'event.read',
    query: schemas.eventsQuery,
    answer: schemas.eventEntry,
    kind: 'stream',
  }),
  audit: route({
    ...READ,
    path: '/v2/audit',
    about: 'Lists who changed what, who was denied what, and which workload got which secret.',
    access: 'audit.read',
    query: PAGE.extend(schemas.auditQuery),
    answer: answers.pageOf(schemas.auditEntry),
  }),
}
