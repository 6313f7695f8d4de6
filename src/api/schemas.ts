import { z } from 'zod'
import type { AuditEntry, EventEntry } from '../core/event/event.ts'
import { eventSchema } from '../core/event/wire.ts'
import { parseSelector } from '../core/life/view/selector.ts'
import type { RouteEntry, ServiceRoute } from '../core/route/route.ts'
import type { SlotView, WorkloadView } from '../core/life/view/view.ts'
import { amount, count, file, flagText, moment, name, secretName, settings, text, wholeText } from './fields.ts'
import type { SchemaOf } from './wire.ts'

const facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
const origin = z.object({ name: z.string(), version: count })

const exit = z.union([
  z.object({ kind: z.literal('code'), code: z.int() }),
  z.object({ kind: z.literal('signal'), signal: z.string() }),
  z.object({ kind: z.literal('out-of-memory') }),
  z.object({ kind: z.literal('preempted') }),
  z.object({ kind: z.literal('machine') }),
  z.object({ kind: z.literal('start'), why: z.string() }),
  z.object({ kind: z.literal('storage'), why: z.string() }),
])

const slotView = z.object({
  slot: z.string(),
  epoch: count,
  attempt: z.string(),
  phase: z.enum(['reserved', 'unknown', 'starting', 'running', 'stopping', 'gone']),
  current: z.boolean().optional(),
  since_ms: moment,
  provider: z.string(),
  region: z.string(),
  offer: z.string(),
  instance: z.string().optional(),
  gpus: z.number(),
  usd_per_hour: z.number(),
  healthy: z.boolean().optional(),
  was_healthy: z.boolean().optional(),
  health_path: z.string().optional(),
  checkpoint_ms: moment.optional(),
  queued: z.object({ since_ms: moment, reason: z.string() }).optional(),
  unseen: z.boolean().optional(),
  ports: z.record(z.string(), z.string()),
  because: z.string(),
  why: z.string().optional(),
  exit: exit.optional(),
  tries: count,
  next_try_ms: moment,
  decision: z
    .object({
      at_ms: moment,
      policy: z.string(),
      candidates: count,
      fitting: count,
      refused: z.record(z.string(), count),
      runner_up: z.object({ offer: z.string(), usd_per_hour: z.number() }).optional(),
      image_unused: z.boolean().optional(),
    })
    .optional(),
}) satisfies SchemaOf<SlotView>

export const workloadState = z.enum([
  'waiting',
  'queued',
  'starting',
  'serving',
  'degraded',
  'running',
  'unknown',
  'stopping',
  'stopped',
  'done',
  'failed',
  'set-aside',
])

const order = z.enum(['oldest', 'newest']).optional().meta({ description: 'Which come first; left out: the oldest.' })

/** Which events, and in which order. */
export const eventsQuery = z
  .strictObject({
    project: name.optional(),
    workload: name.optional(),
    after: wholeText.optional().meta({ description: 'Only events with a higher seq.' }),
    before: wholeText.optional().meta({ description: 'Only events with a lower seq.' }),
    order,
    follow: flagText.optional(),
    tail: wholeText.optional().meta({ description: 'Only so many of the latest events.' }),
    since_ms: wholeText.optional(),
  })
  .refine(({ follow, order, before }) => follow !== true || (order !== 'newest' && before === undefined), {
    path: ['follow'],
    message: 'New events come last: leave out `follow`, or both `order` and `before`.',
  })

/** Filters and the order of the audit. */
export const auditQuery = {
  project: name.optional(),
  actor: z.string().max(256).optional().meta({ description: 'Only what this token did, or `system`.' }),
  action: z.string().max(256).optional().meta({ description: 'Only this action, such as `apply` or `secret.use`.' }),
  since_ms: wholeText.optional().meta({ description: 'Only entries at this time or later.' }),
  before: wholeText.optional().meta({ description: 'Only entries with a lower seq.' }),
  order,
}

/** Filters and the order of a list of workloads. */
export const workloadsQuery = {
  state: z
    .string()
    .max(512)
    .transform((words) => words.split(','))
    .pipe(z.array(workloadState))
    .optional()
    .meta({ description: 'States, separated by commas: only workloads in one of them.' }),
  provider: z.string().max(63).optional().meta({ description: 'Only workloads that have something at this provider.' }),
  label: z
    .string()
    .max(1024)
    .refine((words) => parseSelector(words) !== undefined, 'Write labels such as team=ml,stage!=test.')
    .optional()
    .meta({
      description: 'Only workloads with these labels: `key=value`, `key!=value` or `key`, separated by commas.',
    }),
  sort: z
    .enum(['name', 'age', 'cost', 'state', 'where'])
    .optional()
    .meta({ description: 'The newest or the dearest first; left out: by project and name.' }),
}

