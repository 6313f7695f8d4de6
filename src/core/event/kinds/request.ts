import * as z from 'zod'
import { many } from '../../base/words.ts'
import { joinWords } from '../words.ts'
import { by, generation } from './facts.ts'
import { kindOf } from './kind.ts'

/** What users ask of a workload. */
export const REQUEST_EVENTS = {
  accepted: kindOf({
    about: 'workload',
    means: 'A new workload was applied, and Berth keeps it running from now on.',
    facts: z.object({
      generation,
      by,
      replicas: z.int().describe('how many slots it has').exactOptional(),
      template: z.string().describe('the template that it was launched from').exactOptional(),
      template_version: z.int().describe('the version of the template').exactOptional(),
    }),
    text: ({ replicas, by: actor, template, template_version: version }) =>
      joinWords(
        [
          replicas === undefined ? undefined : many(replicas, 'replica'),
          `by ${actor}`,
          template === undefined ? undefined : `from template ${template}@${version ?? '?'}`,
        ],
        ', ',
      ),
    example: { generation: 1, by: 'ada', replicas: 2 },
  }),
  changed: kindOf({
    about: 'workload',
    means: 'The manifest of a workload was changed, an ended workload is run again, or a service is restarted.',
    facts: z.object({
      generation,
      by,
      what: z.string().describe('what was asked for; left out: a changed manifest was applied').exactOptional(),
      keys: z
        .string()
        .describe('the keys of the manifest that changed, separated by commas; left out: none, or not known')
        .exactOptional(),
    }),
    text: ({ generation: number, by: actor, what, keys }) =>
      joinWords(
        [what ?? `the manifest${keys === undefined ? '' : ` (${keys})`}`, `generation ${number}`, `by ${actor}`],
        ', ',
      ),
    example: { generation: 3, by: 'ada', keys: 'image, env.MODEL' },
  }),
  scaled: kindOf({
    about: 'workload',
    means: 'The number of replicas was set by hand.',
    facts: z.object({
      generation,
      by,
      role: z.string().describe('the role; left out: the workload has no roles').exactOptional(),
      replicas: z.int().describe('how many replicas are wanted now'),
    }),
    text: ({ role, replicas, by: actor }) =>
      `${role === undefined ? '' : `${role} `}to ${many(replicas, 'replica')}, by ${actor}`,
    example: { generation: 4, by: 'ada', role: 'decode', replicas: 3 },
  }),
  'stop-requested': kindOf({
    about: 'workload',
    means: 'A user asked to stop a workload, or to stop and then remove it.',
    facts: z.object({
      generation,
      by,
      remove: z.boolean().describe('whether it is removed once all of it has stopped').exactOptional(),
    }),
    text: ({ remove, by: actor }) =>
      `all of it is to stop${remove === true ? ' and then be removed' : ''}, by ${actor}`,
    example: { generation: 5, by: 'ada', remove: true },
  }),
} as const
