import * as z from 'zod'
import { lasting, many } from '../../base/words.ts'
import { usd } from '../../requirement/need/print.ts'
import { joinWords } from '../words.ts'
import { attempt, epoch, exitCode, instance, provider, slot, usdPerHour } from './facts.ts'
import { kindOf, type EventContext } from './kind.ts'

const why = z.string().describe('why, for people')
const STRANGE = { provider, instance, slot, epoch, attempt, usd_per_hour: usdPerHour.exactOptional() }

/** What becomes of a workload as a whole. */
export const WORKLOAD_EVENTS = {
  waiting: kindOf({
    about: 'workload',
    means: 'Slots have no place, or may not start, for a new reason. Berth keeps looking.',
    facts: z.object({
      code: z.string().describe('the code of the reason; `berth explain CODE` tells more'),
      why,
      slot: slot.exactOptional(),
    }),
    text: (f) => f.why,
    example: { code: 'SOLD_OUT', why: 'no 16 × 141Gi free' },
  }),
  done: kindOf({
    about: 'workload',
    means: 'A job has finished: every run of it ended with exit code 0.',
    facts: z.object({
      completions: z.int().describe('how many runs ended well'),
      exit_code: exitCode.describe('the exit code of the last run'),
      attempts: z.int().describe('how often it was started: runs that ended well, and restarts after a loss'),
      ran_ms: z
        .number()
        .describe('from the first start to the end, in ms; left out: it was never seen up')
        .exactOptional(),
    }),
    text: (f) =>
      joinWords(
        [
          f.completions === 1 ? 'it has finished' : `it has finished, ${many(f.completions, 'run')}`,
          `exit code ${f.exit_code}`,
          many(f.attempts, 'attempt'),
          f.ran_ms === undefined ? undefined : `after ${lasting(f.ran_ms)}`,
        ],
        ', ',
      ),
    example: { completions: 1, exit_code: 0, attempts: 2, ran_ms: 5_400_000 },
  }),
  'gave-up': kindOf({
    about: 'workload',
    means:
      'A slot failed too often and is not started again. A job has failed with it; other replicas of a service go on.',
    facts: z.object({
      slot,
      why,
      failures: z.int().describe('how often it failed in a row'),
      goes_on: z.boolean().describe('whether other replicas serve on; otherwise the workload has failed'),
      epoch: epoch.exactOptional(),
      provider: provider.exactOptional(),
      exit_code: exitCode.exactOptional(),
    }),
    text: (f, told) =>
      joinWords(
        [
          `${f.slot} failed ${f.failures === 1 ? 'once' : `${f.failures} times`}: ${f.why}`,
          f.goes_on ? 'it stays empty, the others go on' : 'it is not tried again',
          `look at berth ${f.epoch === undefined ? `explain ${nameOf(told)}` : `logs ${nameOf(told)} --slot ${f.slot} --attempt ${f.epoch}`}`,
        ],
        '; ',
      ),
    example: {
      slot: '0',
      why: 'exit code 1 after 3 restarts',
      failures: 4,
      goes_on: false,
      epoch: 4,
      provider: 'north',
      exit_code: 1,
    },
  }),
  stalled: kindOf({
    about: 'workload',
    means:
      'A fresh replica does not become ready, so no further one is replaced. If it becomes ready later, the roll-out goes on.',
    facts: z.object({ slot, why }),
    text: (f) => `no further replica is replaced: ${f.why}`,
    example: { slot: '0', why: '0 does not answer with 2xx at /health, 15 min after it came up' },
  }),
  failed: kindOf({
    about: 'workload',
    means: 'A workload has failed for good, and not because a slot failed too often.',
    facts: z.object({ why, code: z.string().describe('the code of the reason').exactOptional() }),
    text: (f) => f.why,
    example: { why: 'ran longer than max_duration (3600 s)' },
  }),
  removed: kindOf({
    about: 'workload',
    means: 'A workload was removed: all of it has stopped, and it is forgotten.',
    facts: z.object({}),
    text: () => 'nothing of it is left',
    example: {},
  }),
  'set-aside': kindOf({
    about: 'workload',
    means: 'A workload cannot be processed, because of a bug in Berth or an invalid row. All others go on.',
    facts: z.object({ why }),
    text: (f) => `it cannot be processed: ${f.why}; other workloads are not affected`,
    example: { why: '0: gone -> running is not a legal step' },
  }),
  orphan: kindOf({
    about: 'workload',
    means:
      'An instance with the tag of this control plane belongs to no workload. Berth asks the provider to stop it until it is gone.',
    facts: z.object(STRANGE),
    text: (f) =>
      `the instance ${f.instance} on ${f.provider} belongs to no workload${priced(f.usd_per_hour)}; it is being stopped`,
    example: { provider: 'north', instance: 'i-9', slot: '0', epoch: 3, attempt: '0mwjf1qnj0003e6', usd_per_hour: 2.1 },
  }),
  'orphan-ended': kindOf({
    about: 'workload',
    means: 'The provider says that an orphan is gone. It costs nothing from now on.',
    facts: z.object({ ...STRANGE, took_ms: z.number().describe('how long that took since it was first seen, in ms') }),
    text: (f) =>
      `the instance ${f.instance} on ${f.provider}, which belonged to no workload${priced(f.usd_per_hour, 'cost')}, was stopped within ${lasting(f.took_ms)}`,
    example: {
      provider: 'north',
      instance: 'i-9',
      slot: '0',
      epoch: 3,
      attempt: '0mwjf1qnj0003e6',
      usd_per_hour: 2.1,
      took_ms: 40_000,
    },
  }),
} as const

function priced(price: number | undefined, verb = 'costs'): string {
  return price === undefined ? '' : ` and ${verb} ${usd(price)}/h`
}

/** As the next command names it. */
function nameOf({ name, project }: EventContext): string {
  return project === 'default' ? name : `${name} --project ${project}`
}