/** A workload as users see it. */
export const workloadView = z
  .object({
    project: z.string(),
    name: z.string(),
    uid: z.string(),
    kind: z.enum(['service', 'job']),
    generation: count,
    want: z.enum(['running', 'stopped', 'removed']),
    state: workloadState,
    ready: count,
    total: count,
    updated: count.optional(),
    restarting: z.boolean().optional(),
    stalled: z.string().optional(),
    unseen: count.optional(),
    usd_per_hour: z.number(),
    created_ms: moment,
    changed_ms: moment,
    slots: z.array(slotView),
    slots_left_out: count.optional(),
    waiting: z
      .object({
        since_ms: moment,
        code: z.string(),
        text: z.string(),
        next_look_ms: moment,
      })
      .optional(),
    end: z
      .object({
        state: z.enum(['done', 'failed', 'stopped']),
        why: z.string(),
        at_ms: moment,
      })
      .optional(),
    problem: z.string().optional(),
    restarts: count,
    restarts_since_change: count.optional(),
    lost_seconds: z.number(),
    template: origin.optional(),
    policy: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    set_aside: z.string().optional(),
    drained: z.array(z.string()).optional(),
    leaves_on_drain: z.boolean().optional(),
    endpoint: z.string().optional().meta({ description: 'Where it answers, behind the gateway.' }),
  })
  .meta({ id: 'Workload' }) satisfies SchemaOf<WorkloadView>

/** An event or an audit entry as the API tells it: times end in `_ms`, as everywhere on the wire. */
type Told<T extends { readonly atMs: number }> = Omit<T, 'atMs'> & { readonly at_ms: number }

/** Each kind has its own facts. Kinds may be added later; a client shows a kind it does not know by its name. */
export const eventEntry = eventSchema({ seq: count, at_ms: moment, project: z.string() }).meta({
  id: 'Event',
  description: 'Each kind of event has facts of its own: [events.md](events.md).',
}) satisfies SchemaOf<Told<EventEntry>>

export const auditEntry = z
  .object({
    seq: count,
    at_ms: moment,
    actor: z.string(),
    project: z.string(),
    action: z.string(),
    subject: z.string(),
    facts,
    request_id: z.string().optional(),
  })
  .meta({ id: 'Audit' }) satisfies SchemaOf<Told<AuditEntry> & { readonly request_id?: string | undefined }>

export const logLine = z
  .object({
    slot: z.string(),
    attempt: count.optional(),
    at_ms: moment.optional(),
    stream: z.enum(['out', 'err']),
    text: z.string(),
  })
  .meta({ id: 'LogLine' })

const serviceRoute = z
  .object({
    project: z.string(),
    name: z.string(),
    affinity: z.enum(['session', 'prefix']).optional(),
    hedge: z.number().gt(0).lt(1).optional(),
    replicas: z.array(
      z.object({
        id: z.string(),
        address: z.string(),
        health: z.string().optional(),
        provider: z.string(),
        region: z.string(),
        state: z.enum(['ready', 'unseen', 'ill', 'leaving']),
      }),
    ),
  })
  .meta({ id: 'Route' }) satisfies SchemaOf<ServiceRoute>

/** `start`: all routes follow. `route`: one, new or changed. `gone`: this service has none any more. `whole`: that was all. */
export const routeEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('start') }),
  z.object({ kind: z.literal('route'), route: serviceRoute }),
  z.object({ kind: z.literal('gone'), project: z.string(), name: z.string() }),
  z.object({ kind: z.literal('whole') }),
]) satisfies SchemaOf<RouteEntry>

/** Only what runs changes: there stay as many replicas as there are now. */
const keepReplicas = z
  .boolean()
  .optional()
  .meta({ description: 'Keep the present number of replicas, whatever the manifest says.' })
