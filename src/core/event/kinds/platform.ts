import * as z from 'zod'
import { lasting } from '../../base/words.ts'
import { joinWords, reasonWords } from '../words.ts'
import { by, faultClass, faultMessage, version } from './facts.ts'
import { kindOf } from './kind.ts'

const kind = z.string().describe('the kind of the provider')
const limit = z.number().nullable()

/** What becomes of providers, policies, projects, secrets and templates. */
export const PLATFORM_EVENTS = {
  'provider-added': kindOf({
    about: 'provider',
    means: 'A provider was added, and takes part from the next decision on.',
    facts: z.object({ kind, by }),
    text: (f) => `of kind ${f.kind}, by ${f.by}`,
    example: { kind: 'local', by: 'ada' },
  }),
  'provider-changed': kindOf({
    about: 'provider',
    means: 'The settings of a provider were changed.',
    facts: z.object({ kind, by }),
    text: (f) => `its settings, by ${f.by}`,
    example: { kind: 'local', by: 'ada' },
  }),
  'provider-state': kindOf({
    about: 'provider',
    means: 'A provider was opened or cordoned, or its draining or removal has begun.',
    facts: z.object({
      state: z.enum(['open', 'cordoned', 'draining', 'removing']).describe('its state from now on'),
      by,
    }),
    text: (f) => `${STATE_WORDS[f.state]}, by ${f.by}`,
    example: { state: 'draining', by: 'ada' },
  }),
  'provider-drained': kindOf({
    about: 'provider',
    means:
      'Nothing that Berth started is left at a provider that is being drained. Both the store and the provider’s complete list say so.',
    facts: z.object({
      took_ms: z.number().describe('how long the drain took, in ms; left out: not known').exactOptional(),
    }),
    text: (f) =>
      joinWords(
        [
          'nothing that Berth started is left there',
          f.took_ms === undefined ? undefined : `after ${lasting(f.took_ms)}`,
        ],
        ', ',
      ),
    example: { took_ms: 300_000 },
  }),
  'provider-removed': kindOf({
    about: 'provider',
    means: 'A provider was removed. Nothing that Berth started was left there.',
    facts: z.object({ by }),
    text: (f) => `by ${f.by}`,
    example: { by: 'ada' },
  }),
  'provider-down': kindOf({
    about: 'provider',
    means: 'A provider does not answer. What runs there counts as running.',
    facts: z.object({ class: faultClass.exactOptional(), message: faultMessage }),
    text: (f) =>
      `it does not answer (${f.message === '' ? reasonWords(f.class ?? '?') : f.message}); what runs there keeps running`,
    example: { class: 'TRANSIENT', message: 'no answer within 30 s' },
  }),
  'provider-up': kindOf({
    about: 'provider',
    means: 'A provider answers again.',
    facts: z.object({ down_ms: z.number().describe('how long it was down, in ms') }),
    text: (f) => `it answers again, after ${lasting(f.down_ms)}`,
    example: { down_ms: 7_200_000 },
  }),
  'policy-set': kindOf({
    about: 'policy',
    means: 'A policy was added or changed.',
    facts: z.object({ objective: z.string().describe('its objective'), by }),
    text: (f) => `its objective is ${f.objective}, by ${f.by}`,
    example: { objective: 'cost', by: 'ada' },
  }),
  'policy-removed': kindOf({
    about: 'policy',
    means: 'A policy was removed.',
    facts: z.object({ by }),
    text: (f) => `by ${f.by}`,
    example: { by: 'ada' },
  }),
  'project-set': kindOf({
    about: 'project',
    means: 'The limits of a project were set.',
    facts: z.object({
      gpus_max: limit.describe('the most GPUs; null: no limit'),
      usd_per_hour_max: limit.describe('the most dollars per hour; null: no limit'),
      workloads_max: limit.describe('the most workloads; null: no limit'),
      policies: z.string().describe('the policies that it may use, separated by spaces; left out: all').exactOptional(),
      providers: z
        .string()
        .describe('the providers that it may use, separated by spaces; left out: all')
        .exactOptional(),
      processes: z.boolean().describe('whether it may run processes on hosts; left out: not stated').exactOptional(),
      by,
    }),
    text: (f) =>
      joinWords(
        [
          `${f.gpus_max ?? 'any number of'} GPUs`,
          f.usd_per_hour_max === null ? 'any price' : `$${f.usd_per_hour_max}/h`,
          `${f.workloads_max ?? 'any number of'} workloads`,
          `by ${f.by}`,
        ],
        ', ',
      ),
    example: { gpus_max: 8, usd_per_hour_max: 40, workloads_max: null, by: 'ada' },
  }),
  'secret-set': kindOf({
    about: 'secret',
    means: 'A secret has a new value. No event ever holds a value.',
    facts: z.object({ version, by }),
    text: (f) => `version ${f.version}, by ${f.by}`,
    example: { version: 2, by: 'ada' },
  }),
  'secret-removed': kindOf({
    about: 'secret',
    means: 'A secret was removed.',
    facts: z.object({ version, by }),
    text: (f) => `by ${f.by}`,
    example: { version: 2, by: 'ada' },
  }),
  'template-pushed': kindOf({
    about: 'template',
    means: 'A template has a new version.',
    facts: z.object({ version, by }),
    text: (f) => `version ${f.version}, by ${f.by}`,
    example: { version: 3, by: 'ada' },
  }),
  'template-removed': kindOf({
    about: 'template',
    means: 'Versions of a template were removed. Workloads launched from it keep running.',
    facts: z.object({ versions: z.string().describe('the versions, separated by spaces'), by }),
    text: (f) => `${f.versions.includes(' ') ? 'versions' : 'version'} ${f.versions}, by ${f.by}`,
    example: { versions: '1 2', by: 'ada' },
  }),
} as const

const STATE_WORDS = {
  open: 'takes new work again',
  cordoned: 'takes no new work',
  draining: 'takes no new work and is being drained',
  removing: 'is being removed',
} as const
