import * as z from 'zod'
import type { Refusal } from '../../offer/offer.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Bill } from '../bill.ts'
import type { Project, ProviderRow, RequestRow, SecretRow, SettingRow, TemplateRow, TokenRow } from '../rows.ts'
import { formatOf } from './format.ts'
import { flag, number, numberByName, text, texts } from './parts.ts'
import { leaving } from './placement.ts'

// Rows that do not belong to workloads. Each is small, and has had only one version so far.

export const refusalFormat = formatOf<Refusal>()(
  z.object({
    provider: text,
    region: text.optional(),
    instance: text.optional(),
    why: z.enum(['sold-out', 'quota', 'fault']),
    atMs: number,
    untilMs: number,
  }),
)

export const billFormat = formatOf<Bill>()(
  z.object({
    project: text,
    workload: text,
    slot: text,
    attempt: text,
    provider: text,
    region: text,
    machine: text,
    instance: text,
    gpus: number,
    usdPerHour: number,
    fromMs: number,
    toMs: number,
    why: leaving,
  }),
)

export const projectFormat = formatOf<Project>()(
  z.object({
    gpusMax: number.optional(),
    usdPerHourMax: number.optional(),
    workloadsMax: number.optional(),
    policies: texts.optional(),
    providers: texts.optional(),
    processes: flag.optional(),
  }),
)

export const providerFormat = formatOf<ProviderRow>()(
  z.object({
    kind: text,
    settings: z.record(text, z.unknown()),
    credential: text.optional(),
    state: z.enum(['open', 'cordoned', 'draining', 'removing']),
  }),
)

export const policyFormat = formatOf<Policy>()(
  z.object({
    name: text,
    objective: z.enum(['cheapest', 'fastest-start', 'most-reliable', 'balanced']),
    weights: numberByName,
    spot: z.enum(['never', 'asked', 'allowed', 'only']),
    usdPerHourMax: number.optional(),
    residency: texts.optional(),
    providersAllowed: texts.optional(),
    providersDenied: texts,
    trust: texts.optional(),
    fallback: texts,
    unknownAccepted: texts,
    within: z.object({ providers: texts.optional(), unwalled: texts }).optional(),
  }),
)

export const tokenFormat = formatOf<TokenRow>()(
  z.object({
    hash: text,
    role: z.enum(['reader', 'writer', 'admin']),
    projects: texts,
    createdMs: number,
    expiresMs: number,
  }),
)

export const secretFormat = formatOf<SecretRow>()(z.object({ version: number, sealed: text, createdMs: number }))

const scalar = z.union([text, number, flag])

export const templateFormat = formatOf<TemplateRow>()(
  z.object({
    version: number,
    text,
    parameters: z.array(
      z.object({
        name: text,
        type: z.enum(['text', 'number', 'boolean']),
        default: scalar.optional(),
        allowed: z.array(scalar).optional(),
        description: text.optional(),
      }),
    ),
    createdMs: number,
    createdBy: text,
  }),
)

export const requestFormat = formatOf<RequestRow>()(
  z.object({ fingerprint: text, status: number, body: text, createdMs: number }),
)

export const settingFormat = formatOf<SettingRow>()(z.object({ value: text }))
