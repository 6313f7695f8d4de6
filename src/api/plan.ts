import { z } from 'zod'
import type { OfferReport } from '../core/place/explain/offer-report.ts'
import type { PlanReport } from '../core/place/explain/report.ts'
import { count, moment, word } from './fields.ts'
import type { SchemaOf } from './wire.ts'

const gib = z.number().optional()
const usd = z.number()
const names = z.array(z.string())
const cards = z.array(count)
const slice = z.object({ profile: z.string(), start: count })
const restart = word('inference', 'training')
const domain = z.object({
  level: word('fleet', 'zone', 'fabric', 'rack', 'nvlink_domain'),
  name: z.string().optional(),
})

/** An offer as scripts see it. A missing key means that the source does not state it. */
export const offerReport = z
  .object({
    id: z.string(),
    provider: z.string(),
    region: z.string(),
    zone: z.string().optional(),
    instance: z.string(),
    capacity: word('rented', 'owned'),
    shared: z.literal(true).optional(),
    gpu: z.string().optional(),
    gpu_name: z.string().optional(),
    gpu_vendor: z.string().optional(),
    gpu_count: z.number(),
    vram_gib: gib,
    slice: z.string().optional(),
    interconnect: z.string().optional(),
    cpu: z.number().optional(),
    memory_gib: gib,
    disk_gib: gib,
    host_arch: z.string().optional(),
    driver: z.string().optional(),
    terms: word('on-demand', 'spot').optional(),
    usd_per_hour: usd.optional(),
    on_demand_usd_per_hour: usd.optional(),
    spot_usd_per_hour: usd.optional(),
    start_seconds: z.number().optional(),
    residency: z.string().optional(),
    trust: z.string().optional(),
    stock: z.string().optional(),
  })
  .meta({ id: 'Offer', description: 'An entry of `berth offers list -o json`.' }) satisfies SchemaOf<OfferReport>

/** A place on a machine of a fleet: which cards, how they are wired, and what is left. */
const ownReport = z
  .object({
    fleet: z.string(),
    node: z.string(),
    domains: z.object({
      zone: z.string().optional(),
      fabric: z.string().optional(),
      rack: z.string().optional(),
      nvlink_domain: z.string().optional(),
    }),
    together: domain.optional(),
    cards,
    cards_in_node: count,
    slice: slice.optional(),
    share: z.number().optional(),
    wiring: word('known', 'unknown', 'alone'),
    island: z.object({ cards, gbps: z.number() }).optional(),
    gbps: z.number().optional(),
    numa: z.array(count).optional(),
    nic: z.object({ name: z.string(), shares: word('switch', 'numa', 'machine') }).optional(),
    leaves: z.object({
      idle_cards: count,
      whole_island: count.optional(),
      slices: names,
      share: z.number().optional(),
      is_full: z.boolean(),
      cpu: z.number(),
      memory_gib: z.number(),
      disk_gib: gib,
    }),
  })
  .meta({ id: 'OwnPlace' })

const tenant = z.object({
  name: z.string(),
  cards,
  restart,
  priority: z.number(),
  checkpoint_age_s: z.number().optional(),
  may_move: z.boolean(),
  planned: z.boolean(),
})
const blocked = z.object({
  node: z.string(),
  tenants: z.array(tenant),
  short: z
    .object({ cpu: z.number().optional(), memory_gib: gib, disk_gib: gib, gpus: z.number().optional() })
    .optional(),
})
const spot = z.object({ node: z.string(), cards, slice: slice.optional(), share: z.number().optional() })
const move = z.object({
  name: z.string(),
  from: spot,
  to: spot,
  how: word('start-first', 'stop-first'),
  restart,
})

/** Why a fleet has no room for one more replica, and what would change that. */
const waitReport = z
  .object({
    fleet: z.string(),
    nearest: z.object({ domain, free: names, missing: count, blocked: z.array(blocked) }).optional(),
    fits_when_empty: z.boolean().optional(),
    helps: z.array(
      z.union([
        z.object({ kind: z.literal('wider'), within: z.string().optional() }),
        z.object({ kind: z.literal('fewer'), nodes: count }),
        z.object({ kind: z.literal('wait'), nodes: names }),
      ]),
    ),
    would_free: z
      .object({ moves: z.array(move), restarts: count, lost_gpu_seconds: z.number(), nodes: names })
      .optional(),
  })
  .meta({ id: 'FleetWait' })

const relaxation = z
  .object({
    role: z.string().optional(),
    key: z.string(),
    from: z.string(),
    to: z.string(),
    offers: count,
    usd_per_hour: usd,
    note: z.string().optional(),
  })
  .meta({ id: 'Relaxation' })

const reason = z.object({
  code: z.string(),
  requirement: z.string(),
  wanted: z.string(),
  because: z.string(),
  offers: count,
  all: count,
  cheapest_usd_per_hour: usd.optional(),
  waiting: word('helps', 'never', 'policy'),
  seen_at_ms: moment.optional(),
})

const askReport = z
  .object({
    role: z.string().optional(),
    replicas: count,
    nodes: count,
    placed: count,
    shortage: word('nothing-fits', 'not-enough-left', 'one-domain-only').optional(),
    fitting: count,
    refused: z.array(reason),
    providers: z.array(
      z.object({ provider: z.string(), fitting: count, refused: count, mostly: z.string().optional() }),
    ),
    passed_on: z.array(z.object({ provider: z.string(), because: z.string() })),
    passed_over: z.array(
      z.object({ offer: offerReport, score: z.number(), would_win_at_usd: usd.optional(), tier: z.number() }),
    ),
    nearest: z.array(
      z.object({ offer: offerReport, code: z.string(), wanted: z.string(), found: z.string().optional() }),
    ),
    relaxations: z.array(relaxation),
    conflict: z.array(z.object({ requirement: z.string(), offers: count })).optional(),
    within: z.string().optional(),
    waits: z.array(waitReport).optional(),
    reserve: z.object({ wanted: count, kept: z.array(ownReport) }).optional(),
  })
  .meta({ id: 'Ask' })

const chosen = z.object({
  role: z.string().optional(),
  replica: count,
  node: count,
  offer: offerReport,
  score: z.number(),
  scores: z.record(z.string(), z.number()),
  because: word('best', 'spread', 'full'),
  usd_above_first: usd,
  unknown: names,
  image_unused: z.string().optional(),
  own: ownReport.optional(),
})

/** A plan. */
export const planReport = z
  .object({
    workload: z.string(),
    policy: z.object({ name: z.string(), objective: z.string(), spot: z.string(), fallback: z.boolean() }),
    fits: z.boolean(),
    usd_per_hour: usd,
    offers: z.object({ looked_at: count, version: z.string() }),
    chosen: z.array(chosen),
    refused: z.record(z.string(), count),
    relaxations: z.array(relaxation),
    asks: z.array(askReport),
    held: z.object({ code: word('QUOTA_PROJECT', 'BUDGET_PROJECT', 'PRICE_NOT_AGREED'), text: z.string() }).optional(),
    kept: z.object({ replicas: count, usd_per_hour: usd }).optional(),
    stops_first: z.object({ slots: names, why: z.string() }).optional(),
    on_paper: z.object({ providers: names, offers: count, fitting: count, usd_per_hour: usd.optional() }).optional(),
  })
  .meta({ id: 'Plan', description: 'The output of `berth plan -o json`.' }) satisfies SchemaOf<PlanReport>
