import * as z from 'zod'
import { lasting, many } from '../../base/words.ts'
import { usd } from '../../requirement/need/print.ts'
import { joinWords, placeWords, reasonWords } from '../words.ts'
import {
  attempt,
  epoch,
  faultClass,
  faultMessage,
  instance,
  LEAVES,
  machine,
  PLACED_AT,
  provider,
  region,
  slot,
  usdPerHour,
} from './facts.ts'
import { kindOf } from './kind.ts'

const ASKED = { slot, epoch, attempt, provider, region, instance: machine, class: faultClass, message: faultMessage }

/** What becomes of one attempt to run a slot, from its place to its end. */
export const ATTEMPT_EVENTS = {
  placed: kindOf({
    about: 'workload',
    means: 'A slot has got its place. The provider is asked next.',
    facts: z.object({
      slot,
      epoch,
      attempt,
      provider,
      region,
      instance: machine,
      gpus: z.int().describe('how many GPUs').exactOptional(),
      usd_per_hour: usdPerHour,
      because: z.string().describe('why this place'),
    }),
    text: (f) => {
      const cards = f.gpus === undefined || f.gpus === 0 ? undefined : many(f.gpus, 'GPU')
      const what = [`${f.slot} on ${placeWords(f.provider, f.region)}`, cards, `${usd(f.usd_per_hour)}/h`]
      return `${joinWords(what, ', ')} (${f.because})`
    },
    example: {
      slot: '0',
      epoch: 1,
      attempt: '0mwjf1qnj0000e1b7a5754f93',
      provider: 'north',
      region: 'north-1',
      instance: 'gpu-h100-sxm-8',
      gpus: 4,
      usd_per_hour: 9.4,
      because: 'the best that fits',
    },
  }),
  launched: kindOf({
    about: 'workload',
    means: 'The provider has accepted the order. It is not up yet. If it costs something, it is billed from about now.',
    facts: z.object({ slot, epoch, attempt, provider, instance }),
    text: (f) => `${f.slot} was accepted by ${f.provider} as ${f.instance}`,
    example: { slot: '0', epoch: 1, attempt: '0mwjf1qnj0000e1b7a5754f93', provider: 'north', instance: 'i-7' },
  }),
  queued: kindOf({
    about: 'workload',
    means: 'The provider has accepted the order and put it into a queue of its own. Waiting there is not a failure.',
    facts: z.object({
      ...PLACED_AT,
      reason: z.string().describe('why it waits, in the provider’s words; empty: the provider does not say'),
    }),
    text: (f) => `${f.slot} waits in the queue of ${f.provider}${f.reason === '' ? '' : `: ${f.reason}`}`,
    example: { slot: '0', epoch: 1, provider: 'batch', reason: 'Priority' },
  }),
  refused: kindOf({
    about: 'workload',
    means: 'The provider turned the order down. The slot may get another place, once nothing of this one is left.',
    facts: z.object({
      ...ASKED,
      until: z.number().nullable().describe('until when the refusal is remembered, in ms; null: it is not'),
    }),
    text: (f, { atMs }) => {
      const ttlMs = f.until === null ? 0 : f.until - atMs
      const kept = ttlMs > 0 ? `remembered for ${lasting(ttlMs)}` : undefined
      return joinWords(
        [`${f.slot} by ${placeWords(f.provider, f.region)}: ${faultWords(f.class, f.message)}`, kept],
        '; ',
      )
    },
    example: {
      slot: '1',
      epoch: 1,
      attempt: '0mwjf1qnj0001c4',
      provider: 'south',
      region: 'south-1',
      instance: 'h100-8',
      class: 'SOLD_OUT',
      message: 'none left',
      until: null,
    },
  }),
  unknown: kindOf({
    about: 'workload',
    means:
      'The provider was asked, and its answer got lost: something may run. The place stays reserved until that is known.',
    facts: z.object(ASKED),
    text: (f) =>
      `it is not known whether ${f.slot} was started on ${placeWords(f.provider, f.region)} (${f.message === '' ? reasonWords(f.class) : f.message}); its place stays reserved until that is known`,
    example: {
      slot: '0',
      epoch: 2,
      attempt: '0mwjf1qnj0002d5',
      provider: 'south',
      region: 'south-1',
      instance: 'h100-8',
      class: 'AMBIGUOUS',
      message: 'no answer within 30 s',
    },
  }),
  adopted: kindOf({
    about: 'workload',
    means: 'An attempt of unknown outcome was found at the provider, and is kept.',
    facts: z.object(PLACED_AT),
    text: (f) => `${f.slot} was found on ${f.provider} and is kept`,
    example: { slot: '0', epoch: 2, provider: 'south' },
  }),
  up: kindOf({
    about: 'workload',
    means: 'The provider shows the instance as running.',
    facts: z.object(PLACED_AT),
    text: (f) => `${f.slot} runs on ${f.provider}`,
    example: { slot: '0', epoch: 1, provider: 'north' },
  }),
  healthy: kindOf({
    about: 'workload',
    means: 'A slot passes its health check again.',
    facts: z.object({ slot, epoch }),
    text: (f) => `${f.slot} passes its health check`,
    example: { slot: '0', epoch: 1 },
  }),
  unhealthy: kindOf({
    about: 'workload',
    means: 'A slot runs and fails its health check: its health path does not answer, or not with a status of 2xx.',
    facts: z.object({ slot, epoch }),
    text: (f) => `${f.slot} fails its health check: no answer with status 2xx`,
    example: { slot: '0', epoch: 1 },
  }),
  slow: kindOf({
    about: 'workload',
    means: 'An instance takes long to start. It is not given up yet.',
    facts: z.object({ ...PLACED_AT, minutes: z.number().describe('how long it has been starting, in minutes') }),
    text: (f) => `${f.slot} on ${f.provider} is still starting after ${f.minutes} min`,
    example: { slot: '0', epoch: 1, provider: 'north', minutes: 10 },
  }),
  ended: kindOf({
    about: 'workload',
    means: 'The work ended by itself, with success or not, or it never came up.',
    facts: z.object(LEAVES),
    text: (f) => `${f.slot} on ${f.provider}: ${f.exit === '' ? endedWords(f.why) : f.exit}`,
    example: { slot: '0', epoch: 1, provider: 'north', why: 'exited', exit: 'exit code 1', exit_code: 1 },
  }),
  died: kindOf({
    about: 'workload',
    means: 'The instance is gone, and the work had no part in that: its machine failed, or it was deleted by hand.',
    facts: z.object(LEAVES),
    text: (f) => `${f.slot} on ${f.provider}: ${f.exit === '' ? reasonWords(f.why) : f.exit}`,
    example: { slot: '0', epoch: 1, provider: 'north', why: 'died', exit: 'the machine failed' },
  }),
  preempted: kindOf({
    about: 'workload',
    means: 'The provider took the instance away.',
    facts: z.object(LEAVES),
    text: (f) => `${f.slot} was preempted by ${f.provider}`,
    example: { slot: '0', epoch: 1, provider: 'north', why: 'preempted', exit: 'taken away by the provider' },
  }),
  drained: kindOf({
    about: 'workload',
    means: 'A slot leaves a provider that is being drained. It has another place already.',
    facts: z.object(LEAVES),
    text: (f) => `${f.slot} leaves ${f.provider}, which is being drained`,
    example: { slot: '1', epoch: 1, provider: 'north', why: 'drained', exit: '' },
  }),
  replaced: kindOf({
    about: 'workload',
    means:
      'A slot makes way for a new attempt, because the manifest now states something else, or a restart was asked for.',
    facts: z.object({
      ...LEAVES,
      keys: z
        .string()
        .describe('the keys of the manifest that changed since it was placed, separated by commas; left out: not known')
        .exactOptional(),
      restart: z
        .boolean()
        .describe('a restart was asked for, and the manifest is the same; left out: it was not')
        .exactOptional(),
    }),
    text: (f) =>
      f.restart === true
        ? `${f.slot} on ${f.provider} makes way for a fresh attempt, because a restart was asked for`
        : `${f.slot} on ${f.provider} makes way for the changed manifest${f.keys === undefined ? '' : ` (${f.keys})`}`,
    example: { slot: '0', epoch: 1, provider: 'north', why: 'replaced', exit: '', keys: 'image' },
  }),
  stopping: kindOf({
    about: 'workload',
    means: 'The provider is asked to stop an instance, until it says that it is gone.',
    facts: z.object(LEAVES),
    text: (f) => `${f.slot} on ${f.provider}: ${reasonWords(f.why)}`,
    example: { slot: '1', epoch: 1, provider: 'north', why: 'scaled-down', exit: '' },
  }),
  stopped: kindOf({
    about: 'workload',
    means: 'Nothing of the attempt exists any more, so it costs nothing from now on.',
    facts: z.object(LEAVES),
    text: (f) => `${f.slot} on ${f.provider}: ${reasonWords(f.why)}; nothing of it is left`,
    example: { slot: '1', epoch: 1, provider: 'north', why: 'scaled-down', exit: '' },
  }),
} as const

/** Messages about an invalid request are ours; messages of other faults are the provider's and are quoted. */
function faultWords(code: string, message: string): string {
  const words = reasonWords(code)
  if (message === '' || message === words) return words
  return code === 'BAD_REQUEST' ? message : `${words}, “${message}”`
}

/** Work that ended without telling how. */
function endedWords(why: string): string {
  return why === 'exited' ? `${reasonWords(why)}, its exit code is not known` : reasonWords(why)
}
