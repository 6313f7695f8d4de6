import { z } from 'zod'
import { count, moment, settings, word } from './fields.ts'
import { planReport } from './plan.ts'
import { eventEntry, workloadState, workloadView } from './schemas.ts'

/** One page of a list. */
export function pageOf<T extends z.ZodType>(items: T) {
  return z.object({ items: z.array(items), next: z.string().optional() })
}

export const info = z.object({
  version: z.string(),
  owner: z.string(),
  leader: z.boolean(),
  term: count,
  store: z.enum(['memory', 'sqlite', 'postgres']),
  now_ms: moment,
})

const place = z.object({ file: z.string(), line: count, column: count, length: count })

/** A problem or a warning about a text. */
const told = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  found: z.string().optional(),
  place: place.optional(),
  source_line: z.string().optional(),
})

/** Warnings about keys without effect; left out: none. */
const warnings = z.array(told).optional()

export const applied = z.object({
  outcome: z.enum(['created', 'changed', 'unchanged']),
  workload: workloadView,
  warnings,
})

/** What applying a manifest would do. */
export const preview = z
  .object({
    outcome: z.enum(['create', 'change', 'unchanged', 'again']),
    state: workloadState.optional(),
    changes: z.array(z.object({ field: z.string(), from: z.string().optional(), to: z.string().optional() })),
    replicas: z.object({ replaced: count, kept: count, added: count, removed: count }),
    waits_for_price: z.boolean().optional(),
    kept_replicas: z.array(z.object({ role: z.string().optional(), replicas: count, stated: count })).optional(),
    warnings,
  })
  .meta({ id: 'Preview' })

export const attemptView = z
  .object({
    slot: z.string(),
    number: count,
    id: z.string().optional(),
    provider: z.string(),
    instance: z.string().optional(),
    placed_ms: moment,
    up_ms: moment.optional(),
    ended_ms: moment.optional(),
    end: z.string().optional(),
  })
  .meta({ id: 'Attempt' })

export const cost = z
  .object({
    by: word('workload', 'provider', 'project'),
    since_ms: moment,
    until_ms: moment,
    total_usd: z.number(),
    costs: z.array(
      z.object({
        project: z.string().optional(),
        workload: z.string().optional(),
        provider: z.string().optional(),
        usd: z.number(),
        hours: z.number().meta({ description: 'Of all machines together.' }),
        instances: count.meta({ description: 'Machines that existed in this time.' }),
        running: count.meta({ description: 'Machines that exist now.' }),
        usd_per_hour: z.number().meta({ description: 'What those cost an hour.' }),
      }),
    ),
  })
  .meta({ id: 'Cost' })

export const revision = z
  .object({ generation: count, text: z.string(), at_ms: moment, stood: z.boolean().optional() })
  .meta({ id: 'Revision' })

export const executed = z
  .object({ slot: z.string(), code: z.int(), out: z.string(), err: z.string() })
  .meta({ id: 'Executed' })

/** How a tunnel ended: the exit code of a program, if it was one and it is known. */
export const tunnelEnd = z.object({ code: z.int().optional() }).meta({ id: 'TunnelEnd' })

export const rendered = z.object({ name: z.string(), version: count, text: z.string(), file: z.string() })
export const manifestText = z.object({ text: z.string(), generation: count })

const refusalView = z.object({
  provider: z.string(),
  region: z.string().optional(),
  instance: z.string().optional(),
  why: z.string(),
  at_ms: moment,
  until_ms: moment,
})

export const explanation = z.object({
  workload: workloadView,
  plan: planReport.optional(),
  refusals: z.array(refusalView),
  notes: z.array(z.string()).optional(),
  events: z.array(eventEntry),
  attempts: z.array(attemptView).optional(),
  prices_now: z.record(z.string(), z.number()).optional(),
})

export const providerView = z
  .object({
    name: z.string(),
    kind: z.string(),
    state: z.enum(['open', 'cordoned', 'draining', 'removing', 'unconfigured', 'removed']),
    origin: z.enum(['built-in', 'file', 'api', 'unknown']),
    reachable: z.boolean().optional(),
    last_answer_ms: moment.optional(),
    last_fault: z.string().optional(),
    offers: count,
    instances: count,
    usd_per_hour: z.number(),
    hint: z.string().optional(),
  })
  .meta({ id: 'Provider' })

export const providerCheck = z.object({ check: z.string(), ok: z.boolean(), text: z.string(), took_ms: z.number() })

export const policyView = z
  .object({ name: z.string(), origin: z.enum(['built-in', 'file', 'api']), settings })
  .meta({ id: 'Policy' })

export const projectView = z
  .object({
    name: z.string(),
    gpus_max: z.number().optional(),
    usd_per_hour_max: z.number().optional(),
    workloads_max: z.number().optional(),
    policies: z.array(z.string()).optional(),
    providers: z.array(z.string()).optional(),
    processes: z.boolean().optional(),
    used: z.object({ gpus: z.number(), usd_per_hour: z.number(), workloads: count }).optional(),
  })
  .meta({ id: 'Project' })

export const tokenView = z
  .object({
    name: z.string(),
    role: z.enum(['reader', 'writer', 'admin']),
    projects: z.array(z.string()),
    created_ms: moment,
    expires_ms: moment,
  })
  .meta({ id: 'Token' })

/** The caller as the control plane knows it. */
export const whoami = tokenView.pick({ name: true, role: true, projects: true }).extend({
  expires_ms: moment.optional(),
})

export const newTokenView = tokenView
  .extend({ token: z.string(), note: z.string().optional() })
  .meta({ id: 'NewToken' })

export const secretView = z.object({ name: z.string(), version: count, created_ms: moment }).meta({ id: 'Secret' })

export const rotationView = z
  .object({
    key: z.string(),
    secrets: count,
    credentials: count,
    unopened: z.array(z.object({ project: z.string(), name: z.string() })),
  })
  .meta({ id: 'Rotation' })

const scalar = z.union([z.string(), z.number(), z.boolean()])

export const templateView = z
  .object({
    name: z.string(),
    version: count,
    text: z.string(),
    parameters: z.array(
      z.object({
        name: z.string(),
        type: z.enum(['text', 'number', 'boolean']),
        default: scalar.optional(),
        allowed: z.array(scalar).optional(),
        description: z.string().optional(),
      }),
    ),
    created_ms: moment,
    created_by: z.string(),
  })
  .meta({ id: 'Template' })

/** An RFC 9457 problem, with the code of the first problem and a list of all problems with place and hint. */
export const problemAnswer = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    request_id: z.string().optional(),
    problems: z.array(told),
  })
  .meta({ id: 'Problem' })

export type ProblemAnswer = z.infer<typeof problemAnswer>