const manifestBody = z.strictObject({ text, file })
export const planBody = z.strictObject({
  text,
  file,
  before: z.array(manifestBody).max(64).optional(),
  spot: z.enum(['never', 'allowed', 'only']).optional(),
  keep_replicas: keepReplicas,
})
export const previewBody = z.strictObject({
  text,
  file,
  template: z.strictObject({ name, version: z.int().min(1).max(999_999) }).optional(),
  create_project: z.boolean().optional(),
  keep_replicas: keepReplicas,
})
/** The price that the user confirmed, by role. */
const agreed = z.strictObject({
  tolerance: z.number().min(0).max(1000),
  roles: z
    .array(
      z.strictObject({
        role: name.optional(),
        replicas: z.int().min(0).max(10_000),
        usd_per_hour: amount,
        replica_usd_per_hour: amount,
      }),
    )
    .max(100),
})
export const rerunBody = z.strictObject({ agreed: agreed.optional() })
export const applyBody = z.strictObject({
  text,
  file,
  agreed: agreed.optional(),
  pinned: z
    .array(
      z.strictObject({ slot: z.string().min(1).max(128), offer: z.string().min(1).max(512), usd_per_hour: amount }),
    )
    .max(10_000)
    .optional(),
  create_project: z.boolean().optional(),
  keep_replicas: keepReplicas,
})
/** A command and how long it may take, at most ten minutes. */
export const execBody = z.strictObject({
  slot: z.string().min(1).max(128).optional(),
  command: z.array(z.string().max(32_768)).min(1).max(256),
  timeout_ms: z.int().min(1000).max(600_000).default(60_000),
})
const slot = z.string().min(1).max(128).optional()
export const slotQuery = z.strictObject({ slot })
/** A program and the size of its terminal. */
export const terminalQuery = z.strictObject({
  slot,
  command: z
    .string()
    .max(8192)
    .refine((text) => wordsIn(text) !== undefined, 'Give a list of texts as JSON.')
    .meta({ description: 'The program and its arguments, as a JSON list.' }),
  rows: wholeText.pipe(z.number().int().min(1).max(1000)),
  columns: wholeText.pipe(z.number().int().min(1).max(1000)),
})
export const syncQuery = z.strictObject({
  slot,
  path: z
    .string()
    .min(1)
    .max(1024)
    .regex(/^[^\p{Cc}]*$/u, 'A path has no control characters.')
    .meta({ description: 'The folder to unpack in; it is created. Relative: to the folder where programs start.' }),
})

/** A command as a query has it; undefined: it is none. */
export function wordsIn(text: string): readonly string[] | undefined {
  const read = z.array(z.string()).min(1).max(256).safeParse(parsed(text))
  return read.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const scaleBody = z.strictObject({ role: name.optional(), replicas: z.int().min(0).max(10_000) })

export const providerBody = z.strictObject({
  kind: z.string().min(1).max(63),
  settings: settings.default({}),
  credential: secretName.optional(),
})
export const providerStateBody = z.strictObject({ state: z.enum(['open', 'cordoned', 'draining']) })
export const policyBody = z.strictObject({ settings })
/** The form of names of policies and providers in the infrastructure file. */
const platformName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'This is not a valid name for a policy or provider.')
export const projectBody = z.strictObject({
  gpus_max: z.int().min(0).max(1e9).optional(),
  usd_per_hour_max: amount.optional(),
  workloads_max: z.int().min(0).max(1e9).optional(),
  policies: z.array(platformName).max(1000).optional(),
  providers: z.array(platformName).max(1000).optional(),
  processes: z.boolean().optional(),
})

const YEAR_MS = 366 * 24 * 3_600_000
export const tokenBody = z.strictObject({
  name,
  role: z.enum(['reader', 'writer', 'admin']),
  projects: z
    .array(z.union([name, z.literal('*')]))
    .min(1)
    .max(100),
  ttl_ms: z
    .int()
    .min(1000, 'A token must be valid for at least a second.')
    .max(10 * YEAR_MS, 'A token may be valid for at most ten years.'),
})

export const secretBody = z.strictObject({ value: z.string().min(1).max(65_536) })
export const credentialBody = z.strictObject({ value: z.string().min(1).max(65_536).optional() })
export const templateBody = z.strictObject({ text })
export const launchBody = z.strictObject({
  version: z.int().min(1).max(999_999).optional(),
  name: name.optional(),
  set: z.record(z.string().max(63), z.string().max(32_768)).default({}),
  agreed: agreed.optional(),
})
